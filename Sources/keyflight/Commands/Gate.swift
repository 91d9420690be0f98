import ArgumentParser
import KeyModel
import Libc
import RegressionGate
import TraceReports

struct Gate: Verb {
    static let configuration = CommandConfiguration(verb: "gate")

    @Argument(help: "Folders of goldens; that of KEYFLIGHT_GOLDENS where neither these nor builds are given.")
    var goldens: [String] = []
    @Option(help: "Only goldens whose name matches; * and ? stand for others. May be repeated.")
    var filter: [String] = []
    @Option(help: "A folder of tests: they name each golden, and each that they name is there. May be repeated.")
    var tests: [String] = []
    @Option(help: "The number of goldens; fewer or more are not comparable.") var expect: Int?
    @Option(help: "The command of what was.") var base: String?
    @Option(help: "The command of what is.") var head: String?
    @Option(help: "What a slower build does: report or fail; report unless KEYFLIGHT_GATE_TIME says otherwise.")
    var time: TimePolicy?
    @Option(help: "Percent that may be slower without failing; 2 unless KEYFLIGHT_GATE_MARGIN says otherwise.")
    var margin: Double?
    @Option(help: "Most runs of each build; 48 unless KEYFLIGHT_GATE_RUNS says otherwise.") var runs: Int?
    @Option(help: "Seconds that one run of a build, or of a live app, may take.") var timeout = ChildProcess.seconds
    @Flag(help: "Start the programs that launch.txt of goldens name; a stranger's goldens can be looked at without.")
    var runApps = false
    @Option(help: "A folder for the traces of both builds, and a page of their differences.") var keep: String?
    @Flag(help: "Count the instructions of both builds with valgrind: exact enough for a shared machine.")
    var instructions = false
    @Option(help: "Percent of instructions that head may execute more; 3 without it.") var instructionMargin: Double?
    @Option(help: "The form on standard output.") var format = GateFormat.text
    @Option(help: "A file for JUnit XML.") var junit: String?
    @Option(help: "A file for a Markdown summary, at most 900 KiB; one that is there is added to.") var summary: String?
    @Option(help: "A file for a code quality report, as GitLab shows it.") var codeQuality: String?
    @Option(help: "A file for counts as OpenMetrics text.") var metrics: String?
    @Option(help: "A file that gets a line of JSON for each run; steps in it are reported.") var history: String?
    @Option(help: "What the line of the history is called, such as a commit.") var label: String?
    @Flag(help: "Leave what was found beside what was accepted, for review; never where CI is set.") var propose = false
    @Option(help: "A file for a patch of what --propose would leave, which accept --from takes; also where CI is set.")
    var patch: String?
    @Flag(help: "Typed text may stand in what is proposed.") var allowText = false
    @Flag(inversion: .prefixedNo, help: "An undecided time ends with status 6.") var strict: Bool?
    @Flag(help: "Prove that the gate can fail: break its own input three times and see it fail.") var selfTest = false
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions
    var judges: Bool { true }

    func validate() throws {
        for (option, path) in [
            ("--junit", junit), ("--summary", summary), ("--code-quality", codeQuality), ("--metrics", metrics),
            ("--history", history), ("--patch", patch),
        ] { try OutputDestination.check(path, option, takesStream: false) }
        try OutputDestination.check(keep, "--keep", "folder", takesStream: false)
        if selfTest {
            let reports = [junit, summary, codeQuality, metrics, history, patch]
            let isAlone = goldens.isEmpty && base == nil && head == nil && expect == nil && tests.isEmpty
            guard isAlone, filter.isEmpty, !propose, reports.allSatisfy({ $0 == nil }) else {
                throw ValidationError(
                    "--self-test compares goldens of its own, and writes no report: name none with it.")
            }
            return
        }
        guard (base == nil) == (head == nil) else { throw ValidationError("--base and --head go together.") }
        guard (0..<1000).contains(margin ?? 0) else { throw ValidationError("--margin: a percentage from 0 on.") }
        guard (0..<1000).contains(instructionMargin ?? 0) else {
            throw ValidationError("--instruction-margin: a percentage from 0 on.")
        }
        if instructionMargin != nil, !instructions {
            throw ValidationError("--instruction-margin goes with --instructions only.")
        }
        guard (12...10_000).contains(runs ?? 12) else {
            throw ValidationError("--runs: 12 to 10000: fewer decide nothing.")
        }
        guard timeout > 0 else { throw ValidationError("--timeout: 1 or more.") }
        let isAboutTime = time != nil || margin != nil || runs != nil || strict != nil
        if isAboutTime || instructions || keep != nil, base == nil {
            throw ValidationError(
                "--time, --margin, --runs, --strict, --instructions and --keep need --base and --head.")
        }
        if label != nil, history == nil { throw ValidationError("--label goes with --history only.") }
        if allowText, !propose, patch == nil { throw ValidationError("--allow-text goes with --propose and --patch.") }
        let isAboutGoldens = !filter.isEmpty || !tests.isEmpty || propose || patch != nil || expect != nil
        if base != nil, goldens.isEmpty, isAboutGoldens {
            throw ValidationError(
                "--filter, --tests, --expect, --propose and --patch are about goldens: name their folder.")
        }
        guard expect ?? 1 > 0 else { throw ValidationError("--expect: 1 or more.") }
    }

