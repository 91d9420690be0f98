import KeyModel
import TraceFormat
import TracePresses

/// Reads a recording for a replay without its responders: the answers by press, and the changes by place.
///
/// Facts apply from their place in the file on; everything about a press is found by its `PressTick`, also before the
/// press is whole, and with the sequence numbers by which facts are applied. The recording is read as far ahead as a
/// question needs, up to a limit, and what lies behind is dropped.
struct PressIndex {
    /// Presses that are kept for their releases: a source need not report that keys come up. The oldest are forgotten.
    private static let heldLimit = PressAssembler.heldLimit
    /// Presses, repeats and texts that are read ahead of the input that is handled, and their records: what comes of a
    /// press may be lost, or never end in a damaged trace.
    private static let reach = (presses: PressAssembler.Delivery.released.limit, records: UInt64(1 << 18))

    struct Fact {
        var sequence: UInt64
        var body: TraceRecord.Body
        /// A text got the keyboard, and then took a key.
        var tookKeys = false
    }

    private let summary: RecordingSummary
    private let definitions: TraceDefinitions
    private var records: RecordedTrace.Records
    /// Sequence number of the record that was read last.
    private var reached: UInt64?
    private var isAtEnd = false

    /// Facts read; those not yet taken begin at `nextFact`.
    private var facts: [Fact] = []
    private var nextFact = 0
    /// By press and tick; press 0 has the texts without a key.
    private var answers: [UInt32: [UInt32: PressAnswers]] = [:]
    /// The order of `answers`. Those that were dropped since are removed when there are `sweepSize`.
    private var order = RecordQueue<PressTick>()
    private var sweepSize = 2 * PressIndex.heldLimit
    /// The tick of the repeat of a press that was read last.
    private var repeats: [UInt32: UInt32] = [:]
    /// Presses whose key came up, with the place after which they are no longer needed; places ascend.
    private var ended = RecordQueue<UInt32>()
    /// Sequence numbers of keys, repeats, texts and steps.
    private var inputs = RecordQueue<Void>()
    private var textTicks = RecordQueue<PressTick>()
    private var openText: UInt64?
    private var openModifier: UInt64?
    /// The modifier key that went down last, while no other input came.
    private var heardModifier: UInt64?
    /// First receivers of the downs of modifier keys.
    private var modifierStarts = RecordQueue<ResponderRef>()
    private var textInputs = 0

    init(_ trace: RecordedTrace) {
        summary = trace.summary
        definitions = trace.definitions
        records = trace.records()
        for entry in trace.initialContext {
            switch entry {
            case .record(let body): follow(TraceRecord(time: .zero, sequence: 0, body: body))
            case .lastList(let last):
                let call = CallRecord(
                    at: PressTick(press: 0, tick: 0), kind: .keyCommands, occasion: .down, responder: last.responder,
                    pass: 0, depth: 0, duration: nil, action: nil, answer: .commands(last.list))
                facts.append(Fact(sequence: 0, body: .call(call)))
            case .keyState, .heldKey, .heldModifiers: break
            }
        }
    }

    // MARK: Asking

    /// `nil` for presses that are not in the recording. Only a release needs what came after the resolution.
    mutating func answers(_ tick: PressTick, forRelease isRelease: Bool) -> PressAnswers? {
        if tick.press > 0 {
            let last = summary.pressEnds.last(of: tick.press) ?? 0
            while mayReadAhead, reached ?? 0 < last || reached == nil, isRelease || !isResolved(tick) { readOne() }
            // Earlier repeats are no longer needed.
            if tick.tick > 1 { answers[tick.press]?[tick.tick - 1] = nil }
        }
        return answers[tick.press]?[tick.tick]
    }

    private func isResolved(_ tick: PressTick) -> Bool { answers[tick.press]?[tick.tick]?.resolution != nil }

    /// The line of the text or modifier key at this place; `nil` when nothing took it.
    mutating func textTick(at sequence: UInt64) -> PressTick? {
        read(through: sequence)
        while mayReadAhead, openText == sequence || heardModifier == sequence { readOne() }
        return textTicks[sequence]
    }

