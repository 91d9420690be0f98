public import KeyModel
public import ResponderEngine
import TraceFormat
public import TracePresses

/// The result of one press, or of one repeat of it: a line of `replay --format jsonl`.
public struct ReplayLine: Hashable, Sendable {
    /// The press's ordinal; `nil` for text that came without a key.
    public var press: UInt32?
    /// Time of arrival.
    public var time: TraceTime
    /// Raw, before system translation, by position; `nil` when masked and for text without a key.
    public var chord: Chord?
    /// `charactersIgnoringModifiers`; `nil` when masked.
    public var character: String?
    public var isRepeat: Bool
    public var outcome: Outcome
    public var takenBy: TakenBy?
    public var action: String?
    /// The property list of the command that decided, by which commands of one action differ.
    public var propertyList: String?
    /// Supplier of the matching key command, `"mainMenu"` for the menu.
    public var supplier: String?
    public var target: String?
    /// The inserted text; `nil` when nothing was inserted, or when it is masked.
    public var text: String?
    /// Receivers of `pressesBegan`, in order.
    public var receivers: [String] = []
    /// Questions asked during the key-down or the repeat.
    public var calls = CallCounts()
    /// Messages on AppKit's path; `nil` in UIKit.
    public var messages: InvocationCounts?
    /// `keyCommands` reads at the release of this press.
    public var keyCommandsOnRelease = 0
    /// Fresh reads made only to compare cached answers with them.
    public var shadowReads = 0
    public var cache = CacheCounts()
    /// Commands that match as well but lost, in the order of precedence.
    public var shadowed: [Candidate] = []
    public var effects: [Effect] = []
    /// Hash of the state after it.
    public var state: UInt64
    /// The class of a masked key.
    public var maskedClass: TextKeyClass?
    /// Candidates that could have matched; only for the outcome `undetermined`.
    public var possible: [Candidate] = []
    /// The key is held for longer: its later repeats are left out.
    public var isLastRepeat = false
    /// Questions without a recorded answer; only for the outcome `unrecorded`.
    public var unrecorded: [OpenQuestion] = []
    /// Set where several profiles or layouts are compared.
    public var profile: String?
    public var layout: String?
    /// Delay of the event by the clock that paced the replay; `nil` without one.
    public var pacingError: TraceDuration?

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
        /// Responder of the state; `nil` for the system.
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
    /// A recorded press, which has no state of a model.
    public init(press: UInt32?, isRepeat: Bool, outcome: Outcome) {
        self.init(press: press, time: .zero, isRepeat: isRepeat, outcome: outcome, state: 0)
    }

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
        json.member("press", press)
        json.member("t_ns", time.nanoseconds)
        json.member("chord", chord?.text)
        json.member("character", character)
        json.member("repeat", isRepeat)
        json.member("outcome", outcome.name)
        json.member("takenBy", takenBy?.name)
        json.member("action", action)
        if let propertyList { json.member("propertyList", propertyList) }
        json.member("supplier", supplier)
        json.member("target", target)
        json.member("text", text)
        json.member("receivers", receivers)
    }

    private func writeCounts(_ json: inout JSONText) {
        json.member("calls", object: { json in
            json.member("keyCommands", calls.keyCommands)
            json.member("canPerformAction", calls.canPerformAction)
            json.member("validate", calls.validate)
            json.member("buildMenu", calls.buildMenu)
            if let messages {
                for (kind, name) in InvocationCounts.kinds { json.member(name, messages[kind]) }
            }
        })
        json.member("callsOnRelease", object: { $0.member("keyCommands", keyCommandsOnRelease) })
        json.member("shadowReads", shadowReads)
        json.member("cache", object: { json in
            json.member("lookups", cache.lookups)
            json.member("hits", cache.hits)
            json.member("misses", cache.misses)
            json.member("stale", cache.stale)
            json.member("invalidations", cache.invalidations)
        })
    }

    private func writeRest(_ json: inout JSONText) {
        json.member("shadowed", array: shadowed) { ReplayLine.write($1, to: &$0) }
        json.member("effects", objects: effects) { json, effect in
            json.member("id", effect.id)
            json.member("kind", effect.kind)
            json.key("value")
            if let value = effect.value { json.raw(value) } else { json.null() }
        }
        json.member("state", state.hexadecimal(16))
        if let maskedClass { json.member("class", maskedClass.name) }
        if outcome == .undetermined { json.member("possible", array: possible) { ReplayLine.write($1, to: &$0) } }
        if isLastRepeat { json.member("more_repeats_left_out", true) }
        if outcome == .unrecorded {
            json.member("unrecorded", objects: unrecorded) { json, question in
                json.member("responder", question.responder)
                json.member("question", question.question)
                json.member("action", question.action)
            }
        }
        if let profile { json.member("profile", profile) }
        if let layout { json.member("layout", layout) }
        if let pacingError { json.member("pacing_error_ns", pacingError.nanoseconds) }
    }

    private static func write(_ candidate: Candidate, to json: inout JSONText) {
        json.object { json in
            json.member("supplier", candidate.supplier)
            json.member("action", candidate.action)
        }
    }
}
