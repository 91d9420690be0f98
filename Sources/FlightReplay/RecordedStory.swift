import KeyModel
import TraceFormat

/// What a recording tells of one press, repeat or text: the questions that were answered, and what it came to.
struct RecordedDelivery {
    struct List {
        var responder: ResponderRef
        var occasion: CallOccasion
        var list: CommandListRef
    }

    struct Answer {
        var responder: ResponderRef
        var action: StringRef?
        var isYes: Bool
    }

    /// Sequence number of its key or text record.
    var start: UInt64
    /// Sequence number of the resolution that closes it.
    var end: UInt64
    var lists: [List] = []
    var answers: [Answer] = []
    var validated: [Answer] = []
    var receivers: [(responder: ResponderRef, isSwallowed: Bool)] = []
    var effects: [EffectRecord] = []
    var effectsOnRelease: [EffectRecord] = []
    var resolution: ResolutionRecord?

    init(start: UInt64) {
        self.start = start
        end = start
    }
}

/// A recording sorted for a replay without its responders: what was answered at which press, and what changed when.
///
/// A fact belongs to the place where it stands in the file; everything about a press is found by its `PressTick`.
struct RecordedStory {
    struct Fact {
        var sequence: UInt64
        var body: TraceRecord.Body
    }

    private(set) var facts: [Fact] = []
    /// Places among the facts of the texts that had the keyboard and took a key.
    private(set) var editableTexts: Set<Int> = []
    private var lastText: Int?
    private var deliveries: [PressTick: RecordedDelivery] = [:]
    private var textTicks: [UInt64: PressTick] = [:]
    /// Sequence numbers of keys, repeats, texts and steps, ascending.
    private var inputs: [UInt64] = []
    private var repeats: [UInt32: UInt32] = [:]
    private var openText: UInt64?
    private var openModifier: UInt64?
    /// Who got the down of a modifier key first, by the place of its record.
    private var modifierStarts: [UInt64: ResponderRef] = [:]
    /// Responders that were asked for their key commands at least once.
    private(set) var suppliers: Set<ResponderRef> = []
    /// Some press tells who got it.
    private(set) var tellsReceivers = false
    /// Actions that somebody was asked about.
    private(set) var actions: Set<StringRef> = []
    /// Some menu is known by its commands.
    private(set) var tellsMenu = false

    init(_ recording: Recording) {
        for entry in recording.initialContext {
            switch entry {
            case .record(let body): follow(TraceRecord(time: .zero, sequence: 0, body: body))
            case .lastList(let last):
                suppliers.insert(last.responder)
                let call = CallRecord(
                    at: PressTick(press: 0, tick: 0), kind: .keyCommands, occasion: .down, responder: last.responder,
                    pass: 0, depth: 0, duration: nil, action: nil, answer: .commands(last.list))
                facts.append(Fact(sequence: 0, body: .call(call)))
            case .keyState, .heldKey, .heldModifiers: break
            }
        }
        for record in recording.records { follow(record) }
    }

    /// `nil` for what the recording does not tell of.
    func delivery(_ tick: PressTick) -> RecordedDelivery? { deliveries[tick] }

    /// The line of the text at this place; `nil` when nothing took it.
    func textTick(at sequence: UInt64) -> PressTick? { textTicks[sequence] }

    /// Who got the modifier key at this place first.
    func modifierStart(at sequence: UInt64) -> ResponderRef? { modifierStarts[sequence] }

    /// Where the first input stands.
    var firstInput: UInt64 { inputs.first ?? .max }

    /// Where the input after this one stands.
    func input(after sequence: UInt64) -> UInt64 {
        var (low, high) = (0, inputs.count)
        while low < high {
            let middle = (low + high) / 2
            if inputs[middle] <= sequence { low = middle + 1 } else { high = middle }
        }
        return low < inputs.count ? inputs[low] : .max
    }

    private mutating func follow(_ record: TraceRecord) {
        let sequence = record.sequence
        switch record.body {
        case .key(let key):
            inputs.append(sequence)
            openText = nil
            openModifier = key.phase == .down && key.press == nil ? sequence : nil
            guard let press = key.press else { return }
            if key.phase == .down { begin(PressTick(press: press, tick: 0), sequence) }
            guard key.phase == .repeat else { return }
            let tick = (repeats[press] ?? 0) &+ 1
            repeats[press] = tick
            begin(PressTick(press: press, tick: tick), sequence)
        case .text:
            inputs.append(sequence)
            openText = sequence
        case .step:
            inputs.append(sequence)
            openText = nil
        case .call(let call): follow(call, sequence)
        case .receiver(let receiver):
            tellsReceivers = true
            guard receiver.phase == .down else { return }
            guard receiver.at.press > 0 else {
                if let modifier = openModifier { modifierStarts[modifier] = receiver.responder }
                openModifier = nil
                return
            }
            change(receiver.at, sequence) { $0.receivers.append((receiver.responder, receiver.isSwallowed)) }
        case .effect(let effect):
            guard effect.at.press > 0 || openText != nil else { return }
            change(effect.at, sequence) {
                if $0.resolution == nil { $0.effects.append(effect) } else { $0.effectsOnRelease.append(effect) }
            }
        case .resolution(let resolution):
            if [.text, .inputMethod, .builtinText].contains(resolution.takenBy), let lastText {
                editableTexts.insert(lastText)
            }
            if resolution.at.press == 0 {
                guard let text = openText else { return }
                textTicks[text] = resolution.at
                openText = nil
            }
            change(resolution.at, sequence) {
                $0.resolution = resolution
                $0.end = sequence
            }
        case .link, .firstResponder, .keyWindow, .presentation, .textInput, .markedText, .hardware, .layout,
            .environment, .invalidation:
            if case .textInput = record.body { lastText = facts.count }
            facts.append(Fact(sequence: sequence, body: record.body))
        default: break
        }
    }

    private mutating func follow(_ call: CallRecord, _ sequence: UInt64) {
        switch call.kind {
        case .keyCommands:
            guard case .commands(let list) = call.answer else { return }
            if call.occasion != .shadow {
                suppliers.insert(call.responder)
                facts.append(Fact(sequence: sequence, body: .call(call)))
            }
            // What a getter asks inside is part of its own answer.
            guard call.depth == 0 else { return }
            change(call.at, sequence) {
                $0.lists.append(
                    RecordedDelivery.List(responder: call.responder, occasion: call.occasion, list: list))
            }
        case .canPerformAction:
            guard call.answer != .none else { return }
            if let action = call.action { actions.insert(action) }
            change(call.at, sequence) {
                $0.answers.append(
                    RecordedDelivery.Answer(
                        responder: call.responder, action: call.action, isYes: call.answer == .yes))
            }
        case .validate:
            change(call.at, sequence) {
                $0.validated.append(
                    RecordedDelivery.Answer(responder: call.responder, action: call.action, isYes: true))
            }
        case .buildMenu:
            guard case .commands = call.answer else { return }
            tellsMenu = true
            facts.append(Fact(sequence: sequence, body: .call(call)))
        }
    }

    private mutating func begin(_ tick: PressTick, _ sequence: UInt64) {
        // A damaged trace may use one number twice: what is told later counts.
        deliveries[tick] = RecordedDelivery(start: sequence)
    }

    private mutating func change(_ tick: PressTick, _ sequence: UInt64, _ body: (inout RecordedDelivery) -> Void) {
        body(&deliveries[tick, default: RecordedDelivery(start: sequence)])
    }
}
