import ArgumentParser
import KeyModel
import LatencyAnalysis
import TraceFormat
import TraceReports
import WhatIf

struct Explain: Verb {
    static let configuration = CommandConfiguration(verb: "explain")

    @OptionGroup var input: InputOptions
    @Argument(help: "The first press of this chord.", completion: Completion.chords) var chord: String?
    @Option(help: "The press with this ordinal, as replay and show number them.", completion: Completion.presses)
    var press: UInt32?
    @Option(help: "The first pick of this menu item by a step of a script, by the item's action or title.")
    var pick: String?
    @Flag(help: "The last press of the chord.") var last = false
    @Flag(help: "Name the rule of the specification that decided; JSON always has it.") var rules = false
    @Option(
        help: ArgumentHelp(
            "Names of functions that have none in a trace with samples: from unstripped files there, by build-id.",
            valueName: "folder"),
        completion: .directory)
    var symbols: String?
    @OptionGroup(title: "Replay") var replay: ReplayOptions
    @Option(help: "The form of the report.") var format = ReportFormat.text
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    var isPaged: Bool { true }

    func validate() throws {
        if [chord != nil, press != nil, pick != nil].count(where: { $0 }) != 1 {
            throw ValidationError("Give either a chord, --press N or --pick ITEM.")
        }
        if press == 0 { throw ValidationError("Presses are counted from 1.") }
        if symbols == "" || symbols != nil && pick != nil {
            throw ValidationError("--symbols FOLDER goes with a press.")
        }
        if last, chord == nil { throw ValidationError("--last goes with a chord.") }
    }

    func perform(on console: Console) throws -> ExitStatus {
        let unread = try Input(input, console, replay: replay).resolutions()
        if let pick { return try explain(pick, in: unread, console) }
        let selector = try self.selector()
        // A press may have tens of thousands of candidates: what they were read by is gone before they are written.
        var (found, status) = try read(selector, in: unread, console)
        guard var report = found else { return status }
        if let symbols, try !name(&report.explanation, by: symbols, unread.name, console) {
            status = status.joined(with: .nothingMatched)
        }
        if rules {
            report.ruleTitles = Dictionary(uniqueKeysWithValues: SpecificationRule.all.map { ($0.id, $0.title) })
        }
        report.others = try unread.otherProfiles(of: report.explanation)
        try console.print(format, text: report.text, json: report.json)
        return status
    }

    /// Names functions of the samples. False, with a note, where nothing is named that has no name.
    private func name(
        _ explanation: inout PressExplanation, by folder: String, _ input: String, _ console: Console
    ) throws -> Bool {
        let wanted = explanation.unnamedBuilds
        let symbols = try SymbolFolder(folder, of: wanted)
        explanation.nameFunctions(symbols.name)
        let missing = wanted.subtracting(symbols.builds).sorted()
        if !missing.isEmpty {
            let words = "expected an unstripped file of build-id \(missing.joined(separator: ", ")), found none"
            console.note("\(GivenName.of(folder)): --symbols: \(words)")
        } else if wanted.isEmpty {
            console.note("\(input): press \(explanation.press): --symbols: no sampled function lacks a name")
        }
        return wanted.isEmpty || !symbols.builds.isEmpty
    }

    private func explain(_ item: String, in source: RecordSource, _ console: Console) throws -> ExitStatus {
        guard let job = source.jobOfScene else {
            throw Failure(.otherInput, "\(source.name): --pick: expected a script with --scene, found something else")
        }
        let found = try job.explaining {
            try PickExplanation(of: item, by: job.replay, job.timeline)
        }
        guard let found else {
            let picked = PickExplanation.items(of: job.timeline).map { VisibleText.escaped($0) }.joined(separator: ", ")
            let words = "no step picks \(VisibleText.escaped(item)); picked: \(picked.isEmpty ? "nothing" : picked)"
            return console.fail(.noSuchPress, "\(source.name): \(words)")
        }
        let report = PickReport(found, name: source.name)
        try console.print(format, text: report.text, json: report.json)
        return .fine
    }

    /// The report, but for other profiles; `nil` where there is no such press, which is reported.
    private func read(
        _ selector: PressSelector, in unread: RecordSource, _ console: Console
    ) throws -> (ExplainReport?, ExitStatus) {
        let (report, explainer, source) = try unread.report(of: selector)
        let status = source.status(console)
        guard let report else {
            let presses = explainer.facts.info(of: source.facts).numberedPresses
            let missing = console.fail(
                .noSuchPress, "\(source.name): \(absence(presses, explainer.pressed, isWhole: status == .fine))")
            return (nil, status.joined(with: missing))
        }
        return (report, status)
    }

    /// Names what was pressed instead of what was looked for.
    private func absence(_ presses: UInt64, _ chords: [Chord], isWhole: Bool) -> String {
        if presses == 0 { return isWhole ? "no key was pressed" : "what is whole of it has no key" }
        if let press { return "there is no press \(press); the last one is \(presses)" }
        let recorded = chords.isEmpty ? "masked keys" : chords.map(\.glyphs).joined(separator: " ")
        return "\(VisibleText.escaped(chord ?? "")) was not pressed; recorded: \(recorded)"
    }

    private func selector() throws -> PressSelector {
        if let press { return .press(press) }
        do {
            return .chord(try ChordQuery(chord ?? ""), isLast: last)
        } catch {
            throw Failure(.wrongChord, "keyflight explain: chord: expected one such as cmd+w, found \(chord ?? "")")
        }
    }
}

extension RecordSource {
    /// The report about a press, but for other profiles, and the source after the reading. This one must not have been
    /// read.
    func report(
        of selector: PressSelector
    ) throws -> (report: ExplainReport?, explainer: PressExplainer, source: RecordSource) {
        var source = self
        var explainer: PressExplainer
        if case .press(let press) = selector, let found = try source.explainer(ofPress: press) {
            explainer = found
        } else {
            explainer = PressExplainer(selector)
            try source.feed(&explainer)
        }
        let info = explainer.facts.info(of: source.facts)
        let report = try report(by: &explainer, info, source.definitions, derived: source)
        return (report, explainer, source)
    }

    /// The same of what was read. `derived`: the source whose candidates were derived meanwhile.
    func report(
        by explainer: inout PressExplainer, _ info: TraceInfo, _ definitions: TraceDefinitions,
        derived source: RecordSource
    ) throws -> ExplainReport? {
        guard var explanation = explainer.explanation(definitions: definitions) else { return nil }
        explanation.missingCandidates = source.missingCandidates(of: explanation, info)
        try addUnasked(&explanation, explainer.offers(definitions), definitions)
        return ExplainReport(explanation, info: info, name: name)
    }
}
