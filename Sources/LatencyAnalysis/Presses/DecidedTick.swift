public import KeyModel
import TraceFormat

/// One press, or one repeat of it, with everything that was recorded of it and the context it was decided in.
struct DecidedTick: Sendable {
    var at: PressTick
    /// The down, or the repeat; `nil` where it is not in the recording.
    var key: KeyRecord?
    /// Of the key; of the first record where there is none.
    var time: TraceTime
    /// Before anything was decided.
    var context: ChainContext
    var receivers: [ReceiverRecord] = []
    var candidates: [CandidateRecord] = []
    /// Made at the down or at the repeat: reads at the release and those of a shadow check are not among them.
    var calls: [CallRecord] = []
    var effects: [EffectRecord] = []
    /// The commands of the main menu, where it was built for this.
    var menu: CommandListRef?
    var stages = StageSplit()
    /// What the cache did for this; lookups at the release are not among it.
    var cacheRecords: [CacheRecord] = []
    /// More than one where an action ran more than once. Empty in what was never resolved.
    var resolutions: [ResolutionRecord] = []
    private var sharedChain: [ResponderRef]?
    /// When its records were told; `nil` where nobody asked for it.
    var told: ToldTimes?
    /// Records of one kind that a tick keeps. No real press comes near it; it bounds what a damaged trace can take.
    static let recordLimit = 16_384

    init(at: PressTick, key: KeyRecord?, time: TraceTime, context: ChainContext) {
        self.at = at
        self.key = key
        self.time = time
        self.context = context
    }

    /// `nil` where nothing was recorded of a cache.
    var cache: CacheEffectiveness? {
        guard !cacheRecords.isEmpty else { return nil }
        var sum = CacheEffectiveness()
        for record in cacheRecords { sum.add(record) }
        return sum
    }

    var isRepeat: Bool { at.tick > 0 }
    var resolution: ResolutionRecord? { resolutions.first }

    /// Held while it was decided, of those that a command can ask for.
    var modifiers: KeyModifiers { (key?.modifiers ?? []).intersection(.matchMask) }

    /// Where the chain began.
    var start: ResponderRef? { resolution?.start ?? context.firstResponder?.responder }

    var chain: [ResponderRef] { sharedChain ?? context.chain(from: start) }

    /// Nothing is told of it any more: where it has the chain of the press before, it needs none of its own.
    mutating func shareChain(_ chains: inout ChainMemo) { sharedChain = chains.chain(from: start, in: context) }

    /// What had the keyboard for text.
    var textInput: ResponderRef? { context.textInput?.responder }

    /// A call that is its own.
    mutating func take(_ call: CallRecord, at time: TraceTime) {
        told?.take(call, at: time)
        if call.occasion == .down || call.occasion == .repeatTick { DecidedTick.keep(call, &calls) }
    }

    mutating func take(_ stage: StageRecord, at time: TraceTime) {
        told?.take(stage, at: time)
        stages.add(stage.duration, to: stage.stage)
    }

    mutating func take(_ record: TraceRecord) {
        if case .resolution = record.body { told?.resolve(at: record.time) }
        switch record.body {
        case .receiver(let receiver): if receiver.phase == .down { DecidedTick.keep(receiver, &receivers) }
        case .candidate(let candidate): DecidedTick.keep(candidate, &candidates)
        case .call(let call): take(call, at: record.time)
        case .effect(let effect): DecidedTick.keep(effect, &effects)
        case .stage(let stage): take(stage, at: record.time)
        case .cache(let counts):
            // Lookups at the release come after the resolution.
            if resolutions.isEmpty { DecidedTick.keep(counts, &cacheRecords) }
        case .resolution(let resolution): DecidedTick.keep(resolution, &resolutions)
        default: break
        }
    }

    @inline(__always) private static func keep<Kept>(_ record: Kept, _ list: inout [Kept]) {
        if list.count < recordLimit { list.append(record) }
    }
}

/// When the records of a tick were told, which for calls and stages is their end.
struct ToldTimes: Sendable {
    /// Of `DecidedTick.calls`, one each.
    var calls: [TraceTime] = []
    var stages: [(record: StageRecord, time: TraceTime)] = []
    /// Of the first resolution.
    var resolution: TraceTime?

    mutating func take(_ call: CallRecord, at time: TraceTime) {
        let isOfTick = call.occasion == .down || call.occasion == .repeatTick
        if isOfTick, calls.count < DecidedTick.recordLimit { calls.append(time) }
    }

    mutating func take(_ stage: StageRecord, at time: TraceTime) {
        if stages.count < DecidedTick.recordLimit { stages.append((stage, time)) }
    }

    mutating func resolve(at time: TraceTime) { resolution = resolution ?? time }
}

extension DecidedTick {
    /// The chord as findings and tables name it.
    func chord(_ definitions: TraceDefinitions) -> PressChord {
        PressChord(
            modifiers: modifiers, key: key?.key, character: resolution?.character.flatMap { definitions[$0] })
    }
}

/// A key with what was held, and what the layout makes of it.
public struct PressChord: Hashable, Sendable {
    public var modifiers: KeyModifiers
    /// `nil` where the key is not in the recording.
    public var key: KeyIdentity?
    /// `charactersIgnoringModifiers`; `nil` when masked or not decided.
    public var character: String?

    public init(modifiers: KeyModifiers, key: KeyIdentity?, character: String?) {
        self.modifiers = modifiers.intersection(.matchMask)
        self.key = key
        self.character = character
    }

    /// By position, as JSON has it: `shift+cmd+w`; `nil` for a masked key.
    public var text: String? { key?.usage.map { Chord(modifiers: modifiers, usage: $0).text } }

    /// For sorting: the same for all presses that look the same.
    var order: String { (text ?? "~" + (key?.maskedClass?.name ?? "")) + "\u{0}" + (character ?? "") }
}