    func perform(on console: Console) throws -> ExitStatus {
        if selfTest { return try GateSelfTest().run(console) }
        do { return try judge(console) } catch let failure as Failure where failure.status == .damaged {
            // A gate that could not read something has no verdict.
            console.note(failure)
            return .notComparable
        }
    }

    private func judge(_ console: Console) throws -> ExitStatus {
        do { try checkReports(console) } catch {
            harnesses?.removeKept()
            writeRefusal(error, console)
            throw error
        }
        // However this run ends, no report of the one before stays in its place.
        var unended = self
        unended.history = nil
        try? unended.writeFiles(Gate.unended, console)
        var report = GateReport(
            comparisons: [], failsOnTime: (time ?? console.settings.gateTime) == .fail,
            failsOnUndecided: strict ?? console.settings.gateStrict)
        do {
            do {
                if propose { try console.refuseInCI("gate --propose") }
                try compareGoldens(&report, console)
            } catch {
                // Not earlier: a harness may read them.
                harnesses?.removeKept()
                throw error
            }
            try compareBuilds(&report, console)
            if propose { try propose(report, console) }
            report.history = try history.map { try add(report, to: $0) }
        } catch where !(error is OutputClosed) {
            report.refusals.append(GateReport.Finding(error))
            report.history = try? history.map { try add(report, to: $0) }
            takeBackSummary()
            // The reason comes before a report that cannot be written either.
            try? write(report, console)
            throw error
        }
        takeBackSummary()
        try write(report, console)
        return status(of: report, console)
    }

    private var harnesses: PairedHarnesses? {
        guard let base, let head else { return nil }
        return PairedHarnesses(
            base: TimedHarness(side: "base", command: base, seconds: timeout),
            head: TimedHarness(side: "head", command: head, seconds: timeout), folder: keep)
    }

    /// Takes out of the summary what this gate wrote there when it began.
    private func takeBackSummary() {
        guard let summary, var text = try? ByteFile.readPresent(summary) else { return }
        let own = Array(Gate.unended.summary().utf8)
        let places = stride(from: text.count - own.count, through: 0, by: -1)
        guard let place = places.first(where: { text[$0...].starts(with: own) }) else { return }
        text.removeSubrange(place..<place + own.count)
        try? text.write(to: summary)
    }

    /// The report of a gate that a signal ends.
    private static let unended = refusal(ValidationError("the gate ended before its verdict"))

    private static func refusal(_ error: any Error) -> GateReport {
        var report = GateReport(comparisons: [])
        report.refusals.append(GateReport.Finding(error))
        return report
    }

    /// The reports that were asked for, of a gate that does not begin: over reports of earlier gates, and where nothing
    /// is yet. None of yesterday's stays in their place.
    func writeRefusal(_ error: any Error, _ console: Console) {
        var gate = self
        let reports: [WritableKeyPath<Gate, String?>] = [
            \.junit, \.summary, \.codeQuality, \.metrics, \.history, \.patch,
        ]
        for report in reports where !(gate[keyPath: report].map(Gate.isReport) ?? false) {
            gate[keyPath: report] = nil
        }
        if format == .text {
            try? gate.writeFiles(Gate.refusal(error), console)
        } else {
            try? gate.write(Gate.refusal(error), console)
        }
    }

    /// The first bytes of reports, each as this program makes it.
    private static let beginnings = ["<?xml", "[", "# TYPE keyflight", "--- a/", "--- /dev/null", "### keyflight"]

