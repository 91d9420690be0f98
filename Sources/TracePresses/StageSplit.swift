public import KeyModel

/// The stages of one press, or of one repeat.
public struct StageSplit: Hashable, Sendable {
    /// A bit for each stage that there is, by `LatencyStage.rawValue`.
    public private(set) var present: UInt16 = 0
    /// Those of them that no record gives: the times of the calls that belong there.
    public private(set) var derived: UInt16 = 0
    private var lanes = Lanes()

    public init() {}

    public subscript(_ stage: LatencyStage) -> TraceDuration? {
        let index = Int(stage.rawValue)
        return present & 1 << UInt16(index) == 0 ? nil : TraceDuration(nanoseconds: lanes[index])
    }

    /// Adds time to a stage; time spent in a stage twice is time spent in it. Negative time counts as none.
    public mutating func add(_ duration: TraceDuration, to stage: LatencyStage) {
        let index = Int(stage.rawValue)
        present |= 1 << UInt16(index)
        lanes[index] = lanes[index].addingSaturated(max(duration.nanoseconds, 0))
    }

    /// Adds the time of calls to a stage that was not recorded.
    package mutating func derive(_ duration: TraceDuration, for stage: LatencyStage) {
        add(duration, to: stage)
        derived |= 1 << UInt16(stage.rawValue)
    }

    /// True for a stage that has the time of its calls, since it was not recorded itself.
    public func isDerived(_ stage: LatencyStage) -> Bool { derived & 1 << UInt16(stage.rawValue) != 0 }

    /// Stages that a record gives, by their bits as in `present`.
    package var recorded: UInt16 { present & ~derived }

    /// Stages that one of two splits has from a record, and the other from its calls alone.
    package func mixed(with other: StageSplit) -> UInt16 { recorded & other.derived | derived & other.recorded }

    /// The same without these stages.
    package func without(_ stages: UInt16) -> StageSplit {
        guard present & stages != 0 else { return self }
        var split = self
        split.present &= ~stages
        split.derived &= ~stages
        for index in 0..<16 where stages & 1 << UInt16(index) != 0 { split.lanes[index] = 0 }
        return split
    }

    /// The stages present, in order.
    public func forEach(_ body: (_ index: Int, _ duration: TraceDuration) -> Void) {
        var left = present
        while left != 0 {
            let index = left.trailingZeroBitCount
            body(index, TraceDuration(nanoseconds: lanes[index]))
            left &= left &- 1
        }
    }

    /// The sum of the stages present; `nil` when there is none.
    public var total: TraceDuration? {
        guard present != 0 else { return nil }
        var sum = TraceDuration(nanoseconds: 0)
        forEach { sum = sum + $1 }
        return sum
    }

    /// The total without the time before the app was reached: waiting is no service. `nil` when nothing is known.
    public var service: TraceDuration? {
        let before = Int(LatencyStage.inputDelay.rawValue)
        guard present >> UInt16(before + 1) != 0 else { return nil }
        var sum = TraceDuration(nanoseconds: 0)
        forEach { if $0 > before { sum = sum + $1 } }
        return sum
    }

    public var isEmpty: Bool { present == 0 }

    /// Nanoseconds for each stage, in place, since there is a split for every press.
    private struct Lanes: Hashable, Sendable {
        private var first = SIMD2<Int64>()
        private var second = SIMD2<Int64>()
        private var third = SIMD2<Int64>()
        private var fourth = SIMD2<Int64>()
        private var fifth = SIMD2<Int64>()

        subscript(_ index: Int) -> Int64 {
            get {
                switch index >> 1 {
                case 0: first[index & 1]
                case 1: second[index & 1]
                case 2: third[index & 1]
                case 3: fourth[index & 1]
                default: fifth[index & 1]
                }
            }
            set {
                switch index >> 1 {
                case 0: first[index & 1] = newValue
                case 1: second[index & 1] = newValue
                case 2: third[index & 1] = newValue
                case 3: fourth[index & 1] = newValue
                default: fifth[index & 1] = newValue
                }
            }
        }
    }
}
