public import KeyModel

/// One line of a recording. The order of a trace is (time, sequence).
public struct TraceRecord: Hashable, Sendable {
    public var time: TraceTime
    /// 0-based position in the recording, kept by `cut`.
    public var sequence: UInt64
    public var body: Body

    public init(time: TraceTime, sequence: UInt64, body: Body) {
        self.time = time
        self.sequence = sequence
        self.body = body
    }

    public enum Body: Hashable, Sendable {
        // Level `keys`: events and context, the inputs of a replay.
        case key(KeyRecord)
        case text(TextRecord)
        case idle(IdleRecord)
        indirect case device(DeviceRecord)
        indirect case clock(ClockRecord)
        indirect case environment(EnvironmentRecord)
        indirect case layout(LayoutRecord)
        case level(LevelRecord)
        case step(StepRecord)
        case firstResponder(FirstResponderRecord)
        case keyWindow(KeyWindowRecord)
        case link(LinkRecord)
        case presentation(PresentationRecord)
        case textInput(TextInputRecord)
        case markedText(MarkedTextRecord)
        case hardware(HardwareRecord)
        case invalidation(InvalidationRecord)
        indirect case mark(MarkRecord)
        indirect case loss(LossRecord)
        indirect case clockRelation(ClockRelationRecord)
        indirect case keyboardFrame(KeyboardFrameRecord)
        case mainWindow(MainWindowRecord)
        // Level `resolutions`.
        case receiver(ReceiverRecord)
        case gesture(GestureRecord)
        case candidate(CandidateRecord)
        case effect(EffectRecord)
        case resolution(ResolutionRecord)
        // Level `stages`.
        case stage(StageRecord)
        indirect case samples(SamplesRecord)
        indirect case cost(CostRecord)
        // Level `calls`.
        case call(CallRecord)
        indirect case cache(CacheRecord)
        indirect case invocation(InvocationRecord)
        /// A kind of a newer version or of the private range, skipped by length.
        indirect case unknown(UnknownRecord)
    }
}

/// The level of detail of a trace, each level including the ones before it.
public enum TraceLevel: UInt8, NamedCase, NamedCode, Comparable, Hashable, Sendable {
    case keys, resolutions, stages, calls

    public static let names = ["keys", "resolutions", "stages", "calls"]

    public static func < (a: TraceLevel, b: TraceLevel) -> Bool { a.rawValue < b.rawValue }
}

/// A record kind that is unknown in this version.
public struct UnknownRecord: Hashable, Sendable {
    public var kind: UInt8
    public var payload: [UInt8]
    public init(kind: UInt8, payload: [UInt8]) {
        self.kind = kind
        self.payload = payload
    }

    /// Numbers that a kind unknown to this version may have; 64…111 are tags of packed records and context entries.
    static func allows(_ kind: UInt8, version: UInt16) -> Bool {
        (1...63).contains(kind) && RecordKind(kind, version: version) == nil
            || TraceLimits.privateKinds.contains(kind)
    }

    static let allowed = "a kind 1…63 or 112…127 that has no name"
}

extension TraceRecord.Body {
    /// Walks the fields of whichever record this is. An unknown record has no fields.
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        switch self {
        case .key(var r): try r.walk(&w); self = .key(r)
        case .text(var r): try r.walk(&w); self = .text(r)
        case .idle(var r): try r.walk(&w); self = .idle(r)
        case .device(var r): try r.walk(&w); self = .device(r)
        case .clock(var r): try r.walk(&w); self = .clock(r)
        case .environment(var r): try r.walk(&w); self = .environment(r)
        case .layout(var r): try r.walk(&w); self = .layout(r)
        case .level(var r): try r.walk(&w); self = .level(r)
        case .step(var r): try r.walk(&w); self = .step(r)
        case .firstResponder(var r): try r.walk(&w); self = .firstResponder(r)
        case .keyWindow(var r): try r.walk(&w); self = .keyWindow(r)
        case .link(var r): try r.walk(&w); self = .link(r)
        case .presentation(var r): try r.walk(&w); self = .presentation(r)
        case .textInput(var r): try r.walk(&w); self = .textInput(r)
        case .markedText(var r): try r.walk(&w); self = .markedText(r)
        case .hardware(var r): try r.walk(&w); self = .hardware(r)
        case .invalidation(var r): try r.walk(&w); self = .invalidation(r)
        case .mark(var r): try r.walk(&w); self = .mark(r)
        case .loss(var r): try r.walk(&w); self = .loss(r)
        case .clockRelation(var r): try r.walk(&w); self = .clockRelation(r)
        case .keyboardFrame(var r): try r.walk(&w); self = .keyboardFrame(r)
        case .gesture(var r): try r.walk(&w); self = .gesture(r)
        case .receiver(var r): try r.walk(&w); self = .receiver(r)
        case .candidate(var r): try r.walk(&w); self = .candidate(r)
        case .effect(var r): try r.walk(&w); self = .effect(r)
        case .resolution(var r): try r.walk(&w); self = .resolution(r)
        case .stage(var r): try r.walk(&w); self = .stage(r)
        case .samples(var r): try r.walk(&w); self = .samples(r)
        case .cost(var r): try r.walk(&w); self = .cost(r)
        case .call(var r): try r.walk(&w); self = .call(r)
        case .cache(var r): try r.walk(&w); self = .cache(r)
        case .mainWindow(var r): try r.walk(&w); self = .mainWindow(r)
        case .invocation(var r): try r.walk(&w); self = .invocation(r)
        case .unknown: break
        }
    }
}

extension TraceRecord.Body {
    /// The press and tick of a decision; `nil` for records that are no decisions.
    public var decided: PressTick? {
        switch self {
        case .receiver(let record): record.at
        case .gesture(let record): record.at
        case .candidate(let record): record.at
        case .effect(let record): record.at
        case .resolution(let record): record.at
        case .stage(let record): record.at
        case .samples(let record): record.at
        case .cost(let record): record.at
        case .call(let record): record.at
        case .cache(let record): record.at
        case .invocation(let record): record.at
        default: nil
        }
    }

    /// The same decision of another press; other records stay as they are.
    public func decided(at: PressTick) -> TraceRecord.Body {
        switch self {
        case .receiver(var record):
            record.at = at
            return .receiver(record)
        case .gesture(var record):
            record.at = at
            return .gesture(record)
        case .candidate(var record):
            record.at = at
            return .candidate(record)
        case .effect(var record):
            record.at = at
            return .effect(record)
        case .resolution(var record):
            record.at = at
            return .resolution(record)
        case .stage(var record):
            record.at = at
            return .stage(record)
        case .samples(var record):
            record.at = at
            return .samples(record)
        case .cost(var record):
            record.at = at
            return .cost(record)
        case .call(var record):
            record.at = at
            return .call(record)
        case .cache(var record):
            record.at = at
            return .cache(record)
        case .invocation(var record):
            record.at = at
            return .invocation(record)
        default: return self
        }
    }
}
