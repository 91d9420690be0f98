import CaptureImport
import FlightReplay
import Scenes
import SystemPackage
import TraceFormat

extension InputOptions {
    /// - Throws: `Failure` for a layout given to a trace, by verbs that report its records without a replay.
    func refuseLayout(of file: InputFile) throws {
        guard layout != nil, file.isTrace else { return }
        throw Failure(
            .otherInput,
            "\(file.name): --layout: expected a capture or a key script, found a trace; replay has the option")
    }

    /// - Throws: `Failure` for a report descriptor given with what is no capture.
    func refuseDescriptor(of file: InputFile) throws {
        if case .capture = file.content { return }
        throw Failure(.otherInput, "\(file.name): --descriptor: expected a capture, found something else")
    }

    /// The records of the input as they are, without replaying anything. `descriptor`: the file with a report
    /// descriptor for keyboards of a capture.
    func records(of file: InputFile, _ console: Console, descriptor: String? = nil) throws -> RecordSource {
        switch file.content {
        case .trace(let reader):
            try refuseDevice(file.name, "a trace")
            return RecordSource(trace: reader, name: file.name)
        case .capture(let capture): return try imported(capture, file.name, descriptor, console)
        case .scene: throw file.missingKeys
        case .script(let bytes):
            try refuseDevice(file.name, "a key script")
            let layout = try LayoutChoice.named(self.layout ?? "us")
            let script = try InputOptions.script(bytes, file.name)
            let timeline: ReplayTimeline
            do {
                timeline = try ReplayTimeline(script, layout: layout, layoutNamed: LayoutChoice.named)
            } catch {
                throw Failure(error)
            }
            // A script is in clear anyway.
            return RecordSource(script: TimelineRecords(timeline, layout: layout, showsKeys: true), name: file.name)
        }
    }

    static func script(_ bytes: [UInt8], _ name: String) throws -> KeyScript {
        do { return try KeyScript(bytes, file: name) } catch { throw Failure(error) }
    }

    private func refuseDevice(_ name: String, _ found: String) throws {
        guard !device.isEmpty else { return }
        throw Failure(.otherInput, "\(name): --device: expected a capture to choose a keyboard from, found \(found)")
    }

    /// A capture as the trace that `import` would write.
    private func imported(
        _ capture: CaptureImporter.Input, _ name: String, _ descriptor: String?, _ console: Console
    ) throws -> RecordSource {
        var job = CaptureImporter()
        if let descriptor { try Import.use(descriptor, in: &job) }
        job.showsKeys = showKeys
        job.selection = device
        job.layout = try layout.map { try LayoutChoice.named($0) }
        var trace: [UInt8] = []
        // Some verbs read their input more than once; a pipe's was read into memory.
        if case .descriptor(let descriptor) = capture.content { _ = try? descriptor.seek(offset: 0, from: .start) }
        let result = try Import.run(job, [capture]) { trace.append(contentsOf: $0) }
        let status = Import.report(result, name, console)
        guard case .imported = result else { throw Stopped(status: status) }
        let bytes = TraceBytes(trace, file: name)
        console.progress.follow([bytes])
        var source = RecordSource(trace: try TraceReader(bytes), name: name)
        source.status = status
        return source
    }
}

/// A verb stopped, and the reason is on standard error.
struct Stopped: Error {
    var status: ExitStatus
}
