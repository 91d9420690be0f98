import Foundation
import KeyLayout
import KeyModel
import ResponderEngine
import ResponderKit
import Testing

/// Every key with every combination of modifiers in editable text, as `Tests/Cases/text-keys.txt` has it.
@Suite("Text keys")
struct TextKeyTests {
    /// One cell of the table.
    struct Cell: CustomStringConvertible {
        var key: String
        var modifiers: KeyModifiers
        var expected: String
        var description: String { "\(Chord.glyphs(modifiers))\(key): \(expected)" }
    }

    private static let glyphs: [Character: KeyModifiers] = [
        "⇧": .shift, "⌃": .control, "⌥": .option, "⌘": .command,
    ]

    static let cells: [Cell] = {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Cases/text-keys.txt")
        let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        let rows = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init) }
        guard let header = rows.first else { return [] }
        let columns = header.dropFirst().map { $0.reduce(into: KeyModifiers()) { $0.formUnion(glyphs[$1] ?? []) } }
        return rows.dropFirst().flatMap { row in
            zip(columns, row.dropFirst()).map { Cell(key: row[0], modifiers: $0, expected: $1) }
        }
    }()

    private static func layout() throws -> Layout {
        var layout = try #require(ShippedLayouts.named("us"))
        layout.keys[0x64] = Layout.Key(symbols: [.text("§"), .text("±")])
        return layout
    }

    private static func usage(_ key: String) throws -> KeyUsage {
        key == "§" ? .keyboard(0x64) : try #require(KeyUsage(name: key), "\(key)")
    }

    @Test("§2.3 the table has every key and every combination of modifiers once")
    func isComplete() {
        #expect(Self.cells.count == 62 * 16)
        #expect(Set(Self.cells.map { "\($0.modifiers.names) \($0.key)" }).count == 62 * 16)
    }

    @Test("§2.3 EV-14 text does with each key what the table says", arguments: ["ios134", "ios15", "ios15 iPad"])
    func everyKey(profile: String) throws {
        let hasFocus = profile.hasSuffix("iPad")
        let layout = try Self.layout()
        for cell in Self.cells {
            let bench = try Bench(String(profile.split(separator: " ")[0]))
            bench.engine.layout = layout
            bench.engine.hasFocusSystem = hasFocus
            let text = RecordingText(id: "text")
            bench.view.addSubview(text)
            bench.engine.focus(text)
            let chord = Chord(modifiers: cell.modifiers, usage: try Self.usage(cell.key))
            let resolution = try #require(bench.engine.press(chord), "\(cell)")
            let taken = resolution.takenBy.map { [.text, .builtinText].contains($0) } ?? false
            // Text of several lines types a tab; with other modifiers than ⌥ it is the focus system's.
            let isFocusKey = hasFocus && cell.key == "tab" && !cell.modifiers.isSubset(of: .option)
            let expected = isFocusKey ? "." : cell.expected
            switch expected {
            case ".", "sys": #expect(!taken && text.log.isEmpty, "\(cell) \(text.log)")
            case "edit": #expect(resolution.takenBy == .standardEdit && text.log.isEmpty, "\(cell)")
            case "style": #expect(resolution.takenBy == .builtinText && text.log == ["style"], "\(cell)")
            case "taken", "escape": #expect(taken && text.log.isEmpty, "\(cell) \(text.log)")
            default:
                let expectedLog = try Self.log(expected, cell, layout)
                #expect(resolution.takenBy == .text && text.log == expectedLog, "\(cell) \(text.log)")
            }
        }
    }

    @Test("EV-8 §2.3 from iOS 15 a plain command is dead on each key that text takes, and runs on every other one")
    func commands() throws {
        let layout = try Self.layout()
        for cell in Self.cells where !["sys", "edit", "escape"].contains(cell.expected) {
            for (profile, runs) in [("ios134", cell.expected != "style"), ("ios15", cell.expected == ".")] {
                let bench = try Bench(profile)
                bench.engine.layout = layout
                let text = RecordingText(id: "text")
                bench.view.addSubview(text)
                bench.engine.focus(text)
                let usage = try Self.usage(cell.key)
                let input = Self.inputs[cell.key] ?? cell.key
                bench.vc.commands = [command(input, cell.modifiers, "run:")]
                bench.vc.implemented = ["run:"]
                let resolution = try #require(
                    bench.engine.press(Chord(modifiers: cell.modifiers, usage: usage)), "\(cell)")
                // ⌥⇧⌘V is a standard key from iOS 15 on (spec §1.6).
                if resolution.takenBy == .standardEdit { continue }
                #expect((resolution.action == "run:") == runs, "\(profile) \(cell)")
            }
        }
    }

    @Test("§2.3 escapeTakenByText: false leaves Escape and ⇧Escape to commands")
    func escape() throws {
        let bench = try Bench("ios15")
        try bench.engine.profile.set("escapeTakenByText", to: "false")
        _ = bench.addTextField()
        bench.vc.commands = [command(KeyCommand.inputEscape, [], "cancel:")]
        bench.vc.implemented = ["cancel:"]
        #expect(try bench.press("esc").action == "cancel:")
        #expect(try bench.press("shift+esc").outcome == .unhandled)
    }

    @Test("§2.3 modified Return ends editing of a single line as bare Return does")
    func singleLine() throws {
        let bench = try Bench("ios15")
        let field = bench.addTextField(text: "a")
        for chord in ["return", "shift+return", "ctrl+return", "opt+return", "ctrl+opt+shift+return"] {
            let resolution = try bench.press(chord)
            #expect(resolution.outcome == .consumedByText && resolution.text == nil && field.text == "a", "\(chord)")
        }
        #expect(try bench.press("cmd+return").outcome == .unhandled)
    }

    private static let inputs: [String: String] = [
        "return": "\r", "keypadenter": "\r", "tab": "\t", "space": " ", "delete": "\u{8}",
        "esc": KeyCommand.inputEscape, "left": KeyCommand.inputLeftArrow, "right": KeyCommand.inputRightArrow,
        "up": KeyCommand.inputUpArrow, "down": KeyCommand.inputDownArrow, "pageup": KeyCommand.inputPageUp,
        "pagedown": KeyCommand.inputPageDown, "home": KeyCommand.inputHome, "end": KeyCommand.inputEnd,
    ]

    /// What the double of the text logs for a cell; a dead key waits for the next one.
    private static func log(_ expected: String, _ cell: Cell, _ layout: Layout) throws -> [String] {
        if expected.hasPrefix("\"") { return ["types " + expected.dropFirst().dropLast()] }
        if expected.hasPrefix("U+"), let code = UInt32(expected.dropFirst(2), radix: 16) {
            return ["types " + (Unicode.Scalar(code).map { String($0) } ?? "")]
        }
        guard expected == "=" else { return [expected] }
        guard case .text(let text) = layout.symbol(for: try usage(cell.key), modifiers: cell.modifiers) else {
            return []
        }
        return ["types " + text]
    }
}

