import KeyModel
import ResponderEngine
import ResponderKit
import Testing

/// The table of keys that a command takes from text (spec §8.2). What text does with a key is `TextKeyTests`.
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
