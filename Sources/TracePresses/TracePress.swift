package import KeyModel
package import TraceFormat

/// One press, one repeat of it, or one text that came without a key, with the records that belong to it.
///
/// Lists have the records of all runs of its action, in the order of the trace; `run(_:)` returns those of one run. A
/// list that is not among the assembler's parts is empty.
package struct TracePress: Sendable {
    /// Press 0 is text that came without a key, its n-th one with tick n.
    package internal(set) var at: PressTick
    /// Of the key or text; of the first record where that is not in the trace.
    package private(set) var time: TraceTime
    /// The down, or the repeat; `nil` for text, and where it is not in the trace.
    package private(set) var key: KeyRecord?
    /// The key-down of the press; `nil` for text, and where it is not in the trace.
    package private(set) var down: KeyEvent?
    /// The text that came without a key; `nil` for presses and where it is masked.
    package let text: StringRef?
    /// `nil` for repeats, for a key that is still down, and where its down is not in the trace.
    package private(set) var release: KeyEvent?
    /// Time from the event of the release until it was handled; `nil` where it is not recorded.
    private var releaseDelay: TraceDuration?
    /// Time from the down to the up, each as its event has it where that is recorded, and else as it was handled.
    package var held: TraceDuration? {
        guard let release else { return nil }
        let handled = release.time.since(time)
        guard let releaseDelay else { return max(handled, .zero) }
        let delay = releaseDelay.nanoseconds - (stages[.inputDelay]?.nanoseconds ?? 0)
        return TraceDuration(nanoseconds: max(0, handled.nanoseconds - delay))
    }
    /// The level of the trace when it came.
    package let level: TraceLevel
    /// The context that it was decided in.
    package internal(set) var context: PressContext

    /// Responders that got the down or the repeat.
    package private(set) var receivers: [ReceiverRecord] = []
    package private(set) var candidates: [CandidateRecord] = []
    /// Made at the down or the repeat: reads at the release and those of a shadow check are not among them.
    package private(set) var calls: [CallRecord] = []
    /// Return time of each of `calls`.
    package private(set) var callTimes: [TraceTime] = []
    /// Messages that hooks recorded, at the release as well; a message comes after those that were sent inside it.
    package private(set) var invocations: [InvocationRecord] = []
    /// Return time of each of `invocations`.
    package private(set) var invocationTimes: [TraceTime] = []
    /// Messages at the down or the repeat.
    package private(set) var invocationCounts = InvocationCounts()
    /// The messages that are calls under another name, by `CallKind.rawValue`.
    package private(set) var messagesAsCalls = SIMD4<UInt64>()
    package private(set) var effects: [EffectRecord] = []
    package private(set) var cacheRecords: [CacheRecord] = []
    package private(set) var stages = StageSplit()
    /// The stages one by one, with their ends.
    package private(set) var stageRecords: [(record: StageRecord, end: TraceTime)] = []
    /// Samples of the stack, with the times of their records.
    package private(set) var samples: [(record: SamplesRecord, time: TraceTime)] = []
    /// Exact counts by stage; `nil` where none were made.
    package private(set) var costs: StageCosts?
    /// Several where an action ran more than once.
    package private(set) var resolutions: [ResolutionRecord] = []
    /// Time of the first resolution.
    package private(set) var resolutionTime: TraceTime?
    /// The commands of the main menu, where it was built for a shadow check of this press.
    package internal(set) var menu: CommandListRef?
    /// Calls at the down or the repeat, by `CallKind.rawValue`.
    package private(set) var callCounts = SIMD4<UInt64>()
    /// Reads of `keyCommands` at the release.
    package private(set) var callsOnRelease: UInt64 = 0
    /// Those of them that have a time, and its sum.
    package private(set) var timedOnRelease: UInt64 = 0
    package private(set) var timeOnRelease = TraceDuration.zero
    /// Responders of those reads, in call order.
    package private(set) var readOnRelease: [ResponderRef] = []
    /// Reads of `keyCommands` for a shadow check.
    package private(set) var shadowReads: UInt64 = 0
    /// A responder did not pass the press on.
    package private(set) var isSwallowed = false
    /// It has more records of a kind than are kept.
    package private(set) var isShortened = false
    /// It left before its key came up, since too many others were waiting.
    package private(set) var isCutShort = false
    /// Late records of a press that was delivered already with its resolution, or of which a later repeat was, and no
    /// press by themselves.
    package internal(set) var isRemainder = false
    /// A press or a repeat, resolved or not (recordings of keyboards and kernels have stages of presses that no app
    /// resolved), or a resolved text. False for a remainder, and for calls at no press.
    package var isPressOrRepeat: Bool { isText ? isResolved : !isRemainder }

    /// A key record and its time.
    package struct KeyEvent: Sendable {
        package let record: KeyRecord
        package let time: TraceTime
    }

    /// Records of one kind that are kept of a press. No real press comes near it; it bounds the memory that a damaged
    /// trace can take.
    package static let recordLimit = 65_536

    /// The calls with a time that are inside no recorded stage so far, in their order.
    private var looseCalls: [(stage: LatencyStage, end: TraceTime, duration: TraceDuration)] = []

    /// Cache records before the first resolution; those that follow are lookups at the release.
    private var decidedCacheCount = 0
    private var resolutionCount = 0
    /// Lengths of the lists at the end of each run, of the last one only where records follow.
    private var runEnds: [RunEnd] = []

    init(
        at: PressTick, time: TraceTime, key: KeyRecord? = nil, down: KeyEvent? = nil, text: StringRef? = nil,
        level: TraceLevel, context: PressContext
    ) {
        (self.at, self.time, self.key, self.down, self.level) = (at, time, key, down, level)
        (self.text, self.context) = (text, context)
    }

    package var isText: Bool { at.press == 0 }
    package var isRepeat: Bool { at.press > 0 && at.tick > 0 }
    package var isResolved: Bool { resolutionCount > 0 }
    package var resolution: ResolutionRecord? { resolutions.first }
    /// By position; `nil` for a masked key and where there is none.
    package var chord: Chord? {
        key.flatMap { key in key.key.usage.map { Chord(modifiers: key.modifiers, usage: $0) } }
    }
    /// Records of the cache before the first resolution.
    package var decidedCache: ArraySlice<CacheRecord> { cacheRecords.prefix(decidedCacheCount) }
    /// First responder of the chain.
    package var start: ResponderRef? { resolution?.start ?? context.firstResponder?.responder }

    /// The responders from `start` to the end of the chain.
    /// - Complexity: O(*n*) in the length of the chain, each time.
    package var chain: [ResponderRef] { context.chain(from: start) }

    /// A part of the chain that an app did not record.
    package enum ChainGap: Hashable, Sendable {
        /// The beginning of the chain.
        case firstResponder
        /// The responders after the first.
        case links
    }

    /// `nil` where the chain is recorded.
    package var chainGap: ChainGap? {
        guard let start else {
            return context.firstResponder == nil && resolution?.outcome != .noStart ? .firstResponder : nil
        }
        return context.link(of: start) == nil ? .links : nil
    }
}

