public import KeyModel

/// The kinds of records, with their numbers in a file. A number is never given to another kind.
public enum RecordKind: UInt8, NamedValue, Hashable, Sendable {
    case key = 1
    case text = 2
    case idle = 3
    case device = 4
    case clock = 5
    case environment = 6
    case layout = 7
    case level = 8
    case step = 9
    case firstResponder = 10
    case keyWindow = 11
    case link = 12
    case presentation = 13
    case textInput = 14
    case markedText = 15
    case hardware = 16
    case invalidation = 17
    case mark = 18
    case loss = 19
    case clockRelation = 20
    case keyboardFrame = 21
    case mainWindow = 22
    case receiver = 32
    case candidate = 33
    case effect = 34
    case resolution = 35
    case gesture = 36
    case stage = 48
    case samples = 49
    case cost = 50
    case call = 56
    case cache = 57
    case invocation = 58
    // Only in context snapshots.
    case keyState = 96
    case heldKey = 97
    case heldModifiers = 98
    case lastList = 99

    /// The name in the text format and in JSON.
    public var name: String { RecordKind.names[Int(rawValue)] }

    /// By number.
    private static let names: [String] = {
        let words = """
            key text idle device clock environment layout level step first_responder key_window link presentation
            text_input marked_text hardware invalidation mark loss clock_relation keyboard_frame main_window receiver
            candidate effect resolution gesture stage samples cost call cache invocation key_state held_key
            held_modifiers last_list
            """.split(whereSeparator: \.isWhitespace)
        return zip(allCases, words).reduce(into: Array(repeating: "", count: 100)) { names, named in
            names[Int(named.0.rawValue)] = String(named.1)
        }
    }()

    /// The lowest level of a trace that has records of this kind.
    public var level: TraceLevel {
        switch rawValue {
        case 32..<48: .resolutions
        case 48..<56: .stages
        case 56..<64: .calls
        default: .keys
        }
    }

    /// The first version of the format that has records of this kind. In traces of earlier versions its number is that
    /// of an unknown kind.
    public var version: UInt16 {
        switch self {
        case .invocation, .mainWindow, .samples, .cost: TraceLimits.invocationVersion
        default: TraceLimits.version
        }
    }

    /// The kind that a number has in traces of this version; `nil` for unknown ones.
    init?(_ number: UInt8, version: UInt16) {
        guard let kind = RecordKind(rawValue: number), kind.version <= version else { return nil }
        self = kind
    }

    /// True for kinds that are in context snapshots and are never records of their own.
    public var isContextOnly: Bool { rawValue >= 96 }
}

extension TraceRecord.Body {
    /// The kind; `nil` for one that is unknown in this version.
    public var kind: RecordKind? {
        switch self {
        case .key: .key
        case .text: .text
        case .idle: .idle
        case .device: .device
        case .clock: .clock
        case .environment: .environment
        case .layout: .layout
        case .level: .level
        case .step: .step
        case .firstResponder: .firstResponder
        case .keyWindow: .keyWindow
        case .link: .link
        case .presentation: .presentation
        case .textInput: .textInput
        case .markedText: .markedText
        case .hardware: .hardware
        case .invalidation: .invalidation
        case .mark: .mark
        case .loss: .loss
        case .clockRelation: .clockRelation
        case .keyboardFrame: .keyboardFrame
        case .mainWindow: .mainWindow
        case .receiver: .receiver
        case .gesture: .gesture
        case .candidate: .candidate
        case .effect: .effect
        case .resolution: .resolution
        case .stage: .stage
        case .samples: .samples
        case .cost: .cost
        case .call: .call
        case .cache: .cache
        case .invocation: .invocation
        case .unknown: nil
        }
    }
}

extension TraceRecord.Body {
    /// The press that the record is about; `nil` for records about none.
    public var press: UInt32? { if case .key(let record) = self { record.press } else { decided?.press } }
}

