import ArgumentParser
import FlightReplay
import LatencyAnalysis
import TraceReports
import WhatIf

struct Lint: Verb {
    static let configuration = CommandConfiguration(verb: "lint")

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, sarif
    }

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Replay") var replay: ReplayOptions
    @Option(help: "The form of the report.") var format = Format.text
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions
    var judges: Bool { true }

    var isPaged: Bool { true }

    func perform(on console: Console) throws -> ExitStatus {
        let file = try InputFile(input.input, console)
        let (report, status) = try file.isScene ? scene(file, console) : trace(file, console)
        switch format {
        case .text: try console.show(report.text(console.style))
        case .json: try console.output.write(report.json)
        case .sarif: try console.output.write(report.sarif)
        }
        return status.joined(with: report.findings.isEmpty ? .fine : .findings)
    }

    private func trace(_ file: InputFile, _ console: Console) throws -> (LintReport, ExitStatus) {
        var source = try replay.resolutions(of: file, input, takesKeys: true, console)
        var scanner = LintScanner()
        try source.feed(&scanner)
        let status = source.status(console)
        let findings = scanner.findings(definitions: source.definitions)
        let info = scanner.facts.info(of: source.facts)
        return (LintReport(findings, subject: .trace(info), name: source.name), status)
    }

    private func scene(_ file: InputFile, _ console: Console) throws -> (LintReport, ExitStatus) {
        let plan = try file.sceneReplay(replay, input, console)
        var scanner = LintScanner()
        var sweep: SceneSweep
        do {
            sweep = try SceneSweep(plan)
            try sweep.run {
                console.progress.step("pressing the chords of \(file.name): \($0.place)")
                scanner.scan($0.recording, place: $0.place)
            }
        } catch {
            throw ReplayJob.failure(error, file.name)
        }
        SceneDeclarations.inspect(plan.scene, into: &scanner)
        let subject = LintReport.Subject.scene(
            contexts: sweep.contexts.count, presses: sweep.presses, isShortened: sweep.isShortened)
        return (LintReport(scanner.findings(), subject: subject, name: file.name), .fine)
    }
}