// MARK: Runs

/// The records up to one resolution of a press: there is more than one run where an action ran more than once.
package struct PressRun: Sendable {
    package let receivers: ArraySlice<ReceiverRecord>
    package let candidates: ArraySlice<CandidateRecord>
    package let calls: ArraySlice<CallRecord>
    package let effects: ArraySlice<EffectRecord>
    /// The last run has the lookups at the release as well.
    package let cacheRecords: ArraySlice<CacheRecord>
    package let stageRecords: ArraySlice<(record: StageRecord, end: TraceTime)>
    /// Calls at the down or the repeat, by `CallKind.rawValue`.
    package let callCounts: SIMD4<UInt64>
    /// Messages at the down or the repeat.
    package let invocationCounts: InvocationCounts
    /// Reads of `keyCommands` at the release.
    package let callsOnRelease: UInt64
    /// Reads of `keyCommands` for a shadow check.
    package let shadowReads: UInt64
    /// `nil` where nothing was decided, or nothing recorded of it.
    package let resolution: ResolutionRecord?
}

extension TracePress {
    /// Number of records in the runs up to one.
    private struct RunEnd: Sendable {
        var receivers = 0
        var candidates = 0
        var calls = 0
        var effects = 0
        var cacheRecords = 0
        var stageRecords = 0
        var callCounts = SIMD4<UInt64>()
        var invocationCounts = InvocationCounts()
        var callsOnRelease: UInt64 = 0
        var shadowReads: UInt64 = 0
    }

