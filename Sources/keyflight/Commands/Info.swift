import ArgumentParser
import TraceReports

struct Info: Verb {
    static let configuration = CommandConfiguration(verb: "info")

    @OptionGroup var input: InputOptions
    @Option(help: "A report descriptor, as bytes, for keyboards of a capture that lacks their own one.")
    var descriptor: String?
    @Option(help: "The form of the report.") var format = ReportFormat.text
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func perform(on console: Console) throws -> ExitStatus {
        let input = try Input(input, console)
        try input.refuseLayout()
        var source = try input.records(descriptor: descriptor)
        let report = InfoReport(try source.info(), name: source.name)
        try console.print(format, text: report.text, json: report.json)
        return source.status(console)
    }
}
