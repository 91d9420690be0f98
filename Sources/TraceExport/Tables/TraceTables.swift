import KeyModel
package import LatencyAnalysis
package import TraceFormat
import TracePresses

/// Destination of rows, cell by cell, in the order of the table's columns.
package protocol TraceRowSink {
    mutating func begin(_ table: TraceTable)
    /// NULL for `nil`.
    mutating func number(_ value: Int64?)
    mutating func text(_ value: String?)
    mutating func end() throws
}

extension TraceRowSink {
    mutating func number(_ value: (some BinaryInteger)?) { number(value.map { Int64(clamping: $0) } as Int64?) }
    mutating func flag(_ value: Bool?) { number(value.map { $0 ? 1 : 0 } as Int64?) }
}

/// A trace as rows of tables, in one reading. Memory grows with the presses that wait for their release, with what
/// the trace defines, and, where findings are wanted, with what `lint` keeps.
package struct TraceTables<Sink: TraceRowSink>: TraceConsumer {
    package private(set) var sink: Sink
    /// The first error of the sink; nothing is written after it.
    package private(set) var failure: (any Error)?
    private let wanted: Set<TraceTable>
    private let wants: Wants
    private var assembler: PressAssembler
    private var info = TraceInfoBuilder()
    private var lint = LintScanner()
    private var rows: PressRows
    private var json = JSONText()

    /// The most frequent lookups in `wanted`, precomputed.
    private struct Wants {
        var presses, info, lint, keys, calls, invocations, receivers, candidates, stages, effects, context: Bool
    }

    /// `level`: the trace's at its beginning. `context`: its initial context.
    package init(
        _ wanted: Set<TraceTable>, level: TraceLevel, context: [ContextEntry] = [],
        definitions: TraceDefinitions = TraceDefinitions(), sink: Sink
    ) {
        self.wanted = wanted
        self.sink = sink
        assembler = PressAssembler([.keys, .texts, .swallowing, .cache, .resolutions], .released, level: level)
        rows = PressRows(wanted)
        wants = Wants(
            presses: !wanted.isDisjoint(with: [.presses, .repeats, .runs, .texts]), info: wanted.contains(.trace),
            lint: !wanted.isDisjoint(with: [.findings, .evidence]), keys: wanted.contains(.keys),
            calls: wanted.contains(.calls), invocations: wanted.contains(.invocations),
            receivers: wanted.contains(.receivers),
            candidates: wanted.contains(.candidates), stages: wanted.contains(.stages),
            effects: wanted.contains(.effects),
            context: !wanted.isDisjoint(
                with: [.environment, .devices, .clocks, .layouts, .focus, .links, .marks, .context, .loss]))
        info.begin(context)
        lint.begin(context)
        for case .record(let body) in context { attempt { try $0.writeContext(body, nil, definitions) } }
    }

    package var keepsHandles: Bool {
        wants.presses || wants.lint || wants.calls
            || wants.invocations || !wanted.isDisjoint(with: [.commands, .lists, .candidates, .responders])
    }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        guard failure == nil else { return }
        if wants.info { info.consume(record, definitions: definitions) }
        if wants.lint { lint.consume(record, definitions: definitions) }
        attempt { try $0.write(record, definitions) }
        guard wants.presses else { return }
        assembler.consume(record)
        attempt { try $0.writeFinished(definitions) }
    }

    /// Writes what is known at the end, and throws what went wrong before. Call it once.
    package mutating func finish(of file: TraceFileFacts, definitions: TraceDefinitions) throws {
        if wants.presses {
            assembler.finish()
            attempt { try $0.writeFinished(definitions) }
        }
        attempt { try $0.writeEnd(file, definitions) }
        if let failure { throw failure }
    }

    private mutating func attempt(_ body: (inout Self) throws -> Void) {
        guard failure == nil else { return }
        do { try body(&self) } catch { failure = error }
    }

    private mutating func writeFinished(_ definitions: TraceDefinitions) throws {
        while let press = assembler.next() { try rows.write(press, definitions, to: &sink) }
    }

    private mutating func write(_ record: TraceRecord, _ definitions: TraceDefinitions) throws {
        switch record.body {
        case .key(let key): if wants.keys { try rows.write(key, record, to: &sink) }
        case .call(let call): if wants.calls { try rows.write(call, definitions, to: &sink) }
        case .invocation(let invocation):
            if wants.invocations { try rows.write(invocation, definitions, to: &sink) }
        case .receiver(let receiver): if wants.receivers { try rows.write(receiver, definitions, to: &sink) }
        case .candidate(let candidate): if wants.candidates { try rows.write(candidate, definitions, to: &sink) }
        case .stage(let stage): if wants.stages { try rows.write(stage, to: &sink) }
        case .effect(let effect): if wants.effects { try rows.write(effect, definitions, to: &sink) }
        case .resolution, .cache, .text: break
        default: if wants.context { try writeContext(record.body, record, definitions) }
        }
    }

    // MARK: Context

    /// `nil` as record: it was so before the recording.
    private mutating func writeContext(
        _ body: TraceRecord.Body, _ record: TraceRecord?, _ definitions: TraceDefinitions
    ) throws {
        switch body {
        case .environment(let fact):
            guard begin(.environment, record) else { return }
            sink.text(fact.name)
            sink.text(fact.value)
        case .device(let device):
            guard wanted.contains(.devices) else { return }
            write(device)
        case .clock(let clock):
            guard wanted.contains(.clocks) else { return }
            sink.begin(.clocks)
            sink.text(clock.source)
            sink.number(clock.unixTime)
            sink.number(clock.granularity)
            sink.number(clock.backwardSteps)
        case .layout(let layout):
            guard begin(.layouts, record) else { return }
            sink.text(layout.name)
            sink.text(layout.hash.hexadecimal(16))
            sink.flag(layout.table != nil)
        case .firstResponder(let change):
            return try writeFocus("firstResponder", change.responder, change.cause, nil, record, definitions)
        case .keyWindow(let change):
            return try writeFocus("keyWindow", change.window, change.cause, nil, record, definitions)
        case .textInput(let input):
            return try writeFocus("textInput", input.responder, nil, input.isSecure, record, definitions)
        case .link(let link):
            guard begin(.links, record) else { return }
            sink.text(definitions.id(of: link.responder))
            sink.text(definitions.id(of: link.next))
            sink.text(definitions.id(of: link.window))
        case .mark(let mark):
            guard begin(.marks, record) else { return }
            sink.text(mark.name)
        case .loss(let loss):
            guard begin(.loss, record) else { return }
            write(loss)
        case .mainWindow(let change):
            return try writeFocus("mainWindow", change.window, nil, nil, record, definitions)
        case .key, .call, .invocation, .receiver, .candidate, .stage, .effect, .resolution, .cache, .text: return
        default:
            guard begin(.context, record) else { return }
            writeFields(body, record, definitions)
        }
        try sink.end()
    }

    /// False where the table is not requested.
    private mutating func begin(_ table: TraceTable, _ record: TraceRecord?) -> Bool {
        guard wanted.contains(table) else { return false }
        sink.begin(table)
        sink.number(record?.sequence)
        sink.number(record?.time.nanoseconds)
        return true
    }

    private mutating func writeFocus(
        _ what: String, _ responder: ResponderRef?, _ cause: FocusCause?, _ isSecure: Bool?, _ record: TraceRecord?,
        _ definitions: TraceDefinitions
    ) throws {
        guard begin(.focus, record) else { return }
        sink.text(what)
        sink.text(definitions.id(of: responder))
        sink.text(cause?.name)
        sink.flag(isSecure)
        try sink.end()
    }

    private mutating func write(_ device: DeviceRecord) {
        sink.begin(.devices)
        sink.number(device.device)
        sink.text(device.name)
        sink.text(device.source)
        for number in [device.bus, device.address, device.endpoint, device.adapter] { sink.number(number) }
        sink.text(device.transport)
        for number in [device.handle, device.attribute, device.vendor, device.product] { sink.number(number) }
    }

    private mutating func write(_ loss: LossRecord) {
        sink.text(loss.cause.name)
        sink.number(loss.count)
        sink.number(loss.duration?.nanoseconds)
        sink.text(loss.detail)
    }

    private mutating func writeFields(
        _ body: TraceRecord.Body, _ record: TraceRecord?, _ definitions: TraceDefinitions
    ) {
        sink.text(body.kind?.name ?? "unknown")
        json.removeAll()
        json.appendLine(record ?? TraceRecord(time: .zero, sequence: 0, body: body), definitions: definitions)
        sink.text(String(decoding: json.bytes.dropLast(), as: UTF8.self))
    }

    // MARK: The end

    private mutating func writeEnd(_ file: TraceFileFacts, _ definitions: TraceDefinitions) throws {
        if wants.info { try write(info.info(of: file)) }
        if wanted.contains(.loss), let damage = file.damage {
            _ = begin(.loss, nil)
            write(LossRecord(
                cause: .damaged, count: damage.recordsLost, duration: nil,
                detail: "byte \(damage.offset): \(damage.reason)"))
            try sink.end()
        }
        try writeDefinitions(definitions)
        if wants.lint { try writeFindings(lint.findings(definitions: definitions)) }
    }

    private mutating func write(_ info: TraceInfo) throws {
        sink.begin(.trace)
        sink.text("keyflight.tables/1")
        sink.number(info.file.version)
        sink.text(info.file.form)
        sink.text(info.level.name)
        sink.flag(info.isMasked)
        sink.flag(info.file.isComplete)
        sink.number(info.file.bytes)
        sink.number(info.records)
        sink.number(info.numberedPresses)
        sink.number(info.presses)
        sink.number(info.repeats)
        sink.number(info.duration.nanoseconds)
        try sink.end()
    }

    private mutating func writeDefinitions(_ definitions: TraceDefinitions) throws {
        if wanted.contains(.responders) {
            for responder in definitions.responders {
                sink.begin(.responders)
                sink.text(responder.id)
                sink.text(responder.kind)
                try sink.end()
            }
        }
        if wanted.contains(.commands) {
            for (number, command) in definitions.commands.enumerated() {
                sink.begin(.commands)
                sink.number(number)
                rows.write(command, to: &sink)
                sink.text(PressRows.words(command.attributes))
                try sink.end()
            }
        }
        guard wanted.contains(.lists) else { return }
        for (number, list) in definitions.lists.enumerated() {
            for (position, command) in list.enumerated() {
                sink.begin(.lists)
                sink.number(number)
                sink.number(position)
                sink.number(command.rawValue)
                try sink.end()
            }
        }
    }

    private mutating func writeFindings(_ findings: [Finding]) throws {
        for (number, finding) in findings.enumerated() {
            if wanted.contains(.findings) {
                sink.begin(.findings)
                sink.number(number + 1)
                sink.text(finding.rule.rawValue)
                sink.text(finding.rule.severity.name)
                sink.text(finding.chord?.text)
                sink.text(finding.message)
                sink.number(finding.presses)
                sink.text(finding.rule.hint)
                try sink.end()
            }
            guard wanted.contains(.evidence) else { continue }
            for evidence in finding.evidence {
                sink.begin(.evidence)
                sink.number(number + 1)
                sink.number(evidence.press)
                sink.number(evidence.tick)
                sink.number(evidence.time.nanoseconds)
                try sink.end()
            }
        }
    }
}

extension TraceDefinitions {
    func string(_ ref: StringRef?) -> String? { ref.flatMap { self[$0] } }
}
