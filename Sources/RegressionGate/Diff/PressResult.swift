package import KeyModel
package import TraceFormat
package import TracePresses

/// Recorded result of one press, one repeat of it, or one text without a key.
///
/// There may be a million of them, most of which are like others but for their time: those share their parts.
package struct PressResult: Hashable, Sendable {
    /// Press 0 is text without a key.
    package var at: PressTick
    package var input: Input
    /// False where the trace holds its key alone.
    package var isDecided = true
    /// Apart from the other counts: they come one by one when the press is known, and parts that are shared stay.
    package var callsOnRelease: UInt64 = 0
    /// Those of them that have a time, and its sum.
    package var timedOnRelease: UInt64 = 0
    package var timeOnRelease = TraceDuration.zero
    private var ownDecision = Shared.noDecision
    private var ownSearch = Shared.noSearch
    private var ownStages = Shared.noStages

    package init(at: PressTick, input: Input, isDecided: Bool = true) {
        (self.at, self.input, self.isDecided) = (at, input, isDecided)
    }

    package var decision: Decision {
        get { ownDecision.value }
        set { ownDecision.value = newValue }
    }
    /// Every command that had to do with it, in the order recorded.
    package var candidates: [Candidate] {
        get { ownSearch.value.candidates }
        set { ownSearch.value.candidates = newValue }
    }
    package var counts: Counts {
        get {
            var counts = ownSearch.value.counts
            counts.callsOnRelease = callsOnRelease
            return counts
        }
        set {
            var counts = newValue
            (callsOnRelease, counts.callsOnRelease) = (counts.callsOnRelease, 0)
            ownSearch.value.counts = counts
        }
    }
    /// The stages recorded or declared, and those derived from calls.
    package var stages: StageSplit {
        get { ownStages.value }
        set { ownStages.value = newValue }
    }

    fileprivate struct Search: Hashable, Sendable {
        var candidates: [Candidate] = []
        var counts = Counts()
    }

    /// Finds parts that are equal.
    package struct Shared: Sendable {
        fileprivate static let noDecision = SharedValue(Decision())
        fileprivate static let noSearch = SharedValue(Search())
        fileprivate static let noStages = SharedValue(StageSplit())
        private var decisions: Set<SharedValue<Decision>> = [noDecision]
        private var searches: Set<SharedValue<Search>> = [noSearch]
        private var stages: Set<SharedValue<StageSplit>> = [noStages]
        /// Most different values of each part that later results are compared with.
        static let limit = 4096

        package init() {}

        /// Makes what is equal in the result and in one before it one in memory.
        mutating func share(_ result: inout PressResult) {
            Shared.share(&result.ownDecision, among: &decisions)
            Shared.share(&result.ownSearch, among: &searches)
            Shared.share(&result.ownStages, among: &stages)
        }

        private static func share<Value>(
            _ value: inout SharedValue<Value>, among known: inout Set<SharedValue<Value>>
        ) {
            if let place = known.firstIndex(of: value) {
                value = known[place]
            } else if known.count < limit {
                known.insert(value)
            }
        }
    }

    /// The input of a press: presses of two traces are the same press where this is equal.
    package struct Input: Hashable, Sendable {
        package enum Key: Hashable, Sendable {
            /// By position, as chords are written.
            case chord(Chord)
            /// A masked key, with the modifiers held.
            case masked(KeyModifiers, String)
            /// Text without a key; `nil` where it is masked.
            case text(ByteName?)
            /// The trace does not hold its key.
            case unknown

            init(_ record: KeyRecord) {
                switch record.key {
                case .clear(let usage): self = .chord(Chord(modifiers: record.modifiers, usage: usage))
                case .masked(let textClass): self = .masked(record.modifiers, textClass.name)
                }
            }
        }

        package var key: Key
        package var isRepeat: Bool

        var isCapsLock: Bool { if case .chord(let chord) = key { chord.usage == .capsLock } else { false } }

        /// The chord as written in JSON and on the command line.
        package var name: String {
            let name =
                switch key {
                case .chord(let chord): chord.text
                case .masked(let modifiers, let name):
                    (modifiers.names + ["(\(name))"]).joined(separator: "+")
                case .text(let text): text.map { "text “\($0.text)”" } ?? "text (masked)"
                case .unknown: "unknown key"
                }
            return isRepeat ? "\(name) repeat" : name
        }

        /// The same for people, with glyphs.
        package var glyphs: String {
            guard case .chord(let chord) = key else { return name }
            return isRepeat ? "\(chord.glyphs) repeat" : chord.glyphs
        }
    }

    /// Resolution of a press.
    package struct Decision: Hashable, Sendable {
        package var outcome = Outcome.unhandled
        package var takenBy: TakenBy?
        @Bytewise package var action: String?
        /// Supplier of the winning command; `"mainMenu"` for the menu.
        @Bytewise package var supplier: String?
        @Bytewise package var target: String?
        /// The inserted text; `nil` also where it is masked.
        @Bytewise package var text: String?
        /// Receivers of the raw press, in order.
        @Bytewise package var receivers: [String] = []
        package var effects: [Effect] = []
    }

    package struct Effect: Hashable, Sendable {
        /// `nil` for the system.
        @Bytewise package var responder: String?
        @Bytewise package var kind: String
        @Bytewise package var value: String?
    }

    package struct Candidate: Hashable, Sendable {
        /// `"mainMenu"` for the menu.
        @Bytewise package var supplier: String
        @Bytewise package var action: String
        package var verdict: CandidateVerdict
        @Bytewise package var reason: String
    }

    /// Exact counts: without noise, so that any difference is one.
    package struct Counts: Hashable, Sendable {
        /// By `CallKind.rawValue`, down or repeat.
        package var calls = Counts.noCalls
        private static let noCalls = [UInt64](repeating: 0, count: CallKind.allCases.count)
        package var callsOnRelease: UInt64 = 0
        /// `keyCommands` calls by responder.
        package var keyCommands: [ByteName: UInt64] = [:]
        /// `nil` where no cache was recorded.
        package var cache: Cache?
    }

    package struct Cache: Hashable, Sendable {
        package var hits: UInt64
        package var misses: UInt64
        package var stale: UInt64
        package var invalidations: UInt64
    }
}

extension PressResult {
    /// Of a key that is held. Texts without a key are counted by tick.
    package var isRepeat: Bool { at.tick > 0 && at.press > 0 }

    /// Commands that lost to the winner, as `supplier:action`.
    package var shadowed: [String] { shadowedCommands.map { $0.map(\.text).joined(separator: ":") } }

    /// The same, each as its supplier and its action.
    var shadowedCommands: [[ByteName]] {
        candidates.filter { $0.verdict == .shadowed }.map { [ByteName($0.supplier), ByteName($0.action)] }
    }
}

/// A value that may be one in memory with others.
private struct SharedValue<Value: Hashable & Sendable>: Hashable, Sendable {
    private final class Storage: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    init(_ value: Value) { storage = Storage(value) }

    var value: Value {
        get { storage.value }
        set { storage = Storage(newValue) }
    }

    static func == (a: SharedValue, b: SharedValue) -> Bool { a.storage === b.storage || a.value == b.value }
    func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}
