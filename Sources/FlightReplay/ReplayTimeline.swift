public import KeyModel
public import Scenes
public import TraceFormat

/// What a replay is driven by, in the order in which it arrives: a key script, or the inputs of a trace.
public struct ReplayTimeline: Sendable {
    public enum Input: Hashable, Sendable {
        /// A key going down, up or being cancelled. `press` pairs the events of one press where the source knows it;
        /// masked keys of one class cannot be told apart without.
        case key(KeyEvent, press: UInt32?)
        /// Text that no key typed; `nil` when masked.
        case text(String?)
        case step(ContextStep)
    }

    public struct Arrival: Hashable, Sendable {
        public var time: TraceTime
        public var input: Input

        public init(time: TraceTime, input: Input) {
            self.time = time
            self.input = input
        }
    }

    public var arrivals: [Arrival]
    /// Keys that are still down repeat up to here.
    public var end: TraceTime

    public init(arrivals: [Arrival], end: TraceTime) {
        self.arrivals = arrivals
        self.end = end
    }
}

extension ReplayTimeline {
    /// The inputs of a key script.
    public init(_ script: KeyTimeline) {
        arrivals = script.inputs.map { input in
            switch input.input {
            case .key(let event): Arrival(time: input.time, input: .key(event, press: nil))
            case .text(let text): Arrival(time: input.time, input: .text(text))
            case .step(let step): Arrival(time: input.time, input: .step(step))
            }
        }
        end = script.end
    }

    /// Why a trace cannot be replayed.
    public struct TraceError: Error, Hashable, Sendable, CustomStringConvertible {
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
    public init(_ recording: Recording) throws(TraceError) {
        var level = TraceLevel.keys
        var end = TraceTime.zero
        var arrivals: [Arrival] = []
        for record in recording.records {
            end = max(end, record.time)
            if case .level(let change) = record.body { level = change.level }
            guard let input = try ReplayTimeline.input(record, recording.definitions, level) else { continue }
            arrivals.append(Arrival(time: record.time, input: input))
        }
        self.init(arrivals: arrivals, end: end)
    }

    private static func input(
        _ record: TraceRecord, _ definitions: TraceDefinitions, _ level: TraceLevel
    ) throws(TraceError) -> Input? {
        switch record.body {
        case .key(let key):
            guard key.phase != .repeat else { return nil }
            let event = KeyEvent(
                time: record.time, device: key.device, key: key.key, phase: key.phase, isSynthetic: key.isSynthetic)
            return .key(event, press: key.press)
        case .text(let text): return .text(text.text.flatMap { definitions[$0] })
        case .step(let step):
            let text = definitions[step.step] ?? ""
            do { return .step(try ContextStep(text: text)) } catch {
                throw TraceError(record: record.sequence, expected: error.expected, found: error.found)
            }
        case .firstResponder(let change) where level == .keys:
            guard let responder = change.responder.flatMap({ definitions[$0] }) else { return .step(.resign) }
            return .step(.focus(responder.id))
        case .keyWindow(let change) where level == .keys:
            return change.window.flatMap { definitions[$0] }.map { .step(.activate($0.id)) }
        case .hardware(let change) where level == .keys:
            return .step(change.isAttached ? .attach : .detach)
        default: return nil
        }
    }
}
