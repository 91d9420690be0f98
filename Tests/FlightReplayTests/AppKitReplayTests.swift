import FlightReplay
import Foundation
import KeyModel
import ResponderEngine
import Scenes
import Testing
import TraceFormat

/// Recordings of AppKit apps, replayed without the app.
@Suite struct AppKitReplayTests {
    static func recorded() throws -> Recording {
        let file = Golden.root.appending(path: "apps/textedit.keyflight")
        return try Recording.read(TraceBytes(Array(try Data(contentsOf: file)))).recording
    }

    static func plan(_ recording: Recording, under profile: String? = nil) throws -> RecordedReplay {
        var options = ReplayRunOptions()
        options.profile = profile.flatMap(Profile.named)
        let layout = try TestReplay.resources.layoutNamed("us")
        return try #require(RecordedReplay(recording, otherwise: (Profile(), layout), options: options))
    }

    static func verify(_ recording: Recording) throws -> Verification {
        try Verification(
            recorded: RecordedTrace(recording), of: try ReplayTimeline(recording), by: try plan(recording))
    }

    @Test func everyPressOfTextEditIsResolvedAsRecorded() throws {
        let recording = try Self.recorded()
        let verification = try Self.verify(recording)
        #expect(verification.isIdentical, "\(verification.text(name: "textedit"))")
        #expect(verification.lines == 74 && verification.notCompared.count == 0)
        let plan = try Self.plan(recording)
        #expect(plan.environment.profile?.name == "gnustep")
        // The app ended before the menu had answered, and inside of the action.
        let last = try #require(try plan.lines(of: try ReplayTimeline(recording)).last)
        #expect(last.press == 74 && last.outcome == .performed && last.action == "terminate:")
    }

    /// Changes the first message of this kind in a press, or the last one; `nil` takes it out.
    private func tamper(
        _ press: UInt32, _ kind: InvocationKind, last: Bool = false,
        where isIt: (InvocationRecord, TraceDefinitions) -> Bool = { _, _ in true },
        _ change: ((inout InvocationRecord, inout TraceDefinitions) -> Void)?
    ) throws -> Recording {
        let original = try Self.recorded()
        var made = Recording()
        made.definitions = original.definitions
        made.initialContext = original.initialContext
        let places = original.records.indices.filter { place in
            guard case .invocation(let message) = original.records[place].body else { return false }
            return message.at.press == press && message.kind == kind && message.occasion == .down
                && isIt(message, original.definitions)
        }
        let place = try #require(last ? places.last : places.first)
        for (index, record) in original.records.enumerated() {
            var body = record.body
            if index == place, case .invocation(var message) = body {
                guard let change else { continue }
                change(&message, &made.definitions)
                body = .invocation(message)
            }
            made.append(body, at: record.time)
        }
        return made
    }

    @Test func otherAnswersComeToSomethingElse() throws {
        func field(of recording: Recording) throws -> String? { try Self.verify(recording).divergence?.field }
        // ⌘A: another target, an action that nobody performs, a menu without the item.
        let target = try tamper(15, .targetForAction, last: true, where: { message, _ in message.depth == 4 }) {
            $0.answer = .responder($1.intern(ResponderDefinition(id: "NSClipView", kind: "NSClipView")))
        }
        #expect(try field(of: target) == "target")
        #expect(try field(of: try tamper(15, .sendAction) { message, _ in message.answer = .no }) == "outcome")
        // A key binding with another command, and text that goes to somebody else.
        let other = try tamper(17, .doCommand) { message, names in message.selector = names.intern("moveUp:") }
        #expect(try field(of: other) == "action")
        let text = try tamper(1, .insertText) { message, names in
            message.responder = names.intern(ResponderDefinition(id: "NSClipView", kind: "NSClipView"))
        }
        #expect(try field(of: text) == "target")
        // Return in the panel: its button says no.
        let button = try tamper(72, .keyEquivalent, where: { message, _ in message.answer == .yes }) { message, _ in
            message.answer = .no
        }
        #expect(try field(of: button) == "target")
        // A letter: a view takes it.
        let view = try tamper(2, .keyEquivalent) { message, _ in message.answer = .yes }
        #expect(try field(of: view) == "outcome")
    }

