package import KeyModel
package import TraceFormat

/// The log of a switch as CSV: a microcontroller's or a logic analyser's closures and openings, one a row.
///
/// Rows with a time and the state of the switch, or an edge; as analysers export them, rows without a change are no
/// edges. Lines that begin with `#` or `;` and rows above the first number are passed over; a unit in the heading of
/// the
/// time column counts (`Time [s]`, `t_us`). Times may begin anywhere, since logs of analysers count from a trigger.
package struct StimulusLog: Sendable {
    /// 1-based.
    package var timeColumn = 1
    package var edgeColumn = 2
    /// `nil`: as in the heading; else seconds where the first time has a decimal point, nanoseconds where it has none.
    package var unit: Unit?
    /// The switch is closed when its line is low.
    package var isActiveLow = false

    package enum Unit: String, CaseIterable, Sendable {
        case s, ms, us, ns

        /// A power of ten of nanoseconds.
        var exponent: Int {
            switch self {
            case .s: 9
            case .ms: 6
            case .us: 3
            case .ns: 0
            }
        }
    }

    package init() {}

    /// The switch closing or opening, since the first row.
    package struct Edge: Hashable, Sendable {
        package var time: TraceTime
        package var isClosed: Bool
    }

    package struct Summary: Hashable, Sendable {
        package var rows = 0
        package var closures = 0
        package var openings = 0
        /// Edges within 5 ms of the edge before them: a contact bounces, a finger does not.
        package var bounces = 0
    }

    private static let longestLine = 4096
    /// Edges that come so soon after another are the same movement of the contact.
    static let bounce: Int64 = 5_000_000
    /// Later than 2001 in nanoseconds: such a time can only count from 1970.
    private static let earliestUnixTime: Int64 = 1_000_000_000_000_000_000

    /// Writes the closures as presses of one switch. `name`: as it is written in messages. Throws `ImportError`, and
    /// what the sink throws.
    package func run(_ bytes: [UInt8], name: String, to sink: @escaping TraceWriter.Sink) throws -> Summary {
        let (edges, start, summary) = try read(bytes, name: name)
        var writer = try TraceWriter(header: TraceHeader(level: .keys, isMasked: true), sink: sink)
        let definitions = TraceDefinitions()
        let clock = ClockRecord(
            source: StimulusLog.source, unixTime: start >= StimulusLog.earliestUnixTime ? start : nil,
            granularity: nil, backwardSteps: 0)
        try writer.append(.clock(clock), at: .zero, definitions: definitions)
        let device = DeviceRecord(device: 1, name: "switch", source: StimulusLog.source)
        try writer.append(.device(device), at: .zero, definitions: definitions)
        var press: UInt32 = 0
        for edge in edges {
            if edge.isClosed { press &+= 1 }
            let record = KeyRecord(
                device: 1, key: .clear(StimulusLog.key), phase: edge.isClosed ? .down : .up, modifiers: [],
                press: press)
            try writer.append(.key(record), at: edge.time, definitions: definitions)
        }
        try writer.finish()
        return summary
    }

    /// The name that devices and clocks have for it.
    static let source = "stimulus"
    /// A log does not contain which key the switch belongs to.
    static let key = KeyUsage(page: KeyUsage.buttonPage, usage: 1)

    /// The edges, and what the first row's time was.
    func read(_ bytes: [UInt8], name: String) throws(ImportError) -> (edges: [Edge], start: Int64, Summary) {
        var reading = StimulusReading(self, name)
        var line = 0
        var rest = bytes[...]
        while !rest.isEmpty {
            line += 1
            let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
            let row = rest[rest.startIndex..<end]
            guard row.count <= StimulusLog.longestLine else {
                throw ImportError(
                    input: name, reason: "line \(line): expected at most \(StimulusLog.longestLine) bytes, found "
                        + "\(row.count)")
            }
            try reading.row(row, line)
            rest = rest[(end < rest.endIndex ? end + 1 : end)...]
        }
        return try reading.finish()
    }
}

