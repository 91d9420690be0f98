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
        /// A record of the source that is no input but belongs to the story: a device, a clock, a loss.
        case record(TraceRecord.Body)
    }

    public struct Arrival: Hashable, Sendable {
        public var time: TraceTime
        public var input: Input
        /// Where the input stands: a script's line or a trace's sequence number, for messages.
        public var position: UInt64

        public init(time: TraceTime, input: Input, position: UInt64 = 0) {
            self.time = time
            self.input = input
            self.position = position
        }

        /// Nobody waits for it and nobody serves it.
        var isRecord: Bool { if case .record = input { true } else { false } }
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
        let keyboard = DeviceRecord(device: 1, name: "key script", source: "script")
        arrivals = [Arrival(time: .zero, input: .record(.device(keyboard)))]
        arrivals += script.inputs.map { scripted in
            let input: Input =
                switch scripted.input {
                case .key(let event): .key(event, press: nil)
                case .text(let text): .text(text)
                case .step(let step): .step(step)
                }
            return Arrival(time: scripted.time, input: input, position: UInt64(max(0, scripted.line)))
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
            arrivals.append(Arrival(time: record.time, input: input, position: record.sequence))
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
            do throws(ContextStepError) { return .step(try ContextStep(text: text)) } catch {
                throw TraceError(record: record.sequence, expected: error.expected, found: error.found)
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
        case .device, .clock, .idle, .loss: return .record(record.body)
        case .mark where level == .keys: return .record(record.body)
        default: return nil
        }
    }
}