    /// At least 1. What follows the last resolution belongs to its run.
    package var runCount: Int { max(1, resolutionCount) }

    /// - Parameter number: From 0 to `runCount` - 1.
    package func run(_ number: Int) -> PressRun {
        let begin = number > 0 ? runEnds[number - 1] : RunEnd()
        let end = number < runCount - 1 ? runEnds[number] : end
        return PressRun(
            receivers: receivers[begin.receivers..<end.receivers],
            candidates: candidates[begin.candidates..<end.candidates], calls: calls[begin.calls..<end.calls],
            effects: effects[begin.effects..<end.effects],
            cacheRecords: cacheRecords[begin.cacheRecords..<end.cacheRecords],
            stageRecords: stageRecords[begin.stageRecords..<end.stageRecords],
            callCounts: end.callCounts &- begin.callCounts,
            invocationCounts: end.invocationCounts &- begin.invocationCounts,
            callsOnRelease: end.callsOnRelease - begin.callsOnRelease, shadowReads: end.shadowReads - begin.shadowReads,
            resolution: number < resolutions.count ? resolutions[number] : nil)
    }

    private var end: RunEnd {
        RunEnd(
            receivers: receivers.count, candidates: candidates.count, calls: calls.count, effects: effects.count,
            cacheRecords: cacheRecords.count, stageRecords: stageRecords.count, callCounts: callCounts,
            invocationCounts: invocationCounts, callsOnRelease: callsOnRelease, shadowReads: shadowReads)
    }

    /// Records after a resolution belong to another run of the same press, if one comes and its key is not up.
    @inline(__always) private mutating func beginRun() {
        if resolutionCount > runEnds.count, release == nil { runEnds.append(end) }
    }
}

// MARK: Records

extension TracePress {
    mutating func append(_ receiver: ReceiverRecord, _ parts: PressParts) {
        beginRun()
        if receiver.isSwallowed { isSwallowed = true }
        if parts.contains(.receivers) { TracePress.keep(receiver, &receivers, &isShortened) }
    }

    mutating func append(_ candidate: CandidateRecord) {
        beginRun()
        TracePress.keep(candidate, &candidates, &isShortened)
    }

    mutating func append(_ effect: EffectRecord) {
        beginRun()
        TracePress.keep(effect, &effects, &isShortened)
    }

    @inline(__always) mutating func append(_ call: CallRecord, at time: TraceTime, _ parts: PressParts) {
        beginRun()
        callCounts[Int(call.kind.rawValue) & 3] &+= 1
        if call.depth == 0, let duration = call.duration, duration > .zero, looseCalls.count < TracePress.recordLimit {
            looseCalls.append((call.kind.stage, time, duration))
        }
        guard parts.contains(.calls) else { return }
        if parts.contains(.times), calls.count < TracePress.recordLimit { callTimes.append(time) }
        TracePress.keep(call, &calls, &isShortened)
    }

    mutating func append(_ invocation: InvocationRecord, at time: TraceTime, _ parts: PressParts) {
        if invocation.occasion == .down || invocation.occasion == .repeatTick { count(invocation) }
        guard parts.contains(.calls) else { return }
        if invocations.count < TracePress.recordLimit { invocationTimes.append(time) }
        TracePress.keep(invocation, &invocations, &isShortened)
    }

    private mutating func count(_ invocation: InvocationRecord) {
        invocationCounts.add(invocation.count, of: invocation.kind)
        guard let kind = invocation.kind.callKind else { return }
        messagesAsCalls[Int(kind.rawValue) & 3] &+= UInt64(invocation.count)
    }

