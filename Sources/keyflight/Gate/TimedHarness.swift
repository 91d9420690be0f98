import ArgumentParser
import KeyModel
import LatencyAnalysis
import Libc
import RegressionGate
import TraceFormat
import TraceReports
import TracePresses

/// A build that a gate runs: a command that writes a trace to the file that `KEYFLIGHT_OUTPUT` names.
struct TimedHarness {
    var side: String
    var command: String
    /// The longest time of one run, in seconds.
    var seconds = ChildProcess.seconds

    /// The trace data of one run, with its times.
    struct Outcome {
        var header: TraceHeader
        var results: PressResults
        /// The findings of lint: rule, key and what happens.
        var findings: [String]
        /// The coarsest step between two stamps of a source, in nanoseconds; 0 where none is recorded.
        var clockStep: UInt64
    }

    /// Reads a trace once for both.
    private struct Reading: TraceConsumer {
        var results = PressResults()
        var scanner = LintScanner()
        var clockStep: UInt64 = 0

        mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
            if case .clock(let clock) = record.body { clockStep = max(clockStep, clock.granularity ?? 0) }
            results.consume(record, definitions: definitions)
            scanner.consume(record, definitions: definitions)
        }
    }

    /// Its run of this number, from 1. `path`: where the trace is kept; `nil` for a temporary one.
    func run(_ number: Int, keeping path: String?, _ console: Console) throws -> Outcome {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        // Absolute, since a command may change its folder.
        let path = path.map { Files.resolvedFolder(of: $0) } ?? folder.path + "/run.keyflight"
        let name = "\(side), run \(number): \(command)"
        console.progress.begin("running \(name)")
        let child = try ChildProcess(shell: command, environment: ["KEYFLIGHT_OUTPUT": path], seconds: seconds)
        try expectEnd(child, name)
        guard child.status == 0 else {
            // As a shell reports a process that a signal ended.
            let signal = child.status > 128 ? ", signal \(child.status - 128)" : ""
            throw Failure(
                .harnessFailed,
                "\(name): status: expected 0, found \(child.status)\(signal) (\(VisibleText.escaped(child.lastLine)))")
        }
        return try read(path, name, console)
    }

    /// Reads the whole trace of a run.
    private func read(_ path: String, _ name: String, _ console: Console) throws -> Outcome {
        var source: RecordSource
        do { source = RecordSource(trace: try TraceReader(ByteFile.open(path)), name: name) } catch {
            throw Failure(
                .harnessTrace,
                "\(name): expected a trace in the file that KEYFLIGHT_OUTPUT names, found none: \(error)")
        }
        source.derivesCandidates = true
        var reading = Reading()
        reading.scanner.begin(source.initialContext)
        try source.feed(&reading)
        reading.results.finish(source.definitions)
        guard source.status(console) == .fine else {
            throw Failure(.harnessTrace, "\(name): trace: expected a whole one, found a damaged one")
        }
        let results = reading.results
        guard !results.results.isEmpty else {
            throw Failure(.harnessTrace, "\(name): presses: expected some, found none")
        }
        // A repeat that comes too soon is a matter of time, which is gated by itself.
        let findings = reading.scanner.findings(definitions: source.definitions).filter { $0.rule != .repeatOverrun }
        return Outcome(
            header: source.header, results: results, findings: GoldenFindings(findings).rows,
            clockStep: reading.clockStep)
    }

    private func expectEnd(_ child: ChildProcess, _ name: String) throws {
        guard child.isTimedOut else { return }
        throw Failure(
            .harnessFailed,
            "\(name): end: expected within \(seconds) s, found it running; --timeout gives it longer")
    }

    /// Instructions of one run, as valgrind counts them. It must come to what another one, `first`, came to: less work
    /// is no gain.
    func instructions(of first: Outcome, _ console: Console) throws -> UInt64 {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let trace = folder.path + "/run.keyflight"
        // The whole command, whatever words of the shell it has, and wherever it sends its errors.
        let child = try ChildProcess(
            shell: "command -v valgrind >/dev/null || exit 97; exec valgrind --tool=callgrind"
                + " --callgrind-out-file=/dev/null --trace-children=yes --log-file=\(ShellWord.quoted(folder.path))/%p"
                + " -- /bin/sh -c \"$KEYFLIGHT_COMMAND\"",
            environment: ["KEYFLIGHT_OUTPUT": trace, "KEYFLIGHT_COMMAND": command], seconds: seconds)
        try expectEnd(child, "\(side): \(command)")
        guard child.status != 97 else {
            throw Failure(
                .notComparable,
                "--instructions: valgrind: expected it installed (apt-get install valgrind), found none")
        }
        // A file for each process.
        let logs = try Files.names(in: folder.path).filter { UInt64($0) != nil }.flatMap { name in
            String(decoding: try ByteFile.read("\(folder.path)/\(name)"), as: UTF8.self).split(separator: "\n")
        }
        guard child.status == 0 else {
            // Valgrind 3.19 reads no DWARF 5 of Swift's, and ends.
            let isUnread = logs.contains { $0.contains("debuginfo reader") }
            throw Failure(
                .harnessFailed,
                "\(side): valgrind \(command): "
                    + (isUnread
                        ? "debug information: expected what valgrind reads, found newer; strip --strip-debug PROGRAM"
                        : "status: expected 0, found \(child.status) (\(VisibleText.escaped(child.lastLine)))"))
        }
        let name = "\(side): valgrind \(command)"
        try PairedHarnesses.expectSame(first, try read(trace, name, console), self)
        // "==1234== Collected : 33637206"
        let counts = logs.compactMap { line -> UInt64? in
            guard let place = line.firstRange(of: "Collected : ") else { return nil }
            return UInt64(line[place.upperBound...].filter { $0 != "," && $0 != " " })
        }
        guard !counts.isEmpty else {
            throw Failure(.harnessFailed, "\(side): valgrind: expected a count of instructions, found none")
        }
        return counts.reduce(0, &+)
    }
}

