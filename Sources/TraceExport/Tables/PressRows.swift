import KeyModel
import LatencyAnalysis
import TraceFormat

/// Rows of the tables about presses.
struct PressRows {
    private let wanted: Set<TraceTable>
    private var nested = NestedTimes()
    /// Texts that many rows have.
    private var chords: [Chord: String] = [:]
    private var modifiers: [KeyModifiers: String] = [:]

    init(_ wanted: Set<TraceTable>) { self.wanted = wanted }

    // MARK: Records

    mutating func write(_ key: KeyRecord, _ record: TraceRecord, to sink: inout some TraceRowSink) throws {
        sink.begin(.keys)
        sink.number(record.sequence)
        sink.number(record.time.nanoseconds)
        sink.number(key.device)
        sink.number(key.press)
        sink.text(key.phase.name)
        sink.number(key.key.usage?.page ?? KeyUsage.keyboardPage)
        sink.number(key.key.usage?.usage)
        sink.text(key.key.usage?.name)
        sink.text(key.key.maskedClass?.name)
        sink.text(words(key.modifiers))
        sink.flag(key.isSynthetic)
        try sink.end()
    }

    mutating func write(
        _ call: CallRecord, _ definitions: TraceDefinitions, to sink: inout some TraceRowSink
    ) throws {
        let selfTime = nested.selfTime(of: call)
        sink.begin(.calls)
        write(call.at, to: &sink)
        sink.text(call.kind.name)
        sink.text(call.occasion.name)
        sink.text(definitions.responder(call.responder))
        sink.number(call.pass)
        sink.number(call.depth)
        sink.text(definitions.string(call.action))
        switch call.answer {
        case .none:
            sink.text(nil)
            sink.number(nil as Int64?)
        case .no:
            sink.text("no")
            sink.number(nil as Int64?)
        case .yes:
            sink.text("yes")
            sink.number(nil as Int64?)
        case .commands(let list):
            sink.text("commands")
            sink.number(list.rawValue)
        }
        sink.number(call.duration?.nanoseconds)
        sink.number(selfTime?.nanoseconds)
        try sink.end()
    }

    mutating func write(
        _ receiver: ReceiverRecord, _ definitions: TraceDefinitions, to sink: inout some TraceRowSink
    ) throws {
        sink.begin(.receivers)
        write(receiver.at, to: &sink)
        sink.text(definitions.responder(receiver.responder))
        sink.text(receiver.phase.name)
        sink.flag(receiver.isSwallowed)
        try sink.end()
    }

    mutating func write(
        _ candidate: CandidateRecord, _ definitions: TraceDefinitions, to sink: inout some TraceRowSink
    ) throws {
        sink.begin(.candidates)
        write(candidate.at, to: &sink)
        sink.text(definitions.responder(candidate.supplier) ?? "mainMenu")
        sink.text(candidate.verdict.name)
        sink.text(definitions.string(candidate.reason))
        sink.number(candidate.command.rawValue)
        write(
            definitions[candidate.command] ?? CommandDefinition(input: nil, modifiers: [], action: ""), to: &sink)
        try sink.end()
    }

    mutating func write(_ command: CommandDefinition, to sink: inout some TraceRowSink) {
        sink.text(command.input)
        sink.text(words(command.modifiers))
        sink.text(command.action)
        sink.text(command.title)
    }

    mutating func write(_ stage: StageRecord, to sink: inout some TraceRowSink) throws {
        sink.begin(.stages)
        write(stage.at, to: &sink)
        sink.text(stage.stage.name)
        sink.number(stage.duration.nanoseconds)
        sink.flag(stage.isRounded)
        try sink.end()
    }

    mutating func write(
        _ effect: EffectRecord, _ definitions: TraceDefinitions, to sink: inout some TraceRowSink
    ) throws {
        sink.begin(.effects)
        write(effect.at, to: &sink)
        sink.text(definitions.responder(effect.responder))
        sink.text(definitions.string(effect.kind))
        sink.text(definitions.string(effect.value))
        try sink.end()
    }

    private func write(_ at: PressTick, to sink: inout some TraceRowSink) {
        sink.number(at.press)
        sink.number(at.tick)
    }

    // MARK: Presses