    /// The first responder's own, and that of a view that it is in. Of a view beside them nothing else speaks.
    @Test func aRefusalThatIsGoneIsAnOpenQuestion() throws {
        for (view, isMissed) in [
            ("NSTextView", true), ("NSClipView", true), ("NSWindow", true), ("NSScroller", false),
        ] {
            let torn = try tamper(2, .keyEquivalent, where: { $1[$0.responder]?.id == view }, nil)
            let verification = try Self.verify(torn)
            #expect(verification.notCompared.unrecorded == (isMissed ? 1 : 0), "\(view)")
            let lines = try Self.plan(torn).lines(of: try ReplayTimeline(torn))
            let question = OpenQuestion(responder: view, question: "performKeyEquivalent")
            #expect(lines[1].unrecorded == (isMissed ? [question] : []), "\(view)")
        }
    }

    @Test func applesRulesAskForLess() throws {
        let recording = try Self.recorded()
        let timeline = try ReplayTimeline(recording)
        let own = try Self.plan(recording).lines(of: timeline)
        let apples = try Self.plan(recording, under: "appkit").lines(of: timeline)
        #expect(own.count == apples.count)
        // ⌘9 types under GNUstep, and nobody has it under Apple's rules; letters are text under both.
        #expect(own[13].outcome == .consumedByText && apples[13].outcome == .unhandled)
        #expect(apples[0].outcome == .consumedByText && apples[14].action == "selectAll:")
        // Return is no key equivalent there, and nobody was asked for a key-down.
        #expect(apples[71].outcome == .unrecorded)
    }

    /// What a replay records is answered as the app did.
    @Test(arguments: [true, false]) func aReplayOfAReplayIsTheSame(_ showsKeys: Bool) throws {
        let recording = try Self.recorded()
        let first = try Self.plan(recording).record(try ReplayTimeline(recording), showsKeys: showsKeys)
        let again = try Self.verify(first)
        #expect(again.isIdentical, "\(again.text(name: "replay"))")
        #expect(again.lines == 74 && again.notCompared.count == 0)
    }

    /// A parameter that another version had changes nothing, and is no error.
    @Test func aParameterOfAnotherVersionIsPassedOver() throws {
        let recording = try Self.recorded()
        let replayed = try Self.plan(recording).record(try ReplayTimeline(recording), showsKeys: false)
        var older = Recording()
        older.definitions = replayed.definitions
        older.initialContext = replayed.initialContext
        older.append(.environment(EnvironmentRecord(name: "parameter.asksMenus", value: "false")), at: .zero)
        for record in replayed.records { older.append(record.body, at: record.time) }
        #expect(RecordedEnvironment(older).profile == Profile.named("gnustep"))
        let (first, again) = (try Self.verify(replayed), try Self.verify(older))
        #expect(again.isIdentical && again.lines == first.lines && again.notCompared.count == 0)
    }

    @Test func aSceneDescribesAnAppKitApp() throws {
        let scene = """
            scene: 1
            name: panel
            profile: gnustep
            parameters: {disabledItemsKeepKeys: true}
            responders:
              - {id: app, kind: application}
              - {id: win, kind: window, next: app, keyWindow: true}
              - id: button
                kind: view
                next: win
                keyEquivalents: [{input: return, action: "ok:"}]
                actions: ["ok:", "save:"]
              - {id: canvas, kind: view, next: button, keyDown: handled}
              - {id: label, kind: view, next: button, keyDown: forwarded, canBecomeFirstResponder: true}
              - {id: text, kind: textView, next: button, text: ""}
            firstResponder: canvas
            mainMenu:
              - menu: file
                children:
                  - {input: s, modifiers: [command], action: "save:", title: Save}
                  - {input: d, modifiers: [command], action: "draw:", title: Draw, attributes: [disabled]}
            """
        let script = """
            press return
            press x
            press cmd+s
            press cmd+d
            do focus label
            press x
            do focus text
            press x
            press cmd+9
            press left
            """
        let test = try TestReplay(scene, script)
        let lines = try test.lines()
        #expect(
            lines.map { $0.takenBy?.name ?? $0.outcome.name } == [
                "keyEquivalent", "keyDown", "mainMenu", "mainMenu", "unhandled", "text", "text", "text",
            ])
        #expect(lines[3].outcome == .blockedUnperformable)
        // Its recording replays by its own answers: the menu comes up at the press that built it.
        let again = try Self.verify(try test.replay.record(test.timeline, showsKeys: true))
        #expect(again.isIdentical && again.notCompared.count == 0, "\(again.text(name: "scene"))")
        #expect(again.lines == lines.count)
    }
}
