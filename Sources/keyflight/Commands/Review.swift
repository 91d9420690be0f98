import ArgumentParser
import KeyModel
import Libc
import RegressionGate
import TraceFormat
import TraceReports

struct Review: Verb {
    static let configuration = CommandConfiguration(verb: "review")

    @Argument(help: "The folder of goldens; Traces/golden unless KEYFLIGHT_GOLDENS names another.") var goldens: String?
    @Option(help: "A folder of tests; goldens that none of its Swift files names are listed. May be repeated.")
    var tests: [String] = []
    @Option(help: "The form of the list.") var format = ReportFormat.text
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions
    var judges: Bool { true }

    func perform(on console: Console) throws -> ExitStatus {
        let goldens = console.goldens(goldens)
        let pending = try GoldenStore(goldens).pending()
        let references = try tests.map { try GoldenReferences(tests: $0) }
        var names = GateReport(comparisons: [])
        if !tests.isEmpty { try names.compareNames(references, [GoldenStore(goldens)], allowsUnnamed: true) }
        let (orphans, missing) = (names.orphans, names.refusals)
        let end = !missing.isEmpty ? ExitStatus.notComparable : orphans.isEmpty ? .fine : .findings
        if format == .json {
            try console.output.line(try Review.json(pending, orphans, missing))
            return end.joined(with: pending.isEmpty ? .fine : .findings)
        }
        for folder in orphans {
            try console.output.line("orphan: \(VisibleText.escaped(folder)): no test names it")
        }
        for finding in missing { try console.output.line("missing: \(VisibleText.escaped(finding.line))") }
        if isatty(0) == 1, console.isTerminal, RecordMode.serviceVariable(console.environment.variable) == nil {
            return try ask(pending, console).joined(with: end)
        } else {
            for golden in pending { try console.show(VisibleText.escapedLines(try Review.message(golden)) + "\n") }
            if pending.isEmpty { try console.output.line("nothing is pending in \(VisibleText.escaped(goldens))") }
        }
        return end.joined(with: pending.isEmpty ? .fine : .findings)
    }

    private static func comparison(_ golden: GoldenCase) throws -> GoldenComparison {
        // Where only lint findings are pending, the text is the accepted one.
        let text = try golden.pending() ?? golden.expected() ?? ""
        return GoldenComparison(golden, found: text, findings: try golden.pendingFindings())
    }

    /// The difference and the command that accepts it. Ends with a line break.
    private static func message(_ golden: GoldenCase) throws -> String {
        let comparison = try comparison(golden)
        var message = comparison.message + "\n"
        // There is nothing that a new text could differ from.
        if case .missing = comparison.verdict { message += try pendingText(of: golden) }
        return message + "Accept: \(golden.acceptCommand)\n"
    }

    private static func json(
        _ pending: [GoldenCase], _ orphans: [String], _ missing: [GateReport.Finding]
    ) throws -> String {
        var json = JSONText()
        let rows = try pending.map { ($0, try comparison($0).message) }
        json.object { json in
            json.member("schema", "keyflight.review/1")
            json.member("pending", objects: rows) { json, row in
                json.member("golden", row.0.title)
                json.member("accepted", row.0.path)
                json.member("pending", row.0.pendingPath)
                json.member("story", row.1)
            }
            json.member("orphans", orphans)
            json.member("missing", missing.map(\.golden))
        }
        return json.text
    }

    // MARK: At a terminal

    private func ask(_ pending: [GoldenCase], _ console: Console) throws -> ExitStatus {
        let settings = Review.readKeys()
        defer { Review.restore(settings) }
        var left = 0
        for (place, golden) in pending.enumerated() {
            try console.output.write("\n[\(place + 1) of \(pending.count)] " + Review.message(golden))
            switch try answer(golden, console) {
            case .accept: try golden.accept()
            case .reject: try golden.reject()
            case .skip: left += 1
            case .quit: return .findings
            case .interrupt: return .interrupted
            }
        }
        try console.output.line(left == 0 ? "nothing is pending any more" : "\(left) still pending")
        return left == 0 ? .fine : .findings
    }

    private enum Answer { case accept, reject, skip, quit, interrupt }

    /// The keys as a terminal sends them.
    private static let (controlC, controlD): (Character, Character) = ("\u{3}", "\u{4}")

    private func answer(_ golden: GoldenCase, _ console: Console) throws -> Answer {
        while true {
            try console.output.write("a accept · r reject · s skip · e everything · v page · q quit > ")
            try console.output.flush()
            let key = Review.key()
            try console.output.line(key.map(Review.shown) ?? "")
            switch key {
            case "a": return .accept
            case "r": return .reject
            case "s": return .skip
            case "q", Review.controlD, nil: return .quit
            case Review.controlC: return .interrupt
            case "e": try console.show(try Review.everything(of: golden, console.style))
            case "v":
                guard case .changed(let diff, _) = try Review.comparison(golden).verdict else {
                    try console.output.line("no page: there are no two texts that differ; e shows what is pending")
                    continue
                }
                try diff.html().write(to: golden.pagePath)
                try console.output.line("open \(VisibleText.escaped(golden.pagePath))")
            default: try console.output.line("a, r, s, e, v or q")
            }
        }
    }

    /// All that changed; the whole text where none was accepted yet. Ends with a line break.
    private static func everything(of golden: GoldenCase, _ style: ReportStyle) throws -> String {
        let comparison = try comparison(golden)
        switch comparison.verdict {
        case .changed(let diff, _): return diff.text(style, extent: .everything)
        case .missing: return try pendingText(of: golden)
        default: return comparison.message + "\n"
        }
    }

    private static func pendingText(of golden: GoldenCase) throws -> String {
        let text = try (golden.pending() ?? "") + (golden.pendingFindings()?.text ?? "")
        return VisibleText.escapedLines(text)
    }

    /// A key as it is echoed.
    private static func shown(_ key: Character) -> String {
        key.isASCII && (key.asciiValue ?? 0) >= 0x20 && key != "\u{7F}" ? String(key) : ""
    }

    /// Makes keys arrive one by one and without an echo, before the first question: what was typed ahead counts as
    /// well. Control-C is a key like the others, or it would leave the terminal that way.
    private static func readKeys() -> termios? {
        var old = termios()
        guard tcgetattr(0, &old) == 0 else { return nil }
        var raw = old
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        tcsetattr(0, TCSANOW, &raw)
        return old
    }

    private static func restore(_ settings: termios?) {
        guard var settings else { return }
        tcsetattr(0, TCSANOW, &settings)
    }

    /// `nil` at the end of the input.
    private static func key() -> Character? {
        var byte: UInt8 = 0
        guard read(0, &byte, 1) == 1 else { return nil }
        return Character(UnicodeScalar(byte))
    }
}
