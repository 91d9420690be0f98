import FlightReplay
package import KeyModel
import TraceFormat

/// The text of a golden, read back: its conditions, and the outcome of each press.
package struct GoldenRows: Sendable {
    /// `profile`, `layout`, `level`, `cache`, `stream` and what else its first line names.
    package private(set) var heading: [String: String] = [:]
    package private(set) var results: [PressResult] = []
    package private(set) var responders: Set<ByteName> = []

    /// Reason for which a text is no golden. `line` counts from 1.
    package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        package var line: Int
        package var what: String
        package var expected: String
        package var found: String

        package var description: String { "line \(line): \(what): expected \(expected), found \(found)" }
    }

    /// Leaves fields out of every press.
    mutating func ignore(_ fields: Set<GoldenField>) {
        for place in results.indices { for field in fields { field.clear(&results[place]) } }
    }

    package init(_ text: String) throws(ParseError) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.first, first.hasPrefix("# ") else {
            throw ParseError(
                line: 1, what: "heading", expected: "# profile … · fields …",
                found: text.isEmpty ? "an empty file" : String(lines.first?.prefix(40) ?? ""))
        }
        heading = GoldenRows.heading(of: first)
        let names = first.dropFirst(2).components(" · ").map { $0.prefix { $0 != " " } }
        guard Set(names).count == names.count else {
            throw ParseError(line: 1, what: "heading", expected: "each name once", found: String(first.prefix(80)))
        }
        for (place, line) in lines.enumerated().dropFirst() where !(line.isEmpty && place == lines.count - 1) {
            results.append(try row(line, number: place + 1))
        }
        guard text.hasSuffix("\n") else {
            throw ParseError(
                line: lines.count, what: "end", expected: "a line break after the last line",
                found: "none: the file is torn")
        }
    }

    /// Names and values of the first line of a text, without a look at the others.
    static func heading(of text: some StringProtocol) -> [String: String] {
        var heading: [String: String] = [:]
        // The names of the fields come last and are no fact.
        for part in text.prefix(while: { $0 != "\n" }).dropFirst(2).components(" · ") {
            let words = part.split(separator: " ", maxSplits: 1)
            if words.count == 2, words[0] != "fields" { heading[String(words[0])] = String(words[1]) }
        }
        return heading
    }

    func responders(_ kind: GoldenText.Responders) -> Bool { (heading["responders"] ?? "scene") == kind.rawValue }

    /// Reason for which a text whose responders come from elsewhere is no baseline of this one.
    func mismatchOfResponders(_ found: GoldenRows) -> String? {
        guard let new = GoldenText.Responders(rawValue: found.heading["responders"] ?? "scene"), !responders(new) else {
            return nil
        }
        guard let old = heading["responders"] else {
            return switch new {
            case .swift: "accept again: the heading does not say that responders are Swift's"
            case .recorded, .scene:
                "scene.yaml: expected it beside the trace, found none; where the trace's own responders are meant,"
                    + " accept again: the heading does not say that responders are recorded"
            }
        }
        return "responders: expected \(old), as accepted, found \(new.rawValue)"
    }

    /// The first line, from 0, in which two texts of the same presses differ; `nil` where there is none. Where budgets
    /// leave room, the values of a line have been compared by them.
    static func firstDifference(
        _ expected: String, _ found: String, _ budgets: CountBudgets
    ) -> (place: Int, expected: String, found: String)? {
        let (old, new) = (expected.split(separator: "\n"), found.split(separator: "\n"))
        for place in 0..<max(old.count, new.count) {
            let lines = [old, new].map { place < $0.count ? $0[place] : "" }
            guard !lines[0].utf8.elementsEqual(lines[1].utf8) else { continue }
            if budgets.allowsAnyDifference, compared(lines[0]) == compared(lines[1]) { continue }
            return (place, String(lines[0]), String(lines[1]))
        }
        return nil
    }

    /// What of a line no budget leaves room for and no value holds: whose it is, and in which order.
    private static func compared(_ line: Substring) -> [String] {
        line.hasPrefix("# ")
            ? line.components(" · ").filter { !$0.hasPrefix("stream ") } : Array(GoldenRows.columns(of: line).prefix(2))
    }

    /// Returns true if some row ends in a column of shadow reads. Byte by byte: a golden may be long.
    static func containsShadowReads(_ text: String) -> Bool {
        let column = Array(" | shadow reads ".utf8)
        return text.utf8.split(separator: UInt8(ascii: "\n")).contains { row in
            var rest = row
            while let last = rest.last, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(last) { rest.removeLast() }
            return rest.count < row.count && rest.suffix(column.count).elementsEqual(column)
        }
    }

    private mutating func row(_ line: Substring, number: Int) throws(ParseError) -> PressResult {
        let columns = GoldenRows.columns(of: line)
        func fail(_ what: String, _ expected: String, _ found: String) -> ParseError {
            ParseError(line: number, what: what, expected: expected, found: found)
        }
        guard columns.count >= 8 else { throw fail("columns", "8 or more", "\(columns.count)") }
        let (ordinal, isRepeat) = GoldenRows.ordinal(columns[0])
        guard let ordinal else { throw fail("press", "an ordinal, or - for text without a key", columns[0]) }
        var result = PressResult(
            at: PressTick(press: ordinal, tick: isRepeat ? 1 : 0),
            input: .init(key: GoldenRows.key(columns[1], ordinal), isRepeat: isRepeat))
        guard let outcome = Outcome(name: columns[2]) else { throw fail("outcome", "a known one", columns[2]) }
        result.decision.outcome = outcome
        if columns[3] != "-" {
            guard let takenBy = TakenBy(name: columns[3]) else { throw fail("takenBy", "a known one", columns[3]) }
            result.decision.takenBy = takenBy
        }
        result.decision.action = GoldenRows.optional(columns[4])
        let ends = columns[5].components(" > ")
        guard ends.count == 2 else { throw fail("supplier > target", "two names", columns[5]) }
        result.decision.supplier = GoldenRows.optional(ends[0])
        result.decision.target = GoldenRows.optional(ends[1])
        guard let calls = GoldenRows.numbers(columns[6], "calls "), calls.count == 5 else {
            throw fail("calls", "calls N/N/N/N+N", columns[6])
        }
        result.counts.calls = Array(calls[..<4])
        result.counts.callsOnRelease = calls[4]
        guard let cache = GoldenRows.numbers(columns[7], "cache "), cache.count == 4 else {
            throw fail("cache", "cache N/N/N/N", columns[7])
        }
        result.counts.cache = PressResult.Cache(
            hits: cache[0], misses: cache[1], stale: cache[2], invalidations: cache[3])
        for column in columns[8...] { GoldenRows.add(column, to: &result) }
        note(result)
        return result
    }

    private mutating func note(_ result: PressResult) {
        let decision = result.decision
        let names = decision.receivers + [decision.supplier, decision.target].compactMap(\.self)
            + result.candidates.map(\.supplier) + decision.effects.compactMap(\.responder)
        responders.formUnion(names.map(ByteName.init))
    }

    private static func ordinal(_ text: String) -> (UInt32?, Bool) {
        let words = text.split(separator: " ")
        if text == "-" { return (0, false) }
        return (words.first.flatMap { UInt32($0) }, words.count == 2 && words[1] == "repeat")
    }

    private static func key(_ text: String, _ ordinal: UInt32) -> PressResult.Input.Key {
        if ordinal == 0 { return .text(nil) }
        if text.hasPrefix("("), text.hasSuffix(")") { return .masked([], String(text.dropFirst().dropLast())) }
        if let chord = try? Chord.parse(text), case .usage(let usage) = chord.key {
            return .chord(Chord(modifiers: chord.modifiers, usage: usage))
        }
        return .unknown
    }

    private static func optional(_ text: String) -> String? { text == "-" ? nil : text }

    /// `calls 3/1/0/0+2` as numbers.
    private static func numbers(_ text: String, _ prefix: String) -> [UInt64]? {
        guard text.hasPrefix(prefix) else { return nil }
        let parts = text.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
            .flatMap { $0.split(separator: "+", omittingEmptySubsequences: false) }
        let numbers = parts.compactMap { UInt64($0) }
        return numbers.count == parts.count ? numbers : nil
    }

    /// Adds a column that is left out where it is empty.
    private static func add(_ column: String, to result: inout PressResult) {
        let words = column.split(separator: " ", maxSplits: 1)
        let rest = words.count == 2 ? String(words[1]) : ""
        switch words.first {
        case "text":
            let text = rest.dropFirst().dropLast()
            result.decision.text = String(text)
            if result.at.press == 0 { result.input.key = .text(ByteName(String(text))) }
        case "receivers": result.decision.receivers = rest.split(separator: " ").map(String.init)
        case "shadowed", "possible":
            let verdict: CandidateVerdict = words[0] == "shadowed" ? .shadowed : .possible
            for name in rest.split(separator: " ") {
                // An action may end in a colon, a responder's name cannot hold one before it.
                let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                result.candidates.append(
                    PressResult.Candidate(
                        supplier: String(parts[0]), action: parts.count == 2 ? String(parts[1]) : "", verdict: verdict,
                        reason: ""))
            }
        case "effects":
            for effect in GoldenRows.columns(of: rest[...], separator: " ") {
                let halves = effect.split(separator: "=", maxSplits: 1)
                let name = halves.first.map(String.init) ?? effect
                let dot = name.lastIndex(of: ".")
                result.decision.effects.append(
                    PressResult.Effect(
                        responder: dot.map { String(name[..<$0]) },
                        kind: dot.map { String(name[name.index(after: $0)...]) } ?? name,
                        value: halves.count == 2 ? String(halves[1]) : nil))
            }
        default:
            // Columns without a value, such as `shadow reads 3`: kept as an effect of the system, so that a
            // change of them is found.
            result.decision.effects.append(PressResult.Effect(responder: nil, kind: column, value: nil))
        }
    }

    /// Parts between separators outside of quoted texts.
    private static func columns(of line: Substring, separator: String = " | ") -> [String] {
        var parts: [String] = []
        var part = ""
        var isQuoted = false
        var index = line.startIndex
        while index < line.endIndex {
            let character = line[index]
            if isQuoted, character == "\\" {
                part.append(character)
                index = line.index(after: index)
                if index < line.endIndex { part.append(line[index]) }
            } else if !isQuoted, line[index...].hasPrefix(separator) {
                parts.append(part)
                part = ""
                index = line.index(index, offsetBy: separator.count)
                continue
            } else {
                if character == "\"" { isQuoted.toggle() }
                part.append(character)
            }
            if index < line.endIndex { index = line.index(after: index) }
        }
        return parts + [part]
    }
}

extension StringProtocol {
    /// Parts between occurrences of a separator of several characters.
    func components(_ separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[startIndex..<endIndex]
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}

extension PressResults {
    /// Facts of a golden's text.
    package init(_ rows: GoldenRows) {
        self.init(results: rows.results, responders: rows.responders)
    }
}
