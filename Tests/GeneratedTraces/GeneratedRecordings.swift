public import KeyModel
public import TraceFormat

/// SplitMix64: the same numbers for the same seed, everywhere.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64
    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    public mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }
    public mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
    public mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }
    public mutating func maybe<T>(_ make: (inout SeededGenerator) -> T) -> T? { chance(40) ? nil : make(&self) }
    /// Small numbers often, large ones sometimes.
    public mutating func number() -> UInt64 { next() >> UInt64(below(64)) }
    public mutating func number32() -> UInt32 { UInt32(truncatingIfNeeded: next() >> UInt64(32 + below(32))) }
}

/// Recordings of any records in any order, as a hostile or odd source might write them.
public struct RecordingGenerator {
    public var random: SeededGenerator
    public var recording = Recording()
    public var version = TraceLimits.version

    public init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// `version`: of the format; the records are of kinds that it has.
    public static func recording(
        seed: UInt64, records: Int, version: UInt16 = TraceLimits.version
    ) -> Recording {
        var generator = RecordingGenerator(seed: seed)
        generator.version = version
        let bodies = bodies(version)
        var time: Int64 = 0
        for _ in 0..<records {
            let step = generator.random.chance(95) ? 1 << 27 : Int64.max >> Int64(generator.random.below(40))
            let (sum, overflow) = time.addingReportingOverflow(Int64(generator.random.number() % UInt64(step)))
            if !overflow, generator.random.chance(80) { time = sum }
            let body = generator.body(generator.random.pick(bodies))
            generator.recording.append(body, at: TraceTime(nanoseconds: time))
        }
        return generator.recording
    }

    /// Record kinds, key records more often; `nil` makes one of an unknown kind.
    public static let bodies = bodies(TraceLimits.version)

    public static func bodies(_ version: UInt16) -> [RecordKind?] {
        RecordKind.allCases.filter { !$0.isContextOnly && $0.version <= version } + Array(repeating: .key, count: 12)
            + [nil]
    }

    public mutating func text() -> String {
        let pieces = [
            "", "closeTab:", "w", "é", "e\u{301}", "👩‍👩‍👧", "\"\\\n\t\u{0}\u{7F}", "tabs", "a b=c", "🏳️‍🌈", "ﬀ",
            "vc", "win", "{\"x\":[1]}", "\u{2028}", "nil", "none",
        ]
        var text = random.pick(pieces)
        while random.chance(20) { text += random.pick(pieces) }
        return text
    }

    public mutating func string() -> StringRef { recording.definitions.intern(text()) }

    public mutating func responder() -> ResponderRef {
        recording.definitions.intern(ResponderDefinition(id: text(), kind: random.pick(["view", "window", "é"])))
    }

    public mutating func command() -> CommandRef {
        var definition = CommandDefinition(
            input: random.maybe { $0.pick(["w", "é", "e\u{301}", "UIKeyInputEscape"]) },
            modifiers: KeyModifiers(rawValue: random.chance(80) ? 1 << 20 : random.number32()), action: text())
        if random.chance(50) { definition.title = text() }
        definition.attributes = .init(rawValue: random.chance(60) ? 0 : UInt8(truncatingIfNeeded: random.next()))
        return recording.definitions.intern(definition)
    }

    public mutating func list() -> CommandListRef {
        let commands = (0..<random.below(5)).map { _ in command() }
        return recording.definitions.intern(commands)
    }

    public mutating func optionalResponder() -> ResponderRef? { random.chance(40) ? nil : responder() }
    public mutating func optionalString() -> StringRef? { random.chance(40) ? nil : string() }
    public mutating func at() -> PressTick {
        PressTick(press: random.chance(80) ? UInt32(random.below(4)) : random.number32(), tick: UInt32(random.below(3)))
    }
    public mutating func duration() -> TraceDuration { TraceDuration(nanoseconds: Int64(random.number() >> 1)) }

