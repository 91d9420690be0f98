import FlightReplay
import KeyModel
import ResponderEngine
import Scenes
import Testing
import TraceFormat

/// Recordings of AppKit apps under other rules, and with answers taken out of them.
@Suite struct LiveAnswerTests {
    /// The recording without one record.
    private func recording(without place: Int) throws -> Recording {
        let original = try AppKitReplayTests.recorded()
        var made = Recording()
        made.definitions = original.definitions
        made.initialContext = original.initialContext
        for (index, record) in original.records.enumerated() where index != place {
            made.append(record.body, at: record.time)
        }
        return made
    }

    private func places(
        of press: UInt32, where isIt: (InvocationRecord) -> Bool
    ) throws -> [Int] {
        let records = try AppKitReplayTests.recorded().records
        return records.indices.filter { place in
            guard case .invocation(let message) = records[place].body else { return false }
            return message.at.press == press && message.occasion == .down && isIt(message)
        }
    }

    /// A press that needs an answer which is gone differs, or lacks it.
    @Test(arguments: [
        (1, InvocationKind.insertText), (1, .keyDown), (12, .doCommand), (12, .keyDown), (15, .sendAction),
        (23, .doCommand), (72, .sendAction),
    ])
    func anAnswerThatIsGoneIsMissed(_ press: Int, _ kind: InvocationKind) throws {
        let place = try #require(try places(of: UInt32(press)) { $0.kind == kind }.first)
        let verification = try AppKitReplayTests.verify(try recording(without: place))
        if verification.isIdentical {
            #expect(verification.notCompared.unrecorded == 1)
            #expect(verification.unanswered.first?.press == UInt32(press))
            let text = verification.text(name: "a")
            #expect(text.contains("  press \(press): ") && text.contains("was not asked"), "\(text)")
        } else {
            #expect(verification.divergence?.at.press == UInt32(press))
        }
    }

    /// The first two refusals are those of scrollers beside the first responder's chain, which nothing depends on;
    /// those of the views on it and of the window are missed.
    @Test func onlyARefusalThatDecidesIsMissed() throws {
        let refusals = try places(of: 1) { $0.kind == .keyEquivalent && $0.answer == .no }
        let records = try AppKitReplayTests.recorded()
        func id(_ place: Int) -> String? {
            guard case .invocation(let message) = records.records[place].body else { return nil }
            return records.definitions[message.responder]?.id
        }
        #expect(refusals.count == 9 && refusals.map(id)[6] == "NSWindow")
        for (order, place) in refusals.enumerated() where order < 7 {
            let verification = try AppKitReplayTests.verify(try recording(without: place))
            #expect(verification.isIdentical)
            #expect(verification.notCompared.unrecorded == (order < 2 ? 0 : 1))
        }
    }

    @Test func anotherLayoutIsAnsweredByTheSameEventOrNotAtAll() throws {
        let recording = try AppKitReplayTests.recorded()
        var plan = try AppKitReplayTests.plan(recording)
        plan.options.layout = try TestReplay.resources.layoutNamed("fr")
        let lines = try plan.lines(of: try plan.timeline())
        // The key of ⌘A types Q on a French keyboard: the answers are those of the recorded ⌘Q. The key of ⌘9 types ç,
        // for which nothing was asked; ⌘S and arrows are what they were.
        #expect(lines[14].action == "terminate:")
        #expect(lines[13].outcome == .unrecorded && lines[13].unrecorded.first?.question == "performKeyEquivalent")
        #expect(lines[18].action == "saveDocument:" && lines[11].action == "moveLeft:")
        // What a masked key types there is not known.
        #expect(lines[0].outcome == .unrecorded)
    }

    @Test func anotherRoleOfAModifierIsAnotherEvent() throws {
        let plan = try AppKitReplayTests.plan(try AppKitReplayTests.recorded())
        var timeline = try plan.timeline()
        timeline.set(.leftAlt, to: .option)
        let lines = try plan.lines(of: timeline)
        #expect(lines[14].chord?.text == "opt+a" && lines[14].outcome == .unrecorded)
        #expect(lines[11].action == "moveLeft:" && lines[0].outcome == .consumedByText)
    }

    /// ⌘W in the Find panel and ⌘W in the document are two events; the second ⌘S is asked as the first one was.
    @Test func keptRefusalsChangeNothingWhereAnswersStayTheSame() throws {
        let trace = RecordedTrace(try AppKitReplayTests.recorded())
        let layout = try TestReplay.resources.layoutNamed("us")
        let plan = try #require(
            RecordedReplay(trace.keepingAnswers(of: ["mainMenu"]), otherwise: (Profile(), layout)))
        let own = try #require(RecordedReplay(trace, otherwise: (Profile(), layout)))
        #expect(try plan.lines(of: try plan.timeline()) == own.lines(of: try own.timeline()))
    }
}
