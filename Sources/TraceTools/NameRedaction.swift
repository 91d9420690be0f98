import KeyModel
import TraceFormat

/// Puts general words in the place of names: of titles, classes, devices, the machine, people and files.
///
/// Ids of responders stay, since replays and explanations go by them, unless they say the name of a class.
final class NameRedaction {
    private(set) var counts = IdentifyingDataCounts()
    let space = DefinitionSpace()
    private var map: DefinitionMap
    private let ids = RenamedResponders()
    /// Responders of the source whose names are known.
    private var known = 0

    init() {
        map = DefinitionMap(into: space)
        let ids = self.ids
        let titles = TitleCount()
        var edits = DefinitionMap.Edits()
        edits.responder = { ids.renamed($0) }
        edits.command = { command in
            var command = command
            if command.title != nil { titles.count += 1 }
            command.title = nil
            return command
        }
        map = DefinitionMap(into: space, edits: edits)
        self.titles = titles
    }

    private final class TitleCount { var count: UInt64 = 0 }
    private var titles = TitleCount()

    func redacted(_ entry: ContextEntry, _ source: TraceDefinitions) -> ContextEntry {
        if case .record(let body) = entry { return .record(redacted(body, source)) }
        let moved = map.moved(entry, from: source)
        note()
        return moved
    }

    func redacted(_ body: TraceRecord.Body, _ source: TraceDefinitions) -> TraceRecord.Body {
        // Texts may name responders that the record itself does not refer to.
        let count = source.responders.count
        while known < count {
            ids.note(source.responders[known])
            known += 1
        }
        let moved = map.moved(body, from: source)
        note()
        switch moved {
        case .device(let record): return .device(redacted(record))
        case .clock(var record):
            if looksLikePath(record.source) {
                counts.add(.paths)
                record.source = "clock"
            }
            return .clock(record)
        case .clockRelation(var record):
            if looksLikePath(record.source + record.reference) {
                counts.add(.paths)
                record.source = "clock"
                record.reference = "reference"
            }
            return .clockRelation(record)
        case .gesture(var record):
            record.recognizer = rewritten(record.recognizer) { name in
                guard name != "gesture", !RenamedResponders.isGeneral(name) else { return name }
                counts.add(.classNames)
                return "gesture"
            }
            return .gesture(record)
        case .environment(let record): return .environment(redacted(record))
        case .layout(var record):
            if looksLikePath(record.name) {
                counts.add(.paths)
                record.name = "layout"
            }
            return .layout(record)
        case .mark: return .mark(MarkRecord(name: redactedMark(moved)))
        case .loss(var record):
            let detail = NameRedaction.place(record.detail)
            if detail != record.detail { counts.add(.paths) }
            record.detail = detail
            return .loss(record)
        case .step(var record):
            record.step = rewritten(record.step) { redactedStep($0) }
            return .step(record)
        case .candidate(var record):
            record.reason = rewritten(record.reason) { ids.replaced(in: $0) }
            return .candidate(record)
        case .effect(var record):
            record.value = record.value.map { rewritten($0) { ids.replaced(in: $0) } }
            return .effect(record)
        default: return moved
        }
    }

    private func note() {
        counts.add(.titles, titles.count)
        counts.add(.classNames, ids.count)
        titles.count = 0
        ids.count = 0
    }

    private func rewritten(_ ref: StringRef, _ change: (String) -> String) -> StringRef {
        let text = space.definitions[ref] ?? ""
        let new = change(text)
        return new == text ? ref : space.definitions.intern(new)
    }

    private func redactedMark(_ body: TraceRecord.Body) -> String {
        if case .mark(let record) = body, record.name != "mark" { counts.add(.titles) }
        return "mark"
    }

    private func redactedStep(_ step: String) -> String {
        if step.hasPrefix("mark "), step != "mark mark" {
            counts.add(.titles)
            return "mark mark"
        }
        return ids.replaced(in: step)
    }

    private func redacted(_ record: DeviceRecord) -> DeviceRecord {
        var kept = DeviceRecord(device: record.device, name: "keyboard", source: record.source)
        kept.transport = record.transport
        if record.name != kept.name { counts.add(.deviceNames) }
        if looksLikePath(record.source) {
            counts.add(.paths)
            kept.source = "clock"
        }
        let ids = [
            record.bus, record.address, record.endpoint, record.adapter, record.handle, record.attribute,
            record.vendor, record.product,
        ]
        counts.add(.serialsAndIDs, UInt64(ids.count { $0 != nil }))
        return kept
    }