/// Text that notes what is asked of it.
private final class RecordingText: View, TextInput {
    var log: [String] = []
    override var canBecomeFirstResponder: Bool { true }
    override var textInput: (any TextInput)? { self }
    override func responds(to action: Selector) -> Bool {
        ["cut:", "copy:", "paste:", "selectAll:"].contains(action.name)
    }
    let isEditable = true
    let isSingleLine = false
    let isSecureTextEntry = false
    let allowsEditingTextAttributes = true
    let markedText: String? = nil
    let hasText = true
    let documentLength = 0
    func setMarkedText(_ text: String?) {}
    func unmarkText() {}
    func insertText(_ text: String) { log.append("types " + text) }
    func deleteBackward() { log.append("delete.backward") }
    func pressReturn() -> String? {
        log.append("newline")
        return "\n"
    }

    func perform(_ command: TextCommand) {
        switch command {
        case .move(let direction, let unit, let extending):
            log.append(name(unit) + "\(direction)" + (extending ? "+" : ""))
        case .delete(let direction, let unit): log.append("delete." + name(unit) + "\(direction)")
        case .toggleBold, .toggleItalics, .toggleUnderline: log.append("style")
        default: log.append("\(command)")
        }
    }

    private func name(_ unit: TextCommand.Unit) -> String { unit == .character ? "" : "\(unit)." }
}
