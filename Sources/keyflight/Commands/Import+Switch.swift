import ArgumentParser
import CaptureImport
import TraceFormat

/// The kind of a log given to `import`.
enum LogKind: String, CaseIterable, ExpressibleByArgument {
    case stimulus
}

extension Import {
    /// Imports the log of a switch, alone or with the capture of the keyboard whose key it presses.
    func importSwitch(_ path: String, _ job: CaptureImporter, _ console: Console) throws -> ExitStatus {
        var job = job
        job.reportsPollInterval = true
        let name = path == "-" ? "standard input" : path
        let bytes = try path == "-" ? console.readStandardInput() : ByteFile.read(path)
        guard !captures.isEmpty else {
            note(try destination.write(console) { try read(bytes, name, to: $0) }, name, console)
            console.note("no capture of the keyboard: the trace holds the switch alone, for merge --align")
            return .fine
        }
        try destination.checkInputs()
        var (closures, presses): ([UInt8], [UInt8]) = ([], [])
        note(try read(bytes, name) { closures.append(contentsOf: $0) }, name, console)
        let inputs = Import.inputs(captures, console)
        let result = try Import.run(job, inputs) { presses.append(contentsOf: $0) }
        let status = Import.report(result, inputs.first?.name ?? "", console)
        guard case .imported = result else { return status }
        let files = [
            TraceBytes(closures, file: name), TraceBytes(presses, file: inputs.first?.name ?? ""),
        ]
        var trace = WrittenTrace()
        (trace.output, trace.force, trace.showKeys) = (output, force, showKeys)
        return status.joined(with: try AlignedTraces(files: files, result: trace).write(console))
    }

    private func read(
        _ bytes: [UInt8], _ name: String, to sink: @escaping TraceWriter.Sink
    ) throws -> StimulusLog.Summary {
        var log = StimulusLog()
        if let column = timeCol { log.timeColumn = column }
        if let column = edgeCol { log.edgeColumn = column }
        (log.unit, log.isActiveLow) = (timeUnit, activeLow)
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
