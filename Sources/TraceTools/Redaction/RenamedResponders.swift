import TraceFormat

/// Responders whose class is the app's own, and those whose id is a file path.
final class RenamedResponders {
    /// New names that were given: for classes, and for ids that are places of files.
    private(set) var counts = IdentifyingDataCounts()
    private var ids: [String: String] = [:]
    /// Names of classes: in full, and without their module and generic arguments.
    private var classes: Set<String> = []
    /// Ids that stay.
    private var kept: Set<String> = []

    func note(_ responder: ResponderDefinition) {
        var isIdentifying = NameRedaction.isPlace(responder.id)
        if !PlatformClasses.contains(responder.kind) {
            let names = RenamedResponders.names(of: responder.kind)
            classes.formUnion(names)
            isIdentifying = isIdentifying || names.contains { responder.id.contains($0) }
        }
        if !isIdentifying {
            kept.insert(responder.id)
        } else if ids[responder.id] == nil {
            let new = "responder-\(ids.count + 1)"
            ids[responder.id] = new
            kept.insert(new)
        }
    }

    func renamed(_ responder: ResponderDefinition) -> ResponderDefinition {
        let isGeneral = PlatformClasses.contains(responder.kind)
        note(responder)
        if !isGeneral { counts.add(.classNames) }
        if NameRedaction.isPlace(responder.id) { counts.add(.paths) }
        return ResponderDefinition(
            id: ids[responder.id] ?? responder.id, kind: isGeneral ? responder.kind : "responder")
    }

    /// `true` for the id, new or old, of a responder.
    func names(_ word: some StringProtocol) -> Bool { kept.contains(String(word)) }

    /// A text with the new names. Texts that contain the name of a class even then are not kept.
    func replaced(in text: String) -> String {
        guard !classes.isEmpty || !ids.isEmpty else { return text }
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map { word -> String in
            let bare = word.hasPrefix("\"") && word.hasSuffix("\"") ? word.dropFirst().dropLast() : word
            guard let new = ids[String(bare)] else { return String(word) }
            return bare.count == word.count ? new : "\"\(new)\""
        }
        let new = words.joined(separator: " ")
        return classes.contains { new.contains($0) } ? "redacted" : new
    }

    /// `App.List<App.Item>` is also called `List` and `Item`.
    private static func names(of kind: String) -> [String] {
        let chains = kind.split { !($0 == "." || $0 == "_" || $0.isLetter || $0.isNumber) }
        let last = chains.compactMap { $0.split(separator: ".").last.map(String.init) }
        return [kind] + last.filter { $0.count > 2 && !PlatformClasses.contains($0) }
    }
}