    /// First receiver of the modifier key at this place.
    mutating func modifierStart(at sequence: UInt64) -> ResponderRef? {
        read(through: sequence)
        while mayReadAhead, openModifier == sequence { readOne() }
        return modifierStarts[sequence]
    }

    /// Place of the first input.
    var firstInput: UInt64 {
        mutating get {
            while !isAtEnd, inputs.first == nil { readOne() }
            return inputs.first ?? .max
        }
    }

    /// Place of the input after this one, which is the one being handled.
    mutating func input(after sequence: UInt64) -> UInt64 {
        // The one being handled may not have been read yet: nothing was looked up about it.
        read(through: sequence)
        inputs.drop { $0 <= sequence }
        return firstInput
    }

    /// The next fact, if it is before this place.
    mutating func takeFact(before sequence: UInt64) -> Fact? {
        if sequence > 0 { read(through: sequence - 1) }
        guard nextFact < facts.count, facts[nextFact].sequence < sequence else { return nil }
        defer { nextFact += 1 }
        return facts[nextFact]
    }

    /// Facts before this place that were not taken yet.
    mutating func comingFacts(before sequence: UInt64) -> ArraySlice<Fact> {
        if sequence > 0 { read(through: sequence - 1) }
        return facts[nextFact...].prefix { $0.sequence < sequence }
    }

    /// Drops everything before this place but presses that are down.
    mutating func forget(before sequence: UInt64) {
        if nextFact > 256, nextFact * 2 > facts.count {
            facts.removeFirst(nextFact)
            nextFact = 0
        }
        inputs.drop { $0 < sequence }
        modifierStarts.drop { $0 < sequence }
        textTicks.drop { place, tick in
            guard place < sequence else { return false }
            answers[0]?[tick.tick] = nil
            return true
        }
        ended.drop { place, press in
            guard place < sequence else { return false }
            answers[press] = nil
            repeats[press] = nil
            return true
        }
    }

    // MARK: Reading

    private var mayReadAhead: Bool {
        guard let reached, let input = inputs.first else { return !isAtEnd }
        return !isAtEnd && reached < input &+ PressIndex.reach.records
            && order.count(from: input) < PressIndex.reach.presses
    }

    private mutating func read(through sequence: UInt64) {
        while !isAtEnd, reached.map({ $0 < sequence }) ?? true { readOne() }
    }

    private mutating func readOne() {
        guard let record = records.next() else {
            isAtEnd = true
            return
        }
        reached = record.sequence
        follow(record)
    }

    private mutating func follow(_ record: TraceRecord) {
        let sequence = record.sequence
        switch record.body {
        case .key(let key): follow(key, sequence)
        case .text:
            inputs.append((), at: sequence)
            (openText, heardModifier) = (sequence, nil)
        case .step:
            inputs.append((), at: sequence)
            (openText, heardModifier) = (nil, nil)
        case .call(let call): follow(call, sequence)
        case .invocation(let message):
            guard summary.isOfAppKit, message.at.press > 0 else { return }
            let press = answers(message.at, sequence)
            // What comes after that is the app's own business, or a release's. In a modal loop a key may come up before
            // its press is over.
            if press.resolution == nil { press.messages.append(message) }
        case .receiver(let receiver):
            guard receiver.phase == .down else { return }
            guard receiver.at.press > 0 else {
                if let modifier = openModifier { modifierStarts.append(receiver.responder, at: modifier) }
                openModifier = nil
                return
            }
            answers(receiver.at, sequence).append(receiver)
        case .effect(let effect):
            guard effect.at.press > 0 || openText != nil || heardModifier != nil else { return }
            let press = answers(effect.at, sequence)
            if press.resolution == nil { press.effects.append(effect) } else { press.effectsOnRelease.append(effect) }
        case .candidate(let candidate) where candidate.verdict == .won:
            answers(candidate.at, sequence).winner = candidate
        case .candidate(let candidate) where candidate.verdict == .possible:
            answers(candidate.at, sequence).possible.append(candidate)
        case .resolution(let resolution):
            if resolution.at.press == 0 {
                guard let place = openText ?? heardModifier else { return }
                textTicks.append(resolution.at, at: place)
                (openText, heardModifier) = (nil, nil)
            }
            let press = answers(resolution.at, sequence)
            press.resolution = resolution
            press.end = sequence
        case .link, .firstResponder, .keyWindow, .presentation, .textInput, .markedText, .hardware, .layout,
            .environment, .invalidation:
            var fact = Fact(sequence: sequence, body: record.body)
            if case .textInput = record.body {
                fact.tookKeys = summary.editableTexts.contains(textInputs)
                textInputs += 1
            }
            facts.append(fact)
        default: break
        }
    }

