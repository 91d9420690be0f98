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
        let input = try Input(input, console, replay: replay)
        let (report, status) = try input.isScene ? scene(input, console) : trace(input, console)
        switch format {
        case .text: try console.show(report.text(console.style))
        case .json: try console.output.write(report.json)
        case .sarif: try console.output.write(report.sarif)
        }
        return status.joined(with: report.findings.isEmpty ? .fine : .findings)
    }

    private func trace(_ input: Input, _ console: Console) throws -> (LintReport, ExitStatus) {
        var source = try input.resolutions(takesKeys: true)
        let job = source.jobOfScene
        var scanner = LintScanner()
        try source.feed(&scanner)
        if let job, let plan = job.replay as? SceneReplay {
            try ReplayJob.explaining(input.name) { try inspect(plan, job.timeline, &scanner) }
        }
        let status = source.status(console)
        let findings = scanner.findings(definitions: source.definitions)
        let info = scanner.facts.info(of: source.facts)
        return (LintReport(findings, subject: .trace(info), name: source.name), status)
    }

    /// What the scene of a script declares, as of a scene alone.
    private func inspect(_ plan: SceneReplay, _ timeline: ReplayTimeline, _ scanner: inout LintScanner) throws {
        var sweep = try SceneSweep(plan)
        try sweep.findAsked()
        SceneDeclarations.inspect(plan.scene, into: &scanner)
        let asked = sweep.asked.union(scanner.asked)
        try SceneDeclarations.inspect(plan.instantiate(), asked: asked, into: &scanner)
        try SceneDeclarations.inspectPicks(sweep, into: &scanner)
        SceneDeclarations.inspect(try plan.lines(of: timeline), into: &scanner)
    }

    private func scene(_ input: Input, _ console: Console) throws -> (LintReport, ExitStatus) {
        let plan = try input.sceneReplay()
        var scanner = LintScanner()
        let sweep = try ReplayJob.explaining(input.name) {
            var sweep = try SceneSweep(plan)
            try sweep.run {
                console.progress.step("pressing the chords of \(input.name): \($0.place)")
                scanner.scan($0.recording, place: $0.place)
            }
            return sweep
        }
        SceneDeclarations.inspect(plan.scene, into: &scanner)
        try SceneDeclarations.inspect(plan.instantiate(), asked: sweep.asked, into: &scanner)
        try ReplayJob.explaining(input.name) { try SceneDeclarations.inspectPicks(sweep, into: &scanner) }
        let subject = LintReport.Subject.scene(
            contexts: sweep.contexts.count, presses: sweep.presses, isShortened: sweep.isShortened)
        return (LintReport(scanner.findings(), subject: subject, name: input.name), .fine)
    }
}
