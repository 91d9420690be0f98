import LatencyAnalysis
import TraceFormat

/// A line on standard error that tells a person how far a long reading is. Only where a person watches, and only where
/// it takes longer than a moment.
final class ReadingProgress {
    private let console: Console
    private let start = ContinuousClock.now
    private var shown: ContinuousClock.Instant?
    private var records = 0

    init(_ console: Console) { self.console = console }

    /// Counts a record; looks at the clock once in a while.
    func step(_ what: String) {
        records &+= 1
        guard records & 0x3FFF == 0, console.isWatched else { return }
        let now = ContinuousClock.now
        guard now - start > .milliseconds(300), shown.map({ now - $0 > .milliseconds(100) }) ?? true else { return }
        shown = now
        console.show(progress: "\(what): \(records) records")
    }

    /// Begins to count anew.
    func restart() { records = 0 }

    /// Wipes the line out.
    func end() {
        if shown != nil { console.show(progress: "") }
        shown = nil
    }
}

/// Hands records on and counts them.
struct WatchedReading<Consumer: TraceConsumer>: TraceConsumer {
    var consumer: Consumer
    let what: String
    let progress: ReadingProgress

    init(_ consumer: Consumer, _ what: String, _ progress: ReadingProgress) {
        self.consumer = consumer
        self.what = what
        self.progress = progress
        progress.restart()
    }

    var keepsHandles: Bool { consumer.keepsHandles }

    mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        progress.step(what)
        consumer.consume(record, definitions: definitions)
    }
}
