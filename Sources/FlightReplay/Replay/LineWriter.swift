public import KeyModel
public import ResponderEngine
public import TraceFormat
public import TracePresses

/// A row of `replay --format jsonl`: a resolution, or with `--phases` the end of a press.
public enum ReplayRow: Hashable, Sendable {
    case resolution(ReplayLine)
    case phase(PhaseLine)

    /// The row as JSON, without a line break.
    public var json: String {
        switch self {
        case .resolution(let line): line.json
        case .phase(let line): line.json
        }
    }
}

/// The end of a press: its up or its cancel.
public struct PhaseLine: Hashable, Sendable {
    public var press: UInt32
    public var time: TraceTime
    /// `up` or `cancel`.
    public var phase: KeyPhase
    /// The source did not send this release.
    public var isSynthetic: Bool
    /// Receivers of `pressesEnded` or `pressesCancelled`, in order.
    public var receivers: [String]
    public var state: UInt64
    /// Delay of the event by the clock that paced the replay; `nil` without one.
    public var pacingError: TraceDuration?

    public var json: String {
        JSONText.objectText { json in
            json.member("press", press)
            json.member("t_ns", time.nanoseconds)
            json.member("phase", phase.name)
            json.member("synthetic", isSynthetic)
            json.member("receivers", receivers)
            json.member("state", state.hexadecimal(16))
            if let pacingError { json.member("pacing_error_ns", pacingError.nanoseconds) }
        }
    }
}

/// Turns a replay into rows, in the order in which presses and repeats reached the engine.
///
/// Reads at key-up count in the line of the key's down, so a line leaves when its press has ended, and what comes
/// after it waits for that. A source need not report that keys come up: a line also leaves when too many keys are down,
/// or too many lines wait for it, and then lacks what its release did.
public struct LineWriter: ReplayVisitor {
    private static let waitingLimit = PressAssembler.Delivery.released.limit

    private let engine: KeyboardEngine
    private let writesPhases: Bool
    private let labels: (profile: String, layout: String)?
    private let sink: (ReplayRow) -> Void
    /// Rows that wait for a release, in order; those before `first` have left.
    private var waiting: [Waiting] = []
    /// The lines among them: ends of presses do not change which lines leave.
    private var lineCount = 0
    private var isLastRepeat = false
    private var first = 0
    /// Index of the waiting line of a press that is down.
    private var open: [UInt32: Int] = [:]
    private var pacingError: TraceDuration?

    /// Rows of a key that is held for hours wait as what differs between them.
    private struct Waiting {
        var row: ReplayRow
        var isOpen: Bool
        var again: [Again] = []
    }

    /// A repeat like the row before it but for these.
    private struct Again {
        var time: TraceTime
        var state: UInt64
        var values: [String?]
    }

    /// `labels` name profile and layout on every line, for runs under several.
    public init(
        _ engine: KeyboardEngine, phases: Bool = false, labels: (profile: String, layout: String)? = nil,
        sink: @escaping (ReplayRow) -> Void
    ) {
        self.engine = engine
        writesPhases = phases
        self.labels = labels
        self.sink = sink
    }

    public mutating func resolved(_ resolution: Resolution, at tick: PressTick, stages: StageSplit) {
        var line = ReplayLine(resolution, at: tick, state: engine.stateHash())
        if line.outcome == .unrecorded { line.unrecorded = engine.openQuestions }
        line.isLastRepeat = isLastRepeat
        isLastRepeat = false
        line.profile = labels?.profile
        line.layout = labels?.layout
        line.pacingError = pacingError
        // A press stays open until its release; repeats and text without a key are whole at once.
        push(.resolution(line), isOpen: tick.press > 0 && tick.tick == 0)
    }

    public mutating func released(_ release: Release?, of event: KeyEvent, press: UInt32) {
        if let index = open.removeValue(forKey: press), case .resolution(var line) = waiting[index].row {
            if let release { line.add(release) }
            waiting[index].row = .resolution(line)
            waiting[index].isOpen = false
        }
        if writesPhases {
            let phase = PhaseLine(
                press: press, time: event.time, phase: event.phase, isSynthetic: event.isSynthetic,
                receivers: release?.receivers.map(\.id) ?? [], state: engine.stateHash(), pacingError: pacingError)
            push(.phase(phase), isOpen: false)
        }
        flush()
    }

    public mutating func repeatsEnd(at tick: PressTick) { isLastRepeat = true }

    public mutating func paced(error: TraceDuration) { pacingError = error }

    public mutating func finished(at time: TraceTime) {
        for index in open.values { waiting[index].isOpen = false }
        open = [:]
        flush()
    }

