package import KeyModel
package import TraceFormat
package import TracePresses

/// Recorded result of one press, one repeat of it, or one text without a key.
package struct PressResult: Hashable, Sendable {
    /// Press 0 is text without a key.
    package var at: PressTick
    /// Time of arrival.
    package var time: TraceTime
    package var input: Input
    /// False where the trace holds its key alone.
    package var isDecided = true
    package var decision = Decision()
    /// Every command that had to do with it, in the order recorded.
    package var candidates: [Candidate] = []
    package var counts = Counts()
    /// The stages recorded or declared.
    package var stages = StageSplit()

    /// The input of a press: presses of two traces are the same press where this is equal.
    package struct Input: Hashable, Sendable {
        package enum Key: Hashable, Sendable {
            /// By position, as chords are written.
            case chord(Chord)
            /// A masked key, with the modifiers held.
            case masked(KeyModifiers, String)
            /// Text without a key; `nil` where it is masked.
            case text(String?)
            /// The trace does not hold its key.
            case unknown
        }

        package var key: Key
        package var isRepeat: Bool

        /// The chord as written in JSON and on the command line.
        package var name: String {
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
        package var glyphs: String {
            guard case .chord(let chord) = key else { return name }
            return isRepeat ? "\(chord.glyphs) repeat" : chord.glyphs
        }
    }

    /// Resolution of a press.
    package struct Decision: Hashable, Sendable {
        package var outcome = Outcome.unhandled
        package var takenBy: TakenBy?
        package var action: String?
        /// Supplier of the winning command; `"mainMenu"` for the menu.
        package var supplier: String?
        package var target: String?
        /// The inserted text; `nil` also where it is masked.
        package var text: String?
        /// Receivers of the raw press, in order.
        package var receivers: [String] = []
        package var effects: [Effect] = []
    }

    package struct Effect: Hashable, Sendable {
        /// `nil` for the system.
        package var responder: String?
        package var kind: String
        package var value: String?
    }

    package struct Candidate: Hashable, Sendable {
        /// `"mainMenu"` for the menu.
        package var supplier: String
        package var action: String
        package var verdict: CandidateVerdict
        package var reason: String
    }

    /// Exact counts: without noise, so that any difference is one.
    package struct Counts: Hashable, Sendable {
        /// By `CallKind.rawValue`, down or repeat.
        package var calls = Counts.noCalls
        private static let noCalls = [UInt64](repeating: 0, count: CallKind.allCases.count)
        package var callsOnRelease: UInt64 = 0
        /// `keyCommands` calls by responder.
        package var keyCommands: [String: UInt64] = [:]
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
    /// Commands that lost to the winner, as `supplier:action`.
    package var shadowed: [String] {
        candidates.filter { $0.verdict == .shadowed }.map { "\($0.supplier):\($0.action)" }
    }
}
