import ArgumentParser
import FlightReplay
import KeyModel
import LatencyAnalysis
import ResponderEngine
import Scenes
import TraceFormat
import TraceReports
import WhatIf

struct Bindings: Verb {
    static let configuration = CommandConfiguration(verb: "bindings")

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Replay") var replay: ReplayOptions
    @Option(help: "Only this chord, such as cmd+left or ⌘←.", completion: Completion.chords) var chord: String?
    @Flag(help: "What the overlay of shortcuts shows, or the menus that took its place.") var overlay = false
    @Option(help: "With --overlay: modifiers that are held, such as opt or ⌥⇧; menus show the alternates for them.")
    var holding: String?
    @Option(help: "The form of the report.") var format = ReportFormat.text
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    var isPaged: Bool { true }

    func validate() throws {
        _ = try heldModifiers()
        _ = try query()
        if holding != nil, !overlay { throw ValidationError("--holding goes with --overlay.") }
        if chord != nil, overlay { throw ValidationError("--chord: an overlay shows all chords.") }
    }

    private func query() throws -> ChordQuery? {
        guard let chord else { return nil }
        do { return try ChordQuery(chord) } catch {
            throw ValidationError("--chord \(chord): expected a chord such as cmd+left or ⌘←.")
        }
    }

    /// A chord that lacks its key.
    private func heldModifiers() throws -> KeyModifiers {
        guard let holding else { return [] }
        do { return try Chord.parse(holding + "+a").modifiers } catch {
            throw ValidationError("--holding \(holding): expected modifiers such as opt, shift+opt or ⌥⇧.")
        }
    }

    func perform(on console: Console) throws -> ExitStatus {
        let input = try Input(input, console, replay: replay)
        if overlay { return try showOverlay(of: input, console) }
        let query = try query()
        let report: BindingsReport
        var status = ExitStatus.fine
        if input.isScene {
            let analysis = try ReplayJob.explaining(input.name) {
                var sweep = try SceneSweep(input.sceneReplay())
                var analysis = try sweep.bindings {
                    console.progress.step("pressing the chords of \(input.name): \($0.place)")
                }
                if let query {
                    analysis.select(query)
                    if analysis.bindings.isEmpty {
                        analysis.unoffered = try sweep.unoffered(query)
                        if !analysis.menuConflicts.isEmpty { analysis.leftOut = sweep.menuActions(of: query) }
                    }
                }
                return analysis
            }
            report = BindingsReport(analysis, info: nil, name: input.name)
        } else {
            var analyzer = BindingsAnalyzer()
            let unread = try input.resolutions()
            var source = unread
            try source.feed(&analyzer)
            status = source.status(console)
            var analysis = analyzer.analysis(definitions: source.definitions)
            // Of the keys that are not known yet, only those that may match are looked for.
            if let query { analysis.select(query, isTyped: false) }
            try unread.answer(&analysis, source.definitions)
            if let query { analysis.select(query) }
            report = BindingsReport(analysis, info: analyzer.facts.info(of: source.facts), name: source.name)
        }
        try console.print(format, text: report.text, json: report.json)
        guard report.analysis.bindings.isEmpty else { return status }
        if report.asksKeyEquivalents {
            let words = "expected a list of bindings, found key equivalents, which are asked one press at a time"
            return status.joined(with: console.fail(.nothingMatched, "\(input.name): chords: \(words)"))
        }
        return status.joined(
            with: console.fail(
                .nothingMatched, "\(input.name): \(chord ?? "chords"): expected a binding of it, found none"))
    }

    private func showOverlay(of input: Input, _ console: Console) throws -> ExitStatus {
        guard input.isScene else {
            throw Failure(.otherInput, "\(input.name): --overlay: expected a scene, found something else")
        }
        let plan = try input.sceneReplay()
        let instance = try ReplayJob.explaining(input.name) { try plan.instantiate() }
        let title = plan.scene.responders.first { $0.kind.base == .application }?.title ?? ""
        let shown = instance.engine.overlay(
            applicationTitle: title.isEmpty ? plan.scene.name : title, holding: try heldModifiers())
        let printer = try ReplayJob.explaining(input.name) {
            let sweep = try SceneSweep(plan)
            let chords = shown.entries.map { entry in
                entry.effectiveInput.map { CommandChord(input: $0, modifiers: entry.modifiers) }
            }
            return OverlayPrinter(
                overlay: shown,
                answers: try chords.map { try $0.flatMap { try sweep.answer(to: $0, in: sweep.contexts[0]) } },
                keys: chords.map { $0.flatMap(sweep.key) }, scene: plan.scene, engine: instance.engine)
        }
        try console.print(format, text: printer.text, json: printer.json)
        guard shown.entries.isEmpty else { return .fine }
        return console.fail(.nothingMatched, "\(input.name): overlay: expected a shortcut to show, found none")
    }
}
