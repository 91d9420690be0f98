import ArgumentParser
import TraceTools

struct Merge: Verb {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Several traces as one.",
        discussion: """
            The parts that cut made of one trace, all of them, are that trace again. Other traces are joined in the \
            order of time, then of the arguments: all must count from the same time 0, or the order between them says \
            nothing. Records and presses are numbered anew, devices get ids of their own; the second trace's clock \
            usbmon becomes usbmon#2, its fact profile becomes source2.profile. What was typed during a secure entry of \
            any of them is left out of all.

            With --align the two traces are of the same typing, by clocks that need not agree: a capture of the \
            bus, or the log of a switch, and what an app or evdev recorded. Their presses are matched, and each is \
            one press with the stage between: transport, or hid after a switch. Fewer than 8 presses in common, or \
            less than half of them: status 4, and nothing is written. Each press takes about 400 bytes of memory.
            """)

    @Argument(help: "Two traces or more; - is standard input.")
    var inputs: [String]
    @Flag(help: "Match the presses of two traces and put them on one time base.")
    var align = false
    @OptionGroup var result: WrittenTrace
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func validate() throws {
        guard inputs.count > 1 else { throw ValidationError("Name at least two traces.") }
        if align, inputs.count != 2 { throw ValidationError("--align takes two traces.") }
        guard inputs.count(where: { $0 == "-" }) < 2 else {
            throw ValidationError("Standard input can be only one of them.")
        }
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
