import ArgumentParser
import TraceFormat

struct Assemble: Verb {
    static let configuration = CommandConfiguration(verb: "assemble")

    @Argument(help: "A trace in the text format; - is standard input.") var text: String
    @Option(name: [.short, .long], help: "The trace to write; - is standard output.") var output: String
    @Flag(help: "Replace OUTPUT if it is a regular file.") var force = false
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func validate() throws {
        try OutputDestination.check(output)
    }

    func perform(on console: Console) throws -> ExitStatus {
        let bytes = try text == "-" ? console.standardInput() : ByteFile.open(text)
        try OutputDestination(path: output, replaces: force, inputs: [text]).write(console) { sink in
            try Failure.reading { try TraceAssembly.assemble(bytes, sink: sink) }
        }
        return .fine
    }
}
