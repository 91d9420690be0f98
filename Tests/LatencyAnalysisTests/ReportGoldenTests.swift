import Foundation
import KeyModel
import LatencyAnalysis
import Testing
import TraceFormat
import TraceReports

/// Texts that people read, compared with `Traces/golden/reports`. A new text is written beside the old one as
/// `NAME.txt.new` (never when `CI` is set) and accepted by moving it there.
@Suite struct ReportGoldenTests {
    static let file = TraceFileFacts(version: 1, form: "canonical", bytes: 1234, level: .calls, isMasked: true)

    static func explain(_ selector: PressSelector) -> ExplainReport? {
        let recording = CloseTabFlight.recording()
        var explainer = PressExplainer(selector)
        explainer.consume(recording)
        return explainer.explanation(definitions: recording.definitions).map {
            ExplainReport($0, info: explainer.facts.info(of: file), name: "close-tab.keyflight")
        }
    }

    static var stats: StatsReport {
        var builder = TraceStatisticsBuilder()
        builder.consume(CloseTabFlight.recording())
        return StatsReport(builder.statistics(of: file), name: "close-tab.keyflight")
    }

    static var info: InfoReport {
        var builder = TraceInfoBuilder()
        builder.consume(CloseTabFlight.recording())
        return InfoReport(builder.info(of: file), name: "close-tab.keyflight")
    }

    @Test func infoSaysWhatTheTraceHolds() throws {
        try expect(Self.info.text(), toEqual: "info.txt")
        try expect(Self.info.json, toEqual: "info.json")
    }

    @Test func statsSayWhereTheTimeWent() throws {
        try expect(Self.stats.text(), toEqual: "stats.txt")
        try expect(Self.stats.json, toEqual: "stats.json")
    }

    @Test func explainShowsWhoTookTheChord() throws {
        let report = try #require(Self.explain(.chord(ChordQuery("⌘W"), isLast: true)))
        try expect(report.text(), toEqual: "explain-close-tab.txt")
        try expect(report.json, toEqual: "explain-close-tab.json")
    }

    @Test func explainShowsOnlyTheClassOfAMaskedKey() throws {
        let report = try #require(Self.explain(.press(3)))
        try expect(report.text(), toEqual: "explain-masked.txt")
    }

    @Test func explainFitsANarrowTerminal() throws {
        let report = try #require(Self.explain(.press(2)))
        let text = report.text(ReportStyle(width: 80))
        let ladder = text.split(separator: "\n").filter { $0.hasPrefix("  ") }
        #expect(ladder.allSatisfy { DisplayWidth.of(String($0)) <= 80 })
        try expect(text, toEqual: "explain-80-columns.txt")
    }

    private func expect(_ text: String, toEqual name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Traces/golden/reports")
        let golden = folder.appending(path: name).standardizedFileURL
        let known = try? String(contentsOf: golden, encoding: .utf8)
        guard text != known else { return }
        let pending = golden.appendingPathExtension("new")
        var advice = "Run the tests without CI set to get \(pending.path)."
        if ProcessInfo.processInfo.environment["CI"] == nil {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try text.write(to: pending, atomically: true, encoding: .utf8)
            advice = "See: diff \(golden.path){,.new}  Accept: mv \(golden.path){.new,}"
        }
        Issue.record("\(name) \(known == nil ? "is not there yet" : "differs"). \(advice)\n\(text)")
    }
}