/// Base and head, run in turn.
struct PairedHarnesses {
    var base: TimedHarness
    var head: TimedHarness
    /// The folder where the traces of the first runs are kept, with a page of their differences.
    var folder: String?

    struct Result {
        /// Exact differences between the builds.
        var diff: TraceDiff
        var time: TimeGate
        /// Findings of lint in head alone.
        var newFindings: [String]
        var first: (base: TimedHarness.Outcome, head: TimedHarness.Outcome)
    }

    /// Exact differences between the builds, and the verdict about time.
    func run(
        _ options: TimeGate.Options, _ console: Console
    ) throws -> Result {
        var first: (base: TimedHarness.Outcome, head: TimedHarness.Outcome)?
        try prepareFolder()
        var isKept = false
        // What failed leaves its own traces, and none of an earlier gate.
        defer { if !isKept { try? keepTraces() } }
        var number = 0
        var clockStep: UInt64 = 0
        let time = try TimeGate(options, clockStep: { Double(clockStep) }) { isBaseFirst in
            number += 1
            let (former, latter) = isBaseFirst ? (base, head) : (head, base)
            let early = try former.run(number, keeping: number == 1 ? newPath(former) : nil, console)
            let late = try latter.run(number, keeping: number == 1 ? newPath(latter) : nil, console)
            let (old, new) = isBaseFirst ? (early, late) : (late, early)
            clockStep = max(clockStep, old.clockStep, new.clockStep)
            if number == 1 {
                isKept = true
                try keepTraces()
            }
            if let first {
                try PairedHarnesses.expectSame(first.base, old, base)
                try PairedHarnesses.expectSame(first.head, new, head)
            } else {
                first = (old, new)
            }
            let alone = old.results.timesAlone(beside: new.results)
            let times = new.results.times(beside: old.results).merging(alone) { $1 }
            return (old.results.times(beside: new.results), times)
        }
        guard let (old, new) = first else {
            throw Failure(.harnessTrace, "time: runs: expected some, found none")
        }
        let comparability = Comparability(base: (old.header, old.results), head: (new.header, new.results))
        if let mismatch = comparability.mismatch {
            throw Failure(
                .notComparable,
                "\(head.command): \(mismatch.what): expected \(mismatch.base), as in base, found \(mismatch.head)")
        }
        var diff = TraceDiff(
            base: old.results, named: base.command, head: new.results, named: head.command,
            comparability: comparability)
        // Of keys alone nothing is a verdict about builds.
        diff.expectsResolutions = true
        if let page, let old = path(base), let new = path(head) {
            let traces = try ComparedTraces(Input(old, console), Input(new, console))
            let content = try traces.page(above: nil, console.progress)
            // It contains as much as the traces, which only their user may read.
            try OutputDestination(path: page, replaces: true).write(console) {
                try content.withUnsafeBytes($0)
            }
        }
        let newFindings = new.findings.filter { !old.findings.contains($0) }
        return Result(diff: diff, time: time, newFindings: newFindings, first: (old, new))
    }

