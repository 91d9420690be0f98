public import KeyModel
public import Scenes
public import TraceFormat

/// Inputs of a replay, in the order in which they arrive: a key script, or the inputs of a trace.
public struct ReplayTimeline: Sendable {
    public enum Input: Hashable, Sendable {
        /// A key going down, up or being cancelled. `press` pairs the events of one press where the source knows it;
        /// masked keys of one class cannot be distinguished without.
        case key(KeyEvent, press: UInt32?)
        /// Text that no key typed; `nil` when masked.
        case text(String?)
        indirect case step(ContextStep)
        /// A record of the source that is no input but is kept in the recording: a device, a clock, a loss.
        indirect case record(TraceRecord.Body)
    }

    public struct Arrival: Hashable, Sendable {
        public var time: TraceTime
        public var input: Input
        /// Place of the input: a script's line or a trace's sequence number, for messages.
        public var position: UInt64

        public init(time: TraceTime, input: Input, position: UInt64 = 0) {
            self.time = time
            self.input = input
            self.position = position
        }

        /// True for an input that takes no place in the queue and no service time.
        var isRecord: Bool { if case .record = input { true } else { false } }
    }

    private enum Source: Sendable {
        case list([Arrival])
        case script(KeyScript, Layout, layoutNamed: @Sendable (String) throws -> Layout)
        case trace(RecordedTrace)
    }

    private var source: Source
    /// Inputs added to the source's own.
    private var extra: [Arrival] = []
    /// Facts that hold from the beginning on and override those of the source.
    private var facts: [EnvironmentRecord] = []
    /// Keys that are still down repeat up to here.
    public var end: TraceTime

    public init(arrivals: [Arrival], end: TraceTime) {
        source = .list(arrivals)
        self.end = end
    }

    public mutating func append(_ arrival: Arrival) { extra.append(arrival) }

    /// Overrides the role of a modifier key in the source.
    public mutating func set(_ key: KeyUsage, to role: KeyModifiers) {
        let fact = ModifierRoles.fact(key, role)
        facts.append(EnvironmentRecord(name: fact.name, value: fact.value))
    }

    /// All arrivals at once. A long script or trace is better read with `makeIterator`.
    public var arrivals: [Arrival] { Array(IteratorSequence(makeIterator())) }

    /// The arrivals that are there before they are asked for: those of a script or trace are not counted.
    var underestimatedCount: Int {
        if case .list(let arrivals) = source { arrivals.count + extra.count } else { extra.count }
    }

    /// The arrivals one after the other, made as they are needed.
    public func makeIterator() -> Arrivals { Arrivals(self) }

    public struct Arrivals: IteratorProtocol {
        private var script: KeyScript.Inputs?
        private var records: RecordedTrace.Records?
        private var list: [Arrival]
        private let extra: [Arrival]
        private let facts: [EnvironmentRecord]
        private var factPlace = 0
        private var place = 0
        private var returned: Arrival?
        private var extraPlace = 0
        private var level = TraceLevel.keys
        private var steps = ParsedTexts<Result<ContextStep, ContextStepError>>()
        /// Repeats are those of the recording, not of a profile.
        private var keepsRepeats = false

        fileprivate init(_ timeline: ReplayTimeline) {
            extra = timeline.extra
            facts = timeline.facts
            list = []
            switch timeline.source {
            case .list(let arrivals): list = arrivals
            case .trace(let source):
                records = source.records(inBlocks: true)
                keepsRepeats = source.summary.hasOwnRepeats
                list = initialState(of: source)
            case .script(let source, let layout, let layoutNamed):
                list = [ReplayTimeline.keyboard]
                script = source.inputs(layout: layout, layoutNamed: layoutNamed)
            }
        }

        /// The arrival that `next` returned last comes once more.
        mutating func putBack(_ arrival: Arrival) { returned = arrival }

        public mutating func next() -> Arrival? {
            if let arrival = returned.take() { return arrival }
            if factPlace < facts.count {
                defer { factPlace += 1 }
                return Arrival(time: .zero, input: .record(.environment(facts[factPlace])))
            }
            while let arrival = nextOfSource() {
                guard !facts.isEmpty, case .record(.environment(let fact)) = arrival.input,
                    facts.contains(where: { $0.name == fact.name })
                else { return arrival }
            }
            return nil
        }

        private mutating func nextOfSource() -> Arrival? {
            if place < list.count {
                defer { place += 1 }
                return list[place]
            } else if records != nil {
                if let arrival = nextOfRecording() { return arrival }
            } else if let input = script?.next() {
                return Arrival(input)
            }
            guard extraPlace < extra.count else { return nil }
            defer { extraPlace += 1 }
            return extra[extraPlace]
        }

