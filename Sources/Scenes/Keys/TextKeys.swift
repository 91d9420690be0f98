import ResponderKit

/// Keys of text responders.
extension ResponderDescription {
    private typealias Input = any DocumentTextInput

    static let textKeys = [
        SceneKeyGroup("textField, textView and keyboardTextView", { $0.isText }) {
            Key("text", \.text.text, .text)
            Key("markedText", \.text.markedText, .text, when: .isConfigured) { (input: Input, text) in
                input.setMarkedText(text)
            }
            Key("secure", \.text.isSecure, .flag, sets: \Input.isSecureTextEntry)
            Key("editable", \.text.isEditable, .flag, sets: \Input.isEditable)
            Key("singleLine", \.text.isSingleLine, .flag, sets: \Input.isSingleLine)
            Key("allowsEditingTextAttributes", \.text.allowsEditingTextAttributes, .flag,
                sets: \Input.allowsEditingTextAttributes)
            Key("enablesReturnKeyAutomatically", \.text.enablesReturnKeyAutomatically, .flag,
                sets: \Input.traits.enablesReturnKeyAutomatically)
            Key("smartQuotes", \.text.hasSmartQuotes, .flag) { (input: Input, value) in
                input.traits.smartQuotesType = value ? .yes : .no
            }
            Key("smartDashes", \.text.hasSmartDashes, .flag) { (input: Input, value) in
                input.traits.smartDashesType = value ? .yes : .no
            }
            Key("smartInsertDelete", \.text.hasSmartInsertDelete, .flag) { (input: Input, value) in
                input.traits.smartInsertDeleteType = value ? .yes : .no
            }
        },
        SceneKeyGroup("keyboardTextView", { $0 == .keyboardTextView }) {
            Key("selectable", \.text.isSelectable, .flag, sets: \KeyboardTextView.isSelectable)
            Key("findInteraction", \.text.hasFindInteraction, .flag, sets: \KeyboardTextView.isFindInteractionEnabled)
        },
        SceneKeyGroup("textField, textView and keyboardTextView", { $0.isText }, check: checkLines) {
            Key("keyBindings", \.text.keyBindings, SceneCodec(readKeyBindings) {
                SceneScalar.list($0.map(SceneScalar.text))
            }, unless: []).then { value, responder in responder.keyBindingsLine = value.line }
        },
    ]

    /// A file or a list of them. A name without a slash or a dot is that of a shipped table.
    @Sendable private static func readKeyBindings(_ value: YAMLValue) throws(SourceTextError) -> [String] {
        let shipped = Scene.shippedKeyBindingNames.joined(separator: ", ")
        let expected = "a key binding file such as DefaultKeyBinding.dict, or \(shipped)"
        func name(_ entry: YAMLValue) throws(SourceTextError) -> String {
            let name = try entry.name(expected)
            let isPath = name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
            guard isPath || Scene.shippedKeyBindingNames.contains(name) else { throw entry.error(expected) }
            return name
        }
        guard case .sequence = value.node.content else { return [try name(value)] }
        let names = try value.list("a list of key binding files", name)
        guard !names.isEmpty, names.count <= maximumKeyBindingFiles else {
            throw value.error("1 to \(maximumKeyBindingFiles) key binding files", found: "\(names.count)")
        }
        return names
    }

    private static let maximumKeyBindingFiles = 16

    /// Throws for a single line that has several.
    @Sendable private static func checkLines(
        _ responder: ResponderDescription, _ map: YAMLMap
    ) throws(SourceTextError) {
        guard responder.text.isSingleLine ?? (responder.kind == .textField) else { return }
        for case let value? in [map["text"], map["markedText"]] where try value.string().contains(where: \.isNewline) {
            throw value.error("one line of text, or singleLine: false", found: "several lines")
        }
    }
}
