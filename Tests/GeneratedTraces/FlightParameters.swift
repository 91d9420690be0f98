import KeyModel

/// The parameters of a synthetic flight, as a file of `Traces/workloads` states them: one `name value` a line, `#`
/// begins a comment. All are integers, so that the same file gives the same records on every machine.
public struct FlightParameters: Hashable, Sendable {
    public var seed: UInt64 = 0
    public var presses = 0
    public var wordsPerMinute = 0
    /// One press in so many is a chord with ⌘.
    public var pressesPerChord = 0
    public var responders = 0
    public var commandsPerResponder = 0
    public var passes = 0
    /// Of the time that a `keyCommands` getter takes: its median, and σ of its logarithm in thousandths.
    public var getterMedian: Int64 = 0
    public var getterSigmaThousandths: Int64 = 0
    /// Median of the time between two calls.
    public var gapMedian: Int64 = 0
    /// One answer in so many is another list than the last one; 0: none is.
    public var callsPerChange = 0

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    public init(_ text: String) throws(Failure) {
        var values: [String: Int64] = [:]
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.prefix { $0 != "#" }.split(separator: " ")
            if words.isEmpty { continue }
            guard words.count == 2, let value = Int64(words[1]), value >= 0 else {
                throw Failure(description: "line \(number + 1): expected a name and a number, found \(line)")
            }
            values[String(words[0])] = value
        }
        func take(_ name: String) throws(Failure) -> Int64 {
            guard let value = values.removeValue(forKey: name) else {
                throw Failure(description: "expected \(name), found no such line")
            }
            return value
        }
        seed = UInt64(try take("seed"))
        presses = Int(try take("presses"))
        wordsPerMinute = max(1, Int(try take("words_per_minute")))
        pressesPerChord = max(1, Int(try take("presses_per_chord")))
        responders = max(1, Int(try take("responders")))
        commandsPerResponder = Int(try take("commands_per_responder"))
        passes = Int(try take("passes"))
        getterMedian = try take("getter_median_ns")
        getterSigmaThousandths = try take("getter_sigma_thousandths")
        gapMedian = try take("gap_median_ns")
        callsPerChange = Int(try take("calls_per_change"))
        guard values.isEmpty else {
            throw Failure(description: "expected no other names, found \(values.keys.sorted().joined(separator: ", "))")
        }
    }
}

/// Drawn by sums and products only, so that every machine draws the same.
extension SeededGenerator {
    public mutating func isOne(in count: Int) -> Bool { count > 0 && below(count) == 0 }

    /// A duration around a median whose logarithm is normal (a sum of twelve, which ends at 6 σ).
    public mutating func logNormal(median: Int64, sigmaThousandths: Int64) -> Int64 {
        var sum = 0.0
        for _ in 0..<12 { sum += Double(next() >> 11) * 0x1p-53 }
        return max(1, Int64(Double(median) * SeededGenerator.exponential((sum - 6) * Double(sigmaThousandths) * 0.001)))
    }

    /// eˣ for small x: the eighth part of it by its series, squared three times.
    private static func exponential(_ x: Double) -> Double {
        var term = 1.0
        var sum = 1.0
        for power in 1...16 {
            term = term * (x * 0.125) / Double(power)
            sum += term
        }
        let square = sum * sum
        let fourth = square * square
        return fourth * fourth
    }
}
