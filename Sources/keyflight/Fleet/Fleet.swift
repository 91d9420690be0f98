import ArgumentParser
import Libc
import TraceReports

struct Fleet: Verb {
    enum Action: String, CaseIterable, ExpressibleByArgument {
        case ingest, compare, report
    }

    /// Columns of sessions that divide them.
    enum Column: String, CaseIterable, ExpressibleByArgument {
        case version = "service_version"
        case build = "app_build_id"
        case revision = "vcs_ref_head_revision"
        case system = "os_version"
        case device = "device_model_identifier"
        case profile, layout, none
    }

    /// The unit that is left out at a time to estimate how sure a difference is.
    enum Cluster: String, CaseIterable, ExpressibleByArgument {
        case installation, session
    }

    static let configuration = CommandConfiguration(verb: "fleet")

    @Argument(help: "What to do.") var action: Action
    @Argument(help: "A folder of traces to ingest, else a lake.", completion: .directory) var folder: String
    @Argument(help: "With compare: two versions, the older one first.") var versions: [String] = []
    @Option(name: [.short, .long], help: "With ingest the lake; with report the file to write; - is standard output.")
    var output: String?
    @Flag(help: "With report: replace OUTPUT if it is a regular file.") var force = false
    @Option(help: "With compare: the column of sessions that has the versions; else service_version.") var by: Column?
    @Option(help: "With compare: the column that divides them further; else os_version.") var within: Column?
    @Option(help: "With compare: what is independent of each other, installations or sessions; else installations.")
    var cluster: Cluster?
    @Option(help: "With compare: how often to compare sessions that are dealt out by lot, which counts false alarms.")
    var selfTest: Int?
    @Option(help: "With ingest: a file of patterns of responder ids and action names to keep.", completion: .file())
    var allowIds: String?
    @Option(help: "With ingest: a file of 32 bytes or more, of which sample_id is made.", completion: .file())
    var pseudonymKey: String?
    @Option(help: "With ingest and compare: the form of the results.") var format: ReportFormat?
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions
    var judges: Bool { true }

    func validate() throws {
        for (option, actions) in given where !actions.contains(action) {
            let names = actions.map(\.rawValue).joined(separator: " and ")
            throw ValidationError("\(option) goes with \(names) only.")
        }
        if action != .compare, output?.isEmpty != false { throw ValidationError("Name the output with -o.") }
        if action == .ingest, output == "-" { throw ValidationError("A lake is a folder, not standard output.") }
        guard versions.count == (action == .compare ? 2 : 0) else {
            let expected = action == .compare ? "two versions" : "nothing behind FOLDER"
            throw ValidationError("\(action.rawValue): expected \(expected), found \(versions.count).")
        }
        if action == .compare, versions[0] == versions[1] { throw ValidationError("Name two different versions.") }
        if by == Column.none { throw ValidationError("--by none: expected a column.") }
        if let selfTest, !(1...100_000).contains(selfTest) {
            throw ValidationError("--self-test: expected a number from 1 to 100000, found \(selfTest).")
        }
    }

    /// Options that are given, with what they go with.
    private var given: [(String, [Action])] {
        let options: [(String, Bool, [Action])] = [
            ("--output", output != nil, [.ingest, .report]), ("--force", force, [.report]),
            ("--by", by != nil, [.compare]), ("--within", within != nil, [.compare]),
            ("--cluster", cluster != nil, [.compare]), ("--self-test", selfTest != nil, [.compare]),
            ("--allow-ids", allowIds != nil, [.ingest]), ("--pseudonym-key", pseudonymKey != nil, [.ingest]),
            ("--format", format != nil, [.ingest, .compare]),
        ]
        return options.filter(\.1).map { ($0.0, $0.2) }
    }

    func perform(on console: Console) throws -> ExitStatus {
        if action == .ingest {
            try checkFolder("a folder of traces")
            for file in [allowIds, pseudonymKey].compactMap(\.self) { _ = try ByteFile.read(file) }
        } else {
            try checkLake()
        }
        guard action == .report, let output else {
            let work = try FleetWork(words, console)
            if format == .json { try console.output.write(work.output) } else { try console.show(work.output) }
            return work.status
        }
        let destination = OutputDestination(path: output, replaces: force, isText: true)
        return try destination.write(console, if: { $0 == .fine }) { sink in
            let work = try FleetWork(words, console)
            guard work.status == .fine else { return work.status }
            try StaticPage.bytes(title: "keyflight fleet", body: work.output).withUnsafeBytes(sink)
            return work.status
        }
    }

    /// The command line of the package for Python. What begins with a dash is no option of its own.
    private var words: [String] {
        var words = [action.rawValue]
        let options: [(String, String?)] = [
            ("--by", by?.rawValue), ("--within", within?.rawValue), ("--cluster", cluster?.rawValue),
            ("--self-test", selfTest.map(String.init)), ("--allow-ids", allowIds), ("--pseudonym-key", pseudonymKey),
            ("--format", format?.rawValue), ("--program", action == .ingest ? AdapterLibrary.program : nil),
        ]
        for case let (name, value?) in options { words.append("\(name)=\(value)") }
        return words + ["--", folder] + (action == .ingest ? [output ?? ""] : versions)
    }

    private func checkFolder(_ expected: String) throws {
        guard Files.isFolder(folder) else {
            let found = Files.exists(folder) ? "a file" : "nothing"
            throw Failure(.unreadable, "\(folder): expected \(expected), found \(found)")
        }
    }

    private func checkLake() throws {
        try checkFolder("a lake")
        guard Files.mayRead(folder + "/keyflight.lake") else {
            throw Failure(
                .unreadable, "\(folder): expected a lake, found no keyflight.lake; keyflight fleet ingest makes one")
        }
    }
}
