// Measures what keyflight costs: exact counters, which are the same everywhere and are compared for equality, and
// timings, which are not and come with their spread.
import SystemPackage
import TraceFormat

enum ExitCode {
    static let fine: Int32 = 0
    static let different: Int32 = 1
    static let unreadable: Int32 = 2
    static let usage: Int32 = 64
    static let internalError: Int32 = 70
}

func run(_ options: BenchOptions) throws -> Int32 {
    switch options.action {
    case .help:
        StandardStreams.print(BenchOptions.usage)
    case .list:
        for workload in Workload.allCases { StandardStreams.print("\(workload.rawValue)\t\(workload.summary)\n") }
    case .statistics: return SampleStatistics.run() ? ExitCode.fine : ExitCode.unreadable
    case .counters:
        StandardStreams.print(CounterGolden.text(try cases(of: options)))
    case .check(let path):
        let golden = String(decoding: try FileBytes.contents(of: path), as: UTF8.self)
        let differences = CounterGolden.differences(of: try cases(of: options), from: golden)
        for line in differences { StandardStreams.print("\(path): \(line)\n") }
        return differences.isEmpty ? ExitCode.fine : ExitCode.different
    case .writeCapture(let path, let transfers):
        try FileBytes.store(TypistCapture.bytes(transfers: transfers), at: path)
    case .writeTrace(let path, let bytes):
        StandardStreams.print("\(try LargeTrace.write(to: path, bytes: UInt64(bytes)))\n")
    case .checksum(let path):
        StandardStreams.print(try ImportWorkload.order(ofCapture: path).text + "\n")
    case .scan(let path, let rounds):
        StandardStreams.print(try ReadWorkload.scan(path, rounds: rounds))
    case .walk(let path, let rounds):
        StandardStreams.print(try ImportWorkload.walk(path, rounds: rounds))
    case .keys(let path, let rounds):
        StandardStreams.print(try ImportWorkload.keys(path, rounds: rounds))
    case .decode(let path):
        StandardStreams.print("\(try AnalysisWorkload.decode(try TraceFile.bytes(of: path)))\n")
    case .measure:
        let results = try BenchRunner.time(try cases(of: options), runs: options.runs) { step in
            StandardStreams.note(step)
        }
        StandardStreams.print(options.isJSON ? BenchReport.json(results) : BenchReport.text(results))
    }
    return ExitCode.fine
}

func cases(of options: BenchOptions) throws -> [BenchCase] {
    try options.workloads.flatMap { workload in
        StandardStreams.note("preparing \(workload.rawValue)")
        return switch workload {
        case .import: try ImportWorkload.cases(isQuick: options.isQuick)
        case .write: try WriteWorkload.cases(isQuick: options.isQuick)
        case .read: try ReadWorkload.cases(isQuick: options.isQuick)
        case .press: try PressWorkload.cases(isQuick: options.isQuick)
        case .replay: try ReplayWorkload.cases(isQuick: options.isQuick)
        case .record: try RecordWorkload.cases(isQuick: options.isQuick)
        case .analysis: try AnalysisWorkload.cases(isQuick: options.isQuick)
        case .lists: try ListsWorkload.cases(isQuick: options.isQuick)
        case .gate: try GateWorkload.cases()
        }
    }
}

do {
    let options = try BenchOptions(Array(CommandLine.arguments.dropFirst()))
    StandardStreams.end(with: try run(options))
} catch let error as BenchOptions.UsageError {
    StandardStreams.note("keyflight-bench: \(error)")
    StandardStreams.end(with: ExitCode.usage)
} catch {
    StandardStreams.note("keyflight-bench: \(error)")
    let isUnreadable = error is Errno || error is TraceError
    StandardStreams.end(with: isUnreadable ? ExitCode.unreadable : ExitCode.internalError)
}