        /// What holds at the beginning of a part of a longer trace: facts, at level `keys` the focus that no decision
        /// shows, and last the modifier keys that are down, whose roles are among the facts.
        private mutating func initialState(of trace: RecordedTrace) -> [Arrival] {
            let begin = trace.summary.begin ?? .zero
            var state: [Arrival] = []
            var held: [Arrival] = []
            for entry in trace.initialContext {
                switch entry {
                case .record(.level(let change)): level = change.level
                case .record(.device), .record(.clock): break
                case .record(let body):
                    let record = TraceRecord(time: begin, sequence: 0, body: body)
                    guard let input = try? ReplayTimeline.input(record, trace.definitions, level, &steps)
                    else { break }
                    state.append(Arrival(time: begin, input: input))
                case .heldModifiers(let modifiers):
                    for usage in modifiers.keys.usages {
                        let down = KeyEvent(time: begin, device: modifiers.device, key: .clear(usage), phase: .down)
                        held.append(Arrival(time: begin, input: .key(down, press: nil)))
                    }
                case .keyState, .heldKey, .lastList: break
                }
            }
            return state + held
        }

        private mutating func nextOfRecording() -> Arrival? {
            while let record = records?.next() {
                if case .level(let change) = record.body { level = change.level }
                guard ReplayTimeline.mayBeInput(record.body), let definitions = records?.definitions,
                    let input = try? ReplayTimeline.input(
                        record, definitions, level, &steps, keepsRepeats: keepsRepeats)
                else { continue }
                return Arrival(time: record.time, input: input, position: record.sequence)
            }
            return nil
        }
    }
}

extension ParsedTexts<Result<ContextStep, ContextStepError>> {
    init() {
        self.init { text in
            do throws(ContextStepError) { return .success(try ContextStep(text: text)) } catch {
                return .failure(error)
            }
        }
    }
}

extension ReplayTimeline.Arrival {
    fileprivate init(_ scripted: TimedInput) {
        let input: ReplayTimeline.Input =
            switch scripted.input {
            case .key(let event): .key(event, press: nil)
            case .text(let text): .text(text)
            case .step(let step): .step(step)
            }
        self.init(time: scripted.time, input: input, position: UInt64(max(0, scripted.line)))
    }
}

extension ReplayTimeline {
    /// The keyboard of a key script.
    fileprivate static let keyboard = Arrival(
        time: .zero, input: .record(.device(DeviceRecord(device: 1, name: "key script", source: "script"))))

    /// The inputs of a key script, made as they are needed. An error in the script is thrown now.
    public init(
        _ script: KeyScript, layout: Layout, layoutNamed: @escaping @Sendable (String) throws -> Layout
    ) throws(SourceTextError) {
        end = try script.end(layout: layout, layoutNamed: layoutNamed)
        source = .script(script, layout, layoutNamed: layoutNamed)
    }

    /// Reason for which a trace cannot be replayed.
    public struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
        /// Sequence number of the record.
        public var record: UInt64
        public var expected: String
        public var found: String

        /// `record N: expected …, found …`.
        public var description: String { "record \(record): expected \(expected), found \(found)" }
    }

    /// The inputs of a trace: keys, text and context steps, and where nothing decided yet (level `keys`) the changes
    /// of first responder, key window and hardware that an app recorded. What a replay recorded as decided is not an
    /// input, and neither are repeats: they are generated from the parameters.
    public init(_ recording: Recording) throws(InputError) { try self.init(RecordedTrace(recording)) }

    /// The same of a trace that is read piece by piece.
    public init(_ trace: RecordedTrace) throws(InputError) {
        if let error = trace.summary.stepError { throw error }
        end = trace.summary.end
        source = .trace(trace)
    }

    /// False for the decisions, which are most of a trace.
    fileprivate static func mayBeInput(_ body: TraceRecord.Body) -> Bool {
        switch body {
        case .call, .stage, .samples, .cost, .cache, .candidate, .receiver, .resolution, .effect, .invocation: false
        default: true
        }
    }

    static func input(
        _ record: TraceRecord, _ definitions: TraceDefinitions, _ level: TraceLevel,
        _ steps: inout ParsedTexts<Result<ContextStep, ContextStepError>>, keepsRepeats: Bool = false
    ) throws(InputError) -> Input? {
        switch record.body {
        case .key(let key):
            guard key.phase != .repeat || keepsRepeats else { return nil }
            let event = KeyEvent(
                time: record.time, device: key.device, key: key.key, phase: key.phase, isSynthetic: key.isSynthetic)
            return .key(event, press: key.press)
        case .text(let text): return .text(text.text.flatMap { definitions[$0] })
        case .step(let step):
            switch steps.value(of: definitions[step.step] ?? "") {
            case .success(let step): return .step(step)
            case .failure(let error):
                throw InputError(record: record.sequence, expected: error.expected, found: error.found)
            }
        case .firstResponder(let change) where level == .keys:
            guard let responder = change.responder.flatMap({ definitions[$0] }) else { return .step(.resign) }
            return .step(.focus(responder.id))
        case .keyWindow(let change) where level == .keys:
            guard let window = change.window.flatMap({ definitions[$0] }) else { return nil }
            return .step(.activate(window.id))
        case .hardware(let change) where level == .keys:
            return .step(change.isAttached ? .attach : .detach)
        case .environment(let fact): return TraceRecorder.isOwnFact(fact.name) ? nil : .record(record.body)
        case .device, .clock, .idle, .loss, .keyboardFrame: return .record(record.body)
        case .mark where level == .keys: return .record(record.body)
        default: return nil
        }
    }
}
