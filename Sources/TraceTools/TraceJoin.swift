import KeyModel
import TraceFormat

/// Traces of different origin, joined on one time line.
struct TraceJoin {
    private let space = DefinitionSpace()
    private var inputs: [MergeInput] = []
    private var names: [JoinedNames] = []
    private let lines: [TimeLine]
    /// Sources that begin later than the joined trace: their states come with their first records.
    private var later: Set<Int> = []
    /// Stages and losses that replace the presses of the last source.
    private let fold: AlignmentResult?
    private var gaps: SecureGaps
    private var presses: [JoinedPresses] = []
    private var numbering = JoinedNumbering()
    private var levels: [TraceLevel]
    private var header: TraceHeader
    private var output: CanonicalOutput
    /// The initial context of the joined trace.
    private var context: [ContextEntry] = []
    /// Keys of all sources, each with its source.
    private var keyboard = KeyboardState()
    private var dropped: UInt64 = 0
    private var nextLoss = 0
    private var sequence: UInt64 = 0
    private var time = TraceTime.zero
    /// The time of the last record that was written.
    private var emitted = TraceTime.zero

    /// `fold`: the presses of the last source are those of the first.
    init(
        _ sources: [TraceBytes], _ text: TraceSource.Text, lines: [TimeLine]? = nil, fold: AlignmentResult? = nil,
        to sink: @escaping TraceWriter.Sink
    ) throws {
        self.fold = fold
        let lines = lines ?? sources.map { _ in TimeLine() }
        self.lines = lines
        // The gaps of all sources come first, since they cover records at their very begin as well, and so do the
        // names.
        let surveys = try zip(sources, lines).map { source, line in
            try SourceSurvey(try TraceSource(source, text: text), line: line)
        }
        gaps = SecureGaps(surveys.flatMap(\.gaps))
        var used = NamesInUse(surveys)
        for (index, source) in sources.enumerated() {
            names.append(try JoinedNames(surveys[index], number: index + 1, &used))
            inputs.append(MergeInput(try TraceSource(source, text: text), DefinitionMap(into: space)))
            presses.append(JoinedPresses())
        }
        let begins = zip(inputs, lines).map { input, line in input.record.map { line.time($0.time) } }
        let begin = begins.compactMap(\.self).min()
        later = Set(inputs.indices.filter { begins[$0] != begin })
        levels = inputs.map(\.source.header.level)
        if fold != nil, let first = levels.first { levels = levels.map { _ in first } }
        header = TraceHeader(
            level: levels.min() ?? .keys, isMasked: inputs.allSatisfy { $0.source.header.isMasked })
        header.version = inputs.map(\.source.header.version).max() ?? TraceLimits.version
        output = CanonicalOutput(header, sink: sink)
    }

    mutating func write() throws -> TraceMerge.Summary {
        context = joinedContext()
        for body in fold?.facts(names.last) ?? [] { try append(body, at: time) }
        while let index = next() {
            try joinRecord(of: index)
            inputs[index].advance()
            if inputs[index].record == nil { try releaseModifiers(of: index) }
        }
        try insertLosses(upTo: nil)
        try output.finish()
        return TraceMerge.Summary(
            dropped: dropped, reports: inputs.map(\.source.report), masked: inputs.map(\.source.masked))
    }

    /// Appends the next record of a source, after what comes before it.
    private mutating func joinRecord(of index: Int) throws {
        guard let record = inputs[index].record, let body = inputs[index].body() else { return }
        time = max(time, lines[index].time(record.time))
        if let begin = gaps.begins(upTo: time) { try release(keyboard.held, at: begin) }
        try insertLosses(upTo: time)
        if case .environment(let fact) = body { keyboard.modifiers.roles.apply(fact: fact.name, fact.value) }
        for state in initialState(of: index) {
            if let joined = join(state, of: index) { try append(joined, at: time) }
        }
        guard let joined = join(body, of: index) else { return }
        try append(joined, at: time)
        if case .key(let was) = body, case .key(let key) = joined {
            try insertStages(of: was, as: key, from: index)
        }
    }

    private mutating func append(_ body: TraceRecord.Body, at time: TraceTime) throws {
        let record = TraceRecord(time: time, sequence: sequence, body: body)
        try output.append(record, space.definitions) { [context] in TraceContext(context) }
        sequence += 1
        emitted = time
    }

    /// The source whose record is next; of records at one time that of the first source.
    private func next() -> Int? {
        var earliest: (index: Int, time: TraceTime)?
        for index in inputs.indices {
            guard let record = inputs[index].record else { continue }
            let time = lines[index].time(record.time)
            if let known = earliest, known.time <= time { continue }
            earliest = (index, time)
        }
        return earliest?.index
    }

    /// The initial context of a source that begins later, as records: modifier keys that are down go down again.
    /// Empty after the first call.
    private mutating func initialState(of index: Int) -> [TraceRecord.Body] {
        guard later.remove(index) != nil else { return [] }
        var state: [TraceRecord.Body] = []
        var modifiers = ModifierState()
        modifiers.roles = keyboard.modifiers.roles
        for entry in inputs[index].source.initialContext {
            switch inputs[index].map.moved(entry, from: inputs[index].source.definitions) {
            case .heldModifiers(let held):
                for usage in held.keys.usages {
                    modifiers.apply(usage, .down, device: held.device)
                    let down = KeyRecord(
                        device: held.device, key: .clear(usage), phase: .down, modifiers: modifiers.heldFlags,
                        press: nil)
                    state.append(.key(down))
                }
            case .record(let body) where TraceJoin.isState(body): state.append(body)
            default: break
            }
        }
        return state
    }