/// One log while it is read.
private struct StimulusReading {
    private let log: StimulusLog
    private let name: String
    private var unit: StimulusLog.Unit?
    private var start: Int64?
    private var last: Int64 = 0
    private var edges: [StimulusLog.Edge] = []
    private var isClosed = false
    /// The state in the rows, while edges are still taken for bounces.
    private var raw: (isClosed: Bool, time: Int64)?
    private var edgeTime: Int64?
    private var summary = StimulusLog.Summary()

    init(_ log: StimulusLog, _ name: String) {
        self.log = log
        self.name = name
        unit = log.unit
    }

    mutating func row(_ row: ArraySlice<UInt8>, _ line: Int) throws(ImportError) {
        guard let first = row.first(where: { $0 != 0x20 && $0 != 0x0D }), first != 0x23, first != 0x3B else { return }
        let fields = CSVRow(row)
        guard let timeField = fields[log.timeColumn], let edgeField = fields[log.edgeColumn] else {
            let least = max(log.timeColumn, log.edgeColumn)
            throw problem(line, fields.end(fields.count), "row", "at least \(least) fields", "\(fields.count)")
        }
        guard let decimal = DecimalNumber(timeField.text) else {
            guard start == nil else {
                throw problem(line, timeField.column, "time", "a number", quoted(timeField.text))
            }
            if log.unit == nil { unit = heading(timeField.text) ?? unit }
            return
        }
        let unit = unit ?? (decimal.hasPoint ? .s : .ns)
        self.unit = unit
        guard let time = decimal.scaled(by: unit.exponent) else {
            throw problem(line, timeField.column, "time", "at most 292 years", quoted(timeField.text))
        }
        guard start == nil || time >= last else {
            throw problem(
                line, timeField.column, "time", "not before the row above it, \(last) ns", "\(time) ns")
        }
        guard let state = state(edgeField.text) else {
            throw problem(
                line, edgeField.column, "edge", "0, 1, down, up, press, release, closed, open, rising or falling",
                quoted(edgeField.text))
        }
        let begin = start ?? time
        start = begin
        last = time
        let (sinceBegin, isOverflow) = time.subtractingReportingOverflow(begin)
        guard !isOverflow else {
            throw problem(line, timeField.column, "time", "at most 292 years after the first", quoted(timeField.text))
        }
        summary.rows += 1
        take(state, at: sinceBegin)
    }

    func finish() throws(ImportError) -> (edges: [StimulusLog.Edge], start: Int64, StimulusLog.Summary) {
        guard let start else {
            throw ImportError(
                input: name,
                reason: "line 1: a time in column \(log.timeColumn): expected one row at least, found none; "
                    + "--time-col and --edge-col name the columns")
        }
        var end = self
        if let raw { end.settle(until: raw.time.addingSaturated(StimulusLog.bounce)) }
        return (end.edges, start, end.summary)
    }

    private mutating func take(_ isClosed: Bool, at time: Int64) {
        settle(until: time)
        guard isClosed != (raw?.isClosed ?? self.isClosed) else { return }
        raw = (isClosed, time)
        if let edge = edgeTime, time - edge < StimulusLog.bounce {
            summary.bounces += 1
        } else {
            accept(isClosed, at: time)
        }
    }

    /// A contact that came to rest in the other state than it seemed to has moved with its last bounce.
    private mutating func settle(until time: Int64) {
        guard let raw, let edge = edgeTime, time - edge >= StimulusLog.bounce, raw.isClosed != isClosed else { return }
        accept(raw.isClosed, at: raw.time)
    }

    private mutating func accept(_ isClosed: Bool, at time: Int64) {
        self.isClosed = isClosed
        edgeTime = time
        if isClosed { summary.closures += 1 } else { summary.openings += 1 }
        edges.append(.init(time: TraceTime(nanoseconds: time), isClosed: isClosed))
    }