    public mutating func key() -> KeyRecord {
        let usage = random.pick([0x04, 0x1A, 0xE3, 0xE7, 0xE1, 0x39, 0x54, 0x9E, 0x28, 0x100, 0xFFFF] as [UInt16])
        let identity: KeyIdentity =
            random.chance(30)
            ? .masked(random.pick(TextKeyClass.allCases))
            : .clear(random.chance(90) ? .keyboard(usage) : KeyUsage(rawValue: random.number32()))
        return KeyRecord(
            device: random.chance(85) ? 1 : UInt16(truncatingIfNeeded: random.next()), key: identity,
            phase: random.pick(KeyPhase.allCases),
            modifiers: KeyModifiers(rawValue: random.chance(50) ? 0 : random.number32()),
            press: random.chance(40) ? nil : random.pick([0, 1, 2, 3, UInt32.max, random.number32()]),
            isSynthetic: random.chance(5))
    }

    public mutating func body(_ kind: RecordKind?) -> TraceRecord.Body {
        switch kind {
        case .key?: return .key(key())
        case .text?: return .text(TextRecord(text: optionalString()))
        case .idle?: return .idle(IdleRecord(device: UInt16(random.below(3)), reports: random.number() | 1))
        case .device?: return device()
        case .clock?:
            return .clock(
                ClockRecord(
                    source: text(), unixTime: random.maybe { Int64(bitPattern: $0.next()) },
                    granularity: random.maybe { $0.number() >> 1 }, backwardSteps: random.number()))
        case .environment?: return .environment(EnvironmentRecord(name: text(), value: text()))
        case .layout?: return .layout(LayoutRecord(name: text(), hash: random.next(), table: optionalString()))
        case .level?: return .level(LevelRecord(level: random.pick(TraceLevel.allCases)))
        case .step?: return .step(StepRecord(step: string()))
        case .firstResponder?:
            return .firstResponder(
                FirstResponderRecord(responder: optionalResponder(), cause: random.pick(FocusCause.allCases)))
        case .keyWindow?:
            return .keyWindow(KeyWindowRecord(window: optionalResponder(), cause: random.pick(FocusCause.allCases)))
        case .link?:
            return .link(LinkRecord(responder: responder(), next: optionalResponder(), window: optionalResponder()))
        case .presentation?:
            return .presentation(PresentationRecord(presenter: responder(), presented: optionalResponder()))
        case .textInput?:
            return .textInput(TextInputRecord(responder: optionalResponder(), isSecure: random.chance(50)))
        case .markedText?: return .markedText(MarkedTextRecord(isMarked: random.chance(50)))
        case .hardware?:
            let device = random.maybe { UInt16($0.below(9)) }
            return .hardware(HardwareRecord(device: device, isAttached: random.chance(50)))
        case .invalidation?:
            return .invalidation(
                InvalidationRecord(scope: random.pick(InvalidationScope.allCases), responder: optionalResponder()))
        case .mark?: return .mark(MarkRecord(name: text()))
        case .loss?:
            return .loss(
                LossRecord(
                    cause: random.pick(LossCause.allCases), count: random.maybe { $0.number() >> 1 },
                    duration: random.chance(50) ? nil : duration(), detail: text()))
        case .clockRelation?: return clockRelation()
        case .keyboardFrame?: return keyboardFrame()
        case .mainWindow?: return .mainWindow(MainWindowRecord(window: optionalResponder()))
        default: return decision(kind)
        }
    }

    private mutating func device() -> TraceRecord.Body {
        var record = DeviceRecord(device: UInt16(random.below(5)), name: text(), source: text())
        record.bus = random.maybe { $0.number32() }
        record.address = random.maybe { $0.number32() }
        record.endpoint = random.maybe { $0.number32() }
        record.adapter = random.maybe { $0.number32() }
        record.transport = random.chance(50) ? nil : text()
        record.handle = random.maybe { $0.number32() }
        record.attribute = random.maybe { $0.number32() }
        record.vendor = random.maybe { $0.number32() }
        record.product = random.maybe { $0.number32() }
        return .device(record)
    }

    private mutating func clockRelation() -> TraceRecord.Body {
        var record = ClockRelationRecord(
            source: text(), reference: text(), offset: Int64(bitPattern: random.next()), matches: random.number())
        record.drift = random.maybe { Int64(bitPattern: $0.next()) }
        record.residual = random.chance(50) ? nil : duration()
        record.first = random.chance(50) ? nil : duration()
        record.last = random.chance(50) ? nil : duration()
        return .clockRelation(record)
    }

