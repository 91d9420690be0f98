import ArgumentParser
import CaptureImport
import KeyModel
import TraceFormat
import TraceReports

struct Doctor: Verb {
    static let configuration = CommandConfiguration(verb: "doctor")

    @Option(help: "The form of the report.") var format = ReportFormat.text
    @Flag(help: "Print the remedies alone, one a line.") var fixHints = false
    @Flag(help: "Print a rule for udev that lets members of the group input record from USB buses.") var udev = false
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func validate() throws {
        if fixHints || udev, format == .json { throw ValidationError("--fix-hints and --udev are texts.") }
        if fixHints, udev { throw ValidationError("--fix-hints and --udev exclude each other.") }
    }

    func perform(on console: Console) throws -> ExitStatus {
        if udev {
            try console.output.line(CaptureSurvey.udevRule)
            return .fine
        }
        let findings = CaptureSurvey().findings(terminal: console.isInMemory ? .none : .ask())
        if fixHints {
            for remedy in findings.compactMap(\.remedy).withoutRepeats { try console.output.line(remedy) }
        } else {
            try console.print(
                format, text: { DoctorReport.text(findings, $0) }, json: DoctorReport.json(findings))
        }
        return findings.contains { $0.state == .repairable } ? .findings : .fine
    }
}

/// The forms of the report.
enum DoctorReport {
    static func text(_ findings: [CaptureSurvey.Finding], _ style: ReportStyle = .plain) -> String {
        var table = TextTable([
            .init(title: ""), .init(title: ""), .init(title: "", fit: .wrap), .init(title: ""),
        ])
        for finding in findings {
            let cells = [sign(finding.state), finding.subject, finding.detail, finding.remedy ?? ""]
            table.add(cells.map { TextTable.Cell(VisibleText.escaped($0)) })
        }
        return table.rendered(style)
    }

    private static func sign(_ state: CaptureSurvey.Finding.State) -> String {
        switch state {
        case .works: "✔"
        case .repairable: "✘"
        case .absent: "–"
        }
    }

    /// Schema `keyflight.doctor/1`, one line.
    static func json(_ findings: [CaptureSurvey.Finding]) -> String {
        JSONText.objectText { json in
            json.member("schema", "keyflight.doctor/1")
            json.member("repairable", findings.count { $0.state == .repairable })
            json.member("findings", objects: findings) { json, finding in
                json.member("subject", finding.subject)
                json.member("state", finding.state.rawValue)
                json.member("detail", finding.detail)
                json.member("remedy", finding.remedy)
            }
        } + "\n"
    }
}
