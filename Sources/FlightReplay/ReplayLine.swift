public import KeyModel
public import ResponderEngine
import TraceFormat

/// What became of one press, or of one repeat of it: a line of `replay --format jsonl`.
public struct ReplayLine: Hashable, Sendable {
    /// The press's ordinal; `nil` for text that came without a key.
    public var press: UInt32?
    /// When it arrived.
    public var time: TraceTime
    /// Raw, before system translation, by position; `nil` when masked and for text without a key.
    public var chord: Chord?
    /// `charactersIgnoringModifiers`; `nil` when masked.
    public var character: String?
    public var isRepeat: Bool
    public var outcome: Outcome
    public var takenBy: TakenBy?
    public var action: String?
    /// Whose key command matched, `"mainMenu"` for the menu.
    public var supplier: String?
    public var target: String?
    /// What was inserted; `nil` when nothing was, or when it is masked.
    public var text: String?
    /// Who got `pressesBegan`, in order.
    public var receivers: [String] = []
    public var calls = CallCounts()
    /// `keyCommands` reads at the release of this press.
    public var keyCommandsOnRelease: UInt32 = 0
    /// Fresh reads made only to compare cached answers with them.
    public var shadowReads: UInt32 = 0
    public var cache = CacheCounts()
    /// Commands that match as well but lost, in the order of precedence.
    public var shadowed: [Candidate] = []
    public var effects: [Effect] = []
    /// Hash of the state after it.
    public var state: UInt64
    /// The class of a masked key.
    public var maskedClass: TextKeyClass?
    /// What could have matched; only for the outcome `undetermined`.
    public var possible: [Candidate] = []
    /// The key is held for longer: its later repeats are left out.
    public var isLastRepeat = false
    /// What the recording never answered; only for the outcome `unrecorded`.
    public var unrecorded: [OpenQuestion] = []
    /// Set where several profiles or layouts are compared.
    public var profile: String?
    public var layout: String?
    /// How late the event was by the clock that paced the replay; `nil` without one.
    public var pacingError: TraceDuration?

    public init(
        press: UInt32?, time: TraceTime, chord: Chord?, isRepeat: Bool, outcome: Outcome, takenBy: TakenBy?,
        state: UInt64
    ) {
        self.press = press
        self.time = time
        self.chord = chord
        self.isRepeat = isRepeat
        self.outcome = outcome
        self.takenBy = takenBy
        self.state = state
    }

    /// Questions asked during the key-down or the repeat.
    public struct CallCounts: Hashable, Sendable {
        public var keyCommands: UInt32 = 0
        public var canPerformAction: UInt32 = 0
        public var validate: UInt32 = 0
        public var buildMenu: UInt32 = 0
        public init() {}
    }

    /// What the cache did. `lookups` = `hits` + `misses`; a stale hit is also a hit.
    public struct CacheCounts: Hashable, Sendable {
        public var hits: UInt32 = 0
        public var misses: UInt32 = 0
        public var stale: UInt32 = 0
        public var invalidations: UInt32 = 0
        public var lookups: UInt32 { hits &+ misses }
        public init() {}
    }

    /// A key command with the responder that supplied it, `"mainMenu"` for the menu.
    public struct Candidate: Hashable, Sendable {
        public var supplier: String
        public var action: String
        public init(supplier: String, action: String) {
            self.supplier = supplier
            self.action = action
        }
    }

    /// Something that changed.
    public struct Effect: Hashable, Sendable {
        /// Whose state; `nil` for the system.
        public var id: String?
        public var kind: String
        /// The new value as JSON; `nil` where there is none.
        public var value: String?
        public init(id: String?, kind: String, value: String?) {
            self.id = id
            self.kind = kind
            self.value = value
        }
    }
}

extension ReplayLine {
    /// The line as JSON, without a line break.
    public var json: String { String(decoding: jsonBytes, as: UTF8.self) }

    /// The UTF-8 of `json`.
    public var jsonBytes: [UInt8] {
        var json = JSONText()
        json.object { json in
            writeWhatHappened(&json)
            writeCounts(&json)
            writeRest(&json)
        }
        return json.bytes
    }

    private func writeWhatHappened(_ json: inout JSONText) {
        json.key("press")
        if let press { json.value(press) } else { json.null() }
        json.key("t_ns")
        json.value(time.nanoseconds)
        json.key("chord")
        json.value(chord?.text)
        json.key("character")
        json.value(character)
        json.key("repeat")
        json.value(isRepeat)
        json.key("outcome")
        json.value(outcome.name)
        json.key("takenBy")
        json.value(takenBy?.name)
        json.key("action")
        json.value(action)
        json.key("supplier")
        json.value(supplier)
        json.key("target")
        json.value(target)
        json.key("text")
        json.value(text)
        json.key("receivers")
        json.array(receivers) { $0.value($1) }
    }

    private func writeCounts(_ json: inout JSONText) {
        json.key("calls")
        json.object { json in
            json.key("keyCommands")
            json.value(calls.keyCommands)
            json.key("canPerformAction")
            json.value(calls.canPerformAction)
            json.key("validate")
            json.value(calls.validate)
            json.key("buildMenu")
            json.value(calls.buildMenu)
        }
        json.key("callsOnRelease")
        json.object { json in
            json.key("keyCommands")
            json.value(keyCommandsOnRelease)
        }
        json.key("shadowReads")
        json.value(shadowReads)
        json.key("cache")
        json.object { json in
            json.key("lookups")
            json.value(cache.lookups)
            json.key("hits")
            json.value(cache.hits)
            json.key("misses")
            json.value(cache.misses)
            json.key("stale")
            json.value(cache.stale)
            json.key("invalidations")
            json.value(cache.invalidations)
        }
    }

    private func writeRest(_ json: inout JSONText) {
        json.key("shadowed")
        json.array(shadowed) { ReplayLine.write($1, to: &$0) }
        json.key("effects")
        json.array(effects) { json, effect in
            json.object { json in
                json.key("id")
                json.value(effect.id)
                json.key("kind")
                json.value(effect.kind)
                json.key("value")
                if let value = effect.value { json.raw(value) } else { json.null() }
            }
        }
        json.key("state")
        json.value(ReplayLine.hexadecimal(state))
        if let maskedClass {
            json.key("class")
            json.value(maskedClass.name)
        }
        if outcome == .undetermined {
            json.key("possible")
            json.array(possible) { ReplayLine.write($1, to: &$0) }
        }
        if isLastRepeat {
            json.key("more_repeats_left_out")
            json.value(true)
        }
        if outcome == .unrecorded {
            json.key("unrecorded")
            json.array(unrecorded) { json, question in
                json.object { json in
                    json.key("responder")
                    json.value(question.responder)
                    json.key("question")
                    json.value(question.question)
                    json.key("action")
                    json.value(question.action)
                }
            }
        }
        if let profile {
            json.key("profile")
            json.value(profile)
        }
        if let layout {
            json.key("layout")
            json.value(layout)
        }
        if let pacingError {
            json.key("pacing_error_ns")
            json.value(pacingError.nanoseconds)
        }
    }

    private static func write(_ candidate: Candidate, to json: inout JSONText) {
        json.object { json in
            json.key("supplier")
            json.value(candidate.supplier)
            json.key("action")
            json.value(candidate.action)
        }
    }

    /// Sixteen hexadecimal digits.
    static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