    private static let facts: Set<String> = [
        "scene", "profile", "cache", "shadowCheck", "direction", "focusSystem",
    ]

    /// Facts that are known to say nothing about anybody stay, unless their value is a path.
    private func redacted(_ record: EnvironmentRecord) -> EnvironmentRecord {
        var name = record.name[...]
        if name.hasPrefix("source"), let dot = name.firstIndex(of: "."),
            name[name.index(name.startIndex, offsetBy: 6)..<dot].allSatisfy(\.isNumber)
        {
            name = name[name.index(after: dot)...]
        }
        let isKnown =
            NameRedaction.facts.contains(String(name)) || name.hasPrefix("parameter.") || name.hasPrefix("recorder.")
        let isPath = looksLikePath(record.value)
        guard record.value != "redacted", !isKnown || isPath else { return record }
        counts.add(isPath ? .paths : NameRedaction.sort(of: name.lowercased()))
        return EnvironmentRecord(name: record.name, value: "redacted")
    }

    private static func sort(of name: String) -> IdentifyingData {
        if name.contains("user") || name.contains("login") || name.contains("account") { return .user }
        if name.contains("path") || name.contains("file") || name.contains("folder") { return .paths }
        if name.contains("serial") || name.contains("uuid") || name.hasSuffix("id") { return .serialsAndIDs }
        if name.contains("device") || name.contains("keyboard") { return .deviceNames }
        return .host
    }

    private func looksLikePath(_ text: String) -> Bool {
        text.utf8.contains(UInt8(ascii: "/")) || text.utf8.contains(UInt8(ascii: "\\"))
    }

    /// What is left of the words that say where something was lost: the offset.
    private static func place(_ detail: String) -> String {
        if detail == "secure text entry" { return detail }
        guard detail.hasPrefix("byte ") else { return "" }
        let digits = detail.dropFirst(5).prefix { $0.isASCII && $0.isNumber }
        return digits.isEmpty ? "" : "byte \(digits)"
    }
}

/// Responders whose class is nobody's but the app's.
private final class RenamedResponders {
    /// New names that were given since this was set to 0.
    var count: UInt64 = 0
    private var ids: [String: String] = [:]
    private var kinds: Set<String> = []

    private static let general: Set<String> = [
        "responder", "view", "viewController", "navigationController", "tabBarController", "splitViewController",
        "window", "windowScene", "application", "appDelegate", "textField", "textView", "scrollView", "tableView",
        "collectionView", "datePicker", "unnamed", "",
    ]

    static func isGeneral(_ kind: String) -> Bool {
        if general.contains(kind) || kind.hasPrefix("keyboard") { return true }
        // Classes of the platform say nothing about the app.
        return (kind.hasPrefix("UI") || kind.hasPrefix("NS")) && kind.utf8.allSatisfy { $0 > 0x2F && $0 < 0x7B }
    }

    func note(_ responder: ResponderDefinition) {
        guard !RenamedResponders.isGeneral(responder.kind) else { return }
        kinds.insert(responder.kind)
        if responder.id.contains(responder.kind), ids[responder.id] == nil {
            ids[responder.id] = "responder-\(ids.count + 1)"
        }
    }

    func renamed(_ responder: ResponderDefinition) -> ResponderDefinition {
        guard !RenamedResponders.isGeneral(responder.kind) else { return responder }
        note(responder)
        count += 1
        return ResponderDefinition(id: ids[responder.id] ?? responder.id, kind: "responder")
    }

    /// A text with the new names. What still holds the name of a class afterwards is not kept.
    func replaced(in text: String) -> String {
        guard !kinds.isEmpty else { return text }
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map { word -> String in
            let bare = word.hasPrefix("\"") && word.hasSuffix("\"") ? word.dropFirst().dropLast() : word
            guard let new = ids[String(bare)] else { return String(word) }
            return bare.count == word.count ? new : "\"\(new)\""
        }
        let new = words.joined(separator: " ")
        return kinds.contains { new.contains($0) } ? "redacted" : new
    }
}
