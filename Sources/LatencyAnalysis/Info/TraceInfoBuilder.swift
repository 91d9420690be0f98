import KeyModel
package import TraceFormat

/// Collects `TraceInfo` from a trace as it is read.
package struct TraceInfoBuilder: TraceConsumer, Sendable {
    private var records: UInt64 = 0
    private var keyEvents: UInt64 = 0
    private var presses: UInt64 = 0
    /// Presses that were decoded and have an ordinal.
    private var numberedPresses: UInt64 = 0
    /// Ordinals of the presses of a trace that is counted by its index.
    private var pressSpan: PressSpan?
    private var repeats: UInt64 = 0
    private var cancels: UInt64 = 0
    private var texts: UInt64 = 0
    private var resolutions: UInt64 = 0
    private var candidates: UInt64 = 0
    /// Presses with candidates and without a resolution so far.
    private var openCandidates: Set<PressTick> = []
    private var commandsWithoutCandidates: UInt64? = 0
    private var contextKinds: Set<RecordKind> = []
    private var hasCalls = false
    private var idleReports: UInt64 = 0
    private var unknownRecords: UInt64 = 0
    private var firstRecord: (time: TraceTime, sequence: UInt64)?
    private var lastTime = TraceTime.zero
    /// A text, or a key that types text, is there in clear.
    private(set) var sawClearText = false
    private var devices = FirstSeenTable<UInt16, DeviceRecord>()
    private var clocks = FirstSeenTable<String, ClockRecord>()
    private var clockRelations = FirstSeenTable<[String], ClockRelationRecord>()
    private var loss = LossSummary()
    private var environment = FirstSeenTable<String, EnvironmentRecord>()
    private var layouts = FirstSeenTable<LayoutKey, TraceInfo.LayoutUse>()
    private var spans: [TraceInfo.LevelSpan] = []
    /// The highest level whose records were seen, for traces that do not state one.
    private var seenLevel = TraceLevel.keys

    package init() {}

    package var keepsHandles: Bool { false }

    /// Starts from the initial context, where one is recorded. None of it is counted.
    package mutating func begin(_ entries: [ContextEntry]) {
        for case .record(let body) in entries {
            note(fact: body)
            noteContext(body.kind)
        }
    }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        // The trace does not hold it.
        if case .candidate(let candidate) = record.body, candidate.isDerived { return }
        records = records.addingSaturated(1)
        if firstRecord == nil { firstRecord = (record.time, record.sequence) }
        lastTime = max(lastTime, record.time)
        switch record.body {
        case .key(let key): note(key)
        case .text(let text):
            texts = texts.addingSaturated(1)
            if text.text != nil { sawClearText = true }
        case .idle(let idle): idleReports = idleReports.addingSaturated(idle.reports)
        case .level(let level): note(level.level, at: record)
        case .loss(let missing): loss.note(missing, at: record.time)
        case .resolution(let resolution):
            resolutions = resolutions.addingSaturated(1)
            seenLevel = max(seenLevel, .resolutions)
            if openCandidates.remove(resolution.at) == nil, resolution.isByCommand {
                commandsWithoutCandidates = commandsWithoutCandidates?.addingSaturated(1)
            }
        case .candidate(let candidate):
            candidates = candidates.addingSaturated(1)
            seenLevel = max(seenLevel, .resolutions)
            if openCandidates.count < TraceInfoBuilder.openLimit { openCandidates.insert(candidate.at) }
        case .firstResponder, .link, .textInput: noteContext(record.body.kind)
        case .receiver, .effect: seenLevel = max(seenLevel, .resolutions)
        case .stage: seenLevel = max(seenLevel, .stages)
        case .call:
            seenLevel = .calls
            hasCalls = true
        case .cache, .invocation: seenLevel = .calls
        case .unknown: unknownRecords = unknownRecords.addingSaturated(1)
        default: note(fact: record.body)
        }
    }

    /// Real presses overlap by a handful.
    private static let openLimit = 1_024

    private mutating func noteContext(_ kind: RecordKind?) {
        if let kind, TraceInfoBuilder.contextKinds.contains(kind) { contextKinds.insert(kind) }
    }

    private static let contextKinds: Set<RecordKind> = [.firstResponder, .link, .textInput, .call]

    private mutating func note(fact: TraceRecord.Body) {
        switch fact {
        case .device(let device): devices[device.device] = device
        case .clock(let clock): clocks[clock.source] = clock
        case .clockRelation(let relation): clockRelations[[relation.source, relation.reference]] = relation
        case .environment(let fact): environment[fact.name] = fact
        case .layout(let layout): note(layout)
        default: break
        }
    }

    /// Takes all counts, and the times of the first and the last record, from an index.
    mutating func count(_ summary: TraceSummary, _ presses: PressSpan) {
        pressSpan = presses
        let totals = summary.totals
        records = totals.records
        downsAndUps(totals)
        texts = totals.count(of: .text)
        resolutions = totals.count(of: .resolution)
        candidates = totals.count(of: .candidate)
        commandsWithoutCandidates = nil
        for kind in TraceInfoBuilder.contextKinds where totals.count(of: kind) > 0 { noteContext(kind) }
        idleReports = totals.idleReports
        unknownRecords = totals.unknownRecords
        firstRecord = summary.first
        lastTime = summary.lastTime
        let resolved: [RecordKind] = [.receiver, .candidate, .effect, .resolution]
        if resolved.contains(where: { totals.count(of: $0) > 0 }) { seenLevel = max(seenLevel, .resolutions) }
        if totals.count(of: .stage) > 0 { seenLevel = max(seenLevel, .stages) }
        let calls: [RecordKind] = [.call, .cache, .invocation]
        if calls.contains(where: { totals.count(of: $0) > 0 }) { seenLevel = .calls }
    }

    private mutating func downsAndUps(_ totals: TraceTotals) {
        presses = totals.downs
        keyEvents = totals.downs.addingSaturated(totals.ups)
        repeats = totals.repeats
        cancels = totals.cancels
        loss.synthetic = totals.synthetic
    }

    private mutating func note(_ key: KeyRecord) {
        if key.isSynthetic {
            loss.synthetic = loss.synthetic.addingSaturated(1)
            return
        }
        switch key.phase {
        case .down:
            keyEvents = keyEvents.addingSaturated(1)
            presses = presses.addingSaturated(1)
            if key.press != nil { numberedPresses = numberedPresses.addingSaturated(1) }
            // A text key in clear without ⌘ or ⌃ is one that masking would have hidden.
            if let usage = key.key.usage, TextKeyClass(usage) != nil,
                key.modifiers.isDisjoint(with: [.command, .control])
            {
                sawClearText = true
            }
        case .up: keyEvents = keyEvents.addingSaturated(1)
        case .repeat: repeats = repeats.addingSaturated(1)
        case .cancel: cancels = cancels.addingSaturated(1)
        }
    }

    private struct LayoutKey: Hashable, Sendable {
        var name: String
        var hash: UInt64
    }

    private mutating func note(_ layout: LayoutRecord) {
        let key = LayoutKey(name: layout.name, hash: layout.hash)
        let isStored = layout.table != nil || layouts[key]?.isStored == true
        layouts[key] = TraceInfo.LayoutUse(name: layout.name, hash: layout.hash, isStored: isStored)
    }

    private mutating func note(_ level: TraceLevel, at record: TraceRecord) {
        if let last = spans.indices.last {
            guard spans[last].level != level else { return }
            spans[last].to = record.time
        }
        spans.append(
            TraceInfo.LevelSpan(level: level, from: record.time, to: record.time, sequence: record.sequence))
    }

    /// The spans with the header's level before the first record that states one.
    private func spansBegin(
        with level: TraceLevel, at first: (time: TraceTime, sequence: UInt64)
    ) -> [TraceInfo.LevelSpan] {
        var all = spans
        if all.first?.level == level {
            all[0].from = first.time
            all[0].sequence = first.sequence
        } else {
            let end = all.first?.from ?? lastTime
            all.insert(
                TraceInfo.LevelSpan(level: level, from: first.time, to: end, sequence: first.sequence), at: 0)
        }
        return all
    }

    /// The facts so far. `masked` is the flag of the header; without a header, a trace is masked unless it contains
    /// text or a text key in clear.
    package func info(of file: TraceFileFacts = TraceFileFacts()) -> TraceInfo {
        var closed = spans
        if let level = file.level, let first = firstRecord, closed.first?.sequence != first.sequence {
            closed = spansBegin(with: level, at: first)
        }
        if let last = closed.indices.last { closed[last].to = lastTime }
        var complete = loss
        complete.damage = file.damage
        let length = firstRecord.map { lastTime.since($0.time) } ?? .zero
        return TraceInfo(
            file: file, level: closed.map(\.level).min() ?? file.level ?? seenLevel,
            levels: closed.count > 1 ? closed : [], records: records, keyEvents: keyEvents, presses: presses,
            numberedPresses: pressSpan?.count ?? numberedPresses, repeats: repeats, cancels: cancels, texts: texts,
            resolutions: resolutions, candidates: candidates,
            commandsWithoutCandidates: commandsWithoutCandidates,
            contextKinds: hasCalls ? contextKinds.union([.call]) : contextKinds,
            duration: max(length, .zero),
            isMasked: file.isMasked ?? !sawClearText, devices: devices.values, clocks: clocks.values,
            clockRelations: clockRelations.values, loss: complete, idleReports: idleReports,
            unknownRecords: unknownRecords, environment: environment.values,
            layouts: layouts.values)
    }
}

extension ResolutionRecord {
    /// A command of some responder, or of the main menu, took the press.
    fileprivate var isByCommand: Bool { [.priorityKeyCommands, .keyCommands, .mainMenu].contains(takenBy) }
}

/// Values by key, in the order in which their keys were first seen; a later value replaces an earlier one.
struct FirstSeenTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private(set) var values: [Value] = []
    private var index: [Key: Int] = [:]

    subscript(_ key: Key) -> Value? {
        get { index[key].map { values[$0] } }
        set {
            guard let newValue else { return }
            if let at = index[key] {
                values[at] = newValue
            } else {
                index[key] = values.count
                values.append(newValue)
            }
        }
    }
}