    /// Removes the traces and the page of an earlier gate, where none of this one take their place.
    func removeKept() {
        for file in [path(base), path(head), page].compactMap(\.self) { unlink(file) }
    }

    private var page: String? { folder.map { $0 + "/diff.html" } }

    /// The path of the trace that stays; `nil` where none does.
    private func path(_ harness: TimedHarness) -> String? { folder.map { "\($0)/\(harness.side).keyflight" } }

    /// Where a harness writes it first: it may read the traces of an earlier gate.
    private func newPath(_ harness: TimedHarness) -> String? { path(harness).map { $0 + ".new" } }

    /// The harnesses find no trace there, or one that was left out could pass for that of this build.
    private func prepareFolder() throws {
        try withFolder { folder in
            try Files.makeFolder(folder)
            for path in [base, head].compactMap(newPath) where Files.exists(path) { try Files.remove(path) }
        }
    }

    /// Puts the traces of the first runs in place of those of an earlier gate.
    private func keepTraces() throws {
        removeKept()
        try withFolder { _ in
            for harness in [base, head] {
                guard let new = newPath(harness), let path = path(harness), Files.exists(new) else { continue }
                try Files.move(new, to: path)
            }
        }
    }

    private func withFolder(_ body: (_ folder: String) throws -> Void) throws {
        guard let folder else { return }
        do { try body(folder) } catch {
            throw Failure(
                .unwritable, "\(folder): --keep: expected a folder that can be written to, found \(error)")
        }
    }

    /// Two runs of one build must record and resolve alike: else a difference between builds has no meaning.
    fileprivate static func expectSame(
        _ first: TimedHarness.Outcome, _ again: TimedHarness.Outcome, _ harness: TimedHarness
    ) throws {
        var diff = TraceDiff(
            base: first.results, named: "the first run", head: again.results, named: "another run",
            comparesCounts: true)
        let comparability = Comparability(
            base: (first.header, first.results), head: (again.header, again.results))
        diff.inequality = comparability.mismatch ?? comparability.inequality
        let losses = [diff.base, diff.head].map { "\($0.lost) lost, shortened at \($0.shortened?.press ?? 0)" }
        let missing = diff.oneSided
            + (losses[0] == losses[1] ? [] : ["records: \(losses[1]), in the first run \(losses[0])"])
            + (diff.undecided > diff.undecidedInBoth ? diff.undecidedLines : [])
            + diff.renames.map { "\($0.head) in place of \($0.base)" }
            + (first.findings == again.findings ? [] : ["findings of lint: other ones"])
        guard diff.isIdentical, missing.isEmpty else {
            throw Failure(
                .nonDeterministicHarness,
                "\(harness.side): \(harness.command): expected the same resolutions and counts in every run, found"
                    + " \(([diff.summary] + missing).joined(separator: "; ")): it is not a function of its input")
        }
    }
}