    mutating func write(
        _ facts: PressFacts, _ definitions: TraceDefinitions, to sink: inout some TraceRowSink
    ) throws {
        if facts.isText {
            if wanted.contains(.texts) { try writeText(facts, definitions, to: &sink) }
            return
        }
        let table: TraceTable = facts.isRepeat ? .repeats : .presses
        if wanted.contains(table) {
            sink.begin(table)
            write(facts.at, to: &sink)
            writeKey(facts, to: &sink)
            writeResolution(facts, definitions, to: &sink)
            for stage in LatencyStage.allCases { sink.number(facts.stages[stage]?.nanoseconds) }
            sink.number(facts.stages.total?.nanoseconds)
            writeCounts(facts, to: &sink)
            try sink.end()
        }
        guard facts.runs.count > 1, wanted.contains(.runs) else { return }
        for (number, run) in facts.runs.enumerated().dropFirst() {
            guard let resolution = run.resolution else { continue }
            sink.begin(.runs)
            write(facts.at, to: &sink)
            sink.number(number + 1)
            writeDecision(resolution, definitions, to: &sink)
            try sink.end()
        }
    }

    private func writeText(
        _ facts: PressFacts, _ definitions: TraceDefinitions, to sink: inout some TraceRowSink
    ) throws {
        sink.begin(.texts)
        sink.number(facts.at.tick)
        sink.number(facts.time.nanoseconds)
        sink.text(facts.resolution?.outcome.name)
        sink.text(facts.resolution?.takenBy?.name)
        sink.text(definitions.responder(facts.resolution?.target))
        sink.text(definitions.string(facts.resolution?.text))
        try sink.end()
    }

    private mutating func writeKey(_ facts: PressFacts, to sink: inout some TraceRowSink) {
        sink.number(facts.time.nanoseconds)
        sink.number(facts.key?.device)
        sink.text(facts.chord.map { text($0) })
        sink.text(facts.key?.key.usage?.name)
        sink.text(facts.key?.key.maskedClass?.name)
        sink.text(facts.key.map { words($0.modifiers) })
    }

    private func writeResolution(
        _ facts: PressFacts, _ definitions: TraceDefinitions, to sink: inout some TraceRowSink
    ) {
        let resolution = facts.resolution
        sink.text(definitions.string(resolution?.character))
        if let resolution {
            writeDecision(resolution, definitions, to: &sink)
        } else {
            for _ in 0..<5 { sink.text(nil) }
        }
        sink.text(definitions.responder(resolution?.start))
        sink.text(definitions.responder(resolution?.keyWindow))
        sink.text(definitions.string(resolution?.text))
        let isDecided = facts.level > .keys
        sink.number(isDecided ? facts.runs.count { $0.resolution != nil } : nil)
        sink.flag(isDecided ? facts.runs.contains(where: \.isSwallowed) : nil)
        sink.number(facts.release.map { $0.since(facts.time).nanoseconds })
        sink.flag(facts.release == nil ? nil : facts.isCancelled)
    }

    /// Outcome, who took it, action, supplier, target.
    private func writeDecision(
        _ resolution: ResolutionRecord, _ definitions: TraceDefinitions, to sink: inout some TraceRowSink
    ) {
        sink.text(resolution.outcome.name)
        sink.text(resolution.takenBy?.name)
        sink.text(definitions.string(resolution.action))
        sink.text(resolution.supplierName(definitions))
        sink.text(definitions.responder(resolution.target))
    }

    private func writeCounts(_ facts: PressFacts, to sink: inout some TraceRowSink) {
        let hasCalls = facts.level == .calls
        for kind in CallKind.allCases {
            sink.number(hasCalls ? facts.runs.reduce(0) { $0 &+ $1.calls[Int(kind.rawValue)] } : nil)
        }
        sink.number(hasCalls && !facts.isCutShort ? facts.runs.reduce(0) { $0 &+ $1.callsOnRelease } : nil)
        sink.number(hasCalls ? facts.runs.reduce(0) { $0 &+ $1.shadowReads } : nil)
        let cache = facts.cache
        sink.number(cache?.hits)
        sink.number(cache?.misses)
        sink.number(cache?.stale)
        sink.number(cache?.invalidations)
        sink.number(cache?.callsSaved)
        sink.number(cache?.timeSaved.nanoseconds)
        sink.text(facts.runs.last?.resolution?.state.map(PressRows.hexadecimal))
    }

    // MARK: Words

    private mutating func text(_ chord: Chord) -> String {
        if let known = chords[chord] { return known }
        let text = chord.text
        if chords.count < 4096 { chords[chord] = text }
        return text
    }

    private mutating func words(_ set: KeyModifiers) -> String {
        if let known = modifiers[set] { return known }
        let text = set.names.joined(separator: "+")
        modifiers[set] = text
        return text
    }

    static func words(_ attributes: CommandDefinition.Attributes) -> String {
        attributes.names.joined(separator: "+")
    }

    /// Sixteen hexadecimal digits.
    static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

extension ResolutionRecord {
    /// `"mainMenu"` for a command of the menu; `nil` where no command decided.
    func supplierName(_ definitions: TraceDefinitions) -> String? {
        definitions.responder(supplier) ?? (takenBy == .mainMenu ? "mainMenu" : nil)
    }
}
