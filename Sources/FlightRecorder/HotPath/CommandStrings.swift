package import KeyModel
package import TraceFormat

/// A key command by its C strings. They are read where they are: a list that is known is found without a copy of it.
package struct CommandStrings {
    let input: UnsafePointer<CChar>?
    let modifiers: KeyModifiers
    let action: UnsafePointer<CChar>?
    let publicTitle: UnsafePointer<CChar>?
    let attributes: CommandDefinition.Attributes

    package init(
        input: UnsafePointer<CChar>?, modifiers: KeyModifiers, action: UnsafePointer<CChar>?,
        publicTitle: UnsafePointer<CChar>?, attributes: CommandDefinition.Attributes
    ) {
        self.input = input
        self.modifiers = modifiers
        self.action = action
        self.publicTitle = publicTitle
        self.attributes = attributes
    }

    fileprivate var definition: CommandDefinition {
        CommandDefinition(
            input: input.map { String(cString: $0) }, modifiers: modifiers,
            action: action.map { String(cString: $0) } ?? "", title: publicTitle.map { String(cString: $0) },
            attributes: attributes)
    }
}

/// A command by its number in the recording's lists: it is a list of one. Its strings may be gone afterwards.
package struct NumberedCommand {
    let number: UInt32

    package init(_ command: CommandStrings) { number = Keyflight.buffer(0)?.command(command) ?? 0 }
}

/// The bytes of a C string, where they are.
func bytes(ofCString text: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
    var count = 0
    while text[count] != 0 { count += 1 }
    return UnsafeRawBufferPointer(start: text, count: count)
}

extension ContentHash {
    /// Hashes as for the same text in Swift, so that a list has one number whoever answers it.
    fileprivate mutating func combine(cString text: UnsafePointer<CChar>?) {
        if let text { combine(bytes(ofCString: text)) } else { combine(0) }
    }
}

extension UnsafeMutablePointer where Pointee == ThreadBuffer {
    /// The number of a list of `count` commands, which are read by index.
    func list(_ count: Int, _ command: (Int) -> CommandStrings) -> UInt32 {
        var hash = NameTable.shared.hash(.list)
        for place in 0..<count {
            let command = command(place)
            hash.combine(cString: command.input)
            if let action = command.action { hash.combine(cString: action) } else { hash.combine("") }
            hash.combine(cString: command.publicTitle)
            hash.combine(UInt64(command.modifiers.rawValue) | UInt64(command.attributes.rawValue) << 32)
        }
        if let known = known(hash.final) { return known }
        let definitions = (0..<Swift.min(count, TraceLimits.listCommands)).map { command($0).definition }
        return remember(hash.final) { NameTable.shared.list(hash.final) { definitions } }
    }

    /// A command on its own: a list of one.
    func command(_ command: CommandStrings) -> UInt32 { list(1) { _ in command } }
}
