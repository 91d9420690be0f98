import KeyModel
import LatencyAnalysis
import TraceFormat

/// Tables of many traces, for other programs' databases: schema `keyflight.fleet/1`. Columns may be added; those that
/// are there keep name, type and meaning.
package enum FleetTable: String, CaseIterable, Sendable {
    case sessions, histograms, chords, findings

    package static let schema = "keyflight.fleet/1"

    package var name: String { rawValue }

    /// The meaning of a row.
    package var meaning: String {
        switch self {
        case .sessions: "one row for each input, good or bad, in the order of the inputs"
        case .histograms: "durations of a session by stage or by responder, as counts in buckets"
        case .chords: "how often a chord came to the same end in a session"
        case .findings: "what lint finds in a session"
        }
    }

    /// The columns, in order. NULL is what is not known.
    package var columns: [TableColumn] {
        var list = ColumnList()
        switch self {
        case .sessions: list.row(nil as FleetSession?, FleetPrivacy(), version: "", input: 0)
        case .histograms: list.row(nil as SessionHistogram?, of: nil)
        case .chords: list.row(nil as SessionChord?, of: nil)
        case .findings: list.row(nil as Finding?, of: nil)
        }
        return list.columns
    }
}

/// Rows of the tables; `nil` for their columns alone.
extension FleetRowSink {
    private mutating func traceID(_ hash: [UInt8]?) {
        text("trace_id", "SHA-256 of the input's bytes", hash?.hexadecimal)
    }

    mutating func row(_ session: FleetSession?, _ privacy: FleetPrivacy, version: String, input: Int64) {
        let info = session?.info
        func fact(_ name: String) -> String? { privacy.fact(info?.environment(name)) }
        func whole(_ fact: ProvenanceFact) -> String? { info?.environment(fact.rawValue) }
        traceID(session?.hash)
        text("session_key", "pseudonym of the fact session.id; NULL without a key", privacy.sessionKey(whole(.session)))
        int("sample_id", "0…99, by the fact app.installation.id; NULL without a key",
            privacy.sampleID(whole(.installation)))
        for provenance in ProvenanceFact.columns {
            text(provenance.column ?? "", "the fact \(provenance.rawValue)", fact(provenance.rawValue))
        }
        text("profile", "whose rules resolved the keys", fact("profile"))
        text("layout", "name of the first one", privacy.fact(info?.layouts.first?.name))
        text("layout_hash", "of its table", info?.layouts.first?.hash.hexadecimal(16))
        text("scene", "that was replayed", fact("scene"))
        text("level", "keys, resolutions, stages or calls", info?.level.name)
        flag("masked", "keys that type text are known by their class alone", session?.isMasked)
        int("presses", "keys with a down or a resolution, modifiers left out", info?.numberedPresses)
        int("bytes", "of the input", session?.bytes)
        flag("complete", "nothing is missing or unreadable", info?.file.isComplete)
        int("records_lost", "to damage and full buffers; NULL where the number is unknown",
            info.flatMap { info in
                let damage = info.file.damage.map(\.recordsLost) ?? 0
                return damage.map { $0.addingSaturated(info.loss.dropped).addingSaturated(info.loss.uncountedDrops) }
            })
        text("status", "ok, or why the input has no rows elsewhere", session?.status.rawValue)
        text("error_id", "as keyflight help explains it", session?.errorID)
        text("reason", "in words", session?.reason.map { VisibleText.escaped($0) })
        text("keyflight_version", "that made the row", version)
        int("input", "number of the input, from 1 on", input)
    }

    mutating func row(_ histogram: SessionHistogram?, of hash: [UInt8]?) {
        traceID(hash)
        text("metric", "stage, keyCommands, canPerformAction, validate or buildMenu", histogram?.metric.name)
        text("responder", "that was asked; NULL for stages", histogram?.responder)
        text("stage", "hid … settle, or total; NULL for calls", histogram?.stage)
        text("occasion", "down or repeatTick", histogram?.occasion.name)
        let durations = histogram?.durations
        int("n", "presses that have the stage; calls, timed or not", durations?.count)
        int("sum_ns", "of the durations; of calls, without the calls made inside", durations?.sum)
        int("max_ns", "the longest", durations?.longest)
        numbers("buckets", "codes of the buckets that are not empty, ascending", durations?.codes ?? [])
        numbers("counts", "durations in each of them", durations?.counts ?? [])
    }

    mutating func row(_ chord: SessionChord?, of hash: [UInt8]?) {
        traceID(hash)
        text("chord", "by position, such as shift+cmd+w; keys that type text are left out", chord?.chord)
        text("outcome", "performed, unhandled, …", chord?.outcome)
        text("first_responder", "where the chain began", chord?.firstResponder)
        text("action", "selector", chord?.action)
        int("n", "presses; repeats are not counted", chord?.presses)
        int("stale", "cached answers at these presses that were wrong", chord?.stale)
    }

    mutating func row(_ finding: Finding?, of hash: [UInt8]?) {
        traceID(hash)
        text("rule", "of lint", finding?.rule.rawValue)
        text("chord", "NULL where masked, or of none", finding?.chord?.text)
        int("presses", "that were affected", finding?.presses)
    }
}

/// Facts about where a trace comes from, by OpenTelemetry's names. Only these are ever in a table.
package enum ProvenanceFact: String, CaseIterable, Sendable {
    case serviceVersion = "service.version"
    case appBuild = "app.build_id"
    case revision = "vcs.ref.head.revision"
    case systemVersion = "os.version"
    case deviceModel = "device.model.identifier"
    case session = "session.id"
    case installation = "app.installation.id"

    /// The column that has its value; `nil` for those of which a table has a pseudonym.
    var column: String? {
        switch self {
        case .session, .installation: nil
        default: rawValue.replacing(".", with: "_")
        }
    }

    static let columns = allCases.filter { $0.column != nil }

    package var meaning: String {
        switch self {
        case .serviceVersion: "version of the app: 4.2"
        case .appBuild: "its build"
        case .revision: "commit that it was built from"
        case .systemVersion: "version of the operating system"
        case .deviceModel: "model of the device: iPad14,3"
        case .session: "one run of the app; a table has a pseudonym of it"
        case .installation: "one installation of the app; a table has a number below 100 for it"
        }
    }
}
