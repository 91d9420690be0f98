import HIDCapture
import KeyModel
import TraceFormat

/// Key records, and a whole flight of calls, into the bytes of a trace.
enum WriteWorkload {
    static let countedTransfers = 20_000

    static func cases(isQuick: Bool) throws -> [BenchCase] {
        let counted = try TypedKeys(transfers: countedTransfers)
        let timed = try TypedKeys(transfers: isQuick ? 50_000 : 250_000)
        let flight = try RecordedFlight(presses: isQuick ? 250 : 1_000)
        let small = try RecordedFlight(presses: 250)
        return [
            try keys("write key events", form: .canonical, counted, timed),
            try keys("write key events live", form: .live, counted, timed),
            try masking(counted, timed),
            BenchCase(
                workload: .write, name: "write calls", unit: "record", unitsPerRun: flight.recording.records.count,
                counters: try small.counters(),
                run: { _ = try flight.bytes() }),
        ]
    }

    private static func keys(
        _ name: String, form: TraceForm, _ counted: TypedKeys, _ timed: TypedKeys
    ) throws -> BenchCase {
        let bytes = try counted.write(form: form)
        // The first pass of a process fills caches of the runtime; the second one is the steady state.
        let allocated = try allocations { _ = try counted.write(form: form) }
        return BenchCase(
            workload: .write, name: name, unit: "key event", unitsPerRun: timed.records.count,
            counters: [
                ExactCounter("key events", counted.records.count),
                ExactCounter("trace bytes per key event", bytes, per: counted.records.count),
                ExactCounter("allocations", allocated, per: counted.records.count, isOfReleaseBuilds: true),
            ],
            run: { _ = try timed.write(form: form) })
    }

    /// Events → masked records → bytes: what a recorder does.
    private static func masking(_ counted: TypedKeys, _ timed: TypedKeys) throws -> BenchCase {
        let bytes = try counted.maskAndWrite()
        let allocated = try allocations { _ = try counted.maskAndWrite() }
        return BenchCase(
            workload: .write, name: "mask and write key events", unit: "key event", unitsPerRun: timed.events.count,
            counters: [
                ExactCounter("trace bytes per key event", bytes, per: counted.events.count),
                ExactCounter("allocations", allocated, per: counted.events.count, isOfReleaseBuilds: true),
            ],
            run: { _ = try timed.maskAndWrite() })
    }
}

/// Key events of the synthetic typist, and their masked records.
struct TypedKeys {
    let events: [KeyEvent]
    let records: [(record: KeyRecord, time: TraceTime)]

    init(transfers: Int) throws {
        var events: [KeyEvent] = []
        try Capture(bytes: TypistCapture.bytes(transfers: transfers)).forEachBatch { events += $0 }
        self.events = events
        var recorder = MaskedKeyRecorder()
        records = events.map { (recorder.record($0), $0.time) }
    }

    /// The size of the trace.
    func write(form: TraceForm) throws -> UInt64 {
        let none = TraceDefinitions()
        var writer = try TraceWriter(header: TraceHeader(form: form, level: .keys, isMasked: true)) { _ in }
        for (record, time) in records { try writer.append(record, at: time, definitions: none) }
        try writer.finish()
        return writer.bytesWritten
    }

    func maskAndWrite() throws -> UInt64 {
        var writer = try TraceWriter(header: TraceHeader(level: .keys, isMasked: true)) { _ in }
        var recorder = MaskedKeyRecorder()
        try recorder.record(events, into: &writer, definitions: TraceDefinitions())
        try writer.finish()
        return writer.bytesWritten
    }

    func bytes() throws -> [UInt8] {
        var bytes: [UInt8] = []
        let none = TraceDefinitions()
        var writer = try TraceWriter(header: TraceHeader(level: .keys, isMasked: true)) { bytes.append(contentsOf: $0) }
        for (record, time) in records { try writer.append(record, at: time, definitions: none) }
        try writer.finish()
        return bytes
    }
}