    /// A report of an earlier gate, or nothing yet.
    private static func isReport(_ path: String) -> Bool {
        guard path != "-", let before = try? ByteFile.readPresent(path) else { return false }
        return before.isEmpty || beginnings.contains { before.starts(with: $0.utf8) }
    }

    /// The same where the command line is wrong.
    static func writeRefusal(of arguments: [String], _ reason: String, _ console: Console) {
        let options = ["--junit", "--summary", "--code-quality", "--metrics", "--patch", "--format"]
        let words = Array(arguments.prefix { $0 != "--" })
        var known: [String] = []
        for (place, word) in words.enumerated() {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard let option = parts.first, options.contains(option),
                let value = parts.count > 1 ? parts[1] : words.dropFirst(place + 1).first
            else { continue }
            // One that is not understood keeps none of the others from being written.
            if (try? Gate.parse([".", "\(option)=\(value)"])) != nil { known += ["\(option)=\(value)"] }
        }
        guard !known.isEmpty, let gate = try? Gate.parse(["."] + known) else { return }
        gate.writeRefusal(ValidationError(reason), console)
    }

    /// No report takes the place of a file that is compared, or of another report.
    private func checkReports(_ console: Console) throws {
        let reports = [junit, summary, codeQuality, metrics, history, patch].compactMap(\.self)
        // By the file, however its path is written.
        let files = reports.map { Files.resolved($0) ?? Files.resolvedFolder(of: $0) }
        for (place, file) in files.enumerated() where files[..<place].contains(file) {
            throw ValidationError("\(reports[place]): two reports have this name.")
        }
        guard !reports.isEmpty else { return }
        let folders = (goldens.isEmpty ? [console.settings.goldens].compactMap(\.self) : goldens) + tests
        let inputs = folders.flatMap { Files.paths(below: $0) }
            .filter { $0.hasSuffix(".swift") || GoldenCase.isFile($0) }
        for path in reports { try OutputDestination(path: path, replaces: true, inputs: inputs).checkInputs() }
    }

    /// Adds what was compared of goldens to the report, which has the part before an error.
    private func compareGoldens(_ report: inout GateReport, _ console: Console) throws {
        let settings = console.settings
        var goldens = goldens
        if goldens.isEmpty, base == nil {
            // The default folder is for review: a gate looks only at what it was given.
            guard let folder = settings.goldens else {
                throw ValidationError("Name a folder of goldens, or --base and --head.")
            }
            goldens = [folder]
        }
        let found = try goldens.map { try GoldenStore($0).cases() }
        // Folders may lie within one another: each golden counts once.
        var seen: Set<[String]> = []
        let cases = found.joined().filter {
            seen.insert([Files.resolved($0.folder) ?? $0.folder, $0.file]).inserted
        }
        // Each pattern and each folder: one that was misspelt must not hide behind another.
        func refuse(_ folders: [String], _ patterns: [String]) -> Failure {
            Failure(
                .noSuchGolden,
                "\(folders.joined(separator: ", ")): --filter: expected a golden that matches"
                    + " \(patterns.joined(separator: ", ")), found none")
        }
        for pattern in filter where GoldenStore.matching([pattern], cases).isEmpty { throw refuse(goldens, [pattern]) }
        for (folder, cases) in zip(goldens, found) where GoldenStore.matching(filter, cases).isEmpty {
            throw refuse([folder], filter)
        }
        let references = try tests.map { try GoldenReferences(tests: $0) }
        report.comparisons = GoldenComparison.all(
            GoldenStore.matching(filter, cases), tests: references, runsApps: runApps, seconds: timeout, console)
        if let expect, report.comparisons.count != expect {
            report.refusals.append(
                GateReport.Finding(
                    refused: goldens[0], "--expect: expected \(expect) goldens, found \(report.comparisons.count)",
                    remedy: "put back what is gone, or say how many there are now"))
        }
        if !tests.isEmpty {
            try report.compareNames(references, goldens.map { GoldenStore($0) }, allowsUnnamed: expect != nil)
        }
    }

    /// The same of two builds, where they are given.
    private func compareBuilds(_ report: inout GateReport, _ console: Console) throws {
        guard let harnesses else { return }
        let settings = console.settings
        var options = TimeGate.Options()
        options.margin = (margin ?? settings.gateMargin ?? 2) / 100
        let runs = runs ?? settings.gateRuns ?? 48
        options.looks = TimeGate.Options.looks(upTo: runs)
        let outcome = try harnesses.run(options, console)
        report.time = outcome.time
        report.builds = outcome.diff
        report.newFindings = outcome.newFindings
        report.kept = keep
        if instructions {
            report.instructions = GateReport.InstructionCounts(
                base: try harnesses.base.instructions(of: outcome.first.base, console),
                head: try harnesses.head.instructions(of: outcome.first.head, console),
                margin: (instructionMargin ?? 3) / 100)
        }
    }

