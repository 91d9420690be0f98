import FlightReplay
package import KeyModel
package import TraceFormat
import TracePresses

/// Collects the results of a trace's presses as it is read.
package struct PressResults: TraceConsumer, Sendable {
    package private(set) var results: [PressResult] = []
    /// More presses than `limit`, of which none are kept.
    package private(set) var isTooLong = false
    /// Presses, repeats and texts that are collected: each takes about a hundred bytes, and more where it is like no
    /// other.
    package static let limit = 1 << 20
    /// Conditions of the replay, as the trace contains them.
    private(set) var facts = ReplayFacts()
    /// Ids of every responder that the trace knows: also one without a part in a press is no renamed one.
    package private(set) var responders: Set<ByteName> = []
    private var assembler = PressAssembler(PressResults.parts, .decided)
    private static let parts: PressParts = [
        .keys, .texts, .receivers, .candidates, .calls, .effects, .cache, .resolutions, .times, .costs,
    ]
    private var names = HandleTable<ResponderDefinition, String>()
    /// Values that presses share, which is most of what is kept of them.
    private var receivers: [[ResponderRef]: [String]] = [:]
    private var keyCommands: [[Asked]: [ByteName: UInt64]] = [:]
    private var shared = PressResult.Shared()
    /// Fields that some press has a value of.
    private var seenFields: Set<String> = []
    /// Stages that some press has from a record, by their bits in `StageSplit`.
    package private(set) var recordedStages: UInt16 = 0
    /// Exact counts of presses and repeats that have some.
    private(set) var costs: [PressTick: StageCosts] = [:]
    /// Every call is in the trace, and so is everything else to record.
    private(set) var hasCalls = false
    /// Records that the trace says are lost, by a full buffer, a cut or damage.
    package private(set) var lost: UInt64 = 0
    /// The first press of which records of some kind are more than are kept.
    private(set) var shortened: PressTick?
    /// Presses, repeats and texts of which nothing is decided so far, each with the press that it is or, for a text,
    /// the one before it.
    private var undecided: [(result: PressResult, place: PressTick, time: TraceTime, isAgain: Bool)] = []
    /// 1 for a number whose key went down.
    private var downs = PressNumbers<UInt8>()
    /// Numbers that several presses have.
    private var reused: Set<UInt32> = []
    private var lastKey = PressTick(press: 0, tick: 0)
    /// The results are no trace's, and hold all that they could.
    private var isWhole = false

    /// Number of questions for a responder's `keyCommands`.
    private struct Asked: Hashable, Sendable {
        var responder: ResponderRef
        var times: UInt64
    }

    package init() {}

    init(results: [PressResult], responders: Set<ByteName>) {
        self.results = results
        self.responders = responders
        isWhole = true
        sort()
    }

    /// Returns true if an empty field means that there was nothing: a replay records everything, below level calls all
    /// but receivers of a press and shadowed commands; an app, the fields that it records of any press.
    func records(_ field: String) -> Bool {
        if isWhole || hasValues(of: field) { return true }
        return facts.isOfReplay && (hasCalls || field != "receivers" && field != "shadowed")
    }

    /// The trace holds more of its presses than their keys.
    var isDecided: Bool { results.contains(where: \.isDecided) }

    /// Some press has a value of it.
    func hasValues(of field: String) -> Bool { seenFields.contains(field) }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        guard !isTooLong else { return }
        if max(results.count, undecided.count) > PressResults.limit {
            isTooLong = true
            (results, undecided) = ([], [])
        }
        switch record.body {
        case .key(let key): note(key, record.time)
        case .text(let text):
            let key = PressResult.Input.Key.text(text.text.flatMap { definitions[$0] }.map(ByteName.init))
            let input = PressResult.Input(key: key, isRepeat: false)
            let result = PressResult(at: PressTick(press: 0, tick: 0), input: input, isDecided: false)
            undecided.append((result, lastKey, record.time, false))
        case .environment, .layout: facts.follow(record.body)
        case .loss(let loss): lost = lost.addingSaturated(loss.lostRecords)
        case .call(let call) where call.occasion == .release:
            hasCalls = true
            // It belongs to the line of the down, which is closed by now.
            if call.kind == .keyCommands, !assembler.isOpen(call.at), let place = lastPlace(of: call.at) {
                results[place].callsOnRelease += 1
                if let time = call.duration {
                    results[place].timedOnRelease += 1
                    results[place].timeOnRelease = results[place].timeOnRelease + time
                }
            }
        case .call: hasCalls = true
        default: break
        }
        assembler.consume(record)
        append(definitions)
    }

    /// Ends the reading. Call it once.
    package mutating func finish(_ definitions: TraceDefinitions) {
        for responder in definitions.responders { responders.insert(ByteName(responder.id)) }
        assembler.finish()
        append(definitions)
        if isDecided, !undecided.isEmpty {
            // Caps Lock is a modifier there, of which no outcome is expected.
            let decided = Set(results.lazy.map(\.at.press))
            undecided.removeAll { key, _, _, isAgain in
                let press = key.at.press
                // One of two presses with this number may be the one that is decided.
                let isAlone = key.input.isRepeat || !reused.contains(press)
                return press > 0 && (decided.contains(press) && !isAgain && isAlone || key.input.isCapsLock)
            }
        }
        sort()
    }

    /// Puts presses that overlap in the order of their downs, as they are numbered: which of them is resolved first may
    /// differ between two runs of one app. A text without a key keeps its place behind the presses before it, and what
    /// is undecided the place at which its key came.
    private mutating func sort() {
        var last = PressTick(press: 0, tick: 0)
        var places: [PressTick] = []
        places.reserveCapacity(results.count + undecided.count)
        var isInOrder = undecided.isEmpty
        for result in results {
            let place = result.at.press == 0 ? last : result.at
            if place < last { isInOrder = false } else { last = place }
            places.append(place)
        }
        guard !isInOrder else { return }
        places += undecided.map(\.place)
        results += undecided.map(\.result)
        undecided = []
        let order = places.indices.sorted { places[$0] == places[$1] ? $0 < $1 : places[$0] < places[$1] }
        results = order.map { results[$0] }
    }

    private mutating func note(_ key: KeyRecord, _ time: TraceTime) {
        guard let press = key.press, key.phase == .down || key.phase == .repeat else { return }
        let isRepeat = key.phase == .repeat
        let tick = isRepeat && lastKey.press == press ? lastKey.tick + 1 : 0
        lastKey = PressTick(press: press, tick: tick)
        let input = PressResult.Input(key: .init(key), isRepeat: isRepeat)
        // Another press with a number that was used is one by itself.
        let result = PressResult(at: lastKey, input: input, isDecided: false)
        let isAgain = !isRepeat && downs[press] > 0
        if isAgain { reused.insert(press) }
        undecided.append((result, lastKey, time, isAgain))
        downs[press] = 1
    }

    /// A press that is decided now, and with it its repeats so far, is among the last that were not.
    private mutating func appendDecided(_ result: PressResult, _ time: TraceTime) {
        defer { results.append(result) }
        guard result.at != results.last?.at else { return }
        while let place = undecided.indices.suffix(64).last(where: {
            undecided[$0].result.at.press == result.at.press && undecided[$0].time <= time
        }) {
            if !undecided.remove(at: place).result.input.isRepeat { break }
        }
    }

    private mutating func name(_ ref: ResponderRef, _ definitions: TraceDefinitions) -> String {
        if let known = names[ref] { return known }
        let name = definitions[ref]?.id ?? "?"
        names[ref] = name
        return name
    }

    private func lastPlace(of at: PressTick) -> Int? {
        results.indices.suffix(64).last { results[$0].at.press == at.press && results[$0].at.tick == 0 }
    }

    private mutating func append(_ definitions: TraceDefinitions) {
        while let press = assembler.next() {
            if press.isShortened, shortened == nil { shortened = press.at }
            guard !press.isRemainder else { continue }
            if let made = press.costs { costs[press.at] = made }
            for number in press.resolutions.indices {
                let run = press.run(number)
                guard let resolution = run.resolution else { continue }
                var result = PressResult(at: press.at, input: input(press, definitions))
                result.decision = decision(run, resolution, definitions)
                result.candidates = run.candidates.map { candidate in
                    PressResult.Candidate(
                        supplier: candidate.supplier.map { name($0, definitions) } ?? "mainMenu",
                        action: definitions[candidate.command]?.action ?? "?", verdict: candidate.verdict,
                        reason: definitions.reason(of: candidate) ?? "")
                }
                result.counts = counts(run, number == 0 ? press.decidedCache.last : run.cacheRecords.first, definitions)
                // The last run has what came at the release.
                if number == press.runCount - 1 {
                    (result.timedOnRelease, result.timeOnRelease) = (press.timedOnRelease, press.timeOnRelease)
                }
                var stages = StageSplit()
                for (stage, _) in run.stageRecords {
                    if press.stages.isDerived(stage.stage) {
                        stages.derive(stage.duration, for: stage.stage)
                    } else {
                        stages.add(stage.duration, to: stage.stage)
                    }
                }
                recordedStages |= stages.recorded
                result.stages = stages
                seenFields.formUnion(result.fieldsWithValue)
                shared.share(&result)
                appendDecided(result, press.time)
            }
        }
    }

    private func input(_ press: TracePress, _ definitions: TraceDefinitions) -> PressResult.Input {
        if press.isText {
            return .init(key: .text(press.text.flatMap { definitions[$0] }.map(ByteName.init)), isRepeat: false)
        }
        guard let down = press.down?.record else { return .init(key: .unknown, isRepeat: press.isRepeat) }
        return .init(key: .init(down), isRepeat: press.isRepeat)
    }

    private mutating func decision(
        _ run: PressRun, _ resolution: ResolutionRecord, _ definitions: TraceDefinitions
    ) -> PressResult.Decision {
        let isMenu = resolution.command.flatMap { definitions[$0] }?.attributes.contains(.mainMenu) ?? false
        return PressResult.Decision(
            outcome: resolution.outcome, takenBy: resolution.takenBy,
            action: resolution.action.flatMap { definitions[$0] },
            supplier: resolution.supplier.map { name($0, definitions) } ?? (isMenu ? "mainMenu" : nil),
            target: resolution.target.map { name($0, definitions) }, text: resolution.text.flatMap { definitions[$0] },
            receivers: receivers(run.receivers.map(\.responder), definitions),
            effects: run.effects.map { effect in
                PressResult.Effect(
                    responder: effect.responder.map { name($0, definitions) }, kind: definitions[effect.kind] ?? "?",
                    value: effect.value.flatMap { definitions[$0] })
            })
    }

    private mutating func counts(
        _ run: PressRun, _ cache: CacheRecord?, _ definitions: TraceDefinitions
    ) -> PressResult.Counts {
        var counts = PressResult.Counts()
        for kind in CallKind.allCases { counts.calls[Int(kind.rawValue)] = run.callCounts[Int(kind.rawValue)] }
        counts.callsOnRelease = run.callsOnRelease
        counts.keyCommands = keyCommands(asked(run.calls), definitions)
        counts.cache = cache.map { cache in
            PressResult.Cache(
                hits: UInt64(cache.hits), misses: UInt64(cache.misses), stale: UInt64(cache.stale),
                invalidations: UInt64(cache.invalidations))
        }
        return counts
    }

    /// In the order in which they were asked first.
    private func asked(_ calls: ArraySlice<CallRecord>) -> [Asked] {
        var asked: [Asked] = []
        // Every pass asks them in the same order.
        var last = 0
        for call in calls where call.kind == .keyCommands {
            let next = last + 1 < asked.count ? last + 1 : 0
            if next < asked.count, asked[next].responder == call.responder {
                last = next
            } else if let known = asked.firstIndex(where: { $0.responder == call.responder }) {
                last = known
            } else {
                last = asked.count
                asked.append(Asked(responder: call.responder, times: 0))
            }
            asked[last].times += 1
        }
        return asked
    }

    private mutating func receivers(_ refs: [ResponderRef], _ definitions: TraceDefinitions) -> [String] {
        if let known = receivers[refs] { return known }
        let ids = refs.map { name($0, definitions) }
        if receivers.count < PressResult.Shared.limit { receivers[refs] = ids }
        return ids
    }

    private mutating func keyCommands(_ asked: [Asked], _ definitions: TraceDefinitions) -> [ByteName: UInt64] {
        if let known = keyCommands[asked] { return known }
        var counts: [ByteName: UInt64] = [:]
        for asked in asked { counts[ByteName(name(asked.responder, definitions)), default: 0] += asked.times }
        if keyCommands.count < PressResult.Shared.limit { keyCommands[asked] = counts }
        return counts
    }
}
