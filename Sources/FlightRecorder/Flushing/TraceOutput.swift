import KeyModel
import TraceFormat

/// The destination of the records of a recording. Used by the background thread alone.
protocol TraceOutput: AnyObject {
    func append(_ record: KeyRecord, at time: TraceTime, definitions: borrowing TraceDefinitions) throws
    func append(_ body: TraceRecord.Body, at time: TraceTime, definitions: TraceDefinitions) throws
    /// Writes the appended records to the destination; `now` is the time of the recording.
    func flush(_ now: TraceTime) throws
    /// Ends the output: no more records are appended.
    func finish() throws
    /// A reader of everything that is kept.
    func reader() throws -> TraceReader
}

extension MemoryRing: TraceOutput {}

extension LiveOutput: TraceOutput {
    func flush(_ now: TraceTime) throws { try flush() }
}
