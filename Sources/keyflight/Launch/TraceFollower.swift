import LatencyAnalysis
import TraceFormat

/// Reads a trace while it grows, and prints each press that is over in three lines.
struct TraceFollower {
    private let path: String
    private var reader: TraceReader?
    private var summarizer = PressSummarizer()

    init(_ path: String) { self.path = path }

    /// Prints the presses that came since.
    mutating func advance(_ print: (PressExplanation) -> Void) {
        if reader == nil {
            reader = try? TraceReader(ByteFile.open(path))
            summarizer.begin(reader?.initialContext ?? [])
        }
        guard reader != nil else { return }
        repeat {
            while let record = reader?.next() {
                summarizer.consume(record, definitions: reader?.definitions ?? TraceDefinitions())
                show(print)
            }
        } while reader?.resume() == .more
    }

    /// Prints what is left when nothing more comes.
    mutating func finish(_ print: (PressExplanation) -> Void) {
        advance(print)
        summarizer.finish()
        show(print)
    }

    private mutating func show(_ print: (PressExplanation) -> Void) {
        while let explanation = summarizer.next(reader?.definitions ?? TraceDefinitions()) { print(explanation) }
    }
}
