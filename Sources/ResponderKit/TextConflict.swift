public import KeyModel
public import ResponderEngine

/// Keys that text takes while it is edited, so that a command for one of them would take away typing (spec §8.2).
///
/// The table was made by trying keys in text views. It is about a command's input, not about positions, and about
/// what the key would do to text, not about whether there is any.
public struct TextConflict: Hashable, Sendable {
    /// The inputs that this row is about: characters, or constants of spec §1.4. Letters mean both cases.
    public let inputs: Set<String>
    /// The modifiers with which text takes them: all of `matchMask` compared.
    public let modifiers: Set<KeyModifiers>

    init(_ inputs: [String], _ modifiers: [KeyModifiers]) {
        self.inputs = Set(inputs)
        self.modifiers = Set(modifiers)
    }

    /// The rows of the table that name their inputs.
    public static let rows: [TextConflict] = [
        TextConflict(
            [
                KeyCommand.inputDelete, KeyCommand.inputUpArrow, KeyCommand.inputDownArrow, KeyCommand.inputLeftArrow,
                KeyCommand.inputRightArrow,
            ],
            [
                [], .shift, .control, .option, .command, [.shift, .control], [.shift, .option], [.shift, .command],
            ]),
        TextConflict([" "], [[], .shift, .option, [.shift, .option]]),
        TextConflict(["\r", "\t", KeyCommand.inputEscape], [[]]),
        TextConflict(
            [KeyCommand.inputPageUp, KeyCommand.inputPageDown, KeyCommand.inputHome, KeyCommand.inputEnd], []),
        TextConflict(
            "abdefhijkmnopt".map(String.init),
            [[], .shift, .control, .option, [.shift, .control], [.shift, .option]]),
        // They have constants but type nothing, so that text has no use for them (spec §2.3).
        TextConflict((1...12).map { "UIKeyInputF\($0)" }, []),
    ]

    /// The modifiers with which text takes any other input: neither Command nor Control.
    public static let others: Set<KeyModifiers> = [[], .shift, .option, [.shift, .option]]

    private static let byInput: [String: Set<KeyModifiers>] = {
        var table: [String: Set<KeyModifiers>] = [:]
        for row in rows { for input in row.inputs { table[input] = row.modifiers } }
        return table
    }()

    /// True when a command for this input with these modifiers would take a key from text. No input, and the empty one,
    /// conflict with nothing.
    public static func exists(input: String?, modifiers: KeyModifiers) -> Bool {
        guard let input, !input.isEmpty else { return false }
        let name = input.utf8.count == 1 ? input.lowercased() : input
        return (byInput[name] ?? others).contains(modifiers.intersection(.matchMask))
    }
}

extension KeyCommand {
    /// The command's key is one that text wants while it is edited: without priority it yields to text from iOS 15 on,
    /// and takes typing away before (spec §8.2, T-2).
    public final var doesConflictWithTextInput: Bool {
        TextConflict.exists(input: input, modifiers: modifierFlags)
    }
}
