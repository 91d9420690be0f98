import KeyModel
import TraceFormat

/// Writes recordings the way a replay does, with names in place of handles.
struct RecordingBuilder {
    var recording = Recording()
    var time: Int64 = 0
    private var press: UInt32 = 0
    private var responders: [String: ResponderRef] = [:]

    mutating func add(_ body: TraceRecord.Body) {
        recording.append(body, at: TraceTime(nanoseconds: time))
    }

    mutating func wait(_ nanoseconds: Int64) { time += nanoseconds }

    mutating func responder(_ id: String, _ kind: String = "") -> ResponderRef {
        if let known = responders[id] { return known }
        let ref = recording.definitions.intern(ResponderDefinition(id: id, kind: kind))
        responders[id] = ref
        return ref
    }

    mutating func string(_ text: String) -> StringRef { recording.definitions.intern(text) }

    mutating func command(
        _ input: String?, _ modifiers: KeyModifiers, _ action: String, title: String? = nil
    ) -> CommandRef {
        recording.definitions.intern(
            CommandDefinition(input: input, modifiers: modifiers, action: action, title: title))
    }

    mutating func list(_ commands: [CommandRef]) -> CommandListRef { recording.definitions.intern(commands) }

    mutating func link(_ id: String, _ kind: String = "", next: String?, window: String?) {
        let record = LinkRecord(
            responder: responder(id, kind), next: next.map { responder($0) }, window: window.map { responder($0) })
        add(.link(record))
    }

    /// A down, and the tick to say what came of it.
    @discardableResult
    mutating func down(_ usage: KeyUsage, _ modifiers: KeyModifiers = [], masked: TextKeyClass? = nil) -> PressTick {
        let ordinal: UInt32?
        if usage.isModifier {
            ordinal = nil
        } else {
            press += 1
            ordinal = press
        }
        let key: KeyIdentity = masked.map { .masked($0) } ?? .clear(usage)
        add(.key(KeyRecord(device: 1, key: key, phase: .down, modifiers: modifiers, press: ordinal)))
        return PressTick(press: press, tick: 0)
    }

    mutating func up(
        _ usage: KeyUsage, _ modifiers: KeyModifiers = [], of tick: PressTick? = nil, masked: TextKeyClass? = nil,
        isSynthetic: Bool = false
    ) {
        let key: KeyIdentity = masked.map { .masked($0) } ?? .clear(usage)
        add(
            .key(
                KeyRecord(
                    device: 1, key: key, phase: .up, modifiers: modifiers, press: tick?.press,
                    isSynthetic: isSynthetic)))
    }

    mutating func received(_ at: PressTick, by ids: [String], swallowed: Bool = false) {
        for id in ids {
            add(
                .receiver(
                    ReceiverRecord(
                        at: at, responder: responder(id), phase: .down, isSwallowed: swallowed && id == ids.last)))
        }
    }

    mutating func keyCommands(
        _ at: PressTick, of id: String, answers commands: [CommandRef] = [], cost: Int64? = nil, pass: UInt16 = 1,
        depth: UInt16 = 0, occasion: CallOccasion = .down
    ) {
        let answer = list(commands)
        add(
            .call(
                CallRecord(
                    at: at, kind: .keyCommands, occasion: occasion, responder: responder(id), pass: pass,
                    depth: depth, duration: cost.map { TraceDuration(nanoseconds: $0) }, action: nil,
                    answer: .commands(answer))))
    }

    mutating func canPerform(
        _ at: PressTick, _ id: String, _ action: String, _ isYes: Bool, cost: Int64? = nil, depth: UInt16 = 0
    ) {
        let name = string(action)
        add(
            .call(
                CallRecord(
                    at: at, kind: .canPerformAction, occasion: .down, responder: responder(id), pass: 0, depth: depth,
                    duration: cost.map { TraceDuration(nanoseconds: $0) }, action: name, answer: isYes ? .yes : .no)))
    }

    mutating func candidate(
        _ at: PressTick, _ supplier: String?, _ command: CommandRef, _ verdict: CandidateVerdict, _ reason: String = ""
    ) {
        let words = string(reason)
        add(
            .candidate(
                CandidateRecord(
                    at: at, supplier: supplier.map { responder($0) }, command: command, verdict: verdict,
                    reason: words)))
    }

    mutating func stage(_ at: PressTick, _ stage: LatencyStage, _ nanoseconds: Int64) {
        add(.stage(StageRecord(at: at, stage: stage, duration: TraceDuration(nanoseconds: nanoseconds))))
    }

    mutating func cache(
        _ at: PressTick, hits: UInt32 = 0, misses: UInt32 = 0, stale: UInt32 = 0, invalidations: UInt32 = 0,
        shadowReads: UInt32 = 0, callsSaved: UInt32 = 0, timeSaved: Int64 = 0
    ) {
        add(
            .cache(
                CacheRecord(
                    at: at, hits: hits, misses: misses, stale: stale, invalidations: invalidations,
                    shadowReads: shadowReads, callsSaved: callsSaved,
                    timeSaved: TraceDuration(nanoseconds: timeSaved))))
    }

    mutating func resolve(
        _ at: PressTick, _ outcome: Outcome, takenBy: TakenBy? = nil,
        edit: (inout ResolutionRecord, inout Self) -> Void = { _, _ in }
    ) {
        var record = ResolutionRecord(at: at, outcome: outcome, takenBy: takenBy, state: 0x9F3C)
        edit(&record, &self)
        add(.resolution(record))
    }
}
