import KeyModel
import LatencyAnalysis
import TraceFormat
import TracePresses

/// Rows of the tables about presses.
struct PressRows {
    private let wanted: Set<TraceTable>
    private var nested = NestedTimes()
    private var nestedMessages = NestedTimes()
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
        sink.text(definitions.id(of: call.responder))
        sink.number(call.pass)
        sink.number(call.depth)
        sink.text(definitions.string(call.action))
        var (answer, list): (String?, CommandListRef?)
        switch call.answer {
        case .none: break
        case .no: answer = "no"
        case .yes: answer = "yes"
        case .commands(let commands): (answer, list) = ("commands", commands)
        }
        sink.text(answer)
        sink.number(list?.rawValue)
        sink.number(call.duration?.nanoseconds)
        sink.number(selfTime?.nanoseconds)
        try sink.end()
    }

    mutating func write(
        _ invocation: InvocationRecord, _ definitions: TraceDefinitions, to sink: inout some TraceRowSink
    ) throws {
        sink.begin(.invocations)
        write(invocation.at, to: &sink)
        sink.text(invocation.kind.name)
        sink.text(invocation.occasion.name)
        sink.text(definitions.id(of: invocation.responder))
        sink.text(definitions.string(invocation.selector))
        sink.text(definitions.id(of: invocation.sender))
        var (answer, target, items): (String?, ResponderRef?, UInt32?)
        switch invocation.answer {
        case .nothing: break
        case .no: answer = "no"
        case .yes: answer = "yes"
        case .responder(let responder): (answer, target) = ("responder", responder)
        case .list(let count): (answer, items) = ("list", count)
        }
        sink.text(answer)
        sink.text(definitions.id(of: target))
        sink.number(items)
        sink.text(definitions.string(invocation.path))
        sink.number(invocation.depth)
        sink.number(invocation.count)
        sink.number(invocation.duration.nanoseconds)
        sink.number(nestedMessages.selfTime(of: CallRecord(invocation))?.nanoseconds)
        try sink.end()
    }

    mutating func write(
        _ receiver: ReceiverRecord, _ definitions: TraceDefinitions, to sink: inout some TraceRowSink
    ) throws {
        sink.begin(.receivers)
        write(receiver.at, to: &sink)
        sink.text(definitions.id(of: receiver.responder))
        sink.text(receiver.phase.name)
        sink.flag(receiver.isSwallowed)
        try sink.end()
    }

    mutating func write(
        _ candidate: CandidateRecord, _ definitions: TraceDefinitions, to sink: inout some TraceRowSink
    ) throws {
        sink.begin(.candidates)
        write(candidate.at, to: &sink)
        sink.text(definitions.id(of: candidate.supplier) ?? "mainMenu")
        sink.text(candidate.verdict.name)
        sink.text(definitions.string(candidate.reason))
        sink.number(candidate.command.rawValue)
        write(
            definitions[candidate.command] ?? CommandDefinition(input: nil, modifiers: [], action: ""), to: &sink)
        sink.flag(candidate.isDerived)
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
        sink.text(definitions.id(of: effect.responder))
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
        _ press: TracePress, _ definitions: TraceDefinitions, to sink: inout some TraceRowSink
    ) throws {
        if press.isText {
            if wanted.contains(.texts) { try writeText(press, definitions, to: &sink) }
            return
        }
        let table: TraceTable = press.isRepeat ? .repeats : .presses
        if wanted.contains(table) {
            sink.begin(table)
            write(press.at, to: &sink)
            writeKey(press, to: &sink)
            writeResolution(press, definitions, to: &sink)
            for stage in LatencyStage.allCases { sink.number(press.stages[stage]?.nanoseconds) }
            sink.number(press.stages.total?.nanoseconds)
            writeCounts(press, to: &sink)
            try sink.end()
        }
        guard wanted.contains(.runs) else { return }
        for (number, resolution) in press.resolutions.enumerated().dropFirst() {
            sink.begin(.runs)
            write(press.at, to: &sink)
            sink.number(number + 1)
            writeDecision(resolution, definitions, to: &sink)
            try sink.end()
        }
    }

    private func writeText(
        _ press: TracePress, _ definitions: TraceDefinitions, to sink: inout some TraceRowSink
    ) throws {
        sink.begin(.texts)
        sink.number(press.at.tick)
        sink.number(press.time.nanoseconds)
        sink.text(press.resolution?.outcome.name)
        sink.text(press.resolution?.takenBy?.name)
        sink.text(definitions.id(of: press.resolution?.target))
        sink.text(definitions.string(press.resolution?.text))
        try sink.end()
    }

    private mutating func writeKey(_ press: TracePress, to sink: inout some TraceRowSink) {
        sink.number(press.time.nanoseconds)
        sink.number(press.key?.device)
        sink.text(press.chord.map { text($0) })
        sink.text(press.key?.key.usage?.name)
        sink.text(press.key?.key.maskedClass?.name)
        sink.text(press.key.map { words($0.modifiers) })
    }

    private func writeResolution(
        _ press: TracePress, _ definitions: TraceDefinitions, to sink: inout some TraceRowSink
    ) {
        let resolution = press.resolution
        sink.text(definitions.string(resolution?.character))
        if let resolution {
            writeDecision(resolution, definitions, to: &sink)
        } else {
            for _ in 0..<5 { sink.text(nil) }
        }
        sink.text(definitions.id(of: resolution?.start))
        sink.text(definitions.id(of: resolution?.keyWindow))
        sink.text(definitions.string(resolution?.text))
        let isDecided = press.level > .keys
        sink.number(isDecided ? press.resolutions.count { $0.outcome == .performed } : nil)
        sink.flag(isDecided ? press.isSwallowed : nil)
        sink.number(press.release.map { $0.time.since(press.time).nanoseconds })
        sink.flag(press.release.map { $0.record.phase == .cancel })
    }

    /// Outcome, who took it, action, supplier, target.
    private func writeDecision(
        _ resolution: ResolutionRecord, _ definitions: TraceDefinitions, to sink: inout some TraceRowSink
    ) {
        sink.text(resolution.outcome.name)
        sink.text(resolution.takenBy?.name)
        sink.text(definitions.string(resolution.action))
        sink.text(resolution.supplierName(definitions))
        sink.text(definitions.id(of: resolution.target))
    }

    private func writeCounts(_ press: TracePress, to sink: inout some TraceRowSink) {
        let hasCalls = press.level == .calls
        for kind in CallKind.allCases {
            sink.number(hasCalls ? press.callCounts[Int(kind.rawValue)] : nil)
        }
        sink.number(hasCalls && !press.isCutShort ? press.callsOnRelease : nil)
        sink.number(hasCalls ? press.shadowReads : nil)
        let cache = CacheEffectiveness(press.cacheRecords)
        sink.number(cache?.hits)
        sink.number(cache?.misses)
        sink.number(cache?.stale)
        sink.number(cache?.invalidations)
        sink.number(cache?.callsSaved)
        sink.number(cache?.timeSaved.nanoseconds)
        sink.text(press.resolutions.last?.state.map { $0.hexadecimal(16) })
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
}

extension ResolutionRecord {
    /// `"mainMenu"` for a command of the menu; `nil` where no command decided.
    func supplierName(_ definitions: TraceDefinitions) -> String? {
        definitions.id(of: supplier) ?? (takenBy == .mainMenu ? "mainMenu" : nil)
    }
}
