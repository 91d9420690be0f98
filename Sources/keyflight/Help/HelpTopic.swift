import KeyModel
import LatencyAnalysis
import Scenes
import TraceExport
import TraceReports

/// Topics that `keyflight help` explains besides verbs: the sections of `Topics.md`.
enum HelpTopic {
    static let all = HelpSection.all(of: PackageResources.Topics_md)
    static let names = all.map(\.name)

    /// All of them, for a sentence.
    static let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")

    /// The text of a topic, `nil` for none.
    static func text(_ name: String, _ style: ReportStyle) -> String? {
        var style = style
        style.width = min(style.width ?? 80, 100)
        return all.first { $0.name == name }?.text(style) { computed in
            if computed == "columns" { return columns(style) }
            return HelpSection.table(rows(computed), style)
        }
    }

    private static func rows(_ table: String) -> [(String, String)] {
        switch table {
        case "keys": [("do", "what happens besides: " + ContextStep.verbs.joined(separator: " "))]
        case "filters": [("fields", PressFilter.fields.map(\.name).joined(separator: " "))]
        case "facts": ProvenanceFact.allCases.map { ($0.rawValue, $0.meaning) }
        case "exit-codes": ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }
        case "rules": LintRule.allCases.map { ($0.rawValue, $0.title) }
        case "specification": SpecificationRule.all.map { ($0.id, $0.title) }
        case "errors": FailureID.allCases.map { ($0.rawValue, $0.section?.summary ?? "") }
        case "topics": all.dropLast().map { ($0.name, $0.summary) }
        default: []
        }
    }

    /// Tables of many traces, with what each column holds.
    private static func columns(_ style: ReportStyle) -> String {
        FleetTable.allCases.map { table in
            let rows = table.columns.map { ($0.name, "\(name(of: $0.kind)): \($0.meaning)") }
            return "\n\(table.name): \(table.meaning)\n" + HelpSection.table(rows, style)
        }.joined()
    }

    private static func name(of kind: TableColumn.Kind) -> String {
        switch kind {
        case .integer: "int64"
        case .text: "utf8"
        case .flag: "bool"
        case .integers: "list of int64"
        }
    }
}
