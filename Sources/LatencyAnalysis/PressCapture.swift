import KeyModel
import TraceFormat

/// The records of one press while they come, and the context it was decided in.
struct PressCapture: Sendable {
    let press: UInt32
    /// The context before anything was decided about the press.
    private(set) var context: ChainContext
    private(set) var down: (record: KeyRecord, time: TraceTime)?
    private(set) var release: (record: KeyRecord, time: TraceTime)?
    private(set) var receivers: [ReceiverRecord] = []
    private(set) var candidates: [CandidateRecord] = []
    private(set) var calls: [CallRecord] = []
    private(set) var stages = StageSplit()
    private(set) var cache: CacheEffectiveness?
    private(set) var effects: [EffectRecord] = []
    private(set) var resolution: (record: ResolutionRecord, time: TraceTime)?
    private(set) var runs: UInt64 = 0
    private(set) var repeats = PressExplanation.Repeats()
    private(set) var isShortened = false
    private var isDecided = false

    init(press: UInt32, context: ChainContext) {
        self.press = press
        self.context = context
    }

    /// Takes a record that may belong to this press. `current` is the context before the record.
    mutating func consume(_ record: TraceRecord, current: ChainContext) {
        switch record.body {
        case .key(let key):
            guard key.press == press else { return }
            switch key.phase {
            case .down: down = (key, record.time)
            case .up, .cancel: if release == nil { release = (key, record.time) }
            case .repeat: break
            }
        case .receiver(let receiver):
            guard begin(receiver.at, current), receiver.phase == .down else { return }
            keep(receiver, in: \.receivers)
        case .candidate(let candidate):
            guard isOfDown(candidate.at) else { return }
            keep(candidate, in: \.candidates)
        case .call(let call):
            guard call.occasion == .down, begin(call.at, current) else { return }
            keep(call, in: \.calls)
        case .stage(let stage):
            guard isOfDown(stage.at) else { return }
            stages.add(stage.duration, to: stage.stage)
        case .cache(let counts):
            // Lookups at the release come after the resolution and are not the key-down's.
            guard isOfDown(counts.at), resolution == nil else { return }
            var sum = cache ?? CacheEffectiveness()
            sum.add(counts)
            cache = sum
        case .effect(let effect):
            if isOfDown(effect.at) { keep(effect, in: \.effects) }
        case .resolution(let resolution): note(resolution, at: record.time)
        default: break
        }
    }

    private mutating func keep<Kept>(_ record: Kept, in list: WritableKeyPath<PressCapture, [Kept]>) {
        if self[keyPath: list].count < PressExplanation.recordLimit {
            self[keyPath: list].append(record)
        } else {
            isShortened = true
        }
    }

    private func isOfDown(_ at: PressTick) -> Bool { at.press == press && at.tick == 0 }

    /// The same for receivers and calls, which come before anything is decided: the first one fixes the context,
    /// since earlier presses that were still being handled when the key went down may have changed it. Whatever
    /// comes later may follow what the action changed.
    private mutating func begin(_ at: PressTick, _ current: ChainContext) -> Bool {
        guard isOfDown(at) else { return false }
        if !isDecided {
            isDecided = true
            context = current
        }
        return true
    }

    private mutating func note(_ resolution: ResolutionRecord, at time: TraceTime) {
        guard resolution.at.press == press else { return }
        guard resolution.at.tick == 0 else {
            repeats.count += 1
            if let at = repeats.outcomes.firstIndex(where: { $0.outcome == resolution.outcome }) {
                repeats.outcomes[at].count += 1
            } else {
                repeats.outcomes.append(TraceStatistics.OutcomeCount(outcome: resolution.outcome, count: 1))
            }
            return
        }
        isDecided = true
        if self.resolution == nil { self.resolution = (resolution, time) }
        if resolution.outcome == .performed { runs += 1 }
    }
}
