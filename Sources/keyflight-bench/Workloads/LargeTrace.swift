import KeyModel
import TraceFormat

/// A trace of any length: the flight of `RecordedFlight` again and again, with times, sequence numbers and presses
/// that go on.
enum LargeTrace {
    private static let presses = 1_000

    /// Writes at least so many bytes, and returns the number of presses in them.
    static func write(to path: String, bytes: UInt64) throws -> UInt32 {
        let flight = try RecordedFlight(presses: presses).recording
        let length = (flight.records.last?.time.nanoseconds ?? 0) + 1_000_000
        let file = try TraceFileOutput(publishingTo: path)
        var writer = try TraceWriter(header: TraceHeader(level: .calls, isMasked: false)) { try file.write($0) }
        var written: UInt32 = 0
        var start: Int64 = 0
        while writer.bytesWritten < bytes, written < UInt32.max - UInt32(presses) {
            // Facts of the whole flight are written once.
            for record in flight.records where written == 0 || record.body.kinds.isDisjoint(with: .facts) {
                let time = TraceTime(nanoseconds: start + record.time.nanoseconds)
                try writer.append(record.body.later(by: written), at: time, definitions: flight.definitions)
            }
            written += UInt32(presses)
            start += length
        }
        try writer.finish()
        try file.publish()
        return written
    }
}

extension TraceRecord.Body {
    /// The same for a press that comes so many later.
    fileprivate func later(by presses: UInt32) -> TraceRecord.Body {
        if case .key(var record) = self {
            record.press = record.press.map { $0 + presses }
            return .key(record)
        }
        return decided.map { decided(at: PressTick(press: $0.press + presses, tick: $0.tick)) } ?? self
    }
}
