import RegressionGate

/// `--statistics`: the gate's statistics of samples, for a comparison with another package's.
///
/// A line of standard input holds two samples, numbers with blanks between them and `;` between the samples. A line of
/// output holds U and p of the rank-sum test, and the bootstrap interval of the median of the first sample.
enum SampleStatistics {
    static func run() -> Bool {
        while let line = readLine() {
            let samples = line.split(separator: ";", omittingEmptySubsequences: false).map { sample in
                sample.split(separator: " ").compactMap { Double($0) }
            }
            guard samples.count == 2, let interval = BootstrapInterval(samples[0], draws: 9999) else { return false }
            let test = MannWhitney(samples[0], samples[1])
            print(test.u, test.p, interval.low, interval.high)
        }
        return true
    }
}
