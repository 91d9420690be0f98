import KeyModel
import TraceFormat
import TracePresses

/// Presses by the situation they were made in: the same key from the same start along the same chain, with the same
/// answers, must have the same outcome (T-26).
struct DeterminismRule: Sendable {
    private var known: [Situation: Result] = [:]
    private var lists = HandleTable<ResponderDefinition, CommandListRef>()
    /// Number of changed answers of responders so far.
    private var listVersion: UInt64 = 0
    private var numbers: [Surroundings: Int] = [:]
    /// The environment of the press before, by its versions, and its number.
    private var last: (marks: Marks, number: Int)?
    private static let limit = 65_536

    private struct Situation: Hashable, Sendable {
        var modifiers: KeyModifiers
        var key: KeyIdentity?
        var character: StringRef?
        var hasCapsLock: Bool
        var surroundings: Int
    }

    /// State that is the same for all presses until something changes.
    private struct Surroundings: Hashable, Sendable {
        var chain: [ResponderRef]
        var windows: [ResponderRef?]
        var lists: [CommandListRef?]
        var menu: CommandListRef?
        var keyWindow: ResponderRef?
        var textInput: ResponderRef?
        var isTextMarked: Bool
        var presented: [ResponderRef: ResponderRef]
        var environment: UInt64
        var layout: String?
    }

    /// Versions of the state: equal versions mean equal state.
    private struct Marks: Equatable, Sendable {
        var start: ResponderRef?
        var chain: UInt64
        var lists: UInt64
        var menu: CommandListRef?
        var keyWindow: ResponderRef?
        var textInput: ResponderRef?
        var isTextMarked: Bool
        var environment: UInt64
        var layout: String?
    }

    private struct Result: Sendable {
        var outcome: Outcome
        var supplier: ResponderRef?
        var target: ResponderRef?
        var action: StringRef?
        var press: UInt32
        var answers: [Question: Bool]

        func isSame(as other: ResolutionRecord) -> Bool {
            outcome == other.outcome && supplier == other.supplier && target == other.target && action == other.action
        }

        /// One of the questions was answered differently, which explains the rest.
        func isExplained(by other: Result) -> Bool {
            answers.contains { question, answer in other.answers[question].map { $0 != answer } ?? false }
        }
    }

    private struct Question: Hashable, Sendable {
        var kind: CallKind
        var responder: ResponderRef
        var action: StringRef?
    }

    mutating func removeAll() {
        known.removeAll()
        lists.removeAll()
        numbers.removeAll()
        last = nil
    }

    mutating func note(_ tick: TracePress, _ names: TraceDefinitions, _ accumulator: inout FindingAccumulator) {
        for call in tick.calls where call.kind == .keyCommands {
            guard case .commands(let list) = call.answer, lists[call.responder] != list else { continue }
            lists[call.responder] = list
            listVersion &+= 1
        }
        // Without the answers and the chain, two situations cannot be compared.
        guard !tick.isRepeat, !tick.calls.isEmpty, tick.chainGap == nil, tick.resolutions.count == 1,
            let resolution = tick.resolution, tick.key?.key.usage != nil,
            [.performed, .unhandled, .blockedUnperformable].contains(resolution.outcome)
        else { return }
        guard let situation = situation(of: tick) else { return }
        guard let before = known[situation] else {
            if known.count < DeterminismRule.limit { known[situation] = result(of: tick, resolution) }
            return
        }
        guard !before.isSame(as: resolution) else { return }
        let result = self.result(of: tick, resolution)
        guard !before.isExplained(by: result) else { return }
        let chord = tick.chord(names)
        accumulator.add(.nonDeterministic, chord.order + "\(before.press)", chord: chord, at: tick) {
            "press \(before.press) came to \(words(before, names)), press \(result.press) in the same situation to "
                + words(result, names)
        }
    }

    private func words(_ result: Result, _ names: TraceDefinitions) -> String {
        guard result.outcome == .performed else { return result.outcome.name }
        let action = result.action.flatMap { names[$0] } ?? "an action"
        return result.target.map { "\(names.name($0)).\(action)" } ?? action
    }

    private func result(of tick: TracePress, _ resolution: ResolutionRecord) -> Result {
        var answers: [Question: Bool] = [:]
        for call in tick.calls where call.answer == .yes || call.answer == .no {
            let question = Question(kind: call.kind, responder: call.responder, action: call.action)
            answers[question] = call.answer == .yes
        }
        return Result(
            outcome: resolution.outcome, supplier: resolution.supplier, target: resolution.target,
            action: resolution.action, press: tick.at.press, answers: answers)
    }

    /// `nil` once the limit of distinct situations is reached.
    private mutating func situation(of tick: TracePress) -> Situation? {
        guard let surroundings = surroundings(of: tick) else { return nil }
        return Situation(
            modifiers: tick.modifiers, key: tick.key?.key, character: tick.resolution?.character,
            hasCapsLock: tick.key?.modifiers.contains(.capsLock) ?? false, surroundings: surroundings)
    }

    private mutating func surroundings(of tick: TracePress) -> Int? {
        let context = tick.context
        let marks = Marks(
            start: tick.start, chain: context.chainVersion, lists: listVersion, menu: tick.menu ?? context.menu,
            keyWindow: tick.resolution?.keyWindow, textInput: tick.textInput, isTextMarked: context.isTextMarked,
            environment: context.environmentVersion, layout: context.layoutName)
        if let last, last.marks == marks { return last.number }
        let chain = tick.chain
        let surroundings = Surroundings(
            chain: chain, windows: chain.map { context.link(of: $0)?.window }, lists: chain.map { lists[$0] },
            menu: marks.menu, keyWindow: marks.keyWindow, textInput: marks.textInput,
            isTextMarked: marks.isTextMarked, presented: context.presented, environment: marks.environment,
            layout: marks.layout)
        let number = numbers[surroundings] ?? numbers.count
        if number == numbers.count {
            guard number < DeterminismRule.limit else { return nil }
            numbers[surroundings] = number
        }
        last = (marks, number)
        return number
    }
}
