import ArgumentParser
import KeyModel
import TraceFormat
import TraceTools

struct VerifyFormat: Verb {
    static let configuration = CommandConfiguration(verb: "verify-format")

    @Argument(help: "Traces; - is standard input.") var inputs: [String]
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions
    var judges: Bool { true }

    func validate() throws {
        if inputs.isEmpty { throw ValidationError("Name a trace.") }
        try inputs.expectOneStream()
    }

    func perform(on console: Console) throws -> ExitStatus {
        var status = ExitStatus.fine
        for path in inputs {
            let bytes = try path == "-" ? console.standardInput() : ByteFile.open(path)
            console.progress.follow([bytes])
            let name = bytes.file ?? path
            do {
                let summary = try FormatCheck().run(bytes)
                for violation in summary.violations {
                    try console.output.line(VisibleText.escaped("\(name): \(violation.description)"))
                }
                if summary.isCut { try console.output.line(VisibleText.escaped("\(name): more violations")) }
                if !summary.violations.isEmpty { status = status.joined(with: .damaged) }
            } catch let error as TraceError {
                // Bytes that cannot be read as a trace at all break no rule of it.
                let failure =
                    bytes.count == 0 ? Failure(empty: name)
                    : bytes.isTextFormat ? Failure(textFormat: name) : Failure(reading: error)
                status = status.joined(with: console.note(failure))
            }
        }
        return status
    }
}
