public import KeyModel

/// How long one press or repeat spent in each stage, as far as it is known. Absent is not zero.
public struct StageTimes: Hashable, Sendable {
    private var known: UInt16 = 0
    private var times: [TraceDuration]

    public init() { times = Array(repeating: .zero, count: LatencyStage.allCases.count) }

    /// `nil` where nothing is declared or recorded.
    public internal(set) subscript(stage: LatencyStage) -> TraceDuration? {
        get { known & bit(stage) == 0 ? nil : times[Int(stage.rawValue)] }
        set {
            known = newValue == nil ? known & ~bit(stage) : known | bit(stage)
            times[Int(stage.rawValue)] = newValue ?? .zero
        }
    }

    /// Adds to a stage, which is known from then on.
    mutating func add(_ time: TraceDuration, to stage: LatencyStage) {
        known |= bit(stage)
        times[Int(stage.rawValue)] = times[Int(stage.rawValue)] + time
    }

    /// The sum of the known stages; `nil` when none is.
    public var total: TraceDuration? { known == 0 ? nil : times.reduce(.zero, +) }

    public var isEmpty: Bool { known == 0 }

    private func bit(_ stage: LatencyStage) -> UInt16 { 1 << UInt16(stage.rawValue) }
}
