import KeyModel
import TraceFormat

/// Records as an app's recorder tells them: stages and calls when they end.
struct RecordedPresses {
    private(set) var recording = Recording()
    private var presses: UInt32 = 0
    private var last: KeyRecord?

    mutating func add(_ body: TraceRecord.Body, _ time: Int64) {
        recording.append(body, at: TraceTime(nanoseconds: time))
    }

    mutating func responder(_ id: String) -> ResponderRef {
        recording.definitions.intern(ResponderDefinition(id: id, kind: "view"))
    }

    /// The first one is first responder.
    mutating func chain(_ ids: [String]) {
        for (place, id) in ids.enumerated() {
            let next = place + 1 < ids.count ? responder(ids[place + 1]) : nil
            let own = responder(id)
            add(.link(LinkRecord(responder: own, next: next, window: nil)), 0)
        }
        let first = responder(ids[0])
        add(.firstResponder(FirstResponderRecord(responder: first, cause: .start)), 0)
    }

    mutating func down(at time: Int64, _ usage: KeyUsage, _ modifiers: KeyModifiers) -> PressTick {
        presses += 1
        let key = KeyRecord(device: 1, key: .clear(usage), phase: .down, modifiers: modifiers, press: presses)
        last = key
        add(.key(key), time)
        return PressTick(press: presses, tick: 0)
    }

    mutating func again(_ at: PressTick, at time: Int64) { follow(at, .repeat, time) }
    mutating func cancel(_ at: PressTick, at time: Int64) { follow(at, .cancel, time) }

    private mutating func follow(_ at: PressTick, _ phase: KeyPhase, _ time: Int64) {
        guard var key = last else { return }
        (key.phase, key.press) = (phase, at.press)
        add(.key(key), time)
    }

    mutating func stage(_ at: PressTick, _ stage: LatencyStage, until time: Int64, lasting length: Int64) {
        add(.stage(StageRecord(at: at, stage: stage, duration: TraceDuration(nanoseconds: length))), time)
    }

    mutating func call(_ at: PressTick, _ id: String, until time: Int64, lasting length: Int64, depth: UInt16 = 0) {
        let command = recording.definitions.intern(CommandDefinition(input: "w", modifiers: .command, action: "x:"))
        let list = recording.definitions.intern([command])
        let own = responder(id)
        add(
            .call(
                CallRecord(
                    at: at, kind: .keyCommands, occasion: .down, responder: own, pass: 1, depth: depth,
                    duration: TraceDuration(nanoseconds: length), action: nil, answer: .commands(list))), time)
    }

    mutating func resolve(_ at: PressTick, _ outcome: Outcome, action: String?, at time: Int64) {
        var record = ResolutionRecord(at: at, outcome: outcome, takenBy: nil, state: nil)
        record.start = responder("page")
        if let action { record.action = recording.definitions.intern(action) }
        add(.resolution(record), time)
    }
}
