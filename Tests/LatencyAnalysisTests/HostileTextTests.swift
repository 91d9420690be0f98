import Foundation
import KeyModel
import LatencyAnalysis
import Testing
import TraceFormat
import TraceReports

/// Whoever makes a trace chooses the names in it.
@Suite struct HostileTextTests {
    /// An escape sequence, a C1 control, a right-to-left override, a line break, a tower of marks, and length.
    static let name =
        "\u{1B}[31mred\u{9B}2J\u{202E}txt\u{2066}\n\r\t\u{0}\u{7F}\u{2028}\u{FEFF}\u{200B}"
        + "e" + String(repeating: "\u{301}", count: 2000) + String(repeating: "x", count: 5000)

    private static func recording() -> Recording {
        var flight = RecordingBuilder()
        for fact in ["profile", "scene", "cache", "layout", name] {
            flight.add(.environment(EnvironmentRecord(name: fact, value: name)))
        }
        flight.add(.device(DeviceRecord(device: 1, name: name, source: name)))
        flight.add(.clock(ClockRecord(source: name, unixTime: .min, granularity: .max, backwardSteps: .max)))
        flight.add(.layout(LayoutRecord(name: name, hash: 1, table: nil)))
        flight.add(.loss(LossRecord(cause: .damaged, count: .max, duration: nil, detail: name)))
        flight.link(name, name, next: nil, window: name)
        let at = flight.down(.tab)
        let command = flight.command(name, .command, name, title: name)
        flight.received(at, by: [name], swallowed: true)
        flight.keyCommands(at, of: name, answers: [command], cost: .max)
        flight.keyCommands(at, of: name, answers: [command], cost: .max)
        flight.canPerform(at, name, name, false)
        flight.candidate(at, name, command, .won, name)
        flight.stage(at, .collect, .max)
        flight.stage(at, .collect, .max)
        flight.cache(at, hits: .max, misses: .max, timeSaved: .max)
        let words = flight.string(name)
        flight.add(.effect(EffectRecord(at: at, responder: flight.responder(name), kind: words, value: words)))
        flight.resolve(at, Outcome(rawValue: 250), takenBy: TakenBy(rawValue: 251)) { record, flight in
            let (responder, words) = (flight.responder(name), flight.string(name))
            (record.character, record.action, record.text) = (words, words, words)
            (record.start, record.keyWindow) = (responder, responder)
            (record.supplier, record.target) = (responder, responder)
            record.command = command
        }
        return flight.recording
    }

    private static func reports() throws -> [(name: String, text: String, json: String)] {
        let recording = recording()
        var statistics = TraceStatisticsBuilder()
        statistics.consume(recording)
        let stats = StatsReport(statistics.statistics(), name: name)
        let info = InfoReport(stats.statistics.info, name: name)
        var explainer = PressExplainer(.press(1))
        explainer.consume(recording)
        let found = explainer.explanation(definitions: recording.definitions)
        let explain = ExplainReport(try #require(found), info: explainer.facts.info(), name: name)
        return [
            ("info", info.text(), info.json), ("stats", stats.text(), stats.json),
            ("explain", explain.text(), explain.json),
        ]
    }

    static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar == "\n"
        case .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    /// A line shows the beginning of a list, and no more of it is written out.
    @Test func aLongListIsNotWrittenOutForALine() {
        var definitions = TraceDefinitions()
        let commands = (0..<3).map { number in
            definitions.intern(CommandDefinition(input: "w", modifiers: .command, action: "close\(number):"))
        }
        let list = definitions.intern((0..<65_536).map { commands[$0 % 3] })
        let call = CallRecord(
            at: PressTick(press: 1, tick: 0), kind: .keyCommands, occasion: .down,
            responder: definitions.intern(ResponderDefinition(id: "page", kind: "view")), pass: 1, depth: 0,
            duration: nil, action: nil, answer: .commands(list))
        let record = TraceRecord(time: .zero, sequence: 0, body: .call(call))
        var (cut, whole) = (TraceTextWriter(mostListBytes: 1000), TraceTextWriter())
        cut.append(record, definitions: definitions)
        whole.append(record, definitions: definitions)
        #expect(whole.bytes.count > 2_000_000 && cut.bytes.count < 1300)
        #expect(whole.text.hasPrefix(cut.text.dropLast(2)))
        var listing = RecordListing()
        let fields = String(whole.text.dropLast().split(separator: " ", maxSplits: 2)[2])
        #expect(listing.line(record, definitions: definitions).hasSuffix(SafeText.escaped(fields, limit: 2000) + "\n"))
    }

    @Test func nothingInATraceReachesATerminalRaw() throws {
        for report in try Self.reports() {
            #expect(report.text.unicodeScalars.allSatisfy(Self.isPrintable), "\(report.name)")
            #expect(report.text.contains("\\u{1b}[31mred"), "\(report.name)")
            #expect(report.text.split(separator: "\n").allSatisfy { $0.unicodeScalars.count < 4000 }, "\(report.name)")
        }
    }

    @Test func jsonKeepsTheTextAndEscapesIt() throws {
        for report in try Self.reports() {
            #expect(report.json.unicodeScalars.allSatisfy(Self.isPrintable), "\(report.name)")
            #expect(report.json.filter { $0 == "\n" }.count == 1, "\(report.name)")
            let object = try JSONSerialization.jsonObject(with: Data(report.json.utf8))
            #expect(object is [String: Any], "\(report.name)")
        }
        let info = try #require(Self.reports().first).json
        let object = try JSONSerialization.jsonObject(with: Data(info.utf8)) as? [String: Any]
        let device = (object?["devices"] as? [[String: Any]])?.first
        #expect(device?["name"] as? String == Self.name)
    }

    @Test func plainReportsHaveNoEscapesAndColouredOnesHave() {
        let coloured = ReportGoldenTests.stats.text(ReportStyle(usesColour: true))
        let plain = ReportGoldenTests.stats.text()
        #expect(!plain.contains("\u{1B}"))
        #expect(coloured.contains("\u{1B}["))
        let stripped = coloured.replacing(/\u{1B}\[[0-9]*m/, with: "")
        #expect(stripped == plain)
    }

    @Test func emojiAndLettersOfAllScriptsStay() {
        for text in ["⌘W", "naïve", "日本語", "👩‍👩‍👧", "Ελληνικά", "עברית"] {
            #expect(SafeText.escaped(text) == text)
        }
        #expect(SafeText.escaped(String(repeating: "日", count: 100), limit: 10) == "日日日日…")
    }
}
