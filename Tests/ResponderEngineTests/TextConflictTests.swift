import KeyModel
import ResponderEngine
import ResponderKit
import Testing

/// The table of keys that text wants (spec §8.2), and that the engine keeps to it.
@Suite("Text conflicts")
struct TextConflictTests {
    private static let combinations: [KeyModifiers] = (0..<16).map { packed in
        let flags: [KeyModifiers] = [.shift, .control, .option, .command]
        return flags.enumerated().reduce(into: []) { if packed & 1 << $1.offset != 0 { $0.insert($1.element) } }
    }

    private func exists(_ input: String?, _ modifiers: KeyModifiers) -> Bool {
        TextConflict.exists(input: input, modifiers: modifiers)
    }

    @Test("§8.2 each row of the table, with every combination of modifiers")
    func table() {
        let command: (KeyModifiers) -> Bool = { $0.contains(.command) }
        for flags in Self.combinations {
            #expect(!exists(nil, flags) && !exists("", flags))
            let few: [KeyModifiers] = [.shift, .control, .option, .command, [], [.shift, .control], [.shift, .option]]
            let isFew = few.contains(flags) || flags == [.shift, .command]
            for input in [
                KeyCommand.inputDelete, KeyCommand.inputUpArrow, KeyCommand.inputDownArrow, KeyCommand.inputLeftArrow,
                KeyCommand.inputRightArrow,
            ] {
                #expect(exists(input, flags) == isFew, "\(input) \(flags.names)")
            }
            #expect(exists(" ", flags) == flags.isDisjoint(with: [.command, .control]))
            for input in ["\r", "\t", KeyCommand.inputEscape] { #expect(exists(input, flags) == flags.isEmpty) }
            for input in [
                KeyCommand.inputPageUp, KeyCommand.inputPageDown, KeyCommand.inputHome, KeyCommand.inputEnd,
            ] {
                #expect(!exists(input, flags))
            }
            for letter in "abdefhijkmnoptABDEFHIJKMNOPT" {
                let expected = !command(flags) && !flags.isSuperset(of: [.control, .option])
                #expect(exists(String(letter), flags) == expected, "\(letter) \(flags.names)")
            }
            for other in "cglqrsuvwxyzCZ0123456789-=[]\\;'`,./é€" {
                #expect(exists(String(other), flags) == flags.isDisjoint(with: [.command, .control]))
            }
        }
    }

    @Test("§8.2 Caps Lock and the numeric pad are no part of it; a command tells for itself")
    func commands() {
        #expect(exists("a", [.capsLock, .shift, .numericPad]))
        #expect(command("k", [], "x:").doesConflictWithTextInput)
        #expect(!command("k", .command, "x:").doesConflictWithTextInput)
        #expect(command(KeyCommand.inputLeftArrow, .command, "back:").doesConflictWithTextInput)
    }

    /// Keys that the system routes elsewhere although the table leaves them to commands: what §1.6 and §2.3 list for
    /// text, what the system keeps (spec MT-13), and ⌘. which is Escape (spec EV-2).
    private enum Exception {
        case taken(TakenBy)
        case reserved
    }

    private static let standardKeys: [(key: Character, modifiers: KeyModifiers)] = [
        ("x", .command), ("c", .command), ("v", .command), ("a", .command), ("v", [.option, .shift, .command]),
    ]
    private static let styleKeys: [(key: Character, modifiers: KeyModifiers)] = [
        ("b", .command), ("i", .command), ("u", .command),
    ]
    private static let undoKeys: [(key: Character, modifiers: KeyModifiers)] = [
        ("z", .command), ("z", [.shift, .command]),
    ]
    private static let reservedKeys: [(key: Character, modifiers: KeyModifiers)] = [
        ("h", .command), ("\t", .command), (" ", .command), ("\t", [.shift, .command]), ("3", [.shift, .command]),
        ("4", [.shift, .command]), (" ", .control), (" ", [.shift, .control]),
        ("\t", [.control, .option, .shift, .command]),
    ]

    private func exception(_ input: String, _ flags: KeyModifiers, stylesText: Bool) -> Exception? {
        func lists(_ keys: [(key: Character, modifiers: KeyModifiers)]) -> Bool {
            keys.contains { String($0.key) == input && $0.modifiers == flags }
        }
        if lists(Self.standardKeys) { return .taken(.standardEdit) }
        if stylesText, lists(Self.styleKeys) { return .taken(.builtinText) }
        if lists(Self.undoKeys) { return .taken(.text) }
        if lists(Self.reservedKeys) { return .reserved }
        if input == ".", flags == .command { return .taken(.text) }
        return nil
    }

    /// Every key of the layout, with the input of a command for it.
    private static func keys(of layout: Layout) -> [(usage: KeyUsage, input: String)] {
        let special: [(UInt16, String)] = [
            (0x28, "\r"), (0x29, KeyCommand.inputEscape), (0x2A, KeyCommand.inputDelete), (0x2B, "\t"), (0x2C, " "),
            (0x4A, KeyCommand.inputHome), (0x4B, KeyCommand.inputPageUp), (0x4C, "\u{7F}"),
            (0x4D, KeyCommand.inputEnd), (0x4E, KeyCommand.inputPageDown), (0x4F, KeyCommand.inputRightArrow),
            (0x50, KeyCommand.inputLeftArrow), (0x51, KeyCommand.inputDownArrow), (0x52, KeyCommand.inputUpArrow),
            (0x58, "\r"),
        ]
        let functions = (1...12).map { (UInt16(0x39 + $0), "UIKeyInputF\($0)") }
        let named = special + functions
        let characters = layout.keys.keys.sorted().filter { usage in !named.contains { $0.0 == usage } }
            .map { ($0, layout.plainText(for: .keyboard($0)).lowercased()) }
            .filter { !$0.1.isEmpty }
        return (named + characters).map { (.keyboard($0.0), $0.1) }
    }

    @Test(
        "§8.2 KK-T every key with every modifiers: text takes it exactly where the table says conflict",
        arguments: [false, true])
    func engineKeepsToTheTable(stylesText: Bool) throws {
        let bench = try Bench("ios15")
        let field = bench.addTextField(text: "some text")
        field.allowsEditingTextAttributes = stylesText
        bench.vc.implemented = ["run:"]
        let keys = Self.keys(of: bench.engine.layout)
        #expect(keys.count > 90, "a US keyboard with its numeric pad has more keys")
        for (usage, input) in keys {
            for flags in Self.combinations {
                let offered = command(input, flags, "run:")
                bench.vc.commands = [offered]
                let chord = Chord(modifiers: flags, usage: usage)
                let resolution = try #require(bench.engine.press(chord), "\(chord.text)")
                let seen = (resolution.outcome, resolution.takenBy)
                switch exception(input, flags, stylesText: stylesText) {
                case .taken(let taker)?: #expect(seen.1 == taker, "\(chord.text)")
                case .reserved?: #expect(seen == (.unhandled, .system), "\(chord.text)")
                case nil where offered.doesConflictWithTextInput:
                    #expect(seen == (.consumedByText, .text), "\(chord.text)")
                case nil: #expect(seen == (.performed, .keyCommands), "\(chord.text)")
                }
                #expect(bench.engine.firstResponder === field)
            }
        }
    }

    @Test("§8.2 forward delete is no constant: with Command or Control it is left to commands")
    func forwardDelete() throws {
        let bench = try Bench("ios15")
        let field = bench.addTextField(text: "ab cd")
        _ = try bench.press("cmd+left")
        #expect(try bench.press("cmd+deleteforward").outcome == .unhandled && field.text == "ab cd")
        #expect(try bench.press("ctrl+deleteforward").outcome == .unhandled)
        #expect(try bench.press("opt+deleteforward").outcome == .consumedByText && field.text == " cd")
    }
}
