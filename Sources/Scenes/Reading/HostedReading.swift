import KeyModel
import ResponderKit

/// The keys of hosting controllers and web views.
extension ResponderDescription {
    /// Views inside views: more would only be an attack on the stack.
    private static let maximumDepth = 16

    mutating func readHosted(_ map: inout YAMLMap) throws(SourceTextError) {
        if kind == .hostingController {
            if let value = map.take("shortcuts") {
                hosted.shortcuts = try ResponderDescription.readShortcuts(value, depth: 1)
            }
            hosted.keyPressHandlers =
                try map.take("onKeyPress")?.list("a list of handlers", ResponderDescription.readHandler) ?? []
        }
        if kind == .webView, let value = map.take("preventsDefault") {
            hosted.preventedKeys = try ResponderDescription.readPrevented(value)
        }
    }

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
                shortcuts.append(try CommandDescription.read(entry, needsInput: true))
            }
        }
        return shortcuts
    }

    private static func readHandler(_ value: YAMLValue) throws(SourceTextError) -> KeyPressHandler {
        var map = try value.map("a handler such as {keys: [space], result: handled}")
        let view = try readID(map.take("view"))
        let keys = try map.take("keys")?.list("a list of inputs") { entry throws(SourceTextError) in
            try CommandDescription.readInput(entry).lowercasedLetter
        }
        typealias Phase = HostingController.KeyPressHandler.Phase
        var phases: Set<Phase> = [.down, .repeat]
        if let list = map.take("phases") {
            phases = Set(try list.list("a list of phases") { entry throws(SourceTextError) in
                try entry.choice(Phase.self)
            })
        }
        let result = try map.take(required: "result", "handled or ignored").choice(KeyPressHandler.Result.self)
        try map.finish()
        return KeyPressHandler(view: view, keys: keys ?? [], phases: phases, result: result, line: value.line)
    }

    private static func readPrevented(_ value: YAMLValue) throws(SourceTextError) -> [Chord]? {
        guard case .sequence = value.node.content else { return try value.bool() ? nil : [] }
        return try value.list("a list of chords") { entry throws(SourceTextError) in
            let text = try entry.string("a chord such as cmd+s")
            guard let parsed = try? Chord.parse(text), case .usage(let usage) = parsed.key else {
                throw entry.error("a chord such as cmd+s")
            }
            return Chord(modifiers: parsed.modifiers, usage: usage)
        }
    }
}

extension String {
    /// A single letter in lower case, as keys give it; names of special keys as they are.
    fileprivate var lowercasedLetter: String { count == 1 ? lowercased() : self }
}