extension RecordKind {
    /// A record of this kind to read fields into; `nil` for the kinds of context snapshots.
    var blank: TraceRecord.Body? {
        let at = PressTick(press: 0, tick: 0)
        let responder = ResponderRef(rawValue: 0)
        let string = StringRef(rawValue: 0)
        switch self {
        case .key:
            return .key(KeyRecord(device: 1, key: .masked(.letter), phase: .down, modifiers: [], press: nil))
        case .text: return .text(TextRecord(text: nil))
        case .idle: return .idle(IdleRecord(device: 1, reports: 1))
        case .device: return .device(DeviceRecord(device: 1, name: "", source: ""))
        case .clock: return .clock(ClockRecord(source: "", unixTime: nil, granularity: nil, backwardSteps: 0))
        case .environment: return .environment(EnvironmentRecord(name: "", value: ""))
        case .layout: return .layout(LayoutRecord(name: "", hash: 0, table: nil))
        case .level: return .level(LevelRecord(level: .keys))
        case .step: return .step(StepRecord(step: string))
        case .firstResponder: return .firstResponder(FirstResponderRecord(responder: nil, cause: .start))
        case .keyWindow: return .keyWindow(KeyWindowRecord(window: nil, cause: .start))
        case .link: return .link(LinkRecord(responder: responder, next: nil, window: nil))
        case .presentation: return .presentation(PresentationRecord(presenter: responder, presented: nil))
        case .textInput: return .textInput(TextInputRecord(responder: nil, isSecure: false))
        case .markedText: return .markedText(MarkedTextRecord(isMarked: false))
        case .hardware: return .hardware(HardwareRecord(device: nil, isAttached: false))
        case .invalidation: return .invalidation(InvalidationRecord(scope: .responder, responder: nil))
        case .mark: return .mark(MarkRecord(name: ""))
        case .loss: return .loss(LossRecord(cause: .dropped, count: nil, duration: nil, detail: ""))
        case .clockRelation: return .clockRelation(ClockRelationRecord(source: "", reference: "", offset: 0))
        case .keyboardFrame: return .keyboardFrame(KeyboardFrameRecord(state: .hidden, cause: .unknown))
        case .mainWindow: return .mainWindow(MainWindowRecord(window: nil))
        case .gesture:
            return .gesture(
                GestureRecord(at: at, responder: responder, recognizer: string, phase: .down, isTaken: false))
        case .receiver:
            return .receiver(ReceiverRecord(at: at, responder: responder, phase: .down, isSwallowed: false))
        case .candidate:
            return .candidate(
                CandidateRecord(
                    at: at, supplier: nil, command: CommandRef(rawValue: 0), verdict: .won, reason: string))
        case .effect: return .effect(EffectRecord(at: at, responder: nil, kind: string, value: nil))
        case .resolution:
            return .resolution(ResolutionRecord(at: at, outcome: .performed, takenBy: nil, state: nil))
        case .stage: return .stage(StageRecord(at: at, stage: .hid, duration: .zero))
        case .samples:
            return .samples(SamplesRecord(at: at, age: .zero, interval: .zero, stacks: ""))
        case .cost: return .cost(CostRecord(at: at, stage: .hid, allocations: 0, bytes: 0))
        case .call: return .call(CallRecord.blank)
        case .cache:
            return .cache(
                CacheRecord(
                    at: at, hits: 0, misses: 0, stale: 0, invalidations: 0, shadowReads: 0, callsSaved: 0,
                    timeSaved: .zero))
        case .invocation:
            return .invocation(
                InvocationRecord(at: at, kind: .keyEquivalent, occasion: .down, responder: responder, duration: .zero))
        case .keyState, .heldKey, .heldModifiers, .lastList: return nil
        }
    }
}

extension CallRecord {
    static var blank: CallRecord {
        CallRecord(
            at: PressTick(press: 0, tick: 0), kind: .keyCommands, occasion: .down, responder: ResponderRef(rawValue: 0),
            pass: 0, depth: 0, duration: nil, action: nil, answer: .none)
    }
}
