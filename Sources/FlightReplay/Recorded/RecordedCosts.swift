import KeyModel
import Scenes
import TraceFormat

/// Adds up what the calls of a trace took.
struct RecordedCosts: Sendable {
    private enum Place: Hashable {
        case call(CallKind, ResponderRef)
        case action(StringRef, ResponderRef)
    }

    /// The mean of durations, without overflow: times come from files.
    private struct Mean {
        private var sum = TraceDuration.zero
        private var count: Int64 = 0

        mutating func add(_ time: TraceDuration) {
            sum = sum + max(time, .zero)
            count += 1
        }

        var value: TraceDuration { TraceDuration(nanoseconds: count == 0 ? 0 : sum.nanoseconds / count) }
    }

    private var means: [Place: Mean] = [:]
    private var order: [Place] = []
    /// The action that ran last.
    private var action: (at: PressTick, time: TraceDuration)?

    mutating func follow(_ body: TraceRecord.Body, _ definitions: TraceDefinitions) {
        switch body {
        case .call(let call) where call.occasion != .shadow:
            if let time = call.duration { add(.call(call.kind, call.responder), time) }
        case .stage(let stage) where stage.stage == .action: action = (stage.at, stage.duration)
        case .resolution(let resolution):
            guard let measured = action, measured.at == resolution.at, let target = resolution.target,
                let selector = resolution.action
            else { return }
            add(.action(selector, target), measured.time)
        default: return
        }
    }

    private mutating func add(_ place: Place, _ time: TraceDuration) {
        if means[place] == nil { order.append(place) }
        means[place, default: Mean()].add(time)
    }

    func means(_ definitions: TraceDefinitions) -> ServiceCosts {
        var costs = ServiceCosts()
        for place in order {
            guard let mean = means[place]?.value, mean > .zero else { continue }
            switch place {
            case .call(let kind, let responder):
                guard let id = definitions[responder]?.id else { continue }
                costs.declare(DeclaredCall(kind), of: id, takes: mean)
            case .action(let selector, let responder):
                guard let id = definitions[responder]?.id, let name = definitions[selector],
                    let call = DeclaredCall(name: name)
                else { continue }
                costs.declare(call, of: id, takes: mean)
            }
        }
        return costs
    }
}

extension DeclaredCall {
    init(_ kind: CallKind) {
        self =
            switch kind {
            case .keyCommands: .keyCommands
            case .canPerformAction: .canPerformAction
            case .validate: .validate
            case .buildMenu: .buildMenu
            }
    }
}
