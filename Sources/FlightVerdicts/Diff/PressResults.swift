import FlightReplay
import KeyModel
public import LatencyAnalysis
public import TraceFormat

/// Collects the results of a trace's presses as it is read.
public struct PressResults: TraceConsumer, Sendable {
    public private(set) var results: [PressResult] = []
    /// What the trace says it was made under.
    private(set) var facts = ReplayFacts()
    /// Ids of every responder that had a part in a press.
    public private(set) var responders: Set<String> = []
    private var open: [PressTick: Draft] = [:]
    /// The one that the last record belonged to, which most records that follow belong to as well; not in `open`.
    private var current = Draft(at: PressTick(press: 0, tick: 0))
    /// `nil` where there is none.
    private var currentAt: PressTick?
    /// By handle.
    private var names: [String?] = []
    private var keys: [UInt32: (key: PressResult.Input.Key, time: TraceTime)] = [:]
    private var ticks: [PressTick: TraceTime] = [:]
    private var repeats: [UInt32: UInt32] = [:]
    private var pendingText: (text: String?, time: TraceTime)?
    /// What presses have in common, which is most of what is kept of them.
    private var receivers: [[ResponderRef]: [String]] = [:]
    private var candidates = SharedParts<[PressResult.Candidate]>()
    private var effects = SharedParts<[PressResult.Effect]>()
    private var calls = SharedParts<[UInt64]>()
    private var keyCommands: [[Asked]: [String: UInt64]] = [:]
    private var stages = SharedParts<StageSplit>()

    /// A press that is not resolved yet, with responders by handle.
    private struct Draft: Sendable {
        var result: PressResult
        var receivers: [ResponderRef] = []
        /// For `keyCommands`, in the order in which they were asked first.
        var asked: [Asked] = []
        /// Where the one who was asked last is: every pass asks them in the same order.
        private var last = 0

        init(at: PressTick) {
            result = PressResult(at: at, time: .zero, input: .init(key: .unknown, isRepeat: false))
        }

        mutating func ask(_ responder: ResponderRef) {
            let next = last + 1 < asked.count ? last + 1 : 0
            if next < asked.count, asked[next].responder == responder {
                last = next
            } else if let known = asked.firstIndex(where: { $0.responder == responder }) {
                last = known
            } else {
                last = asked.count
                asked.append(Asked(responder: responder, times: 0))
            }
            asked[last].times += 1
        }
    }

    private struct Asked: Hashable, Sendable {
        var responder: ResponderRef
        var times: UInt64
    }

    public init() {}

    init(results: [PressResult], responders: Set<String>) {
        self.results = results
        self.responders = responders
    }

