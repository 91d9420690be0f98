import KeyModel
import TraceFormat

/// Replaces names by general words: titles, classes, devices, the machine, people and files.
///
/// Ids of responders stay, since replays and explanations refer to them, unless they contain the name of a class.
final class NameRedaction {
    let space = DefinitionSpace()
    private lazy var map: DefinitionMap = {
        var edits = DefinitionMap.Edits()
        edits.responder = { [ids] in ids.renamed($0) }
        edits.command = { [unowned self] in
            if $0.title != nil { removed.add(.titles) }
            return $0.untitled
        }
        return DefinitionMap(into: space, edits: edits)
    }()
    private var removed = IdentifyingDataCounts()
    private let ids = RenamedResponders()
    private let sources = RenamedSources()
    private let facts = RenamedFacts()
    /// Responders of the source whose names are known.
    private var known = 0

    var counts: IdentifyingDataCounts {
        var counts = removed
        counts.add(ids.counts)
        return counts
    }

    func redacted(_ entry: ContextEntry, _ source: TraceDefinitions) -> ContextEntry {
        if case .record(let body) = entry { return .record(redacted(body, source)) }
        return map.moved(entry, from: source)
    }

    func redacted(_ body: TraceRecord.Body, _ source: TraceDefinitions) -> TraceRecord.Body {
        // Texts may name responders that the record itself does not refer to.
        let count = source.responders.count
        while known < count {
            ids.note(source.responders[known])
            known += 1
        }
        let moved = map.moved(body, from: source)
        switch moved {
        case .device(let record): return .device(redacted(record))
        case .clock(var record):
            record.source = redactedSource(record.source)
            return .clock(record)
        case .clockRelation(var record):
            record.source = redactedSource(record.source)
            record.reference = redactedSource(record.reference)
            return .clockRelation(record)
        case .gesture(var record):
            record.recognizer = rewritten(record.recognizer) { name in
                guard name != "gesture", !PlatformClasses.contains(name) else { return name }
                removed.add(.classNames)
                return "gesture"
            }
            return .gesture(record)
        case .invocation(var record):
            // Titles, and those of documents among them.
            if record.path != nil { removed.add(.titles) }
            record.path = nil
            return .invocation(record)
        case .samples(var record):
            if let stacks = SampledStacks.withoutOwnNames(record.stacks) {
                removed.add(.classNames)
                record.stacks = stacks
            }
            return .samples(record)
        case .environment(let record):
            let (fact, kind) = facts.redacted(record)
            if let kind { removed.add(kind) }
            return .environment(fact)
        case .layout(let record): return .layout(redacted(record))
        case .mark(let record):
            if record.name != "mark" { removed.add(.titles) }
            return .mark(MarkRecord(name: "mark"))
        case .loss(var record):
            record.detail = redactedDetail(record.detail)
            return .loss(record)
        case .step(var record):
            record.step = rewritten(record.step) { redactedStep($0) }
            return .step(record)
        case .candidate(var record):
            record.reason = rewritten(record.reason) { redactedReason($0) }
            return .candidate(record)
        case .effect(var record):
            let isText = TraceMask.effectsWithText.contains(space.definitions[record.kind] ?? "")
            record.value = record.value.flatMap { redactedValue($0, isText: isText) }
            return .effect(record)
        default: return moved
        }
    }

    private func rewritten(_ ref: StringRef, _ change: (String) -> String) -> StringRef {
        let text = space.definitions[ref] ?? ""
        let new = change(text)
        return new == text ? ref : space.definitions.intern(new)
    }

    private func redacted(_ record: DeviceRecord) -> DeviceRecord {
        var kept = DeviceRecord(device: record.device, name: "keyboard", source: redactedSource(record.source))
        if record.name != kept.name { removed.add(.deviceNames) }
        if let transport = record.transport {
            let isGeneral = RenamedSources.transports.contains(transport)
            if isGeneral { kept.transport = transport } else { removed.add(.deviceNames) }
        }
        let ids = [
            record.bus, record.address, record.endpoint, record.adapter, record.handle, record.attribute,
            record.vendor, record.product,
        ]
        removed.add(.serialsAndIDs, UInt64(ids.count { $0 != nil }))
        return kept
    }

    private func redactedSource(_ source: String) -> String {
        let (name, isIdentifying) = sources.renamed(source)
        if isIdentifying { removed.add(NameRedaction.looksLikePath(source) ? .paths : .host) }
        return name
    }

    /// A layout that is called by the file it was read from; its table repeats the name.
    private func redacted(_ record: LayoutRecord) -> LayoutRecord {
        var record = record
        var isIdentifying = NameRedaction.looksLikePath(record.name)
        if isIdentifying { record.name = "layout" }
        if let table = record.table, let text = space.definitions[table], text.hasPrefix("layout ") {
            let line = text.prefix { $0 != "\n" }
            if NameRedaction.looksLikePath(line) {
                isIdentifying = true
                let new = "layout layout" + text[line.endIndex...]
                record.table = space.definitions.intern(new)
                var hash = StableHash()
                hash.combine(new)
                record.hash = hash.value
            }
        }
        if isIdentifying { removed.add(.paths) }
        return record
    }

    // MARK: Words

    /// Words that may hold a path. An id of a responder may have slashes; a word that is one stays.
    static func looksLikePath(_ text: some StringProtocol) -> Bool {
        text.utf8.contains(UInt8(ascii: "/")) || text.utf8.contains(UInt8(ascii: "\\"))
    }