    /// Takes the key-down of a press whose decision came before it.
    mutating func noteDown(_ event: KeyEvent) { (time, key, down) = (event.time, event.record, event) }

    mutating func noteRelease(_ event: KeyEvent) {
        if release == nil { release = event }
    }
    mutating func noteRelease(delay: TraceDuration) { releaseDelay = delay }

    /// Notes what comes of a press that was delivered: samples, costs and counts of the cache, and its release where it
    /// left before its key came up.
    package mutating func noteLate(_ record: TraceRecord) {
        switch record.body {
        case .key(let key) where isCutShort && key.press == at.press && [.up, .cancel].contains(key.phase):
            noteRelease(KeyEvent(record: key, time: record.time))
        case .samples(let samples): append(samples, at: record.time)
        case .cost(let cost): append(cost)
        case .cache(let counts) where counts.at == at: append(counts)
        default: break
        }
    }

    mutating func markCutShort() { isCutShort = !isRepeat }
    mutating func countOnRelease(_ call: CallRecord, _ parts: PressParts) {
        callsOnRelease &+= 1
        if let time = call.duration {
            timedOnRelease &+= 1
            timeOnRelease = timeOnRelease + time
        }
        if parts.contains(.calls) { TracePress.keep(call.responder, &readOnRelease, &isShortened) }
    }
    mutating func countShadowRead() { shadowReads &+= 1 }

    mutating func append(_ counts: CacheRecord) {
        beginRun()
        TracePress.keep(counts, &cacheRecords, &isShortened)
        if resolutionCount == 0 { decidedCacheCount = cacheRecords.count }
    }

    @inline(__always) mutating func append(_ stage: StageRecord, at time: TraceTime, _ parts: PressParts) {
        let begin = time.advanced(by: TraceDuration(nanoseconds: -max(0, stage.duration.nanoseconds)))
        while let last = looseCalls.last, last.end > begin { looseCalls.removeLast() }
        stages.add(stage.duration, to: stage.stage)
        if parts.contains(.times) { TracePress.keep((stage, time), &stageRecords, &isShortened) }
    }

    /// Samples come when their press was handled, and may come after it was delivered.
    mutating func append(_ samples: SamplesRecord, at time: TraceTime, _ parts: PressParts = .samples) {
        guard parts.contains(.samples), samples.at == at else { return }
        TracePress.keep((samples, time), &self.samples, &isShortened)
    }

    mutating func append(_ cost: CostRecord, _ parts: PressParts = .costs) {
        guard parts.contains(.costs), cost.at == at else { return }
        costs = costs ?? StageCosts()
        costs?.add(cost)
    }

    /// Gives stages that were not recorded the time of their calls: without it a sum would leave out what was measured.
    mutating func deriveStages(_ parts: PressParts) {
        for stage in [LatencyStage.collect, .validate] where stages[stage] == nil {
            let calls = looseCalls.filter { $0.stage == stage }
            guard let last = calls.last else { continue }
            let sum = calls.reduce(TraceDuration.zero) { $0 + $1.duration }
            stages.derive(sum, for: stage)
            guard parts.contains(.times) else { continue }
            TracePress.keep((StageRecord(at: at, stage: stage, duration: sum), last.end), &stageRecords, &isShortened)
        }
        looseCalls = []
    }

    mutating func append(_ resolution: ResolutionRecord, at time: TraceTime, _ parts: PressParts) {
        guard resolutionCount < TracePress.recordLimit else { return isShortened = true }
        if resolutionCount > runEnds.count { runEnds.append(end) }
        resolutionCount += 1
        resolutionTime = resolutionTime ?? time
        if parts.contains(.resolutions) { resolutions.append(resolution) }
    }

    mutating func reserveCalls(_ count: Int) { calls.reserveCapacity(count) }

    @inline(__always) private static func keep<Kept>(_ record: Kept, _ list: inout [Kept], _ isShortened: inout Bool) {
        if list.count < recordLimit { list.append(record) } else { isShortened = true }
    }
}

extension CallKind {
    /// The stage that the calls belong to.
    fileprivate var stage: LatencyStage { self == .keyCommands || self == .buildMenu ? .collect : .validate }
}
