import KeyModel

/// Which of the methods that every press would call a responder's class, or one between it and `Responder`,
/// overrides. What is not overridden does what `Responder` does, and need not be called to know that.
///
/// The language has no question for this. A class's method table has it: a method that is not overridden stands there
/// with the address that stands in `Responder`'s. Where each method's place is, is found at run time by comparing
/// classes that override exactly one; if that does not come out clear, or where tables have another form, every method
/// counts as overridden, which costs time and changes nothing else.
///
/// What `Application` overrides counts as not overridden: it is about one action, `Window.cycleAction`.
struct OverriddenMethods: OptionSet {
    let rawValue: UInt8

    static let pressesBegan = OverriddenMethods(rawValue: 1)
    static let pressesEnded = OverriddenMethods(rawValue: 2)
    static let target = OverriddenMethods(rawValue: 4)
    static let canPerformAction = OverriddenMethods(rawValue: 8)
    static let responds = OverriddenMethods(rawValue: 16)
    static let textInput = OverriddenMethods(rawValue: 32)
    static let keyboardScrolling = OverriddenMethods(rawValue: 64)
    static let perform = OverriddenMethods(rawValue: 128)
    static let all = OverriddenMethods(rawValue: 255)
    /// Those that decide who performs an action.
    static let asked: OverriddenMethods = [.target, .canPerformAction, .responds]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    @inline(__always)
    init(of responder: Responder) {
        guard let places = MethodPlaces.found else {
            self = .all
            return
        }
        self = places.overridden(ObjectIdentifier(type(of: responder)))
    }
}

/// Where the methods stand in the table of each class of responders, in words from the class's own address, and what
/// stands there in `Responder`'s.
private struct MethodPlaces: Sendable {
    private var places: [(word: Int, method: OverriddenMethods, original: UInt, application: UInt)] = []

    static let found = MethodPlaces()

    func overridden(_ type: ObjectIdentifier) -> OverriddenMethods {
        guard let words = UnsafePointer<UInt>(bitPattern: UInt(bitPattern: type)) else { return .all }
        var methods: OverriddenMethods = []
        for place in places where words[place.word] != place.original && words[place.word] != place.application {
            methods.insert(place.method)
        }
        return methods
    }

    /// `nil` where a method's place is not the one word in which a class that overrides it differs from `Responder`,
    /// and a class that overrides nothing does not.
    private init?() {
        let base = ObjectIdentifier(Responder.self)
        guard let size = MethodPlaces.words(of: base),
            let original = UnsafePointer<UInt>(bitPattern: UInt(bitPattern: base)),
            let application = UnsafePointer<UInt>(bitPattern: UInt(bitPattern: ObjectIdentifier(Application.self))),
            let plain = UnsafePointer<UInt>(bitPattern: UInt(bitPattern: ObjectIdentifier(OverridesNothing.self)))
        else { return nil }
        for (method, type) in MethodPlaces.samples {
            guard let sample = UnsafePointer<UInt>(bitPattern: UInt(bitPattern: ObjectIdentifier(type))) else {
                return nil
            }
            let differing = (0..<size).filter { plain[$0] == original[$0] && sample[$0] != original[$0] }
            guard differing.count == 1, let word = differing.first else { return nil }
            places.append((word, method, original[word], application[word]))
        }
        guard Set(places.map(\.word)).count == places.count else { return nil }
    }

    private static let samples: [(OverriddenMethods, Responder.Type)] = [
        (.pressesBegan, OverridesPressesBegan.self), (.pressesEnded, OverridesPressesEnded.self),
        (.target, OverridesTarget.self), (.canPerformAction, OverridesCanPerformAction.self),
        (.responds, OverridesResponds.self), (.textInput, OverridesTextInput.self),
        (.keyboardScrolling, OverridesKeyboardScrolling.self), (.perform, OverridesPerform.self),
    ]

    /// How many words of a class's description follow its address. Where Objective-C's run time is there too, the
    /// description has another form and its addresses may be signed.
    private static func words(of type: ObjectIdentifier) -> Int? {
        #if canImport(ObjectiveC) || !(arch(x86_64) || arch(arm64))
        return nil
        #else
        // Kind and superclass take a word each; flags, address point, instance size, alignment, then the sizes.
        guard let description = UnsafeRawPointer(bitPattern: UInt(bitPattern: type)) else { return nil }
        let whole = Int(description.load(fromByteOffset: 32, as: UInt32.self))
        let before = Int(description.load(fromByteOffset: 36, as: UInt32.self))
        guard before >= 0, whole > before + 56, whole - before < 8192 else { return nil }
        return (whole - before) / MemoryLayout<UInt>.stride
        #endif
    }
}

private final class OverridesNothing: Responder {}

private final class OverridesPressesBegan: Responder {
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) { event?.timestamp = .zero }
}

private final class OverridesPressesEnded: Responder {
    override func pressesEnded(_ presses: Set<Press>, with event: PressesEvent?) { event?.timestamp = .zero }
}

private final class OverridesTarget: Responder {
    override func target(forAction action: Selector, sender: Any?) -> Responder? { self }
}

private final class OverridesCanPerformAction: Responder {
    override func canPerformAction(_ action: Selector, sender: Any?) -> Bool { isFirstResponder }
}

private final class OverridesResponds: Responder {
    override func responds(to action: Selector) -> Bool { isFirstResponder }
}

private final class OverridesTextInput: Responder {
    override var textInput: (any TextInput)? { explicitNext?.textInput }
}

private final class OverridesKeyboardScrolling: Responder {
    override var keyboardScrolling: (any KeyboardScrolling)? { explicitNext?.keyboardScrolling }
}

private final class OverridesPerform: Responder {
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) { event?.timestamp = .zero }
}
