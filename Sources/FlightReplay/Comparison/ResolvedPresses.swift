import KeyModel
import TraceFormat
import TracePresses

/// A press, a repeat or a text with one of its resolutions: what `verify` compares.
struct ResolvedPress {
    /// Texts are counted from 0: a part of a trace keeps their numbers, a replay of it does not.
    let at: PressTick
    /// Time of the resolution.
    let time: TraceTime
    let press: TracePress
    let run: PressRun
    let resolution: ResolutionRecord
    /// Its own, after those at releases and between presses since the press before.
    let effects: [EffectRecord]
    /// Calls at releases since the press before.
    let callsOnRelease: Int
    /// The level has candidates.
    let hasCandidates: Bool

    /// `nil` for text without a key and for a masked key.
    var chord: Chord? {
        press.down.flatMap { down in down.record.key.usage.map { Chord(modifiers: down.record.modifiers, usage: $0) } }
    }

    var isMasked: Bool { press.down.map { $0.record.key.usage == nil } ?? (resolution.text == nil) }

    /// Its recorder kept nothing but that there was an outcome.
    var isHidden: Bool { resolution.outcome == .undetermined && cache == nil && run.callCounts == .zero }

    /// `nil` also where the cache was not looked into.
    var cache: CacheRecord? { run.cacheRecords.last }
}

/// Reads the resolved presses of a recording in the order of their resolutions.
struct ResolvedPresses {
    private var stream: any RecordStream
    private var assembler: PressAssembler
    private var level: TraceLevel
    /// Effects at releases and between presses since the press before.
    private var lateEffects: [EffectRecord] = []
    private var callsOnRelease = 0
    /// Texts without a key that came so far.
    private var texts: UInt32 = 0
    /// Presses that came while the recording kept keys only, as ranges that ascend.
    private var unresolvedRanges: [ClosedRange<UInt32>] = []
    /// Something masked or lost came by, so that states need not be the same any more.
    private(set) var hidesText = false

    init(_ stream: any RecordStream) {
        self.stream = stream
        level = stream.level
        assembler = PressAssembler(PressParts.decision.union(.texts), .decided, context: stream.initialContext)
        for entry in stream.initialContext {
            if case .record(let body) = entry { follow(body) }
        }
    }

    /// Definitions of the handles of all presses so far.
    var definitions: TraceDefinitions { stream.definitions }

    /// The next one, `nil` after the last.
    mutating func next() -> ResolvedPress? {
        while let record = stream.next() {
            follow(record.body)
            if case .effect(let effect) = record.body, assembler.waitingPress(at: effect.at)?.isResolved != false {
                lateEffects.append(effect)
                continue
            }
            assembler.consume(record)
            while assembler.next() != nil {}
            if case .resolution(let resolution) = record.body,
                let press = assembler.waitingPress(at: resolution.at), !press.isRemainder
            {
                return resolved(press, resolution, at: record.time)
            }
        }
        return nil
    }

    private mutating func resolved(
        _ press: TracePress, _ resolution: ResolutionRecord, at time: TraceTime
    ) -> ResolvedPress {
        let run = press.run(press.runCount - 1)
        var at = resolution.at
        if at.press == 0, texts > 0 { at.tick = texts - 1 }
        defer { (lateEffects, callsOnRelease) = ([], 0) }
        return ResolvedPress(
            at: at, time: time, press: press, run: run, resolution: resolution, effects: lateEffects + run.effects,
            callsOnRelease: callsOnRelease, hasCandidates: level == .calls)
    }

    private mutating func follow(_ body: TraceRecord.Body) {
        switch body {
        case .level(let change): level = change.level
        case .key(let key):
            if key.key.maskedClass != nil { hidesText = true }
            if level == .keys, key.phase == .down, let press = key.press { noteUnresolved(press) }
        case .text(let text):
            texts &+= 1
            if text.text == nil { hidesText = true }
        // Marked text is kept as one unknown character.
        case .step(let step): if definitions[step.step]?.contains("\u{FFFD}") == true { hidesText = true }
        case .loss: hidesText = true
        case .call(let call): if call.occasion == .release { callsOnRelease += 1 }
        default: break
        }
    }

    private mutating func noteUnresolved(_ press: UInt32) {
        if let last = unresolvedRanges.last, press > 0, last.upperBound == press - 1 {
            unresolvedRanges[unresolvedRanges.count - 1] = last.lowerBound...press
        } else {
            unresolvedRanges.append(press...press)
        }
    }

    /// The recording kept nothing of the press but its keys.
    func isUnresolved(_ press: UInt32) -> Bool { unresolvedRanges.contains { $0.contains(press) } }
}