    private mutating func keyboardFrame() -> TraceRecord.Body {
        let frame = random.maybe {
            KeyboardFrameRecord.Frame(x: 0, y: Int64($0.below(9000)), width: Int64(bitPattern: $0.next()), height: -1)
        }
        return .keyboardFrame(
            KeyboardFrameRecord(
                state: random.pick(KeyboardFrameState.allCases), frame: frame,
                cause: random.pick(KeyboardFrameCause.allCases)))
    }

    private mutating func decision(_ kind: RecordKind?) -> TraceRecord.Body {
        switch kind {
        case .receiver?:
            return .receiver(
                ReceiverRecord(
                    at: at(), responder: responder(), phase: random.pick(KeyPhase.allCases),
                    isSwallowed: random.chance(50)))
        case .gesture?:
            return .gesture(
                GestureRecord(
                    at: at(), responder: responder(), recognizer: string(), phase: random.pick(KeyPhase.allCases),
                    isTaken: random.chance(50)))
        case .candidate?:
            return .candidate(
                CandidateRecord(
                    at: at(), supplier: optionalResponder(), command: command(),
                    verdict: random.pick(CandidateVerdict.allCases), reason: string()))
        case .effect?:
            return .effect(
                EffectRecord(at: at(), responder: optionalResponder(), kind: string(), value: optionalString()))
        case .resolution?: return resolution()
        case .samples?:
            let stacks = "m own - app\nf 0 1a \(text())\n"
            return .samples(SamplesRecord(at: at(), age: duration(), interval: duration(), stacks: stacks))
        case .cost?:
            var cost = CostRecord(
                at: at(), stage: random.pick(LatencyStage.allCases), allocations: 7, bytes: random.next() >> 1)
            if random.chance(50) { (cost.read, cost.written, cost.faults) = (random.next() >> 40, 1 << 40, 0) }
            return .cost(cost)
        case .stage?:
            return .stage(
                StageRecord(
                    at: at(), stage: random.pick(LatencyStage.allCases), duration: duration(),
                    isRounded: random.chance(20)))
        case .call?:
            let answers: [CallRecord.Answer] = [.none, .no, .yes, .commands(list()), .commands(list())]
            return .call(
                CallRecord(
                    at: at(), kind: random.pick(CallKind.allCases), occasion: random.pick(CallOccasion.allCases),
                    responder: responder(), pass: UInt16(random.below(4)), depth: UInt16(random.below(3)),
                    duration: random.chance(30) ? nil : duration(), action: optionalString(),
                    answer: random.pick(answers), isRounded: random.chance(20)))
        case .cache?:
            return .cache(
                CacheRecord(
                    at: at(), hits: random.number32(), misses: random.number32(), stale: random.number32(),
                    invalidations: random.number32(), shadowReads: random.number32(), callsSaved: random.number32(),
                    timeSaved: duration()))
        case .invocation?: return .invocation(invocation())
        default:
            let bytes = (0..<random.below(9)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            return .unknown(UnknownRecord(kind: random.pick([23, 63, 112, 127]), payload: bytes))
        }
    }

    public mutating func invocation() -> InvocationRecord {
        var record = InvocationRecord(
            at: at(), kind: random.pick(InvocationKind.allCases), occasion: random.pick(CallOccasion.allCases),
            responder: responder(), duration: duration())
        record.selector = optionalString()
        record.sender = optionalResponder()
        record.depth = random.chance(80) ? UInt8(random.below(4)) : UInt8(truncatingIfNeeded: random.next())
        record.count = random.chance(70) ? 1 : max(1, random.number32())
        record.path = optionalString()
        record.answer = random.pick([.nothing, .no, .yes, .responder(responder()), .list(random.number32())])
        return record
    }

    private mutating func resolution() -> TraceRecord.Body {
        var record = ResolutionRecord(
            at: at(), outcome: Outcome(rawValue: UInt8(random.below(255))),
            takenBy: random.maybe { TakenBy(rawValue: UInt8($0.below(255))) }, state: random.maybe { $0.next() })
        record.character = optionalString()
        record.start = optionalResponder()
        record.keyWindow = optionalResponder()
        record.command = random.chance(50) ? nil : command()
        record.supplier = optionalResponder()
        record.target = optionalResponder()
        record.action = optionalString()
        record.text = optionalString()
        return .resolution(record)
    }
}
