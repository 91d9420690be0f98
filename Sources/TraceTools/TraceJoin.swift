import KeyModel
import TraceFormat

/// Traces of different origin, joined on one time line.
struct TraceJoin {
    private let space = DefinitionSpace()
    private var inputs: [MergeInput] = []
    private var names: [JoinedNames] = []
    private let offsets: [TraceDuration]
    private var gaps: SecureGaps
    private var presses: [JoinedPresses] = []
    private var numbering = JoinedNumbering()
    private var levels: [TraceLevel]
    private var header: TraceHeader
    private var held: [(source: Int, record: KeyRecord)] = []
    private var modifiers = ModifierKeysOfDevice()
    private var dropped: UInt64 = 0
    private var sequence: UInt64 = 0
    private var time = TraceTime.zero
    /// The time of the last record that was written.
    private var emitted = TraceTime.zero

    init(_ sources: [TraceMerge.Source], _ text: TraceSource.Text) throws {
        // First the gaps of all of them, which hold for what comes at their very begin as well, and what is named.
        let surveys = try sources.map { try SourceSurvey(try TraceSource($0.bytes, text: text), offset: $0.offset) }
        gaps = SecureGaps(surveys.flatMap(\.gaps))
        offsets = sources.map(\.offset)
        var used = NamesInUse()
        for (index, source) in sources.enumerated() {
            names.append(try JoinedNames(surveys[index], number: index + 1, &used))
            inputs.append(MergeInput(try TraceSource(source.bytes, text: text), DefinitionMap(into: space)))
            presses.append(JoinedPresses())
        }
        levels = inputs.map(\.source.header.level)
        header = TraceHeader(
            level: levels.min() ?? .keys, isMasked: inputs.allSatisfy { $0.source.header.isMasked })
    }

    mutating func write(to sink: @escaping TraceWriter.Sink) throws -> TraceMerge.Summary {
        var output = CanonicalOutput(header, sink: sink)
        let context = joinedContext()
        while let index = next() {
            defer { inputs[index].advance() }
            guard let record = inputs[index].record, let body = inputs[index].body() else { break }
            time = max(time, record.time.advanced(by: offsets[index]))
            if let begin = gaps.begins(upTo: time) { try releaseHeldKeys(at: begin, &output, context) }
            guard let joined = join(body, of: index) else { continue }
            try append(joined, at: time, &output, context)
        }
        try output.finish()
        var summary = TraceMerge.Summary(records: output.records, dropped: dropped)
        for input in inputs {
            summary.reports.append(input.source.report)
            summary.masked.append(input.source.masked)
        }
        return summary
    }

    private mutating func append(
        _ body: TraceRecord.Body, at time: TraceTime, _ output: inout CanonicalOutput, _ context: [ContextEntry]
    ) throws {
        let record = TraceRecord(time: time, sequence: sequence, body: body)
        try output.append(record, space.definitions) { context }
        sequence += 1
        emitted = time
    }

    /// The source whose record is next; of records at one time that of the first source.
    private func next() -> Int? {
        var earliest: (index: Int, time: TraceTime)?
        for index in inputs.indices {
            guard let record = inputs[index].record else { continue }
            let time = record.time.advanced(by: offsets[index])
            if let known = earliest, known.time <= time { continue }
            earliest = (index, time)
        }
        return earliest?.index
    }

    /// What was true before the first record of each source, together.
    private mutating func joinedContext() -> [ContextEntry] {
        var entries: [ContextEntry] = []
        for index in inputs.indices {
            for entry in inputs[index].source.initialContext {
                let entry = inputs[index].map.moved(entry, from: inputs[index].source.definitions)
                switch entry {
                case .keyState: continue
                case .heldModifiers(var held):
                    held.device = names[index].device(held.device)
                    for record in ModifierKeysOfDevice.downs(held) {
                        modifiers.apply(record)
                        self.held.append((index, record))
                    }
                    entries.append(.heldModifiers(held))
                case .heldKey(var held):
                    held.device = names[index].device(held.device)
                    held.press = presses[index].down(held.press, &numbering)
                    let down = KeyRecord(
                        device: held.device, key: held.key, phase: .down, modifiers: [], press: held.press)
                    self.held.append((index, down))
                    entries.append(.heldKey(held))
                case .record(.level): continue
                case .record(let body): entries.append(.record(names[index].joined(body)))
                case .lastList: entries.append(entry)
                }
            }
        }
        guard numbering.presses > 0 || !modifiers.isEmpty else { return entries }
        let state = KeyStateEntry(device: 1, presses: numbering.presses, modifiers: modifiers.flags)
        return [.keyState(state)] + entries
    }

    /// The record as it stands in the joined trace; `nil` when it is left out.
    private mutating func join(_ body: TraceRecord.Body, of index: Int) -> TraceRecord.Body? {
        switch body {
        case .key(var key):
            key.device = names[index].device(key.device)
            guard admits(key, of: index) else { return leaveOut() }
            if let press = key.press {
                key.press =
                    key.phase == .down
                    ? presses[index].down(press, &numbering) : presses[index].new(press, &numbering)
            }
            follow(key, of: index)
            return .key(key)
        case .text:
            guard !gaps.holds(time) else {
                presses[index].leaveOutText()
                return leaveOut()
            }
            presses[index].text(&numbering)
            return body
        case .level(let record):
            levels[index] = record.level
            let lowest = levels.min() ?? record.level
            guard lowest != header.level else { return nil }
            header.level = lowest
            return .level(LevelRecord(level: lowest))
        default:
            guard let at = body.decided else { return names[index].joined(body) }
            guard !gaps.holds(time), let new = presses[index].new(at, &numbering) else { return leaveOut() }
            return body.decided(at: new)
        }
    }

    private mutating func leaveOut() -> TraceRecord.Body? {
        dropped += 1
        return nil
    }

    /// False for what was typed during a gap, and for the rest of a press that went down in it or was ended by it.
    private mutating func admits(_ key: KeyRecord, of index: Int) -> Bool {
        let isInGap = gaps.holds(time)
        switch key.phase {
        case .down:
            presses[index].begin(key, isInGap: isInGap)
            return !isInGap
        case .repeat: return !isInGap && !presses[index].isOver(key)
        case .up, .cancel: return !presses[index].end(key) && !isInGap
        }
    }

    private mutating func follow(_ key: KeyRecord, of index: Int) {
        modifiers.apply(key)
        switch key.phase {
        case .down: if held.count < TraceLimits.heldKeys { held.append((index, key)) }
        case .up, .cancel:
            let place = held.firstIndex { $0.source == index && KeyOfDevice($0.record) == KeyOfDevice(key) }
            if let place { held.remove(at: place) }
        case .repeat: break
        }
    }

    /// What goes up during a gap is not told: keys that were down are released where it begins.
    private mutating func releaseHeldKeys(
        at begin: TraceTime, _ output: inout CanonicalOutput, _ context: [ContextEntry]
    ) throws {
        for key in held {
            var record = key.record
            record.phase = .up
            record.isSynthetic = true
            modifiers.apply(record)
            record.modifiers = modifiers.flags
            presses[key.source].endEarly(record)
            try append(.key(record), at: max(emitted, begin), &output, context)
        }
        held.removeAll()
    }
}
