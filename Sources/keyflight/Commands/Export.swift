import ArgumentParser
import LatencyAnalysis
import TraceExport
import TraceFormat

struct Export: Verb {
    static let configuration = CommandConfiguration(verb: "export")

    @Argument(
        help: """
            A trace, a key script or a capture, told apart by content; for a table of many traces, traces. - is \
            standard input: then also a tar of traces.
            """, completion: .file())
    var inputs: [String] = []
    @OptionGroup var reading: ReadingOptions
    @OptionGroup(title: "Many traces") var fleet: FleetOptions
    @OptionGroup(title: "Replay") var replay: ReplayOptions
    @Option(help: "What to write.") var format: ExportFormat
    @Option(name: [.short, .long], help: "The file to write, for scene the folder; - is standard output.")
    var output: String
    @Option(help: "With csv and arrow: the table.") var table: ExportedTable?
    @Flag(help: "Replace OUTPUT if it is a regular file.") var force = false
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func validate() throws {
        try OutputDestination.check(output)
        if format == .hdr {
            throw ValidationError(
                "hdr, the percentiles as HdrHistogram prints them, is not written: stats --format json has percentiles "
                    + "of each stage, export --format jsonl each duration.")
        }
        if case .fleet? = table { return try validateFleet() }
        guard inputs.count == 1 else {
            let found = inputs.isEmpty ? "none" : "\(inputs.count)"
            throw ValidationError("INPUT: expected one, or a table of many traces with --table, found \(found).")
        }
        if let option = fleet.given { throw ValidationError("\(option) goes with a table of many traces only.") }
        if format == .arrow { throw ValidationError("--format arrow goes with a table of many traces only.") }
        if table != nil, format != .csv { throw ValidationError("--table goes with --format csv only.") }
        if format == .scene, let option = replay.rules.options.first(where: { $0 != "--profile" }) {
            throw ValidationError("\(option): --format scene exports what was recorded, which no replay changes.")
        }
        guard format.keys != nil, let option = replay.rules.options.first else { return }
        throw ValidationError("\(option): --format \(format.rawValue) exports keys, which no replay changes.")
    }

    private func validateFleet() throws {
        try fleet.check()
        guard format == .csv || format == .arrow else {
            throw ValidationError("A table of many traces goes with --format csv and arrow only.")
        }
        if inputs.isEmpty, fleet.filesFrom == nil { throw ValidationError("Name traces, or a list with --files-from.") }
        let readsInput = inputs.count { $0 == "-" } + (fleet.filesFrom == "-" ? 1 : 0)
        if readsInput > 1 { throw ValidationError("- is standard input, which is read once.") }
        let hasReading = !reading.device.isEmpty || reading.layout != nil || reading.showKeys
        if hasReading || !replay.rules.options.isEmpty {
            throw ValidationError("A table of many traces takes nothing that a capture or a replay takes.")
        }
    }

    /// The one input.
    func input(_ console: Console) throws -> Input {
        try Input(inputs.first ?? "", reading, console, replay: replay)
    }

    var destination: OutputDestination {
        OutputDestination(
            path: output, replaces: force, isText: format.isText, inputs: inputs + replay.rules.files + fleet.files)
    }

    func perform(on console: Console) throws -> ExitStatus {
        if case .fleet(let table)? = table {
            return try FleetExport(table: table, inputs: inputs, options: fleet, isArrow: format == .arrow)
                .write(to: destination, console)
        }
        if let form = format.flights { return try exportTimelines(form, console) }
        if let keys = format.keys { return try exportKeys(keys, console) }
        if format == .scene { return try exportScene(console) }
        return format == .sqlite ? try exportDatabase(console) : try exportPresses(console)
    }

    /// Exports the flight of each press.
    private func exportTimelines(_ form: TimelineExport.Format, _ console: Console) throws -> ExitStatus {
        var source = try input(console).resolutions()
        let omitted = try destination.write(console) { sink in
            var export = try TimelineExport(form, name: source.name, context: source.initialContext) {
                try $0.withUnsafeBytes(sink)
            }
            try source.forEach(keepsHandles: true) { try export.consume($0, definitions: $1) }
            try export.finish(definitions: source.definitions)
            return export.omitted
        }
        if omitted > 0 {
            console.note("\(source.name): \(omitted) intervals are left out: more than 256 of a kind overlap there")
        }
        return source.status(console)
    }

    private func exportDatabase(_ console: Console) throws -> ExitStatus {
        var source = try input(console).recordsOrReplay()
        source.derivesCandidates = true
        try destination.writeFile(console) { path in
            do {
                let database = try TraceDatabase(path: path)
                database.onWork = { console.progress.step("making indexes of \(output)") }
                try database.fill(Set(TraceTable.allCases), from: &source)
                try database.close()
            } catch let failure as DatabaseFailure {
                throw Failure(.notPermitted, "\(output): \(failure)")
            }
        }
        return source.status(console)
    }

    // MARK: Presses

    private func exportPresses(_ console: Console) throws -> ExitStatus {
        var source = try input(console).recordsOrReplay()
        source.derivesCandidates = format != .openmetrics
        let rows = try destination.write(console, if: { $0 > 0 }) { sink -> UInt64 in
            let bytes: ([UInt8]) throws -> Void = { try $0.withUnsafeBytes(sink) }
            switch format {
            case .csv: return try writeTable(&source, bytes)
            case .openmetrics:
                var builder = TraceStatisticsBuilder()
                try source.feed(&builder)
                try bytes(Array(MetricsText.text(builder.statistics(of: source.facts)).utf8))
                return 1
            default:
                var lines = PressLines(level: source.header.level, to: bytes)
                try source.feed(&lines)
                try lines.finish(source.definitions)
                return lines.count
            }
        }
        let status = source.status(console)
        guard rows == 0, status == .fine else { return status }
        let table = table?.name ?? TraceTable.presses.name
        return console.fail(
            .nothingMatched, "\(source.name): \(format.rawValue): expected a row of \(table), found none")
    }

    private func writeTable(_ source: inout RecordSource, _ sink: @escaping ([UInt8]) throws -> Void) throws -> UInt64 {
        var table = TraceTable.presses
        if case .trace(let asked)? = self.table { table = asked }
        var tables = TraceTables(
            [table], level: source.header.level, context: source.initialContext,
            definitions: source.initialDefinitions, sink: try CSVRows(table, to: sink))
        try source.feed(&tables)
        try tables.finish(of: source.facts, definitions: source.definitions)
        return tables.sink.count
    }

    // MARK: Keys

    private func exportKeys(_ keys: KeyExport.Format, _ console: Console) throws -> ExitStatus {
        let (source, device) = try ExportedKeys.source(input(console))
        let omissions = try destination.write(console) { sink in
            do {
                let survey = try ExportedKeys.survey(source, device, wantsComments: keys == .pcapng)
                var export = try KeyExport(keys, survey, device: device) { try $0.withUnsafeBytes(sink) }
                var records = source
                try records.forEach { record, _ in try export.consume(record) }
                try export.finish()
                return export.omissions
            } catch let refusal as ExportRefusal {
                throw Failure(.notExportable, "\(source.name): \(refusal)")
            }
        }
        ExportedKeys.note(omissions, source.name, console)
        // Damage of the input is a loss in the result.
        var reading = source
        try reading.forEach { _, _ in }
        return reading.status(console)
    }
}
