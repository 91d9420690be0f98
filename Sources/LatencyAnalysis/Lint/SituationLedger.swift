import KeyModel
import TraceFormat

/// Presses by the situation they were made in: the same key from the same start along the same chain, with the same
/// answers, must come to the same (T-26).
struct SituationLedger: Sendable {
    private var known: [Situation: Result] = [:]
    private var lists: [ResponderRef: CommandListRef] = [:]
    private static let limit = 65_536

    private struct Situation: Hashable, Sendable {
        var chord: PressChord
        var hasCapsLock: Bool
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

    private struct Result: Sendable {
        var outcome: Outcome
        var supplier: ResponderRef?
        var target: ResponderRef?
        var action: StringRef?
        var press: UInt32
        var answers: [Question: Bool]

        func isSame(as other: Result) -> Bool {
            outcome == other.outcome && supplier == other.supplier && target == other.target && action == other.action
        }

        /// One of the questions was answered differently, which explains the rest.
        func isExplained(by other: Result) -> Bool {
            answers.contains { question, answer in other.answers[question].map { $0 != answer } ?? false }
        }
    }

    private struct Question: Hashable, Sendable {
        var responder: ResponderRef
        var action: StringRef?
    }

    mutating func removeAll() {
        known.removeAll()
        lists.removeAll()
    }

    mutating func note(_ tick: DecidedTick, _ names: TraceDefinitions, _ ledger: inout FindingLedger) {
        for call in tick.calls where call.kind == .keyCommands {
            if case .commands(let list) = call.answer { lists[call.responder] = list }
        }
        // Without the answers nobody can say that two situations are the same.
        guard !tick.isRepeat, !tick.calls.isEmpty, tick.resolutions.count == 1, let resolution = tick.resolution,
            tick.key?.key.usage != nil,
            [.performed, .unhandled, .blockedUnperformable].contains(resolution.outcome)
        else { return }
        let result = self.result(of: tick, resolution)
        let situation = self.situation(of: tick, names)
        guard let before = known[situation] else {
            if known.count < SituationLedger.limit { known[situation] = result }
            return
        }
        guard !before.isSame(as: result), !before.isExplained(by: result) else { return }
        let chord = tick.chord(names)
        ledger.add(.nonDeterministic, chord.order + "\(before.press)", chord: chord, at: tick) {
            "press \(before.press) came to \(words(before, names)), press \(result.press) in the same situation to "
                + words(result, names)
        }
    }

    private func words(_ result: Result, _ names: TraceDefinitions) -> String {
        guard result.outcome == .performed else { return result.outcome.name }
        let action = result.action.flatMap { names[$0] } ?? "an action"
        return result.target.map { "\(names.name($0)).\(action)" } ?? action
    }

    private func result(of tick: DecidedTick, _ resolution: ResolutionRecord) -> Result {
        var answers: [Question: Bool] = [:]
        for call in tick.calls where call.kind == .canPerformAction {
            switch call.answer {
            case .yes: answers[Question(responder: call.responder, action: call.action)] = true
            case .no: answers[Question(responder: call.responder, action: call.action)] = false
            case .none, .commands: break
            }
        }
        return Result(
            outcome: resolution.outcome, supplier: resolution.supplier, target: resolution.target,
            action: resolution.action, press: tick.at.press, answers: answers)
    }

    private func situation(of tick: DecidedTick, _ names: TraceDefinitions) -> Situation {
        let context = tick.context
        let chain = tick.chain
        return Situation(
            chord: tick.chord(names), hasCapsLock: tick.key?.modifiers.contains(.capsLock) ?? false, chain: chain,
            windows: chain.map { context.links[$0]?.window }, lists: chain.map { lists[$0] },
            menu: tick.menu ?? context.menu,
            keyWindow: tick.resolution?.keyWindow, textInput: tick.textInput, isTextMarked: context.isTextMarked,
            presented: context.presented, environment: context.environmentVersion, layout: context.layoutName)
    }
}
