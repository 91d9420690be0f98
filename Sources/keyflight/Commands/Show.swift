import ArgumentParser
import LatencyAnalysis
import TraceFormat

struct Show: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "The records, one a line.",
        discussion: """
            The text form is the twin of a trace: assemble turns it back into the same bytes. With filters it holds \
            the records that match all of them.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, jsonl
    }

    @OptionGroup var input: InputOptions
    @Option(help: "The form: the text twin, or an object a line.") var format = Format.text
    @OptionGroup(title: "Filters") var filter: RecordFilter

    func perform(on console: Console) throws -> ExitStatus {
        var source = try input.records(console)
        let matched = try format == .text ? writeText(&source, console) : writeLines(&source, console)
        let status = source.status(console)
        if matched == 0, filter.isSet {
            console.note("\(source.name): filter: expected a record that matches, found none")
            return status.joined(with: .nothingMatched)
        }
        return status
    }

    private func writeLines(_ source: inout RecordSource, _ console: Console) throws -> Int {
        var matched = 0
        var json = JSONText()
        try source.forEach { record, definitions in
            guard filter.admits(record) else { return }
            matched += 1
            json.appendLine(record, definitions: definitions)
            try console.output.write(json.bytes)
            json.removeAll()
        }
        return matched
    }

    private func writeText(_ source: inout RecordSource, _ console: Console) throws -> Int {
        var matched = 0
        var text = TraceTextWriter()
        text.begin(source.header, context: source.initialContext, definitions: source.initialDefinitions)
        try source.forEach { record, definitions in
            guard filter.admits(record) else { return }
            matched += 1
            text.append(record, definitions: definitions)
            try console.output.write(text.bytes)
            text.removeAll()
        }
        if source.facts.isComplete { text.end() }
        try console.output.write(text.bytes)
        return matched
    }
}
