import KeyModel
package import LatencyAnalysis
package import TraceFormat
import TracePresses

/// Destination of the rows of several tables.
package protocol TraceRowSink: RowSink {
    mutating func begin(_ table: TraceTable)
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
    private var texts = RowTexts()
    private var nested = NestedTimes()
    private var nestedMessages = NestedTimes()
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
        wants = Wants(
            presses: !wanted.isDisjoint(with: [.presses, .repeats, .runs, .texts, .stages]),
            info: wanted.contains(.trace),
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
        while let press = assembler.next() { try write(press, definitions) }
    }

    /// Writes a row, where its table is wanted.
    private mutating func write(_ table: TraceTable, _ row: (inout Sink, inout RowTexts) -> Void) throws {
        if wanted.contains(table) { try append(table, row) }
    }

    private mutating func append(_ table: TraceTable, _ row: (inout Sink, inout RowTexts) -> Void) throws {
        sink.begin(table)
        row(&sink, &texts)
        try sink.end()
    }

    private mutating func write(_ press: TracePress, _ names: TraceDefinitions) throws {
        if press.isText { return try write(.texts) { sink, _ in sink.textRow(press, names) } }
        try write(press.isRepeat ? .repeats : .presses) { sink, texts in sink.row(press, names, &texts) }
        for stage in LatencyStage.allCases where wants.stages && press.stages.isDerived(stage) {
            guard let duration = press.stages[stage] else { continue }
            let record = StageRecord(at: press.at, stage: stage, duration: duration)
            try append(.stages) { sink, _ in sink.row(record, isDerived: true) }
        }
        guard wanted.contains(.runs) else { return }
        for (number, resolution) in press.resolutions.enumerated().dropFirst() {
            try write(.runs) { sink, _ in sink.row(resolution, number: number + 1, of: press, names) }
        }
    }

    private mutating func write(_ record: TraceRecord, _ names: TraceDefinitions) throws {
        switch record.body {
        case .key(let key):
            if wants.keys { try append(.keys) { sink, texts in sink.row(key, record, &texts) } }
        case .call(let call):
            guard wants.calls else { return }
            let selfTime = nested.selfTime(of: call)
            try append(.calls) { sink, _ in sink.row(call, selfTime: selfTime, names) }
        case .invocation(let message):
            guard wants.invocations else { return }
            let selfTime = nestedMessages.selfTime(of: CallRecord(message))
            try append(.invocations) { sink, _ in sink.row(message, selfTime: selfTime, names) }
        case .receiver(let receiver):
            if wants.receivers { try append(.receivers) { sink, _ in sink.row(receiver, names) } }
        case .candidate(let candidate):
            if wants.candidates { try append(.candidates) { sink, texts in sink.row(candidate, names, &texts) } }
        case .stage(let stage): if wants.stages { try append(.stages) { sink, _ in sink.row(stage) } }
        case .cost(let cost): try write(.costs) { sink, _ in sink.row(cost) }
        case .effect(let effect): if wants.effects { try append(.effects) { sink, _ in sink.row(effect, names) } }
        case .resolution, .cache, .text: break
        default: if wants.context { try writeContext(record.body, record, names) }
        }
    }

    // MARK: Context

    /// `nil` as record: it was so before the recording.
    private mutating func writeContext(
        _ body: TraceRecord.Body, _ record: TraceRecord?, _ names: TraceDefinitions
    ) throws {
        func focus(
            _ what: String, _ responder: ResponderRef?, _ cause: FocusCause? = nil, isSecure: Bool? = nil
        ) throws {
            try write(.focus) { sink, _ in
                sink.focusRow(what, names.id(of: responder), cause, isSecure: isSecure, record)
            }
        }
        switch body {
        case .environment(let fact): try write(.environment) { sink, _ in sink.row(fact, record) }
        case .device(let device): try write(.devices) { sink, _ in sink.row(device) }
        case .clock(let clock): try write(.clocks) { sink, _ in sink.row(clock) }
        case .layout(let layout): try write(.layouts) { sink, _ in sink.row(layout, record) }
        case .firstResponder(let change): try focus("firstResponder", change.responder, change.cause)
        case .keyWindow(let change): try focus("keyWindow", change.window, change.cause)
        case .mainWindow(let change): try focus("mainWindow", change.window)
        case .textInput(let input): try focus("textInput", input.responder, isSecure: input.isSecure)
        case .link(let link): try write(.links) { sink, _ in sink.row(link, record, names) }
        case .mark(let mark): try write(.marks) { sink, _ in sink.row(mark, record) }
        case .loss(let loss): try write(.loss) { sink, _ in sink.row(loss, record) }
        case .key, .call, .invocation, .receiver, .candidate, .stage, .effect, .resolution, .cache, .text: return
        default:
            guard wanted.contains(.context) else { return }
            json.removeAll()
            json.appendLine(record ?? TraceRecord(time: .zero, sequence: 0, body: body), definitions: names)
            let fields = String(decoding: json.bytes.dropLast(), as: UTF8.self)
            try write(.context) { sink, _ in
                sink.contextRow(body.kind?.name ?? "unknown", fields: fields, record)
            }
        }
    }

    // MARK: The end

    private mutating func writeEnd(_ file: TraceFileFacts, _ names: TraceDefinitions) throws {
        if wants.info {
            let info = info.info(of: file)
            try write(.trace) { sink, _ in sink.row(info) }
        }
        if let damage = file.damage {
            let loss = LossRecord(
                cause: .damaged, count: damage.recordsLost, duration: nil,
                detail: "byte \(damage.offset): \(damage.reason)")
            try write(.loss) { sink, _ in sink.row(loss, nil) }
        }
        if wanted.contains(.responders) {
            for responder in names.responders { try write(.responders) { sink, _ in sink.row(responder) } }
        }
        if wanted.contains(.commands) {
            for (number, command) in names.commands.enumerated() {
                try write(.commands) { sink, texts in sink.row(command, number: number, &texts) }
            }
        }
        if wanted.contains(.lists) {
            for (number, list) in names.lists.enumerated() {
                for (position, command) in list.enumerated() {
                    try write(.lists) { sink, _ in sink.row(command, list: number, position: position) }
                }
            }
        }
        guard wants.lint else { return }
        for (place, finding) in lint.findings(definitions: names).enumerated() {
            try write(.findings) { sink, _ in sink.row(finding, number: place + 1) }
            for evidence in finding.evidence {
                try write(.evidence) { sink, _ in sink.row(evidence, finding: place + 1) }
            }
        }
    }
}

extension TraceDefinitions {
    func string(_ ref: StringRef?) -> String? { ref.flatMap { self[$0] } }
}
