import KeyModel
package import TraceFormat

extension TraceInfoBuilder {
    /// The facts in the beginning of a trace and in its fact and loss blocks, without the counts of its records.
    init(_ index: TraceIndex, of trace: TraceReader) {
        self.init()
        begin(trace.initialContext)
        var reader = trace
        for block in index.blocks where !block.kinds.isDisjoint(with: [.facts, .loss]) {
            guard reader.seek(to: block) else { return }
            let number = reader.blocks
            while reader.blocks == number, let record = reader.next() {
                guard reader.blocks == number else { break }
                if !record.body.kinds.isDisjoint(with: [.facts, .loss]) {
                    consume(record, definitions: reader.definitions)
                }
            }
        }
    }

    /// The facts of a trace and how it was read, without decoding more than the fact and loss blocks: its index counts
    /// the rest. The checksums of all blocks are checked. `nil` where the trace must be decoded, since it has no index
    /// that can be used, or not all of it is whole and known to this version.
    package static func byIndex(of trace: TraceReader) -> (facts: TraceInfoBuilder, report: ReadingReport)? {
        guard let index = TraceIndex(stored: trace.bytes) else { return nil }
        var builder = TraceInfoBuilder()
        builder.begin(trace.initialContext)
        var reader = trace
        reader.definitionLifetime = .block
        reader.select(BlockSelection(kinds: [.facts, .loss]))
        while let record = reader.next() {
            if !record.body.kinds.isDisjoint(with: [.facts, .loss]) {
                builder.consume(record, definitions: reader.definitions)
            }
        }
        guard let summary = reader.summary, summary.totals == index.totals,
            let presses = pressSpan(index, of: trace, downs: summary.totals.downs)
        else { return nil }
        builder.count(summary, presses)
        return (builder, reader.report)
    }

    /// The ordinals of the first and of the last press, of the only blocks that are decoded for it. `nil`
    /// where a block that the index names cannot be read.
    private static func pressSpan(_ index: TraceIndex, of trace: TraceReader, downs: UInt64) -> PressSpan? {
        var span = PressSpan()
        guard downs > 0 else { return span }
        for block in index.blocks where span.first == nil {
            guard let found = pressSpan(block, of: trace) else { return nil }
            span.first = found.first
        }
        for block in index.blocks.reversed() where span.first != nil && span.last == nil {
            span.last = pressSpan(block, of: trace)?.last
        }
        return span
    }

    private static func pressSpan(_ block: TraceIndex.Block, of trace: TraceReader) -> PressSpan? {
        var span = PressSpan()
        var reader = trace
        guard reader.seek(to: block) else { return nil }
        let number = reader.blocks
        while let record = reader.next(), reader.blocks == number {
            switch record.body {
            case .key(let key) where key.phase == .down && !key.isSynthetic: span.note(key.press)
            case .resolution(let resolution) where resolution.at.tick == 0: span.note(resolution.at.press)
            default: break
            }
        }
        return span
    }
}

/// Ordinals of the first and the last press in a trace. Recordings number presses without gaps, so their difference
/// counts them.
struct PressSpan: Sendable {
    var first: UInt32?
    var last: UInt32?

    mutating func note(_ press: UInt32?) {
        guard let press, press > 0 else { return }
        first = min(first ?? press, press)
        last = max(last ?? press, press)
    }

    var count: UInt64 {
        guard let first, let last, last >= first else { return 0 }
        return UInt64(last - first) + 1
    }
}
