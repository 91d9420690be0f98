import KeyModel
package import TraceFormat
import TracePresses

/// Collects `TraceInfo` from a trace as it is read.
package struct TraceInfoBuilder: TraceConsumer, Sendable {
    private var records: UInt64 = 0
    private var unknownRecords: UInt64 = 0
    /// Of records of known kinds, apart from calls: most records are calls, and it is enough that there are some.
    private var totals = TraceTotals()
    private var hasCalls = false
    /// Presses that were decoded and have an ordinal.
    private var numberedPresses: UInt64 = 0
    /// By press, 1 after its down, 2 after its resolution alone.
    private var seenPresses = PressNumbers<UInt8>()
    /// Ordinals of the presses of a trace that is counted by its index.
    private var pressSpan: PressSpan?
    /// Presses with candidates and without a resolution so far.
    private var openCandidates: Set<PressTick> = []
    private var commandsWithoutCandidates: UInt64? = 0
    /// Of the initial context.
    private var contextKinds: Set<RecordKind> = []
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

    package init() {}

    package var keepsHandles: Bool { false }

    /// Starts from the initial context, where one is recorded. None of it is counted.
    package mutating func begin(_ entries: [ContextEntry]) {
        for case .record(let body) in entries {
            note(fact: body)
            if let kind = body.kind, TraceInfoBuilder.contextKinds.contains(kind) { contextKinds.insert(kind) }
        }
    }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        // The trace does not hold it.
        if case .candidate(let candidate) = record.body, candidate.isDerived { return }
        records = records.addingSaturated(1)
        if firstRecord == nil { firstRecord = (record.time, record.sequence) }
        lastTime = max(lastTime, record.time)
        // The number of an unknown kind may be that of a kind that came with a later version.
        if case .unknown = record.body { return unknownRecords = unknownRecords.addingSaturated(1) }
        if case .call = record.body { return hasCalls = true }
        totals.note(record.body)
        switch record.body {
        case .key(let key): note(key)
        case .text(let text): if text.text != nil { sawClearText = true }
        case .level(let level): note(level.level, at: record)
        case .loss(let missing): loss.note(missing, at: record.time)
        case .resolution(let resolution):
            if resolution.at.tick == 0, seenPresses[resolution.at.press] == 0 { count(resolution.at.press, 2) }
            if openCandidates.remove(resolution.at) == nil, resolution.isByCommand {
                commandsWithoutCandidates = commandsWithoutCandidates?.addingSaturated(1)
            }
        case .candidate(let candidate):
            if openCandidates.count < TraceInfoBuilder.openLimit { openCandidates.insert(candidate.at) }
        default: note(fact: record.body)
        }
    }

    /// Real presses overlap by a handful.
    private static let openLimit = 1_024

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
        totals = summary.totals
        records = totals.records
        unknownRecords = totals.unknownRecords
        commandsWithoutCandidates = nil
        firstRecord = summary.first
        lastTime = summary.lastTime
    }

    /// The highest level whose records were seen, for traces that do not state one.
    private var seenLevel: TraceLevel {
        if contains(.call, .cache, .invocation) { return .calls }
        if contains(.stage) { return .stages }
        return contains(.receiver, .candidate, .effect, .resolution) ? .resolutions : .keys
    }

    private func contains(_ kinds: RecordKind...) -> Bool {
        kinds.contains { totals.count(of: $0) > 0 || $0 == .call && hasCalls }
    }

    private mutating func note(_ key: KeyRecord) {
        guard key.phase == .down, !key.isSynthetic else { return }
        // A key may come after its resolution.
        if let press = key.press {
            if seenPresses[press] == 2 { seenPresses[press] = 1 } else { count(press, 1) }
        }
        // A text key in clear without ⌘ or ⌃ is one that masking would have hidden.
        if let usage = key.key.usage, TextKeyClass(usage) != nil, key.modifiers.isDisjoint(with: [.command, .control]) {
            sawClearText = true
        }
    }

    private mutating func count(_ press: UInt32, _ state: UInt8) {
        guard press > 0 else { return }  // that of texts
        seenPresses[press] = state
        numberedPresses = numberedPresses.addingSaturated(1)
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
        complete.synthetic = totals.synthetic
        complete.damage = file.damage
        let length = firstRecord.map { lastTime.since($0.time) } ?? .zero
        return TraceInfo(
            file: file, level: closed.map(\.level).min() ?? file.level ?? seenLevel,
            levels: closed.count > 1 ? closed : [], records: records,
            keyEvents: totals.downs.addingSaturated(totals.ups), presses: totals.downs,
            numberedPresses: pressSpan?.count ?? numberedPresses, repeats: totals.repeats, cancels: totals.cancels,
            texts: totals.count(of: .text), resolutions: totals.count(of: .resolution),
            candidates: totals.count(of: .candidate), commandsWithoutCandidates: commandsWithoutCandidates,
            contextKinds: contextKinds.union(TraceInfoBuilder.contextKinds.filter { contains($0) }),
            duration: max(length, .zero), isMasked: file.isMasked ?? !sawClearText, devices: devices.values,
            clocks: clocks.values, clockRelations: clockRelations.values, loss: complete,
            idleReports: totals.idleReports, unknownRecords: unknownRecords, environment: environment.values,
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
