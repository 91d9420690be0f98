import KeyModel
import Scenes
import TraceFormat
import TracePresses

/// The inputs of a trace in their order, with the presses that they led to: as recorded, and as the recorded answers
/// decide them again.
struct RecordedSession {
    enum Input {
        case down(PressTick)
        case repeated(PressTick)
        case up(PressTick)
        /// Text that came without a key.
        case text(PressTick)
        case step(ContextStep)
        case hardware(isAttached: Bool)
        case layout(String)
        case invalidation(InvalidationRecord)
    }

    /// The repeats of one press before its key comes up.
    struct RepeatRun {
        /// They are numbered from 1.
        var count: UInt32 = 0
        /// Something besides releases of other keys comes between the down and the last one.
        var isInterrupted = false
    }

    /// Each input with what arrived; a record has no key where it is none.
    private(set) var inputs: [Input] = []
    private var steps = ParsedTexts<Result<ContextStep, ContextStepError>>()
    /// Presses with repeats, by the place of their down in `inputs`.
    private(set) var repeatRuns: [Int: RepeatRun] = [:]
    /// Presses of the replay; their handles refer to `definitions`.
    private(set) var presses: [PressTick: TracePress] = [:]
    private(set) var definitions = TraceDefinitions()
    /// Recorded outcomes of the presses, by the replay's numbers.
    private(set) var recorded: [PressTick: RecordedOutcome] = [:]
    private(set) var secureEntries = SecureEntryCount()
    /// The last input came to nothing yet: what changes now follows from it, and is no input.
    private var isResolving = false

    /// - Parameter replayed: The replay of `trace` by its own answers, in clear and with its lists.
    /// - Throws: The error that stopped the replay.
    init(_ trace: RecordedTrace, replayed: SteppedReplay) throws {
        var assembler = PressAssembler(
            PressParts.decision.union(.texts), .released, context: replayed.initialContext)
        var numbers = InputNumbers()
        while let record = replayed.next() {
            follow(record, &numbers, replayed)
            assembler.consume(record)
            while let press = assembler.next() { presses[press.at] = press }
        }
        if let failure = replayed.failure { throw failure }
        definitions = replayed.definitions
        assembler.finish()
        while let press = assembler.next() { presses[press.at] = press }
        readOutcomes(of: trace, numbers)
        findRepeatRuns()
    }

    /// Presses and texts in the order in which they came.
    private struct InputNumbers {
        var presses: [UInt32] = []
        var texts: UInt32 = 0
        var ticks: [UInt32: UInt32] = [:]

        mutating func tick(of key: KeyRecord) -> PressTick? {
            guard let press = key.press else { return nil }
            switch key.phase {
            case .down:
                presses.append(press)
                ticks[press] = 0
                return PressTick(press: press, tick: 0)
            case .repeat:
                let tick = (ticks[press] ?? 0) + 1
                ticks[press] = tick
                return PressTick(press: press, tick: tick)
            case .up, .cancel: return PressTick(press: press, tick: 0)
            }
        }
    }

    private mutating func follow(_ record: TraceRecord, _ numbers: inout InputNumbers, _ replayed: SteppedReplay) {
        switch record.body {
        case .key(let key):
            guard let tick = numbers.tick(of: key) else { return }
            isResolving = key.phase == .down || key.phase == .repeat
            switch key.phase {
            case .down: inputs.append(.down(tick))
            case .repeat: inputs.append(.repeated(tick))
            case .up, .cancel: inputs.append(.up(tick))
            }
        case .text:
            inputs.append(.text(PressTick(press: 0, tick: numbers.texts)))
            numbers.texts += 1
            isResolving = true
        case .resolution: isResolving = false
        case .step(let step):
            isResolving = false
            if case .success(let step)? = replayed.definitions[step.step].map({ steps.value(of: $0) }) {
                inputs.append(.step(step))
            }
        case .hardware(let change): inputs.append(.hardware(isAttached: change.isAttached))
        case .layout(let layout): inputs.append(.layout(layout.name))
        case .invalidation(let change): if !isResolving { inputs.append(.invalidation(change)) }
        default: break
        }
    }

    private mutating func findRepeatRuns() {
        var downs: [UInt32: Int] = [:]
        // Of the last input that is no release; `nil` where that is no key.
        var lastPress: UInt32?
        for (place, input) in inputs.enumerated() {
            switch input {
            case .down(let tick):
                downs[tick.press] = place
                lastPress = tick.press
            case .repeated(let tick):
                if let down = downs[tick.press] {
                    repeatRuns[down, default: RepeatRun()].count = tick.tick
                    if lastPress != tick.press { repeatRuns[down]?.isInterrupted = true }
                }
                lastPress = tick.press
            case .up(let tick): downs[tick.press] = nil
            default: lastPress = nil
            }
        }
    }

    /// Presses of the two are paired in their order: a part of a trace keeps its numbers.
    private mutating func readOutcomes(of trace: RecordedTrace, _ replayed: InputNumbers) {
        var numbers = InputNumbers()
        var known: [PressTick: RecordedOutcome] = [:]
        var firstText: UInt32?
        var records = trace.records()
        while let record = records.next() {
            if case .key(let key) = record.body { _ = numbers.tick(of: key) }
            secureEntries.consume(record)
            guard case .resolution(let resolution) = record.body, known[resolution.at] == nil else { continue }
            if resolution.at.press == 0, firstText == nil { firstText = resolution.at.tick }
            known[resolution.at] = RecordedOutcome(resolution, records.definitions)
            known[resolution.at]?.isOfReplay = trace.summary.facts.isOfReplay
        }
        var own: [UInt32: UInt32] = [:]
        for (recorded, replayed) in zip(numbers.presses, replayed.presses) { own[recorded] = replayed }
        for (at, outcome) in known {
            let press = at.press == 0 ? 0 : own[at.press]
            let tick = at.press == 0 ? at.tick &- (firstText ?? 0) : at.tick
            if let press { recorded[PressTick(press: press, tick: tick)] = outcome }
        }
    }

    func id(_ ref: ResponderRef?) -> String? { ref.flatMap { definitions[$0]?.id } }
}

/// Outcome of a press, by names.
struct RecordedOutcome {
    var outcome: Outcome
    var takenBy: TakenBy?
    var target: String?
    /// `nil` also where it is not recorded, as the two below.
    var action: String?
    var supplier: String?
    /// A replay recorded it, which leaves no target out.
    var isOfReplay = false

    init(_ resolution: ResolutionRecord, _ definitions: TraceDefinitions) {
        outcome = resolution.outcome
        takenBy = resolution.takenBy
        target = resolution.target.flatMap { definitions[$0]?.id }
        action = resolution.action.flatMap { definitions[$0] }
        supplier = resolution.supplier.flatMap { definitions[$0]?.id }
    }

    init(_ line: ReplayLine) {
        (outcome, takenBy, target) = (line.outcome, line.takenBy, line.target)
        (action, supplier) = (line.action, line.supplier)
    }

    /// Parts that are not recorded cannot differ.
    func isSame(as line: ReplayLine) -> Bool {
        let isSameTarget = target == line.target || target == nil && !isOfReplay
        return outcome == line.outcome && (takenBy == nil || takenBy == line.takenBy) && isSameTarget
            && (action == nil || action == line.action) && (supplier == nil || supplier == line.supplier)
    }

    var text: String {
        var words = [outcome.name]
        if let takenBy { words.append("by \(takenBy.name)") }
        if let action { words.append(action) }
        if supplier != nil || target != nil { words.append("(\(supplier ?? "–") → \(target ?? "–"))") }
        return words.joined(separator: " ")
    }
}
