import ArgumentParser
import RegressionGate
import TraceFormat

struct Diff: Verb {
    static let configuration = CommandConfiguration(verb: "diff")

    @Argument(help: "What was: a trace, a key script or a capture.") var base: String
    @Argument(help: "What is.") var head: String
    @OptionGroup(title: "Replay") var replay: ReplayOptions
    @Option(help: "The layout: a name such as us, us:dvorak (Apple's) or us:pc.", completion: Completion.layouts)
    var layout: String?
    @Option(help: "The form of the report.") var format = DiffFormat.text
    @Flag(help: "Every change, not the first 20 alone.") var all = false
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions
    var judges: Bool { true }

    var isPaged: Bool { true }

    func validate() throws { try [base, head].expectOneStream() }

    func perform(on console: Console) throws -> ExitStatus {
        let traces = try traces(console)
        let diff = traces.diff
        let extent: TraceDiff.Extent = all ? .everything : .some
        switch format {
        case .text: try console.show(diff.text(console.style, extent: extent))
        case .json: try console.output.line(diff.json)
        case .markdown: try console.output.write(diff.markdown(extent: extent))
        case .html: try console.output.write(try traces.page(above: nil, console.progress))
        }
        return traces.status.joined(with: diff.isIdentical ? .fine : .findings)
            .joined(with: diff.incomparable.isEmpty ? .fine : .notComparable)
    }

    /// The two, or the reason why they cannot be compared, in the form that was asked for.
    private func traces(_ console: Console) throws -> ComparedTraces {
        var rules = replay.rules
        rules.layout = layout
        do {
            return try ComparedTraces(Input(base, console, rules: rules), Input(head, console, rules: rules))
        } catch let failure as Failure where failure.id == .notComparable {
            switch format {
            case .text: break
            case .json: try console.output.line(JSONObject.incomparable("keyflight.diff/1", failure.line).text)
            case .markdown: try console.output.write(TraceDiff.markdown(incomparable: failure.line))
            case .html: try console.output.write(TraceDiff.html(incomparable: failure.line))
            }
            throw failure
        }
    }
}

enum DiffFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, markdown, html
}
