import KeyModel
import ResponderEngine
import ResponderKit

/// Keys of hosting controllers and web views.
extension ResponderDescription {
    static let hostedKeys = [
        SceneKeyGroup("hostingController", { $0 == .hostingController }) {
            Key("shortcuts", \.hosted.shortcuts, SceneCodec { value throws(SourceTextError) in
                try readShortcuts(value, depth: 1)
            })
            Key("onKeyPress", \.hosted.keyPressHandlers, .list("a list of handlers", of: SceneCodec(readHandler)))
            Key("buttonRepeatBehavior", \.hosted.buttonRepeatBehavior, .choice(),
                sets: \HostingController.buttonRepeatBehavior)
        },
        SceneKeyGroup("webView", { $0 == .webView }) {
            Key("preventsDefault", \.hosted.preventedKeys, SceneCodec(readPrevented), sets: \WebView.preventedKeys)
        },
    ]

    /// Views inside views: more would only be an attack on the stack.
    private static let maximumDepth = 16

    /// Shortcuts from leading to trailing; a list inside the list is a view inside the view. The order of the text is
    /// the depth-first one.
    private static func readShortcuts(
        _ value: YAMLValue, depth: Int
    ) throws(SourceTextError) -> [CommandDescription] {
        guard depth <= maximumDepth else {
            throw value.error("at most \(maximumDepth) views inside each other", found: "one more")
        }
        var shortcuts: [CommandDescription] = []
        for entry in try value.list("a list of shortcuts and of lists of them") {
            if case .sequence = entry.node.content {
                shortcuts += try readShortcuts(entry, depth: depth + 1)
            } else {
                shortcuts.append(try CommandDescription.read(entry))
            }
        }
        return shortcuts
    }

    @Sendable private static func readHandler(_ value: YAMLValue) throws(SourceTextError) -> KeyPressDescription {
        var map = try value.map("a handler such as {keys: [space], result: handled}")
        let view = try map.take("view").map(SceneCodec<String>.id.read)
        let keys = try map.take("keys")?.list("a list of inputs") { entry throws(SourceTextError) in
            try SceneCodec<String>.input.read(entry).lowercasedLetter
        }
        typealias Phase = HostingController.KeyPressHandler.Phase
        var phases: Set<Phase> = [.down, .repeat]
        if let list = map.take("phases") {
            phases = Set(try list.list("a list of phases", SceneCodec<Phase>.choice().read))
        }
        let result = try map.take(required: "result", "handled or ignored").choice(KeyPressDescription.Result.self)
        try map.finish()
        return KeyPressDescription(view: view, keys: keys ?? [], phases: phases, result: result, line: value.line)
    }

    @Sendable private static func readPrevented(_ value: YAMLValue) throws(SourceTextError) -> WebView.PreventedKeys {
        guard case .sequence = value.node.content else { return try value.bool() ? .all : .none }
        return .chords(
            try value.list("a list of chords") { entry throws(SourceTextError) in
                let text = try entry.string("a chord such as cmd+s")
                guard let parsed = try? Chord.parse(text), case .usage(let usage) = parsed.key else {
                    throw entry.error("a chord such as cmd+s")
                }
                return Chord(modifiers: parsed.modifiers, usage: usage)
            })
    }
}

extension String {
    /// A single letter in lower case, as keys give it; names of special keys as they are.
    fileprivate var lowercasedLetter: String { count == 1 ? lowercased() : self }
}
