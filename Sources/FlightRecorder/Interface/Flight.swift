import KeyModel
import TraceFormat

/// A recording that runs.
///
/// It goes on until `stop`, or until its time is up; letting go of this object does not end it.
public final class Flight: Sendable {
    let options: RecorderOptions
    let writer: any RecordingWriter

    init(_ options: RecorderOptions, _ writer: any RecordingWriter) {
        self.options = options
        self.writer = writer
    }

    /// Ends the recording. Everything that was recorded is in its destination when this returns. A second call reports
    /// again how the first one ended.
    public func stop() throws(RecorderError) { try RecorderControl.shared.stop(self) }

    /// Records nothing until `resume`; the trace contains the length of the pause.
    public func pause() { RecorderControl.shared.setPaused(true, of: self) }
    public func resume() { RecorderControl.shared.setPaused(false, of: self) }

    /// Recording level. May be changed at any time; the trace contains the time of the change.
    public var level: TraceLevel {
        get { RecorderControl.shared.level(of: self) }
        set { RecorderControl.shared.setLevel(newValue, of: self) }
    }

    /// Writes the kept part into a file that must not exist yet, as a canonical trace: of a ring the last part within
    /// its bounds, of a file all of it. `last`: no more than so much of it. A recording that has ended, as by its time,
    /// keeps its data for as long as this object lives.
    public func snapshot(to path: String, last duration: TraceDuration? = nil) throws {
        try TraceFile.checkIsFree(path)
        let file = try TraceFileOutput(publishingTo: path)
        try writer.snapshot(lasting: duration ?? bound) { try file.write($0) }
        try file.publish(isDurable: true)
    }

    /// The same as bytes.
    public func snapshot(last duration: TraceDuration? = nil) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try writer.snapshot(lasting: duration ?? bound) { bytes.append(contentsOf: $0) }
        return bytes
    }

    private var bound: TraceDuration? {
        switch options.destination {
        case .file: nil
        case .memoryRing(let bounds), .fileRing(_, let bounds): bounds.duration
        }
    }

    /// Costs and losses so far.
    public var statistics: RecorderStatistics { writer.currentStatistics }
}
