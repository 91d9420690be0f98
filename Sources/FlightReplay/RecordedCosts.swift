import KeyModel
import Scenes
public import TraceFormat

extension ServiceCosts {
    /// What the calls of a trace took: the mean for each responder and call, and for each action at its target.
    /// The climb of presses is recorded only as a whole, so it gives no cost for anybody.
    public init(_ recording: Recording) {
        self.init()
        var means: [Place: Mean] = [:]
        var order: [Place] = []
        var action: (at: PressTick, time: TraceDuration)?
        func add(_ call: DeclaredCall, _ responder: ResponderRef, _ time: TraceDuration) {
            guard let id = recording.definitions[responder]?.id else { return }
            let place = Place(responder: id, call: call)
            if means[place] == nil { order.append(place) }
            means[place, default: Mean()].add(time)
        }
        for record in recording.records {
            switch record.body {
            case .call(let call) where call.occasion != .shadow:
                if let time = call.duration { add(DeclaredCall(call.kind), call.responder, time) }
            case .stage(let stage) where stage.stage == .action: action = (stage.at, stage.duration)
            case .resolution(let resolution):
                guard let measured = action, measured.at == resolution.at, let target = resolution.target,
                    let selector = resolution.action.flatMap({ recording.definitions[$0] }),
                    let call = DeclaredCall(name: selector)
                else { continue }
                add(call, target, measured.time)
            default: continue
            }
        }
        for place in order {
            guard let mean = means[place]?.value, mean > .zero else { continue }
            declare(place.call, of: place.responder, takes: mean)
        }
    }

    private struct Place: Hashable {
        var responder: String
        var call: DeclaredCall
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
