import ArgumentParser
import CaptureImport
import TraceFormat

/// The kind of a log given to `import`.
enum LogKind: String, CaseIterable, ExpressibleByArgument {
    case stimulus
}

/// The log of a switch, alone or with the capture of the keyboard whose key it presses.
struct SwitchImport {
    private let verb: Import
    private let path: String
    private var job: CaptureImporter

    init(_ verb: Import, _ path: String, _ job: CaptureImporter) {
        self.verb = verb
        self.path = path
        self.job = job
        self.job.reportsPollInterval = true
    }

    func write(_ console: Console) throws -> ExitStatus {
        let name = path == "-" ? "standard input" : path
        let bytes = try path == "-" ? console.readStandardInput() : ByteFile.read(path)
        guard !verb.captures.isEmpty else {
            note(try verb.destination.write(console) { try read(bytes, name, to: $0) }, name, console)
            console.note("no capture of the keyboard: the trace holds the switch alone, for merge --align")
            return .fine
        }
        try verb.destination.checkInputs()
        var (closures, presses): ([UInt8], [UInt8]) = ([], [])
        note(try read(bytes, name) { closures.append(contentsOf: $0) }, name, console)
        let inputs = Import.inputs(verb.captures, console)
        let result = try Import.run(job, inputs) { presses.append(contentsOf: $0) }
        let status = Import.report(result, inputs.first?.name ?? "", console)
        guard case .imported = result else { return status }
        let files = [
            TraceBytes(closures, file: name), TraceBytes(presses, file: inputs.first?.name ?? ""),
        ]
        var trace = WrittenTrace()
        (trace.output, trace.force, trace.showKeys) = (verb.output, verb.force, verb.showKeys)
        return status.joined(with: try AlignedTraces(files: files, result: trace).write(console))
    }

    private func read(
        _ bytes: [UInt8], _ name: String, to sink: @escaping TraceWriter.Sink
    ) throws -> StimulusLog.Summary {
        var log = StimulusLog()
        if let column = verb.timeCol { log.timeColumn = column }
        if let column = verb.edgeCol { log.edgeColumn = column }
        (log.unit, log.isActiveLow) = (verb.timeUnit, verb.activeLow)
        do {
            return try log.run(bytes, name: name, to: sink)
        } catch let error as ImportError {
            throw Failure(.damagedCapture, error.description)
        }
    }

    private func note(_ summary: StimulusLog.Summary, _ name: String, _ console: Console) {
        var line = "\(name): \(summary.closures) closures and \(summary.openings) openings in \(summary.rows) rows"
        if summary.bounces > 0 { line += ", \(summary.bounces) bounces within 5 ms passed over" }
        console.note(line)
    }
}
