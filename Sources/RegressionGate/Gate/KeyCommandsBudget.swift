package import FlightReplay
public import KeyModel

/// The most real time that `keyCommands` of all responders of the chain may take at a press, decided by runs.
///
/// The real time differs from run to run and from machine to machine, so a press is above its budget only where the
/// whole interval of its median is. Every run replays the keys anew and reads the getters before each press.
public struct KeyCommandsBudget: Hashable, Sendable {
    public var most: TraceDuration
    /// Runs after which an undecided press passes, 12 or more.
    public var runs: Int

    /// - Parameter most: for a build as the test's own; a debug build takes several times as long as a release build.
    public init(_ most: TraceDuration, runs: Int = 48) {
        self.most = most
        self.runs = max(runs, 12)
    }

    /// The probability that some press is called slow that is not.
    private static let falseAlarm = 0.01

    /// A press above the budget: its median over the runs and the interval of it, in nanoseconds.
    package struct Excess: Hashable, Sendable {
        package var press: Int
        package var median: Double
        package var low: Double
        package var high: Double
        package var runs: Int
    }

    /// The first press that is above the budget. `run` returns the nanoseconds of one run, by press.
    package func excess(_ run: () throws -> [Double]) rethrows -> Excess? {
        let looks = TimeGate.Options.looks(upTo: runs)
        var samples: [[Double]] = []
        for look in looks {
            while samples.count < look { samples.append(try run()) }
            var isOpen = false
            let presses = samples.map(\.count).min() ?? 0
            for press in 0..<presses {
                let sample = samples.map { $0[press] }
                let share = KeyCommandsBudget.falseAlarm / Double(presses * looks.count)
                guard let interval = BootstrapInterval(sample, confidence: 1 - share) else { continue }
                if interval.low > Double(most.nanoseconds) {
                    return Excess(
                        press: press + 1, median: OrderStatistics.median(sample), low: interval.low,
                        high: interval.high, runs: samples.count)
                }
                isOpen = isOpen || interval.high > Double(most.nanoseconds)
            }
            if !isOpen { return nil }
        }
        return nil
    }

    /// `press 3: keyCommands took 2.1 ms (2.0 to 2.3 in 12 runs): expected at most 1ms`; `nil` within the budget.
    package func message(_ plan: any ReplayPlan, _ timeline: ReplayTimeline) throws -> String? {
        guard let found = try excess({ try plan.keyCommandsTimes(of: timeline) }) else { return nil }
        func words(_ nanoseconds: Double) -> String { TraceDuration(nanoseconds: Int64(nanoseconds)).text }
        return "press \(found.press): keyCommands of the chain took \(words(found.median)) of real time ("
            + "\(words(found.low)) to \(words(found.high)) in \(found.runs) runs): expected at most \(most.text)"
    }
}
