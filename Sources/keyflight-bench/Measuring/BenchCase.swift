/// Workloads that can be measured. The raw value is the name on the command line.
enum Workload: String, CaseIterable {
    case `import`, write, read, press, replay, analysis, record, lists, gate

    var summary: String {
        switch self {
        case .import: "a usbmon capture of a synthetic typist → masked canonical trace"
        case .write: "key events and resolutions → bytes of a canonical trace"
        case .read: "bytes of a canonical trace → records"
        case .press: "presses given to the engine under policy chain, by commands, by depth, after an invalidation"
        case .replay: "presses through a responder chain, each cache policy, three sizes; and a naive walk"
        case .record: "key events into the recorder that an app links, beside the clock read alone"
        case .lists: "an arrow held over tables and a grid, short and long, at their beginning and end"
        case .gate: "a folder of goldens → the gate's verdict: replayed twice, compared, recorded, linted"
        case .analysis: "a trace of calls → stage percentiles and call counts"
        }
    }
}

/// A number that is the same in every run on every machine: it can be compared for equality.
struct ExactCounter {
    let name: String
    let total: UInt64
    /// The divisor of the total when it is shown per unit; 1 for a plain number.
    let per: UInt64
    /// Depends on what the optimiser removes: compared in release builds only.
    let isOfReleaseBuilds: Bool

    init(
        _ name: String, _ total: some BinaryInteger, per: some BinaryInteger, isOfReleaseBuilds: Bool = false
    ) {
        self.name = name
        self.total = UInt64(clamping: total)
        self.per = UInt64(clamping: per)
        self.isOfReleaseBuilds = isOfReleaseBuilds
    }

    init(_ name: String, _ total: some BinaryInteger) { self.init(name, total, per: 1) }

    /// The quotient with three decimals, rounded down, or the plain number.
    var text: String {
        guard per > 1 else { return "\(total)" }
        let thousandths = total % per * 1000 / per
        return "\(total / per).\(String(thousandths + 1000).dropFirst())"
    }
}

/// One row: something done to a number of units, counted exactly and timed.
struct BenchCase {
    let workload: Workload
    let name: String
    /// The name of one unit: `packet`, `key event`, `press`.
    let unit: String
    let unitsPerRun: Int
    /// Counted on an input of fixed size, so that they do not depend on `--quick`.
    let counters: [ExactCounter]
    /// One timed run. It checks its own result: a wrong answer must not look like a fast one.
    let run: () throws -> Void
    /// A run that takes its own time, where some of what it does is not to be measured.
    var timedRun: (() throws -> UInt64)?
}

/// A workload gave a wrong answer, or its input could not be made.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }

    static func check(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        guard condition else { throw BenchFailure(message()) }
    }
}
