import KeyModel
import ResponderEngine
import Scenes
import TracePresses

/// Probe of the engine for one replay: adds up declared service times, and passes everything on to a recorder.
final class ReplayProbe: EngineProbe {
    private let costs: ServiceCosts
    private let recorder: TraceRecorder?
    /// Stages of the press, repeat or release that is being handled.
    @exclusivity(unchecked) private(set) var stages = StageSplit()

    init(costs: ServiceCosts, recorder: TraceRecorder?) {
        self.costs = costs
        self.recorder = recorder
    }

    var wantsCandidates: Bool { recorder != nil }

    /// A press, repeat or release begins that waited for `delay`. Stages that may cost something count from zero.
    func begin(delay: TraceDuration) {
        guard !costs.isEmpty else { return }
        stages = StageSplit()
        stages.add(delay, to: .inputDelay)
        for stage in costs.stages { stages.add(.zero, to: stage) }
    }

    /// Time of the handling, without the wait before it.
    var service: TraceDuration {
        guard let total = stages.total, let delay = stages[.inputDelay] else { return .zero }
        return TraceDuration(nanoseconds: total.nanoseconds &- delay.nanoseconds)
    }

    func engine(_ engine: KeyboardEngine, reports report: EngineReport) {
        if !costs.isEmpty { measure(report) }
        recorder?.note(report)
    }

    private func measure(_ report: EngineReport) {
        switch report {
        case .pressDelivered(_, let responder, _): add(.presses, responder)
        case .keyCommands(let responder, _, _, .called): add(.keyCommands, responder)
        case .buildMenu(let responder): add(.buildMenu, responder)
        case .canPerform(let responder, _, _): add(.canPerformAction, responder)
        case .validated(let responder, _): add(.validate, responder)
        case .actionBegan(let action, let target): add(.action(action.name), target)
        default: break
        }
    }

    private func add(_ call: DeclaredCall, _ responder: Responder) {
        guard let time = costs.time(of: call, at: responder.id) else { return }
        stages.add(time, to: call.stage)
    }
}
