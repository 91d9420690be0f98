import ArgumentParser
import TraceReports

struct Info: Verb {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "One screen of facts, loss first.")

    @OptionGroup var input: InputOptions
    @Option(help: "The form of the report.") var format = ReportFormat.text
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func perform(on console: Console) throws -> ExitStatus {
        var source = try input.records(console)
        let report = InfoReport(try source.info(), name: source.name)
        switch format {
        case .text: try console.show(report.text(console.style))
        case .json: try console.output.write(report.json)
        }
        return source.status(console)
    }
}
