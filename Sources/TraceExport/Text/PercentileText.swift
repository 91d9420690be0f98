import KeyModel
import LatencyAnalysis
package import TraceFormat
import TracePresses

/// Percentile distributions in the text form that HdrHistogram prints and its plotter reads: four columns, of
/// microseconds, one distribution for each stage and one for the total, of first presses alone.
package struct PercentileText: TraceConsumer {
    private var assembler: PressAssembler
    private var stages = Array(repeating: DurationHistogram(), count: LatencyStage.allCases.count)
    private var total = DurationHistogram()

    /// `level`: the trace's at its beginning.
    package init(level: TraceLevel) { assembler = PressAssembler([.keys], .released, level: level) }

    package var keepsHandles: Bool { false }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        assembler.consume(record)
        note()
    }

    private mutating func note() {
        while let press = assembler.next() {
            guard !press.isRepeat else { continue }
            press.stages.forEach { stages[$0].add($1.nanoseconds) }
            if let total = press.stages.total { self.total.add(total.nanoseconds) }
        }
    }

    /// Ends the reading. `nil` for a part that no press has.
    package mutating func finish() -> [(name: String, text: String)] {
        assembler.finish()
        note()
        let all = LatencyStage.allCases.map { ($0.name, stages[Int($0.rawValue)]) } + [("total", total)]
        return all.filter { $0.1.count > 0 }.map { ($0.0, PercentileText.distribution($0.1)) }
    }

    /// Steps between two halvings of the distance to 100 %, as HdrHistogram has them by default.
    private static let stepsPerHalf = 5

    static func distribution(_ histogram: DurationHistogram) -> String {
        var text = "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
        let count = histogram.count
        var step = 0
        // Levels in units of 1 / (2 · 5 · 2^half), so that they are exact.
        while true {
            let half = step / stepsPerHalf
            // From 0 in steps of 10 %, from 50 % in steps of 5 %, from 75 % in steps of 2.5 %, …
            let unit = 1.0 / Double(stepsPerHalf * 2) / Double(sign: .plus, exponent: half, significand: 1)
            let begin = 1.0 - 1.0 / Double(sign: .plus, exponent: half, significand: 1)
            let percentile = begin + unit * Double(step % stepsPerHalf)
            let rank = max(1, Int((percentile * Double(count)).rounded(.up)))
            if rank >= count || half > 40 { break }
            let value = histogram.value(atRank: rank)
            let upTo = histogram.count(upTo: value)
            text += line(value, percentile, upTo, 1 / (1 - percentile))
            step += 1
        }
        text += line(histogram.longest, 1, count, nil)
        text += "#[Mean    = \(TextNumbers.padded(micros(histogram.mean), 12)), StdDeviation   = "
            + "\(TextNumbers.padded(micros(histogram.deviation), 12))]\n"
        text += "#[Max     = \(TextNumbers.padded(micros(Double(histogram.longest)), 12)), Total count    = "
            + "\(TextNumbers.padded(String(count), 12))]\n"
        text += "#[Buckets = \(TextNumbers.padded(String(DurationHistogram.octaves), 12)), SubBuckets     = "
            + "\(TextNumbers.padded(String(DurationHistogram.stepsPerOctave), 12))]\n"
        return text
    }

    private static func line(_ value: Int64, _ percentile: Double, _ count: Int, _ inverse: Double?) -> String {
        TextNumbers.padded(micros(Double(value)), 12) + " " + fixed(percentile, 12) + " "
            + TextNumbers.padded(String(count), 10)
            + (inverse.map { " " + TextNumbers.padded(fixed($0, 2), 14) } ?? "") + "\n"
    }

    private static func micros(_ nanoseconds: Double) -> String { fixed(nanoseconds / 1000, 3) }

    /// Formats with `digits` digits behind the point, whatever the machine's language.
    static func fixed(_ value: Double, _ digits: Int) -> String {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let rounded = (value * scale).rounded()
        guard rounded < 9e18 else { return String(value) }
        let number = String(Int64(rounded))
        guard digits > 0 else { return number }
        let filled = TextNumbers.padded(number, digits + 1, "0")
        return filled.dropLast(digits) + "." + filled.suffix(digits)
    }
}
