import ArgumentParser
import LatencyAnalysis
import TraceReports

struct Report: Verb {
    static let configuration = CommandConfiguration(verb: "report")

    @OptionGroup var input: InputOptions
    @Argument(help: "A second one, to be compared with the first.") var head: String?
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
        try [input.input, head ?? ""].expectOneStream()
        _ = try above.map { try Tail.threshold($0) }
    }

    func perform(on console: Console) throws -> ExitStatus {
        let progress = console.progress
        let limit = try above.map { try Tail.threshold($0) }
        let page: [UInt8]
        let status: ExitStatus
        if let head {
            var other = input
            other.input = head
            let traces = try ComparedTraces(
                Input(input, console, replay: replay), Input(other, console, replay: replay))
            page = try traces.page(above: limit, progress)
            status = traces.status
        } else {
            let source = try Input(input, console, replay: replay).resolutions(takesKeys: true)
            let (facts, found) = try source.facts(above: limit, progress)
            status = found.status(console)
            page = try Report.fitting(ReportPage.Room(presses: facts.ticks.count)) { room in
                let choice = PressChoice(facts, limit: room.presses)
                let side = try source.side(facts, showing: choice, in: room, progress)
                return ReportPage(side, generator: Report.generator)
            }
        }
        let inputs = [input.input, head].compactMap(\.self) + replay.rules.files
        try OutputDestination(path: output, replaces: force, isText: true, inputs: inputs)
            .write(console) { try page.withUnsafeBytes($0) }
        return status
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
