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
    private var open: [PressTick: PressResult] = [:]
    private var keys: [UInt32: (key: PressResult.Input.Key, time: TraceTime)] = [:]
    private var ticks: [PressTick: TraceTime] = [:]
    private var repeats: [UInt32: UInt32] = [:]
    private var pendingText: (text: String?, time: TraceTime)?
    /// What presses have in common, which is most of what is kept of them.
    private var receivers = SharedParts<[String]>()
    private var candidates = SharedParts<[PressResult.Candidate]>()
    private var effects = SharedParts<[PressResult.Effect]>()
    private var calls = SharedParts<[UInt64]>()
    private var keyCommands = SharedParts<[String: UInt64]>()
    private var stages = SharedParts<StageSplit>()

    public init() {}

    init(results: [PressResult], responders: Set<String>) {
        self.results = results
        self.responders = responders
    }

    public var keepsHandles: Bool { false }

    public mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        switch record.body {
        case .environment, .layout: facts.follow(record.body)
        case .key(let key): follow(key, record.time)
        case .text(let text): pendingText = (text.text.flatMap { definitions[$0] }, record.time)
        case .receiver(let receiver) where receiver.phase == .down:
            let id = name(receiver.responder, definitions)
            change(receiver.at) { $0.decision.receivers.append(id) }
        case .candidate(let candidate):
            let found = PressResult.Candidate(
                supplier: candidate.supplier.map { name($0, definitions) } ?? "mainMenu",
                action: definitions[candidate.command]?.action ?? "?", verdict: candidate.verdict,
                reason: definitions[candidate.reason] ?? "")
            change(candidate.at) { $0.candidates.append(found) }
        case .effect(let effect):
            let found = PressResult.Effect(
                responder: effect.responder.map { name($0, definitions) }, kind: definitions[effect.kind] ?? "?",
                value: effect.value.flatMap { definitions[$0] })
            change(effect.at) { $0.decision.effects.append(found) }
        case .stage(let stage): change(stage.at) { $0.stages.add(stage.duration, to: stage.stage) }
        case .call(let call): follow(call, definitions)
        case .cache(let cache):
            change(cache.at) {
                $0.counts.cache = PressResult.Cache(
                    hits: UInt64(cache.hits), misses: UInt64(cache.misses), stale: UInt64(cache.stale),
                    invalidations: UInt64(cache.invalidations))
            }
        case .resolution(let resolution): finish(resolution, record.time, definitions)
        default: break
        }
    }

    private mutating func name(_ ref: ResponderRef, _ definitions: TraceDefinitions) -> String {
        let name = definitions[ref]?.id ?? "?"
        if !responders.contains(name) { responders.insert(name) }
        return name
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
        let id = name(call.responder, definitions)
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
            $0.counts.calls[kind] += 1
            if call.kind == .keyCommands { $0.counts.keyCommands[id, default: 0] += 1 }
        }
    }

    private func lastPlace(of at: PressTick) -> Int? {
        results.indices.suffix(64).last { results[$0].at.press == at.press && results[$0].at.tick == 0 }
    }

    /// A damaged trace may never resolve what it begins, and must not keep it all.
    private static let openLimit = 4096

    private mutating func change(_ at: PressTick, _ body: (inout PressResult) -> Void) {
        if open[at] == nil, open.count >= PressResults.openLimit { open.removeAll() }
        body(&open[at, default: PressResult(at: at, time: .zero, input: .init(key: .unknown, isRepeat: false))])
    }

    private mutating func finish(
        _ resolution: ResolutionRecord, _ time: TraceTime, _ definitions: TraceDefinitions
    ) {
        let at = resolution.at
        var result =
            open.removeValue(forKey: at)
            ?? PressResult(at: at, time: .zero, input: .init(key: .unknown, isRepeat: false))
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
        result.decision.receivers = receivers.shared(result.decision.receivers)
        result.decision.effects = effects.shared(result.decision.effects)
        result.candidates = candidates.shared(result.candidates)
        result.counts.calls = calls.shared(result.counts.calls)
        result.counts.keyCommands = keyCommands.shared(result.counts.keyCommands)
        result.stages = stages.shared(result.stages)
        return result
    }
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