    /// The place of a file from the root on, or an address.
    static func isPlace(_ text: some StringProtocol) -> Bool {
        if text.hasPrefix("~/") || text.hasPrefix("\\\\") { return true }
        if text.hasPrefix("/") { return text.utf8.count > 1 }
        guard let colon = text.firstIndex(of: ":"), looksLikePath(text) else { return false }
        let (scheme, rest) = (text[..<colon], text[text.index(after: colon)...])
        return rest.hasPrefix("//") || scheme.utf8.count == 1 && (rest.hasPrefix("/") || rest.hasPrefix("\\"))
    }

    private func redactedStep(_ step: String) -> String {
        if step.hasPrefix("mark "), step != "mark mark" {
            removed.add(.titles)
            return "mark mark"
        }
        let new = ids.replaced(in: step)
        let verb = new.prefix { $0 != " " }
        guard NameRedaction.looksLikePath(new), verb != "marktext" else { return new }
        if verb == "layout" || verb == "profile" {
            removed.add(.paths)
            return "\(verb) \(verb)"
        }
        let words = NameRedaction.words(of: new).map { word in
            let isQuoted = word.hasPrefix("\"")
            let bare = isQuoted ? word.dropFirst().dropLast(word.hasSuffix("\"") ? 1 : 0) : word[...]
            // In quotes a lone backslash begins an escape.
            let isPath = isQuoted ? bare.contains("/") || bare.contains("\\\\") : NameRedaction.looksLikePath(bare)
            return isPath && !ids.names(bare) ? "path" : word
        }
        let without = words.joined(separator: " ")
        if without != new { removed.add(.paths) }
        return without
    }

    /// Between blanks, but for words in quotes, which may hold some.
    private static func words(of step: String) -> [String] {
        var words: [String] = []
        var word = ""
        var (isQuoted, isEscaped) = (false, false)
        for scalar in step.unicodeScalars {
            if scalar == " ", !isQuoted {
                words.append(word)
                word = ""
                continue
            }
            if scalar == "\"", !isEscaped, isQuoted || word.isEmpty { isQuoted.toggle() }
            isEscaped = isQuoted && scalar == "\\" && !isEscaped
            word.unicodeScalars.append(scalar)
        }
        return words + [word]
    }

    /// Redacts the file name of `key binding of FILE, line 3` and keeps the words before it.
    private func redactedReason(_ reason: String) -> String {
        let new = ids.replaced(in: reason)
        let hasPath = new.split(separator: " ").contains { NameRedaction.looksLikePath($0) && !ids.names($0) }
        guard hasPath else { return new }
        removed.add(.paths)
        guard let place = new.firstRange(of: " of ") else { return "redacted" }
        let before = new[..<place.lowerBound]
        return before.isEmpty || NameRedaction.looksLikePath(before) ? "redacted" : String(before)
    }

    /// The value of an effect, which is JSON. Numbers, dates and ids of responders stay; other words may be titles, and
    /// are removed.
    private func redactedValue(_ value: StringRef, isText: Bool) -> StringRef? {
        let text = space.definitions[value] ?? ""
        let new = ids.replaced(in: text)
        if new != text, new == "redacted" { return nil }
        let isQuoted = new.utf8.count > 1 && new.hasPrefix("\"") && new.hasSuffix("\"")
        let isWords = !isText && new.utf8.contains(UInt8(ascii: "\""))
        let isKnown = isQuoted && NameRedaction.isKnown(new.dropFirst().dropLast(), ids)
        if !isWords && (isText || !NameRedaction.looksLikePath(new)) || isKnown {
            return new == text ? value : space.definitions.intern(new)
        }
        removed.add(NameRedaction.looksLikePath(new) ? .paths : .titles)
        return nil
    }

    /// The id of a responder, or a date.
    private static func isKnown(_ word: Substring, _ ids: RenamedResponders) -> Bool {
        let isDate = !word.isEmpty && word.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 || "-:.TZ+".utf8.contains($0) }
        return isDate || ids.names(word)
    }

    // MARK: Losses

    /// Details of losses, from recorders and tools, that name nothing; `#` is a number.
    private static let details: Set<String> = [
        "", "secure text entry", "thread interrupted for too long", "buffer of thread # full",
        "buffer of thread # overwritten", "inside another entry of thread #", "values that a trace cannot hold",
        "names beyond #",
        "repeats of press # after the first #", "stamps of an input whose clock was set", "byte #",
    ]

    /// The words for the place of a loss, without those that name a file.
    private func redactedDetail(_ detail: String) -> String {
        if NameRedaction.details.contains(NameRedaction.withoutNumbers(detail)) { return detail }
        if let place = detail.firstRange(of: ", not by "), detail.hasPrefix("seen by ") {
            let seen = redactedSource(String(detail[..<place.lowerBound].dropFirst(8)))
            return "seen by \(seen), not by \(redactedSource(String(detail[place.upperBound...])))"
        }
        let digits = detail.hasPrefix("byte ") ? detail.dropFirst(5).prefix { $0.isASCII && $0.isNumber } : ""
        guard !digits.isEmpty else {
            let isFile = NameRedaction.looksLikePath(detail) || detail.dropLast().contains(".")
            removed.add(isFile ? .paths : .titles)
            return ""
        }
        // Readers put the reason after a colon, imports the file before it.
        let rest = detail[digits.endIndex...]
        if !rest.hasPrefix(": ") || NameRedaction.looksLikePath(rest) || rest.contains("\"") { removed.add(.paths) }
        return "byte \(digits)"
    }

    private static func withoutNumbers(_ text: String) -> String {
        var kept = ""
        var isInNumber = false
        for scalar in text.unicodeScalars {
            let isDigit = scalar >= "0" && scalar <= "9"
            if !isDigit { kept.unicodeScalars.append(scalar) } else if !isInNumber { kept += "#" }
            isInNumber = isDigit
        }
        return kept
    }
}
