private typealias T = TableColumn

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
        let trace = T.text("trace_id", "SHA-256 of the input's bytes")
        switch self {
        case .sessions: return [trace] + FleetTable.session
        case .histograms:
            return [
                trace, T.text("metric", "stage, keyCommands, canPerformAction, validate or buildMenu"),
                T.text("responder", "that was asked; NULL for stages"),
                T.text("stage", "hid … settle, or total; NULL for calls"),
                T.text("occasion", "down or repeatTick"),
                T.int("n", "presses that have the stage; calls, timed or not"),
                T.int("sum_ns", "of the durations; of calls, without the calls made inside"),
                T.int("max_ns", "the longest"),
                T(name: "buckets", kind: .integers, meaning: "codes of the buckets that are not empty, ascending"),
                T(name: "counts", kind: .integers, meaning: "durations in each of them"),
            ]
        case .chords:
            return [
                trace, T.text("chord", "by position, such as shift+cmd+w; keys that type text are left out"),
                T.text("outcome", "performed, unhandled, …"),
                T.text("first_responder", "where the chain began"),
                T.text("action", "selector"), T.int("n", "presses; repeats are not counted"),
                T.int("stale", "cached answers at these presses that were wrong"),
            ]
        case .findings:
            return [
                trace, T.text("rule", "of lint"), T.text("chord", "NULL where masked, or of none"),
                T.int("presses", "that were affected"),
            ]
        }
    }

    private static let session: [TableColumn] = [
        T.text("session_key", "pseudonym of the fact session.id; NULL without a key"),
        T.int("sample_id", "0…99, by the fact app.installation.id; NULL without a key"),
    ] + ProvenanceFact.columns.map { T.text($0.column ?? "", "the fact \($0.rawValue)") } + [
        T.text("profile", "whose rules resolved the keys"), T.text("layout", "name of the first one"),
        T.text("layout_hash", "of its table"), T.text("scene", "that was replayed"),
        T.text("level", "keys, resolutions, stages or calls"),
        T(name: "masked", kind: .flag, meaning: "keys that type text are known by their class alone"),
        T.int("presses", "downs of keys that are no modifiers"), T.int("bytes", "of the input"),
        T(name: "complete", kind: .flag, meaning: "nothing is missing or unreadable"),
        T.int("records_lost", "to damage; NULL where unknown"),
        T.text("status", "ok, or why the input has no rows elsewhere"),
        T.text("error_id", "as keyflight help explains it"), T.text("reason", "in words"),
        T.text("keyflight_version", "that made the row"),
        T.int("input", "number of the input, from 1 on"),
    ]
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
