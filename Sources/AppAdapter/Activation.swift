import CObjCHooks

/// A call of a hooked method.
typealias Activation = UnsafeMutablePointer<keyflight_activation>

extension UnsafeMutablePointer where Pointee == keyflight_activation {
    func argument(_ place: Int) -> keyflight_object? { keyflight_object(bitPattern: UInt(pointee.arguments[place])) }

    /// The first argument of a message about a selector.
    var selectorArgument: keyflight_selector? { keyflight_selector(bitPattern: UInt(pointee.arguments[0])) }

    /// Its name.
    var actionName: UnsafePointer<CChar>? { selectorArgument.flatMap { keyflight_selector_name($0) } }

    var resultObject: keyflight_object? { keyflight_object(bitPattern: UInt(pointee.result)) }

    /// The row of the method is the one for menus: the only one of its selector with a class.
    var isOfMenu: Bool { pointee.hook.pointee.within != nil }

    /// The method has returned, with true.
    var isYes: Bool { !pointee.is_unwound && UInt8(truncatingIfNeeded: pointee.result) != 0 }
}
