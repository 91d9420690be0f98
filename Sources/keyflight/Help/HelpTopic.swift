import KeyModel
import LatencyAnalysis
import Scenes
import TraceExport
import TraceReports

/// Topics that `keyflight help` explains besides verbs: the sections of `Topics.md`.
enum HelpTopic {
    static let all = HelpSection.all(of: PackageResources.Topics_md)
    static let names = all.map(\.name)

    /// Objects of `--format json` by the schema that they name, with a row for each field.
    static let schemas = HelpSection.all(of: PackageResources.Schemas_md)

    /// All of them, for a sentence.
    static let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")

    /// The text of a topic or of a schema, `nil` for none.
    static func text(_ name: String, _ style: ReportStyle) -> String? {
        var style = style
        style.width = min(style.width ?? 80, 100)
        return (all + schemas).first { $0.name == name }?.text(style) { computed in
            if computed == "columns" { return columns(style) }
            if computed == "ci" { return pipelines }
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
        case "schemas": schemas.map { ($0.name, $0.summary) }
        case "topics": all.dropLast().map { ($0.name, $0.summary) }
        default: []
        }
    }

    /// Files of CI services, each under its name, as the page of the documentation has them.
    private static var pipelines: String {
        HelpSection.all(of: PackageResources.ContinuousIntegration_md)
            .map { "\n\($0.name): \($0.summary)\n" + $0.text() }.joined()
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
