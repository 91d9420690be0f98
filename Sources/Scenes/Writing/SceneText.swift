import KeyModel
import ResponderEngine

extension Scene {
    /// The scene as a file contains it: chain, containment of views and windows, lists, answers, text and menus. What
    /// only components of ResponderKit have is not written.
    ///
    /// - Parameters:
    ///   - comments: Each a line of its own at the beginning.
    ///   - remarks: By id, behind the responder.
    public func text(comments: [String] = [], remarks: [String: String] = [:]) -> String {
        var lines = comments.map(SceneComment.line) + ["scene: 1", "name: \(SceneScalar.text(name))"]
        if let profile { lines.append("profile: \(SceneScalar.text(profile))") }
        if !parameters.isEmpty {
            lines.append("parameters:")
            for setting in parameters { lines.append("  \(setting.name): \(SceneScalar.parameter(setting.value))") }
        }
        lines.append("layout: \(SceneScalar.text(layout))")
        if direction != .ltr { lines.append("direction: \(direction.rawValue)") }
        if device != .ipad { lines.append("device: \(device.rawValue)") }
        if let focusSystem { lines.append("focusSystem: \(focusSystem)") }
        lines.append("responders:")
        for responder in responders { lines += responder.lines(remark: remarks[responder.id]) }
        lines.append("firstResponder: \(firstResponder.map(SceneScalar.text) ?? "null")")
        if !mainMenu.isEmpty { lines += ["mainMenu:"] + mainMenu.flatMap { $0.lines(indent: 2) } }
        if !mainMenuVariants.isEmpty { lines.append("mainMenuVariants:") }
        for variant in mainMenuVariants {
            let menus = variant.value.flatMap { $0.lines(indent: 4) }
            lines += ["  \(SceneScalar.text(variant.name)):" + (menus.isEmpty ? " []" : "")] + menus
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

/// Scalars of YAML.
enum SceneScalar {
    /// The text itself where YAML reads it back as text, else a quoted one.
    static func text(_ text: String) -> String {
        let isPlain =
            text.utf8.first.map(isLetter) ?? false
            && text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F }
            && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
        return isPlain ? text : quoted(text)
    }

    /// A value of a parameter, which is a word, a number or a list of chords.
    static func parameter(_ value: String) -> String {
        if value == "none" || !value.contains("+") {
            let isWord = value.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
            return isWord && !value.isEmpty ? value : quoted(value)
        }
        return "[" + value.split(separator: " ").map { quoted(String($0)) }.joined(separator: ", ") + "]"
    }

    static func list(_ words: [String]) -> String { "[" + words.joined(separator: ", ") + "]" }

    /// Hidden characters are escaped: YAML demands it of most, terminals of the rest.
    private static func quoted(_ text: String) -> String {
        var literal = ""
        for scalar in JSONString.literal(text).unicodeScalars {
            if VisibleText.isHidden(scalar) {
                let isLong = scalar.value > 0xFFFF
                literal += (isLong ? "\\U" : "\\u") + scalar.value.hexadecimal(isLong ? 8 : 4)
            } else {
                literal.unicodeScalars.append(scalar)
            }
        }
        return literal
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}

extension ResponderDescription {
    /// A key with its value in one line, or with the lines of a list or map below it.
    private enum Field {
        case value(String, String)
        case block(String, [String])
    }

    fileprivate func lines(remark: String?) -> [String] {
        let remark = remark.map { " " + SceneComment.line($0) } ?? ""
        let places = [
            "next", "superview", "application", "keyWindow", "canBecomeFirstResponder", "swallowsPresses",
            "contentSize", "viewport", "offset",
        ]
        let texts = ["text", "secure", "singleLine", "editable", "allowsEditingTextAttributes", "keyBindings"]
        let fields =
            [.value("kind", kind.rawValue)] + written(places).map(Field.value) + answerFields
            + written(texts).map(Field.value)
        let values = fields.compactMap { field -> String? in
            if case .value(let key, let value) = field { "\(key): \(value)" } else { nil }
        }
        let head = "id: \(SceneScalar.text(id))"
        let whole = "  - {\(([head] + values).joined(separator: ", "))}" + remark
        if values.count == fields.count, whole.utf8.count <= 120 { return [whole] }
        var lines = ["  - \(head)" + remark]
        for field in fields {
            switch field {
            case .value(let key, let value): lines.append("    \(key): \(value)")
            case .block(let key, let inner): lines += ["    \(key):"] + inner.map { "      " + $0 }
            }
        }
        return lines
    }

    private var answerFields: [Field] {
        var fields: [Field] = []
        func add(_ key: String, _ commands: [CommandDescription]) {
            fields.append(commands.isEmpty ? .value(key, "[]") : .block(key, commands.map(\.line)))
        }
        if let keyCommands { add("keyCommands", keyCommands) }
        if !variants.isEmpty {
            fields.append(
                .block(
                    "variants",
                    variants.flatMap { variant in
                        let inner = variant.value.map { "  " + $0.line }
                        return ["\(SceneScalar.text(variant.name)):" + (inner.isEmpty ? " []" : "")] + inner
                    }))
        }
        if !keyEquivalents.isEmpty { add("keyEquivalents", keyEquivalents) }
        if !actions.isEmpty {
            fields.append(.value("actions", SceneScalar.list(actions.map { SceneScalar.text($0.name) })))
        }
        if !canPerform.isEmpty {
            let answers = canPerform.map { "\(SceneScalar.text($0.name)): \($0.value.toCommands ?? false)" }
            fields.append(.value("canPerform", "{" + answers.joined(separator: ", ") + "}"))
        }
        return fields
    }
}

extension MenuDescription {
    fileprivate func lines(indent: Int) -> [String] {
        let blank = String(repeating: " ", count: indent)
        switch self {
        case .menu(let identifier, let title, let children):
            let name = title.isEmpty ? "" : "\n\(blank)  title: \(SceneScalar.text(title))"
            let inner = children.flatMap { $0.lines(indent: indent + 4) }
            return ["\(blank)- menu: \(SceneScalar.text(identifier))" + name]
                + ["\(blank)  children:" + (inner.isEmpty ? " []" : "")] + inner
        case .command(let command): return [blank + command.line]
        case .placed(let menu, let place):
            return menu.lines(indent: indent)
                + ["\(blank)  \(place.relation.rawValue): \(SceneScalar.text(place.identifier))"]
        case .replaceChildren(let parent, let children):
            let inner = children.flatMap { $0.lines(indent: indent + 4) }
            return ["\(blank)- replaceChildren: \(SceneScalar.text(parent))"]
                + ["\(blank)  children:" + (inner.isEmpty ? " []" : "")] + inner
        case .remove(let identifier): return ["\(blank)- {remove: \(SceneScalar.text(identifier))}"]
        }
    }
}

extension Scene {
    /// True when a scene has a name for a key command's input.
    public static func canName(input: String) -> Bool { InputName.name(of: input) != nil }
}
