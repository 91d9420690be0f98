import ArgumentParser
import KeyModel
import LatencyAnalysis
import TraceReports

/// Takes the place of the help that every command tree has: verbs as there, and topics, rules and errors besides.
struct Help: Verb {
    static let configuration = CommandConfiguration(
        commandName: "help", abstract: "Help on a verb, a topic, a rule or an error.",
        discussion: """
            Topics: \(HelpTopic.list). A rule of lint is named as lint names it (text-stolen), a rule of the \
            specification by its id (EV-8), an error by the id at the end of its line (KF0201). rules, specification \
            and errors list them.
            """)

    @Argument(help: "A verb, a topic, a rule or an id.", completion: WordCompletion.subjects) var subject: String?
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    var isPaged: Bool { true }
    var usesSettings: Bool { false }

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
        if let topic = HelpTopic(rawValue: subject.lowercased()) { return topic.text(console.style) }
        if let rule = LintRule(rawValue: subject.lowercased()) { return HelpEntry.text(rule) }
        if let id = FailureID(rawValue: subject.uppercased()) { return HelpEntry.text(id) }
        if let rule = SpecificationRule.named(subject) { return HelpEntry.text(rule) }
        throw Failure(.unknownTopic, "keyflight help: subject: \(expected), found \(subject)")
    }

    /// The expected subjects, with the nearest known one.
    private var expected: String {
        let word = subject ?? ""
        let near = EditDistance.nearest(to: word, among: HelpEntry.subjects)
        return "expected a verb, a topic, a rule or an error id" + (near.map { " such as \($0)" } ?? "")
    }
}

/// One rule or one error, explained.
enum HelpEntry {
    /// Every subject of help but the ids of errors, of which none is nearer than another.
    static let subjects = Keyflight.verbs + HelpTopic.allCases.map(\.rawValue) + LintRule.allCases.map(\.rawValue)
        + SpecificationRule.all.map(\.id)

    static func text(_ id: FailureID) -> String {
        let entry = id.entry
        return lines(
            id.rawValue,
            [
                ("what", entry.what), ("why", entry.why), ("remedy", entry.remedy),
                ("status", "\(id.status.rawValue), \(id.status.meaning)"),
            ])
    }

    static func text(_ rule: LintRule) -> String {
        lines(
            rule.rawValue,
            [
                ("finds", rule.title + "."), ("remedy", rule.hint + "."), ("severity", rule.severity.name),
                ("status", "\(ExitStatus.findings.rawValue), \(ExitStatus.findings.meaning)"),
            ])
    }

    /// A heading, and paragraphs beside their names, in 80 columns.
    static func lines(_ heading: String, _ parts: [(String, String)]) -> String {
        heading + "\n" + HelpTopic.table(parts, ReportStyle(width: 80))
    }
}