    /// A state of app or keyboard, which a description of the source is not.
    private static func isState(_ body: TraceRecord.Body) -> Bool {
        switch body {
        case .layout, .keyWindow, .mainWindow, .firstResponder, .textInput, .markedText, .keyboardFrame, .hardware,
            .link, .presentation:
            true
        default: false
        }
    }

    /// The initial contexts of all sources, as one; of those that begin later what describes them.
    private mutating func joinedContext() -> [ContextEntry] {
        var entries: [ContextEntry] = []
        for index in inputs.indices {
            for entry in inputs[index].source.initialContext {
                let entry = inputs[index].map.moved(entry, from: inputs[index].source.definitions)
                switch entry {
                case .keyState: continue
                case .heldModifiers where isFolded(index) || later.contains(index): continue
                case .heldKey where isFolded(index): continue
                case .heldModifiers(var held):
                    held.device = names[index].device(held.device)
                    for usage in held.keys.usages {
                        keyboard.apply(.clear(usage), .down, device: held.device, source: UInt32(index))
                    }
                    entries.append(.heldModifiers(held))
                case .heldKey(var held):
                    held.device = names[index].device(held.device)
                    held.press = presses[index].down(held.press, &numbering)
                    keyboard.hold(held.key, device: held.device, press: held.press, source: UInt32(index))
                    entries.append(.heldKey(held))
                case .record(.level): continue
                case .record(let body) where later.contains(index) && TraceJoin.isState(body): continue
                case .lastList where later.contains(index): continue
                case .record(let body): entries.append(.record(names[index].joined(body)))
                case .lastList: entries.append(entry)
                }
            }
        }
        let flags = keyboard.modifiers.heldFlags
        guard numbering.presses > 0 || !flags.isEmpty else { return entries }
        let state = KeyStateEntry(device: 1, presses: numbering.presses, modifiers: flags)
        return [.keyState(state)] + entries
    }

    /// Inserts losses for presses that are missing from the first source, in their place.
    private mutating func insertLosses(upTo end: TraceTime?) throws {
        guard let losses = fold?.losses else { return }
        while nextLoss < losses.count, end.map({ losses[nextLoss].time <= $0 }) ?? true {
            try append(.loss(losses[nextLoss].loss), at: max(emitted, losses[nextLoss].time))
            nextLoss += 1
        }
    }

    /// True for a source whose presses are represented by those of another.
    private func isFolded(_ index: Int) -> Bool { fold != nil && index == inputs.count - 1 }

    /// Appends the fold's stages of a press, right after its down.
    private mutating func insertStages(of was: KeyRecord, as key: KeyRecord, from index: Int) throws {
        guard let fold, index == 0, key.phase == .down, let old = was.press, let new = key.press else { return }
        guard let duration = fold.durations[old] else { return }
        let at = PressTick(press: new, tick: 0)
        for var stage in fold.stages[old] ?? [] {
            stage.at = at
            try append(.stage(stage), at: time)
        }
        let stage = StageRecord(at: at, stage: fold.stage, duration: duration)
        try append(.stage(stage), at: time)
    }

    /// The record's form in the joined trace; `nil` when it is left out.
    private mutating func join(_ body: TraceRecord.Body, of index: Int) -> TraceRecord.Body? {
        if isFolded(index) {
            if body.kind == .key || body.kind == .text || body.kind == .level || body.decided != nil { return nil }
            return names[index].joined(body)
        }
        switch body {
        case .key(var key):
            presses[index].endText()
            key.device = names[index].device(key.device)
            guard admits(key, of: index) else { return leaveOut() }
            if let press = key.press {
                key.press =
                    key.phase == .down
                    ? presses[index].down(press, &numbering) : presses[index].new(press, &numbering)
            }
            follow(key, source: UInt32(index))
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
        case .step:
            presses[index].endText()
            return body
        default:
            guard let at = body.decided else { return names[index].joined(body) }
            guard !gaps.holds(time) else {
                presses[index].leaveOut(at)
                return leaveOut()
            }
            return presses[index].new(at, &numbering).map { body.decided(at: $0) } ?? leaveOut()
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

    /// A down without a press stays without one.
    private mutating func follow(_ key: KeyRecord, source: UInt32) {
        guard key.phase == .down else {
            keyboard.apply(key.key, key.phase, device: key.device, press: key.press, source: source)
            return
        }
        if let usage = key.key.usage { keyboard.modifiers.apply(usage, .down, device: key.device) }
        keyboard.hold(key.key, device: key.device, press: key.press, source: source)
    }

    /// Modifier keys that are down where a source ends are no modifiers of later presses of other sources.
    private mutating func releaseModifiers(of index: Int) throws {
        guard inputs.indices.contains(where: { inputs[$0].record != nil && !isFolded($0) }) else { return }
        let held = keyboard.held.filter { Int($0.source) == index && $0.press == nil }
        try release(held, at: time)
    }

    /// Releases keys. Those that go up during a gap are not recorded: they are released where it begins.
    private mutating func release(_ keys: [KeyboardState.HeldKey], at begin: TraceTime) throws {
        for key in keys {
            keyboard.apply(key.key, .up, device: key.device, press: key.press, source: key.source)
            let record = KeyRecord(
                device: key.device, key: key.key, phase: .up, modifiers: keyboard.modifiers.heldFlags, press: key.press,
                isSynthetic: true)
            presses[Int(key.source)].endEarly(record)
            try append(.key(record), at: max(emitted, begin))
        }
    }
}
