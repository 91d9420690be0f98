import ArgumentParser
import KeyModel
import LatencyAnalysis
import TraceReports

/// Takes the place of the help that every command tree has: verbs as there, and topics, rules and errors besides.
struct Help: Verb {
    static let configuration = CommandConfiguration(verb: "help")

    @Argument(help: "A verb, a topic, a rule, a schema or an id.", completion: Completion.subjects) var subject: String?
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    var isPaged: Bool { true }
    var usesSettings: Bool { false }

    /// Every subject but the ids of errors, of which none is nearer than another.
    static let subjects = Keyflight.verbs + HelpTopic.names + LintRule.allCases.map(\.rawValue)
        + SpecificationRule.all.map(\.id) + HelpTopic.schemas.map(\.name)

    func perform(on console: Console) throws -> ExitStatus {
        try console.show(try text(console))
        return .fine
    }

    private func text(_ console: Console) throws -> String {
        let columns = console.columns
        guard let subject else { return Keyflight.helpMessage(columns: columns) + "\n" }
        if let verb = Keyflight.configuration.subcommands.first(where: { $0.configuration.commandName == subject }) {
            return Keyflight.helpMessage(for: verb, columns: columns) + "\n"
        }
        if let topic = HelpTopic.text(subject.lowercased(), console.style) { return topic }
        if let rule = LintRule(rawValue: subject.lowercased()) { return Help.text(rule) }
        if let id = FailureID(rawValue: subject.uppercased()) { return Help.text(id) }
        if let rule = SpecificationRule.named(subject) { return Help.text(rule) }
        let word = subject.lowercased()
        let topic = HelpTopic.all.first { topic in
            topic.summary.split { " ,:".contains($0) }.contains { $0 == word }
        }
        let name = EditDistance.nearest(to: subject, among: Help.subjects) ?? topic?.name
        let near = name.map { " such as \($0)" } ?? ""
        throw Failure(
            .unknownTopic,
            "keyflight help: subject: expected a verb, a topic, a rule or an error id\(near), found \(subject)")
    }

    static func text(_ id: FailureID) -> String {
        // A section of `Errors.md` has the cause, an empty line and the remedy.
        let parts = id.section?.text().split(separator: "\n").map(String.init) ?? []
        let status = "\(id.status.rawValue), \(id.status.meaning)"
        return entry(
            id.rawValue,
            Array(zip(["what", "why", "remedy", "status"], [id.section?.summary ?? ""] + parts + [status])))
    }

    static func text(_ rule: LintRule) -> String {
        entry(
            rule.rawValue,
            [
                ("finds", rule.title + "."), ("remedy", rule.hint + "."), ("severity", rule.severity.name),
                ("status", "\(ExitStatus.findings.rawValue), \(ExitStatus.findings.meaning)"),
            ])
    }

    static func text(_ rule: SpecificationRule) -> String { entry("\(rule.id) \(rule.title)", rule.rows) }

    /// A heading, and paragraphs beside their names, in 80 columns.
    private static func entry(_ heading: String, _ parts: [(String, String)]) -> String {
        heading + "\n" + HelpSection.table(parts, ReportStyle(width: 80))
    }
}
