import KeyModel
import LatencyAnalysis
import ResponderEngine
import Scenes
import TraceExport
import TraceReports

/// What `keyflight help` explains besides verbs.
enum HelpTopic: String, CaseIterable {
    case stages, profiles, scenes, keys, format, privacy, filters, tables, settings
    case exitCodes = "exit-codes"
    case rules, errors, topics

    /// All of them, for a sentence.
    static var list: String {
        allCases.dropLast().map(\.rawValue).joined(separator: ", ") + " and " + (allCases.last?.rawValue ?? "")
    }

    func text(_ style: ReportStyle) -> String {
        var style = style
        style.width = min(style.width ?? 80, 100)
        switch self {
        case .stages:
            let rows = LatencyStage.allCases.map { ($0.name, HelpTopic.meaning(of: $0)) }
            return HelpTopic.stagesText + HelpTopic.table(rows, style)
        case .profiles:
            let names = Profile.shippedNames.map { name in
                (name, HelpTopic.systems[name] ?? "")
            }
            return HelpTopic.profilesText + HelpTopic.table(names, style)
        case .scenes: return HelpTopic.scenesText
        case .keys: return HelpTopic.keysText + HelpTopic.table([("do", HelpTopic.contextSteps)], style)
        case .format: return HelpTopic.formatText
        case .privacy: return HelpTopic.privacyText
        case .filters:
            let fields = PressFilter.fieldNames.joined(separator: " ")
            return HelpTopic.filtersText + HelpTopic.table([("fields", fields)], style)
        case .tables:
            let tables = FleetTable.allCases.map { table in
                "\n\(table.name): \(table.meaning)\n" + HelpTopic.table(HelpTopic.columns(of: table), style)
            }
            let facts = ProvenanceFact.allCases.map { ($0.rawValue, $0.meaning) }
            return HelpTopic.tablesText + HelpTopic.table(facts, style) + tables.joined()
        case .settings:
            let rows = Setting.allCases.map { ($0.rawValue, "\($0.meaning): \($0.expectation)") }
            return HelpTopic.settingsText + HelpTopic.table(rows, style)
        case .exitCodes:
            let rows = ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }
            return "Exit codes\n" + HelpTopic.table(rows, style) + HelpTopic.exitCodesText
        case .rules:
            let rows = LintRule.allCases.map { ($0.rawValue, $0.title) }
            return "Rules of lint\n" + HelpTopic.table(rows, style)
        case .errors:
            let rows = FailureID.allCases.map { ($0.rawValue, $0.entry.what) }
            return "Errors, by the id at the end of their line; the first two digits are the exit code\n"
                + HelpTopic.table(rows, style)
        case .topics:
            let rows = HelpTopic.allCases.dropLast().map { ($0.rawValue, $0.summary) }
            return "Topics: keyflight help TOPIC explains\n" + HelpTopic.table(rows, style)
        }
    }

    private var summary: String {
        switch self {
        case .stages: "where the time of a press goes"
        case .profiles: "whose rules resolve a key"
        case .scenes: "a responder tree as a file"
        case .keys: "names of keys, chords, and scripts of what is pressed"
        case .format: "what a trace holds, and what reads and writes one"
        case .privacy: "what is recorded of typed text, and what remains"
        case .filters: "which presses, as --where takes them"
        case .tables: "tables of many traces, their columns and what is never in them"
        case .settings: "defaults for a repository"
        case .exitCodes: "what the status of a run means"
        case .rules: "what lint finds"
        case .errors: "errors, by the id at the end of their line"
        case .topics: "this list"
        }
    }

    private static let contextSteps = "what happens besides: " + ContextStep.verbs.joined(separator: " ")

    private static func table(_ rows: [(String, String)], _ style: ReportStyle) -> String {
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
        "ios15": "iOS 15 to 25; what stands where nothing else says", "ios26": "iOS 26",
        "catalyst": "an iPad app on the Mac: a menu's keys act before text and the chain",
        "react-native-dev": "React Native's developer commands: a plain R is ⌘R too, all matches run",
    ]
}
