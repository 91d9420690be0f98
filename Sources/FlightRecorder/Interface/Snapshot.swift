import KeyModel
import TraceFormat

/// The last part of a recording as a canonical trace.
enum Snapshot {
    /// Writes the bytes to `sink`. `since`: older records are left out, and are part of the initial context.
    /// `gap`: one that goes on, which ends the trace.
    static func write(
        _ source: consuming TraceReader, since: TraceTime, gap: RecordedGap?, to sink: @escaping TraceWriter.Sink
    ) throws {
        var reader = source
        var context = TraceContext(reader.initialContext)
        guard var header = reader.report.header else { return }
        for case .record(.level(let record)) in reader.initialContext { header.level = record.level }
        var next = reader.next()
        while let record = next, record.time < since {
            context.apply(record.body)
            if case .level(let switched) = record.body { header.level = switched.level }
            next = reader.next()
        }
        header.form = .canonical
        if let next { header.firstSequence = next.sequence }
        var writer = try TraceWriter(header: header, context: context, sink: sink)
        var last = since
        while let record = next {
            last = record.time
            try writer.skip(toSequence: record.sequence)
            try writer.append(record.body, at: record.time, definitions: reader.definitions)
            next = reader.next()
        }
        if let gap {
            let moment = max(gap.begin, last)
            try writer.append(.loss(gap.record(from: moment)), at: moment, definitions: reader.definitions)
        }
        try writer.finish()
    }
}