    private func propose(_ report: GateReport, _ console: Console) throws {
        for comparison in report.comparisons {
            let refused = refusedText(of: comparison)
            // What an earlier run left there is not what this build finds.
            if case .same = comparison.verdict { try comparison.golden.reject() }
            if refused != nil { try comparison.golden.reject() }
            guard comparison.isProposable, refused == nil else { continue }
            try comparison.propose()
            console.note("pending: \(comparison.golden.title)")
        }
        noteTexts(of: report, console)
    }

    /// Typed text that would be kept in clear and is not allowed to be.
    private func refusedText(of comparison: GoldenComparison) -> String? {
        comparison.isProposable && !allowText ? comparison.typedText : nil
    }

    /// Its verdict is that of a golden without an accepted text, or with another one: the gate's status has it.
    private func noteTexts(of report: GateReport, _ console: Console) {
        for comparison in report.comparisons {
            guard let text = refusedText(of: comparison) else { continue }
            let title = comparison.golden.title
            console.note(
                "not proposed: \(VisibleText.escaped(title)): it would keep “\(VisibleText.escaped(text))” in"
                    + " clear; --allow-text --filter \(ShellWord.quoted(title)) proposes it")
        }
    }

    /// What could be proposed, for a person elsewhere: it changes nothing here, and so it is allowed where CI is set.
    private func writePatch(of report: GateReport, to path: String, _ console: Console) throws {
        // None of yesterday's stays where this one is refused.
        try [UInt8]().write(to: path)
        let patch = try GoldenPatch(report.comparisons.filter { refusedText(of: $0) == nil })
        try Array(patch.text.utf8).write(to: path)
        if let first = patch.files.first, let golden = report.comparisons.first(where: \.isProposable)?.golden {
            console.note(
                "\(VisibleText.escaped(path)): patch of \(patch.files.count) texts, first"
                    + " \(VisibleText.escaped(first.path)): look at it, then keyflight accept --goldens"
                    + " \(ShellWord.quoted(golden.store)) --from \(ShellWord.quoted(path))")
        }
        // A gate that proposes has said so before.
        if !propose { noteTexts(of: report, console) }
    }

    /// Every report that was asked for: one that cannot be written keeps none of the others from it.
    private func write(_ report: GateReport, _ console: Console) throws {
        var problem: (any Error)?
        do {
            switch format {
            case .text: try console.show(report.text(console.style))
            case .json: try console.output.line(report.json)
            case .github: try console.output.write(report.github)
            }
        } catch {
            problem = error
        }
        try writeFiles(report, console)
        if let problem { throw problem }
    }

    private func writeFiles(_ report: GateReport, _ console: Console) throws {
        var problems: [any Error] = []
        func attempt(_ body: () throws -> Void) { do { try body() } catch { problems.append(error) } }
        if let junit { attempt { try Array(report.junit.utf8).write(to: junit) } }
        if let codeQuality { attempt { try Array((report.codeQuality + "\n").utf8).write(to: codeQuality) } }
        if let patch { attempt { try writePatch(of: report, to: patch, console) } }
        if let metrics { attempt { try Array(report.metrics.utf8).write(to: metrics) } }
        if let summary {
            attempt {
                // A step summary is one file for the whole step.
                let before = try ByteFile.readPresent(summary)
                try (before + report.summary(limit: max(1024, (900 << 10) - before.count)).utf8).write(to: summary)
            }
        }
        if let history, let log = report.history {
            attempt {
                try log.addition.append(to: history)
                for line in log.lines { console.note(line) }
            }
        }
        if let first = problems.first { throw first }
    }

    /// The history with this gate as its last line.
    private func add(_ report: GateReport, to file: String) throws -> GateHistory {
        var log = try GateHistory(try ByteFile.readPresent(file), file: file, machine: Gate.machine)
        log.append(report, label: label, date: Gate.now)
        return log
    }

    private func status(of report: GateReport, _ console: Console) -> ExitStatus {
        switch report.verdict {
        case .passed: .fine
        case .failed: .findings
        case .notComparable: .notComparable
        case .inconclusive: report.failsOnUndecided ? .inconclusive : .fine
        }
    }
}