    private func state(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "1", "high", "rising", "rise": !log.isActiveLow
        case "0", "low", "falling", "fall": log.isActiveLow
        case "down", "d", "press", "pressed", "closed", "close", "on": true
        case "up", "u", "release", "released", "open", "opened", "off": false
        default: nil
        }
    }

    /// `Time [s]`, `time(us)`, `t_ns`
    private func heading(_ text: String) -> StimulusLog.Unit? {
        let words = text.lowercased().split { !$0.isLetter && $0 != "µ" }
        return words.lazy.compactMap { StimulusLog.Unit(rawValue: $0 == "µs" ? "us" : String($0)) }.first
    }

    private func quoted(_ text: String) -> String {
        "“" + VisibleText.escaped(String(text.unicodeScalars.prefix(40))) + "”"
    }

    private func problem(
        _ line: Int, _ column: Int, _ what: String, _ expected: String, _ found: String
    ) -> ImportError {
        ImportError(
            input: name, reason: "line \(line), column \(column): \(what): expected \(expected), found \(found)")
    }
}

/// The fields of a row, by commas, semicolons or tabs; quotes around a field are taken off.
struct CSVRow {
    struct Field {
        var text: String
        /// 1-based, in bytes.
        var column: Int
    }

    private let row: ArraySlice<UInt8>
    private var bounds: [Range<Int>] = []

    init(_ row: ArraySlice<UInt8>) {
        self.row = row
        var begin = row.startIndex
        var isQuoted = false
        for index in row.indices {
            if row[index] == 0x22 { isQuoted.toggle() }
            guard !isQuoted, row[index] == 0x2C || row[index] == 0x3B || row[index] == 0x09 else { continue }
            bounds.append(begin..<index)
            begin = index + 1
        }
        bounds.append(begin..<row.endIndex)
    }

    var count: Int { bounds.count }

    /// The column behind a field.
    func end(_ field: Int) -> Int { (bounds.last?.upperBound ?? row.startIndex) - row.startIndex + 1 }

    /// 1-based; `nil` where the row has fewer.
    subscript(_ number: Int) -> Field? {
        guard number >= 1, number <= bounds.count else { return nil }
        let field = row[bounds[number - 1]]
        let trimmed = field.drop { $0 == 0x20 || $0 == 0x22 }
        var text = trimmed[...]
        while let last = text.last, last == 0x20 || last == 0x22 || last == 0x0D { text.removeLast() }
        return Field(text: String(decoding: text, as: UTF8.self), column: trimmed.startIndex - row.startIndex + 1)
    }
}

/// A decimal number, exactly, as people and programs write it: `-1.25`, `3e-05`.
struct DecimalNumber {
    private var digits: Int64 = 0
    /// A power of ten that `digits` is to be multiplied by.
    private var exponent = 0
    private(set) var hasPoint = false

    init?(_ text: String) {
        var rest = Substring(text)
        let isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest.removeFirst() }
        var seen = 0
        while let character = rest.first, character == "." && !hasPoint || character.isASCII && character.isNumber {
            rest.removeFirst()
            guard let digit = character.wholeNumberValue else {
                hasPoint = true
                continue
            }
            seen += 1
            let (product, isTooLarge) = digits.multipliedReportingOverflow(by: 10)
            let (sum, isBeyond) = product.addingReportingOverflow(Int64(digit))
            if isTooLarge || isBeyond {
                // Digits beyond the 18th are less than a nanosecond behind the point, and too much before it.
                guard hasPoint else { return nil }
                continue
            }
            digits = sum
            if hasPoint { exponent -= 1 }
        }
        guard seen > 0 else { return nil }
        if rest.first == "e" || rest.first == "E" {
            guard let power = Int(rest.dropFirst()), (-30...30).contains(power) else { return nil }
            exponent += power
            rest = ""
            hasPoint = true
        }
        guard rest.isEmpty else { return nil }
        if isNegative { digits = -digits }
    }

    /// The number × 10^power, rounded towards zero; `nil` beyond 64 bits.
    func scaled(by power: Int) -> Int64? {
        var (value, left) = (digits, exponent + power)
        while left > 0 {
            let (product, isOverflow) = value.multipliedReportingOverflow(by: 10)
            if isOverflow { return nil }
            value = product
            left -= 1
        }
        while left < 0, value != 0 {
            value /= 10
            left += 1
        }
        return value
    }
}