    private mutating func push(_ row: ReplayRow, isOpen: Bool) {
        if waiting.isEmpty, !isOpen { return sink(row) }
        if isOpen, case .resolution(let line) = row, let press = line.press {
            // A damaged trace may use one number for two presses.
            if let former = open.updateValue(waiting.count, forKey: press) { waiting[former].isOpen = false }
        }
        if !isOpen, case .resolution(let line) = row, joins(line) { return }
        waiting.append(Waiting(row: row, isOpen: isOpen))
        if case .resolution = row { lineCount += 1 }
        guard open.count > KeyboardState.usualLimit || lineCount > LineWriter.waitingLimit else { return }
        closeFirst()
        flush()
    }

    /// Returns true if the line is now stored as a difference to the one before it.
    private mutating func joins(_ line: ReplayLine) -> Bool {
        guard line.isRepeat, let last = waiting.indices.last, !waiting[last].isOpen,
            case .resolution(var like) = waiting[last].row, like.effects.count == line.effects.count
        else { return false }
        let values = line.effects.map(\.value)
        like.time = line.time
        like.state = line.state
        for place in values.indices { like.effects[place].value = values[place] }
        guard like == line else { return false }
        waiting[last].again.append(Again(time: line.time, state: line.state, values: values))
        return true
    }

    private mutating func closeFirst() {
        waiting[first].isOpen = false
        if case .resolution(let line) = waiting[first].row, let press = line.press, open[press] == first {
            open[press] = nil
        }
    }

    private func emit(_ rows: Waiting) {
        sink(rows.row)
        guard case .resolution(var line) = rows.row else { return }
        for again in rows.again {
            line.time = again.time
            line.state = again.state
            for place in again.values.indices { line.effects[place].value = again.values[place] }
            sink(.resolution(line))
        }
    }

    /// Passes on the rows up to the first that still waits.
    private mutating func flush() {
        while first < waiting.count, !waiting[first].isOpen {
            if case .resolution = waiting[first].row { lineCount -= 1 }
            emit(waiting[first])
            waiting[first].again = []
            first += 1
        }
        // Fast typing may leave some key down at all times.
        guard first == waiting.count || first >= 1_024 else { return }
        waiting.removeFirst(first)
        for (press, index) in open { open[press] = index - first }
        first = 0
    }
}

extension ReplayLine {
    /// The line of a resolution, before its release is known.
    init(_ resolution: Resolution, at tick: PressTick, state: UInt64) {
        let isText = tick.press == 0
        let maskedClass = resolution.key?.maskedClass
        self.init(
            press: isText ? nil : tick.press, time: resolution.time, chord: resolution.chord,
            isRepeat: resolution.isRepeat, outcome: resolution.outcome, takenBy: resolution.takenBy, state: state)
        character = isText || maskedClass != nil ? nil : resolution.character
        action = resolution.action?.name
        propertyList = maskedClass == nil ? resolution.command?.propertyList : nil
        supplier = resolution.supplierID
        target = resolution.target?.id
        text = resolution.text
        receivers = resolution.receivers.map(\.id)
        calls = resolution.calls
        messages = resolution.messages.map { kinds in
            var counts = InvocationCounts()
            for kind in kinds { counts.add(1, of: kind) }
            return counts
        }
        shadowReads = resolution.shadowReads
        cache = resolution.cache
        shadowed = resolution.shadowed.map(Candidate.init)
        possible = resolution.possible.map(Candidate.init)
        effects = resolution.effects.map(Effect.init)
        self.maskedClass = maskedClass
    }

    /// Adds what the release of this press did.
    mutating func add(_ release: Release) {
        keyCommandsOnRelease += release.calls.keyCommands
        shadowReads += release.shadowReads
        cache += release.cache
        effects += release.effects.map(Effect.init)
    }
}

extension ReplayLine.Candidate {
    init(_ reference: CommandReference) {
        self.init(supplier: reference.supplierID, action: reference.action.name)
    }
}

extension ReplayLine.Effect {
    init(_ effect: ResponderEngine.Effect) {
        self.init(id: effect.id.isEmpty ? nil : effect.id, kind: effect.kind.rawValue, value: effect.value.json)
    }
}

extension Effect.Value {
    /// `nil` where there is no value.
    var json: String? {
        switch self {
        case .none: nil
        case .flag(let flag): flag ? "true" : "false"
        case .number(let number): String(number)
        case .numbers(let numbers): "[" + numbers.map(String.init).joined(separator: ",") + "]"
        case .text(let text): JSONText.quoted(text)
        }
    }
}
