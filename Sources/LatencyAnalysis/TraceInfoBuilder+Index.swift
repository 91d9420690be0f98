public import TraceFormat

extension TraceInfoBuilder {
    /// The facts of a trace that its beginning and its blocks of facts and of losses say, without the counts of its
    /// records.
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

    /// The facts of a trace and how it was read, without decoding more than the blocks that say facts and losses: its
    /// index counts the rest. The checksums of all blocks are checked. `nil` where the trace must be decoded, since
    /// it has no index that can be used, or not all of it is whole and known to this version.
    public static func byIndex(of trace: TraceReader) -> (facts: TraceInfoBuilder, report: ReadingReport)? {
        guard let index = TraceIndex(stored: trace.bytes), let totals = index.totals else { return nil }
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
        guard let summary = reader.summary, summary.totals == totals else { return nil }
        builder.count(summary)
        return (builder, reader.report)
    }
}
