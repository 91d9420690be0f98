import ArgumentParser
import LatencyAnalysis
import Libc
import TraceExport

/// Options of `export` for a table of many traces.
struct FleetOptions: ParsableArguments {
    @Option(
        help: "More inputs, from a file of their names, one a line; - is standard input.", completion: .file())
    var filesFrom: String?
    @Flag(help: "The names of --files-from end with NUL.") var null = false
    @Option(
        help: """
            Responder ids and action names that may be in a table, from a file of patterns with * and ?, one a line. \
            Every other one is (other): an app may make them of document names.
            """, completion: .file())
    var allowIds: String?
    @Option(
        help: """
            A file of 32 bytes or more, which only the one who collects the traces has: with it, session_key and \
            sample_id are made of session.id and app.installation.id.
            """, completion: .file())
    var pseudonymKey: String?

    /// The first one that was given.
    var given: String? {
        if filesFrom != nil { return "--files-from" }
        if null { return "--null" }
        if allowIds != nil { return "--allow-ids" }
        return pseudonymKey != nil ? "--pseudonym-key" : nil
    }

    /// The files among them.
    var files: [String] { [filesFrom, allowIds, pseudonymKey].compactMap(\.self) }

    func check() throws {
        if null, filesFrom == nil { throw ValidationError("--null goes with --files-from only.") }
    }

    fileprivate func privacy() throws -> FleetPrivacy {
        var patterns: [String] = []
        if let allowIds {
            let text = String(decoding: try ByteFile.read(allowIds), as: UTF8.self)
            patterns = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }.map(String.init)
        }
        return FleetPrivacy(allowed: patterns, key: try pseudonymKey.map(FleetOptions.key))
    }

    private static func key(_ path: String) throws -> [UInt8] {
        var key = try ByteFile.read(path)
        while let last = key.last, last == 0x0A || last == 0x0D { key.removeLast() }
        guard (32...4096).contains(key.count) else {
            throw Failure(.usage, "--pseudonym-key: expected a file of 32 to 4096 bytes, found \(key.count)")
        }
        return key
    }
}

/// Writes one table of many traces.
struct FleetExport {
    var table: FleetTable
    var inputs: [String]
    var options: FleetOptions
    var isArrow: Bool

    /// Inputs that are not kept in memory as files take no more than this at once.
    private static let weightLimit = 16 << 20
    /// Bad inputs that are named on standard error.
    private static let noteLimit = 20

    func write(to output: OutputDestination, _ console: Console) throws -> ExitStatus {
        let privacy = try options.privacy()
        var source = try FleetInputs(inputs, list: options.filesFrom, endsWithNull: options.null, console)
        try source.check(output)
        var bad: UInt64 = 0
        var hidesIDs = false
        try output.write(console) { sink in
            let bytes: ([UInt8]) throws -> Void = { try $0.withUnsafeBytes(sink) }
            func fill(_ rowSink: some FleetRowSink) throws {
                var rows = FleetRows(table, privacy: privacy, version: Keyflight.version, sink: rowSink)
                bad = try read(&source, privacy, console) { session in
                    hidesIDs = hidesIDs || FleetExport.hidesIDs(session)
                    try rows.write(session)
                }
                try rows.finish()
            }
            if isArrow { try fill(ArrowStream(table, to: bytes)) } else { try fill(MachineCSV(table, to: bytes)) }
        }
        if hidesIDs, options.allowIds == nil {
            console.note("responder and action ids are \(FleetPrivacy.otherID): --allow-ids FILE names those to keep")
        }
        if bad > FleetExport.noteLimit { console.note("\(bad) inputs are bad; --table sessions has the reasons") }
        return bad > 0 ? .damaged : .fine
    }

    /// Hands over all inputs in their order. The result is how many are bad.
    private func read(
        _ source: inout FleetInputs, _ privacy: FleetPrivacy, _ console: Console,
        _ hand: (FleetSession) throws -> Void
    ) throws -> UInt64 {
        let reading = FleetReading(part: table.part, privacy: privacy)
        let workers = OrderedWorkers<FleetInput, (name: String, session: FleetSession)> { reading.session(of: $0) }
        var seen = SeenTraces()
        var (done, bad) = (0, 0 as UInt64)
        try workers.run(
            threads: min(16, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))), weight: FleetExport.weightLimit,
            next: { try source.next().map { ($0, $0.weight) } },
            hand: { name, session in
                var session = session
                if let hash = session.hash, !seen.insert(hash), session.status == .ok {
                    session.fail(Failure(.duplicateTrace, "expected a new trace, found the bytes of one before it"))
                }
                done += 1
                console.progress.step("reading traces: \(done) done")
                if session.status != .ok {
                    bad += 1
                    if bad <= FleetExport.noteLimit { FleetExport.note(name, session, console) }
                }
                try hand(session)
            })
        return bad
    }

    private static func note(_ name: String, _ session: FleetSession, _ console: Console) {
        let id = session.errorID.flatMap { FailureID(rawValue: $0) } ?? .damaged
        console.fail(id, "\(name): \(session.reason ?? session.status.rawValue)")
    }

    private static func hidesIDs(_ session: FleetSession) -> Bool {
        switch session.rows {
        case .histograms(let rows): rows.contains { $0.responder == FleetPrivacy.otherID }
        case .chords(let rows): rows.contains { [$0.firstResponder, $0.action].contains(FleetPrivacy.otherID) }
        case .facts, .findings: false
        }
    }
}

extension FleetTable {
    fileprivate var part: SessionPart {
        switch self {
        case .sessions: .facts
        case .histograms: .histograms
        case .chords: .chords
        case .findings: .findings
        }
    }
}

/// Traces that were met, by half of their hashes: a hundred thousand take a few megabytes.
private struct SeenTraces {
    private var hashes: Set<SIMD2<UInt64>> = []

    mutating func insert(_ hash: [UInt8]) -> Bool {
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return hashes.insert(SIMD2(word(hash[0..<8]), word(hash[8..<16]))).inserted
    }
}