    private mutating func follow(_ key: KeyRecord, _ sequence: UInt64) {
        inputs.append((), at: sequence)
        openText = nil
        openModifier = key.phase == .down && key.press == nil ? sequence : nil
        heardModifier = openModifier
        guard let press = key.press else { return }
        switch key.phase {
        // A damaged trace may use one number twice: what comes later counts.
        case .down: newAnswers(PressTick(press: press, tick: 0), sequence).key = key
        case .repeat:
            let tick = (repeats[press] ?? 0) &+ 1
            newAnswers(PressTick(press: press, tick: tick), sequence).key = key
            repeats[press] = tick
        case .up, .cancel:
            let last = max(sequence, summary.pressEnds.last(of: press) ?? 0)
            ended.append(press, at: max(last, ended.last ?? 0))
        }
    }

    private mutating func follow(_ call: CallRecord, _ sequence: UInt64) {
        switch call.kind {
        case .keyCommands:
            guard case .commands(let list) = call.answer else { return }
            if call.occasion != .shadow { facts.append(Fact(sequence: sequence, body: .call(call))) }
            // Calls inside a getter are part of its own answer.
            guard call.depth == 0 else { return }
            answers(call.at, sequence).append(
                PressAnswers.List(responder: call.responder, occasion: call.occasion, list: list))
        case .canPerformAction:
            guard call.answer != .none else { return }
            answers(call.at, sequence).append(call.answer == .yes, to: question(call), call.action)
        case .validate: answers(call.at, sequence).validated.insert(question(call))
        case .buildMenu:
            guard case .commands = call.answer else { return }
            facts.append(Fact(sequence: sequence, body: .call(call)))
        }
    }

    private func question(_ call: CallRecord) -> PressAnswers.Question {
        PressAnswers.Question(responder: call.responder, action: call.action.flatMap { definitions[$0] })
    }

    /// Answers of a press, new ones where it has none yet.
    private mutating func answers(_ tick: PressTick, _ sequence: UInt64) -> PressAnswers {
        answers[tick.press]?[tick.tick] ?? newAnswers(tick, sequence)
    }

    private mutating func newAnswers(_ tick: PressTick, _ sequence: UInt64) -> PressAnswers {
        if order.count >= sweepSize { forgetOldest() }
        let made = PressAnswers(start: sequence)
        answers[tick.press, default: [:]][tick.tick] = made
        order.append(tick, at: sequence)
        return made
    }

    /// Forgets presses before the input that is handled, never those to come.
    private mutating func forgetOldest() {
        // A number that is used twice has the later press.
        order.removeAll { place, tick in answers[tick.press]?[tick.tick]?.start != place }
        var rest = order.count - order.count(from: inputs.first ?? .max)
        order.drop { _, tick in
            guard rest > PressIndex.heldLimit else { return false }
            rest -= 1
            answers[tick.press]?[tick.tick] = nil
            if answers[tick.press]?.isEmpty == true { (answers[tick.press], repeats[tick.press]) = (nil, nil) }
            return true
        }
        sweepSize = 2 * max(order.count, PressIndex.heldLimit)
    }
}
