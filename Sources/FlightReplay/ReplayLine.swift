public import KeyModel

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
    /// Set where several profiles or layouts are compared.
    public var profile: String?
    public var layout: String?

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
        json.name("press")
        if let press { json.number(press) } else { json.null() }
        json.name("t_ns")
        json.number(time.nanoseconds)
        json.name("chord")
        json.string(chord?.text)
        json.name("character")
        json.string(character)
        json.name("repeat")
        json.flag(isRepeat)
        json.name("outcome")
        json.string(outcome.name)
        json.name("takenBy")
        json.string(takenBy?.name)
        json.name("action")
        json.string(action)
        json.name("supplier")
        json.string(supplier)
        json.name("target")
        json.string(target)
        json.name("text")
        json.string(text)
        json.name("receivers")
        json.array(receivers) { $0.string($1) }
    }

    private func writeCounts(_ json: inout JSONText) {
        json.name("calls")
        json.object { json in
            json.name("keyCommands")
            json.number(calls.keyCommands)
            json.name("canPerformAction")
            json.number(calls.canPerformAction)
            json.name("validate")
            json.number(calls.validate)
            json.name("buildMenu")
            json.number(calls.buildMenu)
        }
        json.name("callsOnRelease")
        json.object { json in
            json.name("keyCommands")
            json.number(keyCommandsOnRelease)
        }
        json.name("shadowReads")
        json.number(shadowReads)
        json.name("cache")
        json.object { json in
            json.name("lookups")
            json.number(cache.lookups)
            json.name("hits")
            json.number(cache.hits)
            json.name("misses")
            json.number(cache.misses)
            json.name("stale")
            json.number(cache.stale)
            json.name("invalidations")
            json.number(cache.invalidations)
        }
    }

    private func writeRest(_ json: inout JSONText) {
        json.name("shadowed")
        json.array(shadowed) { ReplayLine.write($1, to: &$0) }
        json.name("effects")
        json.array(effects) { json, effect in
            json.object { json in
                json.name("id")
                json.string(effect.id)
                json.name("kind")
                json.string(effect.kind)
                json.name("value")
                if let value = effect.value { json.raw(value) } else { json.null() }
            }
        }
        json.name("state")
        json.string(ReplayLine.hexadecimal(state))
        if let maskedClass {
            json.name("class")
            json.string(maskedClass.name)
        }
        if outcome == .undetermined {
            json.name("possible")
            json.array(possible) { ReplayLine.write($1, to: &$0) }
        }
        if let profile {
            json.name("profile")
            json.string(profile)
        }
        if let layout {
            json.name("layout")
            json.string(layout)
        }
    }

    private static func write(_ candidate: Candidate, to json: inout JSONText) {
        json.object { json in
            json.name("supplier")
            json.string(candidate.supplier)
            json.name("action")
            json.string(candidate.action)
        }
    }

    /// Sixteen hexadecimal digits.
    static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
