import KeyModel
import LatencyAnalysis
import ResponderEngine
import Scenes
import TraceExport
import TraceReports

/// Topics that `keyflight help` explains besides verbs.
enum HelpTopic: String, CaseIterable {
    case questions, stages, profiles, scenes, keys, format, privacy, filters, tables, fleets, environment
    case answers, sql, page, exporting, captures, recording, alignment, sharing, goldens, gating, terminal
    case exitCodes = "exit-codes"
    case rules, specification, errors, topics

    /// All of them, for a sentence.
    static var list: String {
        allCases.dropLast().map(\.rawValue).joined(separator: ", ") + " and " + (allCases.last?.rawValue ?? "")
    }

    func text(_ style: ReportStyle) -> String {
        var style = style
        style.width = min(style.width ?? 80, 100)
        return words.prose + (rows.isEmpty ? "" : HelpTopic.table(rows, style)) + notes(style)
    }

    /// The topic's heading, with what comes before its table, and what it is about in a few words.
    private var words: (prose: String, summary: String) {
        switch self {
        case .questions: (Self.questionsText, "questions of developers, and the commands that answer them")
        case .stages: (Self.stagesText, "where the time of a press goes")
        case .profiles: (Self.profilesText, "whose rules resolve a key")
        case .scenes: (Self.scenesText, "a responder tree as a file")
        case .keys: (Self.keysText, "names of keys, chords, and scripts of what is pressed")
        case .format: (Self.formatText, "what a trace holds, and what reads and writes one")
        case .privacy: (Self.privacyText, "what is recorded of typed text, and what remains")
        case .filters: (Self.filtersText, "which presses, as --where takes them")
        case .tables: (Self.tablesText, "tables of many traces, their columns and what is never in them")
        case .fleets:
            (Self.fleetsText, "many traces day by day: a lake, two versions compared, Spark, and what it costs")
        case .environment: (Self.environmentText, "variables that stand for options")
        case .answers: (Self.answersText, "how a trace replays without a scene, derived commands, and what-ifs")
        case .sql: (Self.sqlText, "presses as tables, with examples")
        case .page: (Self.pageText, "a trace in a browser")
        case .exporting: (Self.exportingText, "traces in other programs")
        case .captures: (Self.capturesText, "keyboards as other programs recorded them")
        case .recording: (Self.recordingText, "keys while they are pressed")
        case .alignment: (Self.alignmentText, "two recordings of the same typing on one time base")
        case .sharing: (Self.sharingText, "parts, repairs and copies of traces")
        case .goldens: (Self.goldensText, "accepted replays, and what a test allows")
        case .gating: (Self.gatingText, "goldens and builds in CI")
        case .terminal: (Self.terminalText, "output, pager, progress and colour")
        case .exitCodes: ("Exit codes\n", "what the status of a run means")
        case .rules: ("Rules of lint\n", "what lint finds")
        case .specification:
            ("Rules of the specification: keyflight help ID explains\n", "what the system does with keys, by rule")
        case .errors:
            (
                "Errors, by the id at the end of their line; the first two digits are the exit code\n",
                "errors, by the id at the end of their line"
            )
        case .topics: ("Topics: keyflight help TOPIC explains\n", "this list")
        }
    }

    /// Its table, where it has one.
    private var rows: [(String, String)] {
        switch self {
        case .questions: HelpTopic.questionRows
        case .stages: LatencyStage.allCases.map { ($0.name, HelpTopic.meaning(of: $0)) }
        case .profiles: Profile.shippedNames.map { ($0, HelpTopic.systems[$0] ?? "") }
        case .keys: [("do", HelpTopic.contextSteps)]
        case .filters: [("fields", PressFilter.fields.map(\.name).joined(separator: " "))]
        case .tables: ProvenanceFact.allCases.map { ($0.rawValue, $0.meaning) }
        case .environment: Settings.Variable.allCases.map { ($0.rawValue, $0.option) }
        case .captures: HelpTopic.captureRows
        case .exitCodes: ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }
        case .rules: LintRule.allCases.map { ($0.rawValue, $0.title) }
        case .specification: SpecificationRule.all.map { ($0.id, $0.title) }
        case .errors: FailureID.allCases.map { ($0.rawValue, $0.entry.what) }
        case .topics: HelpTopic.allCases.dropLast().map { ($0.rawValue, $0.words.summary) }
        default: []
        }
    }

    /// The text after the table.
    private func notes(_ style: ReportStyle) -> String {
        switch self {
        case .tables:
            FleetTable.allCases.map { table in
                "\n\(table.name): \(table.meaning)\n" + HelpTopic.table(HelpTopic.columns(of: table), style)
            }.joined()
        case .captures: HelpTopic.capturesNotes
        case .exitCodes: HelpTopic.exitCodesText
        default: ""
        }
    }

    private static let contextSteps = "what happens besides: " + ContextStep.verbs.joined(separator: " ")

    static func table(_ rows: [(String, String)], _ style: ReportStyle) -> String {
        var table = TextTable([.init(title: ""), .init(title: "", fit: .wrap)])
        for row in rows { table.add([.init(row.0), .init(row.1)]) }
        return table.rendered(style)
    }

    private static func meaning(of stage: LatencyStage) -> String {
        switch stage {
        case .hid: "from the switch to the computer; seen only with the log of the switch"
        case .transport: "from the bus to the operating system's timestamp"
        case .inputDelay: "from that timestamp into the app, behind earlier presses too"
        case .presses: "the climb of the raw press through the responders"
        case .chordWait: "waiting whether a longer key sequence follows"
        case .collect: "all passes of keyCommands, and building menus"
        case .match: "comparing the key with the commands"
        case .validate: "asking whether the action can be performed now"
        case .action: "the action itself"
        case .settle: "from the end of the action to idle, or to the committed frame"
        }
    }

    private static let systems = [
        "ios7": "iOS 7 and 8", "ios9": "iOS 9 to 12", "ios13": "iOS 13.0 to 13.3", "ios134": "iOS 13.4 and 14",
        "ios15": "iOS 15 to 25; what stands where nothing else says", "ios26": "iOS 26", "ios27": "iOS 27: an app needs window scenes",
        "catalyst": "an iPad app on the Mac: a menu's keys act before text and the chain; arrows are numericPad",
        "react-native-dev": "React Native's developer commands: a plain R is ⌘R too, all matches run",
        "appkit": "AppKit as Apple documents it: keys with Command are asked for as key equivalents, then key-down",
        "gnustep": "AppKit of GNUstep as recorded: every key is asked for, and a disabled item keeps its key",
    ]
}