    public mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        switch record.body {
        case .environment, .layout: facts.follow(record.body)
        case .key(let key): follow(key, record.time)
        case .text(let text): pendingText = (text.text.flatMap { definitions[$0] }, record.time)
        case .receiver(let receiver) where receiver.phase == .down:
            note(receiver.responder, definitions)
            change(receiver.at) { $0.receivers.append(receiver.responder) }
        case .candidate(let candidate):
            let found = PressResult.Candidate(
                supplier: candidate.supplier.map { name($0, definitions) } ?? "mainMenu",
                action: definitions[candidate.command]?.action ?? "?", verdict: candidate.verdict,
                reason: definitions[candidate.reason] ?? "")
            change(candidate.at) { $0.result.candidates.append(found) }
        case .effect(let effect):
            let found = PressResult.Effect(
                responder: effect.responder.map { name($0, definitions) }, kind: definitions[effect.kind] ?? "?",
                value: effect.value.flatMap { definitions[$0] })
            change(effect.at) { $0.result.decision.effects.append(found) }
        case .stage(let stage): change(stage.at) { $0.result.stages.add(stage.duration, to: stage.stage) }
        case .call(let call): follow(call, definitions)
        case .cache(let cache):
            change(cache.at) {
                $0.result.counts.cache = PressResult.Cache(
                    hits: UInt64(cache.hits), misses: UInt64(cache.misses), stale: UInt64(cache.stale),
                    invalidations: UInt64(cache.invalidations))
            }
        case .resolution(let resolution): finish(resolution, record.time, definitions)
        default: break
        }
    }

    private mutating func name(_ ref: ResponderRef, _ definitions: TraceDefinitions) -> String {
        let at = Int(ref.rawValue)
        if at < names.count, let known = names[at] { return known }
        let name = definitions[ref]?.id ?? "?"
        responders.insert(name)
        // Handles are given in the order of definitions; those of damaged traces may be any.
        guard at < PressResults.mostNames else { return name }
        while names.count <= at { names.append(nil) }
        names[at] = name
        return name
    }

    private static let mostNames = 1 << 16

    /// It had a part.
    private mutating func note(_ ref: ResponderRef, _ definitions: TraceDefinitions) {
        let at = Int(ref.rawValue)
        if at >= names.count || names[at] == nil { _ = name(ref, definitions) }
    }

    public mutating func visit(calls: UnsafeBufferPointer<PlacedCall>, _ definitions: TraceDefinitions) {
        for placed in calls { follow(placed.call, definitions) }
    }

    public mutating func visit(stages: UnsafeBufferPointer<PlacedStage>, _ definitions: TraceDefinitions) {
        for placed in stages {
            change(placed.stage.at) { $0.result.stages.add(placed.stage.duration, to: placed.stage.stage) }
        }
    }

    private mutating func follow(_ key: KeyRecord, _ time: TraceTime) {
        guard let press = key.press else { return }
        switch key.phase {
        case .down:
            let name = key.key.maskedClass.map { PressResult.Input.Key.masked(key.modifiers, $0.name) }
            let chord = key.key.usage.map {
                PressResult.Input.Key.chord(Chord(modifiers: key.modifiers, usage: $0))
            }
            keys[press] = (name ?? chord ?? .unknown, time)
            ticks[PressTick(press: press, tick: 0)] = time
        case .repeat:
            let tick = (repeats[press] ?? 0) &+ 1
            repeats[press] = tick
            ticks[PressTick(press: press, tick: tick)] = time
        case .up, .cancel: break
        }
    }

    private mutating func follow(_ call: CallRecord, _ definitions: TraceDefinitions) {
        note(call.responder, definitions)
        let kind = Int(call.kind.rawValue)
        switch call.occasion {
        case .shadow: return
        case .release:
            // It belongs to the line of the down, which is closed by now.
            if let place = lastPlace(of: call.at) { results[place].counts.callsOnRelease += 1 }
            return
        case .down, .repeatTick: break
        }
        change(call.at) {
            $0.result.counts.calls[kind] += 1
            if call.kind == .keyCommands { $0.ask(call.responder) }
        }
    }

    private func lastPlace(of at: PressTick) -> Int? {
        results.indices.suffix(64).last { results[$0].at.press == at.press && results[$0].at.tick == 0 }
    }

    /// A damaged trace may never resolve what it begins, and must not keep it all.
    private static let openLimit = 4096

    @inline(__always) private mutating func change(_ at: PressTick, _ body: (inout Draft) -> Void) {
        if currentAt != at { select(at) }
        body(&current)
    }

    private mutating func select(_ at: PressTick) {
        if let at = currentAt { open[at] = current }
        if open[at] == nil, open.count >= PressResults.openLimit { open.removeAll() }
        current = open.removeValue(forKey: at) ?? Draft(at: at)
        currentAt = at
    }

    /// What was told of a press so far; it is not kept any longer.
    private mutating func take(_ at: PressTick) -> Draft {
        if currentAt != at { return open.removeValue(forKey: at) ?? Draft(at: at) }
        currentAt = nil
        return current
    }

    private mutating func finish(
        _ resolution: ResolutionRecord, _ time: TraceTime, _ definitions: TraceDefinitions
    ) {
        let at = resolution.at
        let draft = take(at)
        var result = draft.result
        result.decision.receivers = receivers(draft, definitions)
        result.counts.keyCommands = keyCommands(draft, definitions)
        if at.press == 0 {
            result.input = .init(key: .text(pendingText?.text), isRepeat: false)
            result.time = pendingText?.time ?? time
            pendingText = nil
        } else {
            result.input = .init(key: keys[at.press]?.key ?? .unknown, isRepeat: at.tick > 0)
            result.time = ticks[at] ?? keys[at.press]?.time ?? time
        }
        let isMenu = resolution.command.flatMap { definitions[$0] }?.attributes.contains(.mainMenu) ?? false
        result.decision.outcome = resolution.outcome
        result.decision.takenBy = resolution.takenBy
        result.decision.action = resolution.action.flatMap { definitions[$0] }
        result.decision.supplier =
            resolution.supplier.map { name($0, definitions) } ?? (isMenu ? "mainMenu" : nil)
        result.decision.target = resolution.target.map { name($0, definitions) }
        result.decision.text = resolution.text.flatMap { definitions[$0] }
        results.append(shared(result))
    }

    /// The same press, in which what is equal to another's is that one's.
    private mutating func shared(_ result: PressResult) -> PressResult {
        var result = result
        result.decision.effects = effects.shared(result.decision.effects)
        result.candidates = candidates.shared(result.candidates)
        result.counts.calls = calls.shared(result.counts.calls)
        result.stages = stages.shared(result.stages)
        return result
    }

    private mutating func receivers(_ draft: Draft, _ definitions: TraceDefinitions) -> [String] {
        if let known = receivers[draft.receivers] { return known }
        let ids = draft.receivers.map { name($0, definitions) }
        if receivers.count < PressResults.mostShared { receivers[draft.receivers] = ids }
        return ids
    }

    private mutating func keyCommands(_ draft: Draft, _ definitions: TraceDefinitions) -> [String: UInt64] {
        if let known = keyCommands[draft.asked] { return known }
        var counts: [String: UInt64] = [:]
        for asked in draft.asked { counts[name(asked.responder, definitions), default: 0] += asked.times }
        if keyCommands.count < PressResults.mostShared { keyCommands[draft.asked] = counts }
        return counts
    }

    /// So many different parts are kept for those that follow.
    private static let mostShared = 4096
}

/// Values whose memory is that of the first one that was equal. A trace in which nothing repeats costs no more for it:
/// then no more of them are looked for.
private struct SharedParts<Value: Hashable & Sendable>: Sendable {
    private var known: [Value: Value] = [:]
    private static var limit: Int { 4096 }

    mutating func shared(_ value: Value) -> Value {
        if let first = known[value] { return first }
        if known.count < SharedParts.limit { known[value] = value }
        return value
    }
}
