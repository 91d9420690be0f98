import KeyModel
import LatencyAnalysis
import Testing
import TraceFormat
import TraceReports

/// Reports on traces that know little: what is absent is `–` or `null`, never zero.
@Suite struct BareTraceReportTests {
    private static let keysOnly: Recording = {
        var flight = RecordingBuilder()
        flight.down(.leftGUI, .command)
        flight.wait(1_000_000)
        let at = flight.down(.keyboard(0x1A), .command)
        flight.wait(80_000_000)
        flight.up(.keyboard(0x1A), .command, of: at)
        return flight.recording
    }()

    @Test func infoOfATraceOfLevelKeys() {
        var builder = TraceInfoBuilder()
        builder.consume(Self.keysOnly)
        let file = TraceFileFacts(version: 1, form: "canonical", bytes: 90, level: .keys, isMasked: true)
        let info = builder.info(of: file)
        let text = InfoReport(info, name: "keys.keyflight").text()
        #expect(text == """
            keys.keyflight: 0 drops, 0 gaps, complete

              presses  1 (2 key downs and 3 key events, modifier keys included)
              time     81.0 ms
              level    keys: what was pressed, not yet what came of it
              text     masked: of keys that type text only the class is kept
              file     90 B, 3 records, format version 1, canonical form

            """)
    }

    @Test func infoOfADamagedTraceSaysWhereFirst() {
        let damage = ReadingReport.Damage(offset: 4096, reason: "no end marker", recordsLost: nil)
        let info = TraceInfoBuilder().info(of: TraceFileFacts(version: 1, isComplete: false, damage: damage))
        let report = InfoReport(info, name: "torn.keyflight")
        #expect(report.text().hasPrefix("torn.keyflight: 0 drops, 0 gaps, damaged at byte 4,096, not complete\n"))
        #expect(report.text().contains("at byte 4,096: no end marker, how much is lost is unknown"))
        #expect(report.json.contains(#""damaged":{"offset":4096,"reason":"no end marker","records_lost":null}"#))
        #expect(report.json.contains(#""complete":false"#))
    }

    @Test func statsOfATraceOfLevelKeys() {
        var builder = TraceStatisticsBuilder()
        builder.consume(Self.keysOnly)
        let report = StatsReport(builder.statistics(), name: "keys.keyflight")
        #expect(report.text() == """
            keys.keyflight: 0 drops, 0 gaps
            1 press · text masked

            Where the time of 1 press went: unknown, no stage was recorded or declared.

            Questions asked: unknown, this trace has level keys, not calls.

            Cache: unknown, nothing was recorded of one.

            """)
        let start = #"{"schema":"keyflight.stats/1","presses":1,"partial":true,"stages":{"hid":null,"transport":null,"#
        #expect(report.json.hasPrefix(start))
        #expect(report.json.contains(#""total":null},"calls":null,"responders":null,"cache":null"#))
    }

    @Test func statsOfAnEmptyTrace() {
        var builder = TraceStatisticsBuilder()
        let report = StatsReport(builder.statistics(), name: "empty.keyflight")
        #expect(report.text().hasPrefix("empty.keyflight: 0 drops, 0 gaps\n0 presses"))
        #expect(report.json.contains(#""presses":0"#))
    }

    @Test func explainOfATraceOfLevelKeysSaysThatNothingWasDecided() throws {
        var explainer = PressExplainer(.press(1))
        explainer.consume(Self.keysOnly)
        let found = explainer.explanation(definitions: Self.keysOnly.definitions)
        let report = ExplainReport(try #require(found), info: explainer.facts.info(), name: "keys.keyflight")
        #expect(report.text() == """
            keys.keyflight: 0 drops, 0 gaps

            #1  +00:00.001  ⌘W  →  not resolved in this trace: it has level keys
              key W, usage 07:001a

              released  after 80.0 ms

            """)
        #expect(report.json.contains(#""resolution":null"#))
        #expect(report.json.contains(#""calls":null,"cache":null"#))
    }

    @Test(arguments: [
        (Outcome.unhandled, "no responder (unhandled)"), (.noStart, "no responder: there was none to start from"),
        (.undetermined, "undetermined: it depends on which key the mask hides"), (.cancelled, "cancelled"),
        (.unrecorded, "unknown: the recording does not hold the answer that decides"),
        (.swallowedByPresses, "swallowed by vc"), (.consumedByScroll, "scrolled by vc"),
        (.consumedByFocus, "taken by the focus system at vc"), (.consumedByInputMethod, "the input method at vc"),
        (.consumedByKeyBinding, "taken by a key binding at vc"), (.consumedByText, "text in vc"),
        (.performed, "vc.go:"), (Outcome(rawValue: 77), "outcome-77 by vc"),
        (.blockedUnperformable, "blocked: go: matched, and no responder performs it"),
    ])
    func everyOutcomeHasWords(outcome: Outcome, words: String) throws {
        var flight = RecordingBuilder()
        let at = flight.down(.tab)
        flight.resolve(at, outcome) { record, flight in
            record.target = flight.responder("vc")
            record.action = flight.string("go:")
        }
        var explainer = PressExplainer(.press(1))
        explainer.consume(flight.recording)
        let found = explainer.explanation(definitions: flight.recording.definitions)
        let report = ExplainReport(try #require(found), info: explainer.facts.info(), name: "x")
        #expect(report.text().contains("→  \(words)\n"))
    }
}
