public import KeyModel
public import TraceFormat
public import TracePresses

/// What a trace says that one press, one repeat of it, or one text without a key came to.
public struct PressResult: Hashable, Sendable {
    /// Press 0 is text without a key.
    public var at: PressTick
    /// When it arrived.
    public var time: TraceTime
    public var input: Input
    /// False where the trace holds its key alone.
    public var isDecided = true
    public var decision = Decision()
    /// Every command that had to do with it, in the order recorded.
    public var candidates: [Candidate] = []
    public var counts = Counts()
    /// The stages recorded or declared.
    public var stages = StageSplit()

    /// What arrived: presses of two traces are the same press where this is equal.
    public struct Input: Hashable, Sendable {
        public enum Key: Hashable, Sendable {
            /// By position, as chords are written.
            case chord(Chord)
            /// A masked key, with the modifiers held.
            case masked(KeyModifiers, String)
            /// Text without a key; `nil` where it is masked.
            case text(String?)
            /// The trace does not hold its key.
            case unknown
        }

        public var key: Key
        public var isRepeat: Bool

        /// As chords are written in JSON and on the command line.
        public var name: String {
            let name =
                switch key {
                case .chord(let chord): chord.text
                case .masked(let modifiers, let name):
                    (modifiers.names + ["(\(name))"]).joined(separator: "+")
                case .text(let text): text.map { "text “\($0)”" } ?? "text (masked)"
                case .unknown: "unknown key"
                }
            return isRepeat ? "\(name) repeat" : name
        }

        /// The same for people, with glyphs.
        public var glyphs: String {
            guard case .chord(let chord) = key else { return name }
            return isRepeat ? "\(chord.glyphs) repeat" : chord.glyphs
        }
    }

    /// What it was resolved to.
    public struct Decision: Hashable, Sendable {
        public var outcome = Outcome.unhandled
        public var takenBy: TakenBy?
        public var action: String?
        /// Whose command won; `"mainMenu"` for the menu.
        public var supplier: String?
        public var target: String?
        /// What was inserted; `nil` also where it is masked.
        public var text: String?
        /// Who got the raw press, in order.
        public var receivers: [String] = []
        public var effects: [Effect] = []
    }

    public struct Effect: Hashable, Sendable {
        /// `nil` for the system.
        public var responder: String?
        public var kind: String
        public var value: String?
    }

    public struct Candidate: Hashable, Sendable {
        /// `"mainMenu"` for the menu.
        public var supplier: String
        public var action: String
        public var verdict: CandidateVerdict
        public var reason: String
    }

    /// Exact counts: without noise, so that any difference is one.
    public struct Counts: Hashable, Sendable {
        /// By `CallKind.rawValue`, down or repeat.
        public var calls = Counts.noCalls
        private static let noCalls = [UInt64](repeating: 0, count: CallKind.allCases.count)
        public var callsOnRelease: UInt64 = 0
        /// `keyCommands` calls by responder.
        public var keyCommands: [String: UInt64] = [:]
        /// `nil` where no cache was recorded.
        public var cache: Cache?
    }

    public struct Cache: Hashable, Sendable {
        public var hits: UInt64
        public var misses: UInt64
        public var stale: UInt64
        public var invalidations: UInt64
    }
}

extension PressResult {
    /// Those that lost to the winner, as `supplier:action`.
    public var shadowed: [String] {
        candidates.filter { $0.verdict == .shadowed }.map { "\($0.supplier):\($0.action)" }
    }
}
