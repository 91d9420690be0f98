package import KeyModel
package import TraceFormat

/// A part of a trace, by time or by presses.
///
/// Presses are not split: the records of a press — its repeats, its end and all decisions about it — are where its down
/// is, even when they come after the part's end. Records of no press stay in place. So each record of a trace is in
/// exactly one of the parts that meet, and `TraceMerge` puts them together again. The part's context is the initial
/// context of its first record; a key that was down then is not in it, since its press is in another part, but modifier
/// keys are.
///
/// Times, sequence numbers and press ordinals are kept.
package struct TraceCut: Sendable {
    /// The records of the part.
    package enum Range: Hashable, Sendable {
        /// From the first time on, up to but not including the second; `nil` is the beginning or the end. Of a press
        /// the time of its down counts; a press that was down before the trace began is in the part with its beginning.
        case times(from: TraceTime?, to: TraceTime?)
        /// Presses by their ordinals. Records of no press belong to the press before them, those before the first
        /// press to the first.
        case presses(ClosedRange<UInt32>)
    }

    package var range: Range
    /// Time 0 becomes the part's beginning: its first time, or that of its first record.
    package var rebases: Bool
    package var showsKeys: Bool

    package init(_ range: Range, rebases: Bool = false, showsKeys: Bool = false) {
        self.range = range
        self.rebases = rebases
        self.showsKeys = showsKeys
    }

    /// Writes the part. Nothing is written when it has no records.
    package func run(_ bytes: TraceBytes, to sink: @escaping TraceWriter.Sink) throws -> CopySummary {
        var source = try TraceSource(bytes, text: showsKeys ? .shown : .masked)
        var context = TraceContext(source.initialContext)
        var header = source.header
        var output: CanonicalOutput?
        var selection = PartSelection(range)
        var base = TraceTime.zero
        var isWithFirst = false
        var isFirst = true
        while let record = source.next() {
            defer { isFirst = false }
            if selection.admits(record) {
                if output == nil {
                    isWithFirst = isFirst
                    if !isFirst { header.level = context.currentLevel ?? header.level }
                    output = CanonicalOutput(header, sink: sink)
                    if rebases { base = beginning(of: record) }
                }
                try output?.append(TraceCut.moved(record, to: base), source.definitions) {
                    // The part with the trace's first record keeps the whole initial context.
                    let part = TraceContext(context) { entry in
                        if case .heldKey = entry, !isWithFirst { return nil }
                        return TraceCut.moved(entry, to: base)
                    }
                    context = TraceContext()
                    return part
                }
            }
            if output == nil { context.apply(record.body) }
        }
        try output?.finish()
        return CopySummary(records: output?.records ?? 0, report: source.report, counts: source.masked)
    }

    private func beginning(of record: TraceRecord) -> TraceTime {
        if case .times(let from?, _) = range, from <= record.time { return from }
        return record.time
    }

    private static func moved(_ record: TraceRecord, to base: TraceTime) -> TraceRecord {
        guard base != .zero else { return record }
        var record = record
        record.time = TraceTime(nanoseconds: record.time.nanoseconds - base.nanoseconds)
        record.body = moved(record.body, to: base)
        return record
    }

    private static func moved(_ entry: ContextEntry, to base: TraceTime) -> ContextEntry {
        if case .record(let body) = entry { .record(moved(body, to: base)) } else { entry }
    }

    /// The wall-clock time at time 0 moves with it.
    private static func moved(_ body: TraceRecord.Body, to base: TraceTime) -> TraceRecord.Body {
        guard base != .zero else { return body }
        switch body {
        case .clock(var clock):
            clock.unixTime = clock.unixTime.flatMap { unix in
                let (sum, isOverflow) = unix.addingReportingOverflow(base.nanoseconds)
                return isOverflow ? nil : sum
            }
            return .clock(clock)
        case .clockRelation(var relation):
            relation.first = relation.first.map { later($0, base) }
            relation.last = relation.last.map { later($0, base) }
            if let offset = relation.offset(at: base) { relation.offset = offset }
            return .clockRelation(relation)
        default: return body
        }
    }

    private static func later(_ time: TraceDuration, _ base: TraceTime) -> TraceDuration {
        TraceDuration(nanoseconds: max(0, time.nanoseconds - base.nanoseconds))
    }
}

extension ClockRelationRecord {
    /// The offset that holds when this time becomes time 0; `nil` when it is out of range.
    func offset(at base: TraceTime) -> Int64? {
        // In whole seconds and the rest, of both factors, since their product may have 128 bits.
        let billion: Int64 = 1_000_000_000
        let (seconds, nanoseconds) = base.nanoseconds.quotientAndRemainder(dividingBy: billion)
        let (whole, rest) = (drift ?? 0).quotientAndRemainder(dividingBy: billion)
        let drifted = seconds * rest + nanoseconds * rest / billion
        let (wholly, isOverflow) = base.nanoseconds.multipliedReportingOverflow(by: whole)
        let (near, isBeyond) = self.offset.addingReportingOverflow(drifted)
        let (sum, isBeyondAll) = near.addingReportingOverflow(wholly)
        return isOverflow || isBeyond || isBeyondAll ? nil : sum
    }
}

/// Decides record by record what is in a part.
struct PartSelection {
    private let range: TraceCut.Range
    /// Presses whose down was in the part.
    private var begun = OrdinalSet()
    /// Presses whose down was met.
    private var known = OrdinalSet()
    /// The last press to go down; 0 before the first.
    private var current: UInt32 = 0

    init(_ range: TraceCut.Range) { self.range = range }

    /// The part begins where the trace does.
    var hasBeginning: Bool {
        switch range {
        case .times(let from, _): from == nil || from == .zero
        case .presses(let presses): presses.lowerBound <= 1
        }
    }

    mutating func admits(_ record: TraceRecord) -> Bool {
        let press = record.body.ordinal
        var isDown = false
        if case .key(let key) = record.body, key.phase == .down, let press {
            isDown = true
            current = press
        }
        switch range {
        case .presses(let presses):
            if let press { return presses.contains(press) }
            return presses.contains(current) || current == 0 && presses.lowerBound == 1
        case .times(let from, let to):
            let isInside = (from.map { $0 <= record.time } ?? true) && (to.map { record.time < $0 } ?? true)
            guard let press else { return isInside }
            guard isDown else { return known.contains(press) ? begun.contains(press) : hasBeginning }
            known.insert(press)
            if isInside { begun.insert(press) } else { begun.remove(press) }
            return isInside
        }
    }
}
