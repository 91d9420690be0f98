import LatencyAnalysis
import TraceFormat

/// Reads a trace while it grows, and hands over each press that is over.
struct TraceFollower {
    private let path: String
    private var reader: TraceReader?
    private var summarizer = PressSummarizer()

    init(_ path: String) { self.path = path }

    /// Hands over the presses that came since, and with `isLast` what is left when nothing more comes.
    mutating func advance(isLast: Bool, _ hand: (PressExplanation) -> Void) {
        if reader == nil {
            reader = try? TraceReader(ByteFile.open(path))
            summarizer.begin(reader?.initialContext ?? [])
        }
        guard reader != nil else { return }
        repeat {
            while let record = reader?.next() {
                summarizer.consume(record, definitions: reader?.definitions ?? TraceDefinitions())
                handOver(hand)
            }
        } while reader?.resume() == .more
        guard isLast else { return }
        summarizer.finish()
        handOver(hand)
    }

    private mutating func handOver(_ hand: (PressExplanation) -> Void) {
        while let explanation = summarizer.next(reader?.definitions ?? TraceDefinitions()) { hand(explanation) }
    }
}
