import ArgumentParser
import LatencyAnalysis
import TraceFormat
import TraceReports

struct Report: Verb {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "One HTML file about a trace, for any browser and without a network.",
        discussion: """
            What info, stats, tail, top, bindings and lint say, a list of the presses with the filter of --where, and \
            for each of them what explain says. The file loads nothing and sends nothing. Of a trace with more than \
            10,000 presses and repeats it shows the slow ones, those that findings name, and an even part of the \
            others, and says how many it leaves out. An input without resolutions is replayed first: name a scene \
            with --scene.
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Replay") var replay: ReplayOptions
    @Option(help: "From where on a press is slow: p50, p90, p99, p99.9, or a duration such as 8ms.")
    var above: String?
    @Option(name: [.short, .long], help: "The file to write; - is standard output.") var output: String
    @Flag(help: "Replace OUTPUT if it is a regular file.") var force = false

    func validate() throws {
        if output.isEmpty { throw ValidationError("Name a file with -o.") }
        _ = try above.map { try Tail.threshold($0) }
    }

    func perform(on console: Console) throws -> ExitStatus {
        let source = try replay.resolutions(of: input, console)
        let progress = ReadingProgress(console)
        defer { progress.end() }
        let (facts, status) = try source.facts(above: try above.map { try Tail.threshold($0) }, progress, console)
        let page = try Report.page(source, facts, progress)
        try TraceOutput(path: output, replaces: force, isText: true).write(console) { sink in
            try page.withUnsafeBytes(sink)
            return true
        }
        return status
    }

    /// With fewer presses where they are such that the page would be too large.
    private static func page(
        _ source: RecordSource, _ facts: FlightFacts, _ progress: ReadingProgress
    ) throws -> [UInt8] {
        var limit = ReportPage.pressLimit
        while true {
            let choice = PressChoice(facts, limit: limit)
            let side = try source.side(facts, showing: choice, budget: ReportPage.byteLimit * 3 / 8, progress)
            let page = ReportPage(side, generator: "keyflight \(Keyflight.version)").bytes
            if page.count < ReportPage.byteLimit || limit < 100 { return page }
            limit /= 2
        }
    }
}
