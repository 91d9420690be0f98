import KeyModel
package import TraceFormat

/// A trace as tools read it: a `loss` record marks what is damaged or missing, in its place, and text-typing keys and
/// text are masked unless they may be shown.
///
/// Memory is that of the reader, of distinct definitions, and of what is typed into one secure field.
package struct TraceSource {
    /// Disclosure of text for a trace that is in clear.
    package enum Text: Sendable {
        /// Text keys by their class only. A trace marked as masked is not masked again.
        case masked
        /// As it is (`--show-keys`).
        case shown
        /// Masked, even if the trace is marked as masked.
        case checked
    }

    /// The header of the written records: always canonical.
    package private(set) var header: TraceHeader
    /// The initial context.
    package private(set) var initialContext: [ContextEntry] = []

    private var reader: TraceReader
    /// Number of blocks up to the one whose handles the mask has mapped.
    private var maskedBlocks: UInt64 = 0
    private var mask: TraceMask?
    private var losses: LossInserter
    private var queue = ReadyRecords()
    private var isAtEnd = false

    /// `keepsTitles`: titles of commands are no text to mask.
    package init(_ bytes: TraceBytes, text: Text, keepsTitles: Bool = false) throws(TraceError) {
        let source = try TraceReader(bytes)
        let report = source.report
        var header = TraceHeader(level: .keys, isMasked: false)
        if let known = report.header { header = known } else { try TraceSource.raise(&header, for: bytes) }
        header.form = .canonical
        losses = LossInserter(firstSequence: report.header?.firstSequence)
        reader = source
        let isMasked = header.isMasked
        switch text {
        case .shown: initialContext = reader.initialContext
        case .masked where isMasked: initialContext = reader.initialContext
        case .masked, .checked:
            var mask = TraceMask(
                dropsTitles: !isMasked && !keepsTitles, try TraceMask.takers(in: bytes, isMasked: isMasked))
            initialContext = mask.context(reader.initialContext, reader.definitions, trustsHeldKeys: isMasked)
            self.mask = mask
            header.isMasked = true
            // The redacted or masked trace has definitions of its own, and there may be hundreds of thousands.
            reader.definitionLifetime = .block
            maskedBlocks = reader.blocks
        }
        self.header = header
    }

    /// The definitions of the handles of records and context. Grows while reading.
    package var definitions: TraceDefinitions {
        _read {
            if let mask { yield mask.space.definitions } else { yield reader.definitions }
        }
    }

    /// The reading report; final when `next` has returned `nil`.
    package var report: ReadingReport { reader.report }

    /// Number of data that masking removed.
    package var masked: IdentifyingDataCounts { mask?.counts ?? IdentifyingDataCounts() }

    /// The next record; `nil` at the end.
    package mutating func next() -> TraceRecord? {
        while queue.isEmpty, !isAtEnd { queue.refill(with: read()) }
        return queue.next()
    }

    /// The masked and repaired form of the trace's next record.
    private mutating func read() -> [TraceRecord] {
        var read: [TraceRecord] = []
        if let record = reader.next() {
            losses.weave(record, reader.report.damages, into: &read)
        } else {
            losses.finish(reader.report.damages, into: &read)
            isAtEnd = true
        }
        guard mask != nil else { return read }
        if maskedBlocks != reader.blocks {
            maskedBlocks = reader.blocks
            mask?.beginBlock()
        }
        var masked: [TraceRecord] = []
        for record in read { mask?.apply(record, reader.definitions, &masked) }
        if isAtEnd { mask?.finish(&masked) }
        return masked
    }

    /// Raises level and version to those that the records of a trace without a readable header need.
    private static func raise(_ header: inout TraceHeader, for bytes: TraceBytes) throws(TraceError) {
        var reader = try TraceReader(bytes)
        while let record = reader.next() {
            guard let kind = record.body.kind else { continue }
            header.level = max(header.level, kind.level)
            header.version = max(header.version, kind.version)
        }
    }
}

/// Puts a `loss` record in the place of what the reader found damaged or missing.
struct LossInserter {
    private var seen = 0
    /// The sequence number that the next record has if nothing is missing.
    private var expected: UInt64?
    private var last: TraceTime?
    /// Offset of later records' sequence numbers, since a loss had no number of its own.
    private var shift: UInt64 = 0

    /// `firstSequence`: `nil` where the header is not known.
    init(firstSequence: UInt64?) { expected = firstSequence }

    mutating func weave(_ record: TraceRecord, _ damages: [ReadingReport.Damage], into out: inout [TraceRecord]) {
        if seen < damages.count {
            // A loss takes the number of the first record that is missing.
            let first = expected ?? (record.sequence > 0 ? record.sequence - 1 : 0)
            var number = first
            for damage in damages[seen...] {
                let from = last ?? record.time
                let duration = record.time > from ? record.time.since(from) : nil
                append(damage, number &+ shift, from, duration, &out)
                number &+= 1
            }
            if number > record.sequence { shift &+= number - record.sequence }
            seen = damages.count
        }
        expected = record.sequence &+ 1
        last = record.time
        var woven = record
        woven.sequence = record.sequence &+ shift
        out.append(woven)
    }

    mutating func finish(_ damages: [ReadingReport.Damage], into out: inout [TraceRecord]) {
        var number = expected ?? 0
        for damage in damages[min(seen, damages.count)...] {
            append(damage, number &+ shift, last ?? .zero, nil, &out)
            number &+= 1
        }
        seen = damages.count
    }

    private func append(
        _ damage: ReadingReport.Damage, _ number: UInt64, _ time: TraceTime, _ duration: TraceDuration?,
        _ out: inout [TraceRecord]
    ) {
        let isTorn = damage.reason == ReadingReport.noEndMarker
        let loss = LossRecord(
            cause: isTorn ? .truncated : .damaged, count: damage.recordsLost, duration: duration,
            detail: "byte \(damage.offset): \(damage.reason)")
        out.append(TraceRecord(time: time, sequence: number, body: .loss(loss)))
    }
}
