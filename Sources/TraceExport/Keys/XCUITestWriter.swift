import KeyModel
import TracePresses

/// A Swift test that types the keys into an app with XCUITest's `typeKey`, one call for each press.
///
/// A call has a key and modifiers, and no time: when keys came, how long they were held and what the system repeated is
/// not in it.
struct XCUITestWriter: KeyWriter {
    let takesRepeats = false
    private let sink: KeyExport.Sink
    private let names: XCUIKeyNames
    private var text = ""
    private var count = 0
    /// Modifiers that went down, and no key since.
    private var modifiersAlone: Set<KeyUsage> = []
    private var unusedModifiers: UInt64 = 0
    /// A function of ten thousand lines takes a compiler minutes.
    private static let callsPerFunction = 200

    init(_ survey: ExportSurvey, to sink: @escaping KeyExport.Sink) {
        self.sink = sink
        names = XCUIKeyNames(survey.layout)
        let functions = (survey.pressCount + Self.callsPerFunction - 1) / Self.callsPerFunction
        text = "// The keys of a keyboard, typed into an app; written by keyflight.\nimport XCTest\n"
        text += """

            final class KeyflightKeys: XCTestCase {
                @MainActor
                func testKeys() {
                    let app = XCUIApplication()
                    app.launch()

            """
        for number in 0..<functions { text += "        typeKeys\(number + 1)(app)\n" }
        text += "    }\n"
    }

    mutating func write(_ change: KeyChange) throws -> Bool {
        guard !change.usage.isModifier else {
            noteModifier(change)
            return true
        }
        guard change.phase == .down else { return true }
        modifiersAlone.removeAll()
        if count % Self.callsPerFunction == 0 { try beginFunction() }
        count += 1
        guard let name = names[change.usage] else {
            let chord = Chord(modifiers: change.modifiers, usage: change.usage).text
            text += "        // \(chord): XCUITest has no such key\n"
            return false
        }
        text += "        app.typeKey(\(name), modifierFlags: [\(XCUIKeyNames.flags(change.modifiers))])\n"
        return true
    }

    private mutating func noteModifier(_ change: KeyChange) {
        if change.phase == .down {
            modifiersAlone.insert(change.usage)
        } else if modifiersAlone.remove(change.usage) != nil {
            unusedModifiers += 1
        }
    }

    private mutating func beginFunction() throws {
        if count > 0 { text += "    }\n" }
        try sink(Array(text.utf8))
        text = """

                @MainActor
                private func typeKeys\(count / Self.callsPerFunction + 1)(_ app: XCUIApplication) {

            """
    }

    mutating func finish(leavingOut omissions: KeyExport.Omissions) throws {
        if count > 0 { text += "    }\n" }
        text += "}\n\n// Not in it: when keys came and how long they were held"
        let counts: [(String, UInt64)] = [
            ("modifiers pressed alone", unusedModifiers), ("keys that XCUITest has no name for", omissions.unnamed),
            ("texts without a key", omissions.texts), ("context steps", omissions.steps),
            ("what was typed in secure entries", omissions.secureEntries.count),
        ]
        for (name, count) in counts where count > 0 { text += "; \(name) (\(count))" }
        try sink(Array((text + ".\n").utf8))
    }
}

/// XCUITest's names of keys: a constant of `XCUIKeyboardKey`, or a key's character without modifiers, by the trace's
/// layout, else the US one.
struct XCUIKeyNames {
    private let layout: Layout?

    init(_ layout: Layout?) { self.layout = layout }

    /// Swift source.
    subscript(_ usage: KeyUsage) -> String? {
        guard usage.isKeyboardPage else { return nil }
        if let name = Self.constants[usage.usage] { return ".\(name)" }
        let character = layout.map { $0.plainText(for: usage) } ?? usage.usInput ?? ""
        return character.isEmpty ? nil : Self.quoted(character)
    }

    static func flags(_ modifiers: KeyModifiers) -> String {
        let names: [(KeyModifiers, String)] = [
            (.control, ".control"), (.option, ".option"), (.shift, ".shift"), (.command, ".command"),
        ]
        return names.filter { modifiers.contains($0.0) }.map(\.1).joined(separator: ", ")
    }

    /// A layout comes from a file: nothing of it ends the literal, or is code in it.
    private static func quoted(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case " "..."~": literal.unicodeScalars.append(scalar)
            default:
                if scalar.properties.isAlphabetic {
                    literal.unicodeScalars.append(scalar)
                } else {
                    literal += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
                }
            }
        }
        return literal + "\""
    }

    /// By usage of the keyboard page [Apple, XCUIKeyboardKey].
    private static let constants: [UInt16: String] = {
        var names: [UInt16: String] = [
            0x28: "return", 0x29: "escape", 0x2A: "delete", 0x2B: "tab", 0x2C: "space", 0x39: "capsLock", 0x4A: "home",
            0x4B: "pageUp", 0x4C: "forwardDelete", 0x4D: "end", 0x4E: "pageDown", 0x4F: "rightArrow",
            0x50: "leftArrow", 0x51: "downArrow", 0x52: "upArrow", 0x58: "enter", 0x75: "help",
        ]
        for number in 1...12 { names[0x39 + UInt16(number)] = "F\(number)" }
        for number in 13...19 { names[0x68 + UInt16(number - 13)] = "F\(number)" }
        return names
    }()
}
