import ArgumentParser
import LatencyAnalysis
import RegressionGate
import TraceReports

struct Report: Verb {
    static let configuration = CommandConfiguration(verb: "report")

    @Argument(
        help: "A trace, a key script or a capture, told apart by content; - is standard input.", completion: .file())
    var input: String?
    @Argument(help: "A second one, to be compared with the first.") var head: String?
    @OptionGroup var reading: ReadingOptions
    @Option(
        help: "In place of an input, the file of gate --history: charts of its times and counts.",
        completion: .file())
    var history: String?
    @OptionGroup(title: "Replay") var replay: ReplayOptions
    @Option(
        help: """
            From where on a press is slow: p50, p90, p99, p99.9, or a duration such as 8ms; else the highest of p99, \
            p90 and p50 that so many presses have.
            """, completion: Completion.thresholds)
    var above: String?
    @Option(name: [.short, .long], help: "The file to write; - is standard output.") var output: String
    @Flag(help: "Replace OUTPUT if it is a regular file.") var force = false
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func validate() throws {
        try OutputDestination.check(output)
        try OutputDestination.check(history, "--history", takesStream: false)
        guard (input == nil) != (history == nil) else {
            throw ValidationError("Name an input or two, or the file of --history.")
        }
        if history != nil {
            let isAlone = above == nil && replay.rules.options.isEmpty && reading.device.isEmpty
            guard isAlone, reading.layout == nil, !reading.showKeys else {
                throw ValidationError("--history has charts of its own: leave out options about presses.")
            }
        }
        try [input ?? "", head ?? ""].expectOneStream()
        _ = try above.map { try Tail.threshold($0) }
    }

    func perform(on console: Console) throws -> ExitStatus {
        let inputs = [input, head, history].compactMap(\.self) + replay.rules.files
        let destination = OutputDestination(path: output, replaces: force, isText: true, inputs: inputs)
        return try destination.write(console) { sink in
            let (page, status) =
                try history.map { (try Report.page(ofHistory: $0), ExitStatus.fine) } ?? page(console)
            try page.withUnsafeBytes(sink)
            return status
        }
    }

    private static func page(ofHistory file: String) throws -> [UInt8] {
        try GateHistory.page(try ByteFile.read(file), file: file)
    }

    /// The page of one input or two, and the status of reading them.
    private func page(_ console: Console) throws -> ([UInt8], ExitStatus) {
        let progress = console.progress
        let limit = try above.map { try Tail.threshold($0) }
        let base = try Input(input ?? "", reading, console, replay: replay)
        if let head {
            let traces = try ComparedTraces(base, Input(head, reading, console, replay: replay))
            return (try traces.page(above: limit, progress), traces.status)
        }
        let source = try base.resolutions(takesKeys: true)
        let (facts, found) = try source.facts(above: limit, progress)
        let status = found.status(console)
        let page = try Report.fitting(ReportPage.Room(presses: facts.ticks.count)) { room in
            let choice = PressChoice(facts, limit: room.presses)
            let side = try source.side(facts, showing: choice, in: room, progress)
            return ReportPage(side, generator: Report.generator)
        }
        return (page, status)
    }

    static let generator = "keyflight \(Keyflight.version)"

    /// The page with as much as fits into it.
    static func fitting(_ room: ReportPage.Room, _ page: (ReportPage.Room) throws -> ReportPage) throws -> [UInt8] {
        var room = room
        while true {
            if let bytes = try page(room).bytes { return bytes }
            guard room.narrow() else { throw Failure(.tooLarge, "a page: expected less than 2 MB, found more") }
        }
    }
}
