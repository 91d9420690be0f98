import ArgumentParser
import TraceTools

struct Merge: Verb {
    static let configuration = CommandConfiguration(verb: "merge")

    @Argument(help: "Two traces or more; - is standard input.") var inputs: [String]
    @Flag(help: "Match the presses of two traces and put them on one time base.") var align = false
    @OptionGroup var result: WrittenTrace
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func validate() throws {
        guard inputs.count > 1 else { throw ValidationError("Name at least two traces.") }
        if align, inputs.count != 2 { throw ValidationError("--align takes two traces.") }
        try inputs.expectOneStream()
    }

    func perform(on console: Console) throws -> ExitStatus {
        let files = try inputs.map { try TraceToTrace.open($0, console) }
        console.progress.follow(files)
        if align {
            let remedy = "; merge without --align joins them by their times"
            return try AlignedTraces(files: files, result: result, remedy: remedy).write(console)
        }
        let merge = TraceMerge(files, showsKeys: result.showKeys)
        let summary = try result.write(console) { try merge.run(to: $0) }
        let status = TraceToTrace.status(summary, files, console)
        TraceToTrace.noteDropped(summary, console)
        return status
    }
}
