import KeyModel
import ResponderEngine
public import TraceFormat

/// The text of a golden: a first line with its conditions and field names, then one line per press with its resolution
/// and exact counts. Virtual only: no addresses and no wall times.
///
/// The first line also carries `stream`, the `StableHash` of all lines of `replay --format jsonl`, so that the values
/// that the text leaves out (times of arrival, states) are compared as well.
public struct GoldenText: Sendable {
    /// Conditions that a golden was made under.
    public struct Heading: Hashable, Sendable {
        public var profile: String
        public var layout: String
        public var level: TraceLevel
        public var cache: String
        /// Goldens name it unless it is a scene.
        public var responders = Responders.scene

        public init(profile: String, layout: String, level: TraceLevel, cache: String) {
            (self.profile, self.layout, self.level, self.cache) = (profile, layout, level, cache)
        }
    }

    /// Where the responders of a golden come from.
    public enum Responders: String, Hashable, Sendable {
        case scene
        /// A Swift test makes them.
        case swift
        /// The trace that is the input.
        case recorded
    }

    private let heading: Heading
    private var rows = ""
    private var digest = StableHash()
    private let limit: Int
    private let hasStream: Bool
    /// All rows are there; else only their digest is.
    public private(set) var isWhole = true

    /// - Parameters:
    ///   - heading: The profile, layout, level and cache of the first line.
    ///   - limit: Text of more bytes is not kept. A caller that prints it then has to make the rows once more.
    ///   - hasStream: False for rows that no replay made, whose times and states are those of a run.
    public init(_ heading: Heading, limit: Int = .max, hasStream: Bool = true) {
        self.heading = heading
        self.limit = limit
        self.hasStream = hasStream
    }

    /// All rows of a replay.
    public init(_ heading: Heading, _ lines: [ReplayLine]) {
        self.init(heading)
        for line in lines { append(line) }
    }

    public mutating func append(_ line: ReplayLine) {
        var line = line
        line.pacingError = nil
        for byte in line.jsonBytes { digest.combine(byte: byte) }
        digest.combine(byte: UInt8(ascii: "\n"))
        guard isWhole else { return }
        rows += GoldenText.row(line)
        if rows.utf8.count > limit {
            isWhole = false
            rows = ""
        }
    }

    /// The hash of the lines appended so far, each with a line feed.
    public var streamDigest: UInt64 { digest.value }

    public var text: String { firstLine + rows }

    /// The line above the rows, with a line feed: their conditions, and the digest of all of them.
    public var firstLine: String {
        // Names may come from a trace, whose maker chose them.
        "# profile \(VisibleText.escapedByCode(heading.profile)) · layout \(VisibleText.escapedByCode(heading.layout))"
            + " · level \(heading.level.name) · cache \(heading.cache)"
            + (heading.responders == .scene ? "" : " · responders \(heading.responders.rawValue)")
            + (hasStream ? " · stream \(digest.hexadecimal)" : "") + " · fields \(GoldenText.fields)\n"
    }

    /// Names of the columns, `|` between them; the bracketed ones are left out where they are empty.
    static let fields =
        "press | chord | outcome | takenBy | action | supplier > target"
        + " | calls keyCommands/canPerformAction/validate/buildMenu+keyCommands on release"
        + " | cache hits/misses/stale/invalidations | [text] [receivers] [shadowed] [possible] [effects] [shadow reads]"

    /// The row of a line, with a line feed.
    public static func row(_ line: ReplayLine) -> String {
        let calls = line.calls
        let cache = line.cache
        let ordinal = line.press.map { String($0) } ?? "-"
        let asked = "\(calls.keyCommands)/\(calls.canPerformAction)/\(calls.validate)/\(calls.buildMenu)"
        var columns: [String] = []
        columns.append(line.isRepeat ? ordinal + " repeat" : ordinal)
        columns.append(line.chord?.text ?? line.maskedClass.map { "(\($0.name))" } ?? "-")
        columns.append(line.outcome.name)
        columns.append(line.takenBy?.name ?? "-")
        columns.append(line.action.map(name) ?? "-")
        columns.append("\(line.supplier.map(name) ?? "-") > \(line.target.map(name) ?? "-")")
        columns.append("calls \(asked)+\(line.keyCommandsOnRelease)")
        columns.append("cache \(cache.hits)/\(cache.misses)/\(cache.stale)/\(cache.invalidations)")
        if let text = line.text { columns.append("text \(JSONText.quoted(text))") }
        if !line.receivers.isEmpty { columns.append("receivers " + line.receivers.map(name).joined(separator: " ")) }
        append("shadowed", line.shadowed, to: &columns)
        append("possible", line.possible, to: &columns)
        if line.isLastRepeat { columns.append("more repeats left out") }
        if !line.unrecorded.isEmpty {
            columns.append("unrecorded " + line.unrecorded.map(describe).joined(separator: " "))
        }
        if !line.effects.isEmpty {
            columns.append("effects " + line.effects.map(describe).joined(separator: " "))
        }
        if line.shadowReads > 0 { columns.append("shadow reads \(line.shadowReads)") }
        return VisibleText.escapedByCode(columns.joined(separator: " | ")) + "\n"
    }

    /// A name that does not end a column, nor begin a quoted text in which none ends.
    private static func name(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "|") || $0 == UInt8(ascii: "\"") }) else { return name }
        return name.replacing("|", with: "\\u{7c}").replacing("\"", with: "\\u{22}")
    }

    private static func append(_ name: String, _ candidates: [ReplayLine.Candidate], to columns: inout [String]) {
        guard !candidates.isEmpty else { return }
        let words = candidates.map { "\(GoldenText.name($0.supplier)):\(GoldenText.name($0.action))" }
        columns.append(name + " " + words.joined(separator: " "))
    }

    private static func describe(_ question: OpenQuestion) -> String {
        "\(name(question.responder)):\(question.question)" + (question.action.map { "(\(name($0)))" } ?? "")
    }

    private static func describe(_ effect: ReplayLine.Effect) -> String {
        let what = effect.id.map { "\(name($0)).\(effect.kind)" } ?? effect.kind
        return effect.value.map { "\(what)=\($0)" } ?? what
    }
}
