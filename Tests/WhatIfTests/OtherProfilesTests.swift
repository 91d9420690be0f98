import FlightReplay
import KeyLayout
import KeyModel
import LatencyAnalysis
import ResponderEngine
import Scenes
import Testing
import WhatIf

@testable import TraceFormat

/// What a press would have come to under other profiles.
@Suite struct OtherProfilesTests {
    static func excerpt(_ press: UInt32, of recording: Recording) -> Recording? {
        var excerpt = PressExcerpt(of: press)
        excerpt.begin(recording.initialContext)
        excerpt.consume(recording)
        return excerpt.recording(recording.definitions)
    }

    static func others(_ press: UInt32, _ recording: Recording) throws -> OtherProfiles {
        let found = try #require(excerpt(press, of: recording))
        return try OtherProfiles(of: press, in: found, otherwise: try WhatIfReplayTests.otherwise())
    }

    static func presses(_ recording: Recording) -> [UInt32] {
        recording.records.compactMap { record -> UInt32? in
            guard case .resolution(let made) = record.body, made.at.tick == 0, made.at.press > 0 else { return nil }
            return made.at.press
        }
    }

    @Test("Alone, each press comes to what it came to among the others", arguments: RecordedStory.goldens)
    func anExcerptReplaysAsRecorded(_ story: RecordedStory) throws {
        let recording = try story.recording()
        for press in Set(Self.presses(recording)).sorted() {
            let others = try Self.others(press, recording)
            #expect(others.unknown == nil, "press \(press)")
        }
    }

    @Test("An excerpt holds one press, however long the recording")
    func anExcerptIsShort() throws {
        let recording = try RecordedStory("golden/pdf-viewer").recording()
        let excerpt = try #require(Self.excerpt(21, of: recording))
        let keys = excerpt.records.compactMap { record -> String? in
            if case .key(let key) = record.body { key.press.map { "\($0) \(key.phase.name)" } } else { nil }
        }
        #expect(keys == ["21 down", "21 up"])
        #expect(Set(excerpt.records.compactMap { $0.body.decided?.press }) == [21])
    }

    @Test("In one reading the same excerpts are cut out as one by one", arguments: RecordedStory.goldens)
    func excerptsOfManyPresses(_ story: RecordedStory) throws {
        let recording = try story.recording()
        let presses = Set(Self.presses(recording))
        var excerpts = PressExcerpts(of: presses)
        excerpts.begin(recording.initialContext)
        var found: [UInt32: Recording] = [:]
        for record in recording.records {
            excerpts.consume(record, definitions: recording.definitions)
            for (press, excerpt) in excerpts.takeFinished(recording.definitions) { found[press] = excerpt }
        }
        excerpts.finish()
        for (press, excerpt) in excerpts.takeFinished(recording.definitions) { found[press] = excerpt }
        #expect(Set(found.keys) == presses)
        for (press, excerpt) in found {
            #expect(excerpt.records == Self.excerpt(press, of: recording)?.records, "press \(press)")
        }
    }

    @Test("By the index, the same excerpt is found as by reading all before it", arguments: [40, 300])
    func theIndexFindsTheSame(_ records: Int) throws {
        let recording = try RecordedStory("golden/pdf-viewer").recording()
        var bytes: [UInt8] = []
        var writer = try TraceWriter(header: TraceHeader(level: .calls, isMasked: false)) { bytes += $0 }
        for record in recording.records {
            try writer.append(record.body, at: record.time, definitions: recording.definitions)
            if Int(record.sequence) % records == records - 1 { try writer.closeBlock() }
        }
        try writer.finish()
        let trace = TraceBytes(bytes)
        let index = try #require(TraceIndex(stored: trace))
        for press in Self.presses(recording) {
            let found = try #require(PressExcerpt.reading(press, by: index, of: TraceReader(trace)))
            let otherwise = try WhatIfReplayTests.otherwise()
            let byIndex = try OtherProfiles(of: press, in: found, otherwise: otherwise)
            #expect(try byIndex == Self.others(press, recording), "press \(press)")
        }
    }

    @Test("FB9469253: a command that blocks from iOS 15 on let the next one run before")
    func theBlockedKey() throws {
        let story = RecordedStory("golden/command-left-tab-or-back")
        let plan = try story.plan()
        let script = try story.keyScript()
        let others = try OtherProfiles(of: 2, by: plan, try plan.timeline(of: script))
        #expect(others.own == "ios15")
        #expect(others.same == ["ios16", "ios26", "ios27", "catalyst"])
        #expect(others.differences.map(\.profiles) == [["ios7", "ios9", "ios13", "ios134"]])
        #expect(others.differences.first?.outcome.action == "previousTab:")
        #expect(others.differences.first?.outcome.target == "tabs")
    }

    @Test("What nobody was asked is an open question, not a guess")
    func theOpenQuestion() throws {
        let recording = try RecordedStory("golden/command-left-tab-or-back").recording()
        let others = try Self.others(2, recording)
        let difference = try #require(others.differences.first)
        #expect(difference.outcome.outcome == .unrecorded)
        #expect(difference.openQuestion == "shelf was not asked canPerformAction(previousTab:)")
    }

    @Test("A key that the system keeps, or another text, is another outcome; the stage of a command is not")
    func sameOutcomes() {
        func outcome(_ what: Outcome, _ takenBy: TakenBy? = nil, text: String? = nil) -> PressOutcome {
            PressOutcome(outcome: what, action: nil, supplier: nil, target: nil, text: text, takenBy: takenBy)
        }
        #expect(!outcome(.unhandled, .system).isSame(as: outcome(.unhandled)))
        #expect(outcome(.performed, .keyCommands).isSame(as: outcome(.performed, .priorityKeyCommands)))
        #expect(!outcome(.consumedByText, .text, text: "q").isSame(as: outcome(.consumedByText, .text, text: "Q")))
        #expect(outcome(.consumedByText, .text, text: "q").isSame(as: outcome(.consumedByText, .text)))
    }

    @Test("With the scene's responders nothing is unknown, and what is known of the recording is the same")
    func sceneAndRecordingAgree() throws {
        for name in ["pdf-viewer", "g03-command-steals-text-on-ios134", "text-stolen-by-bare-letter"] {
            let story = RecordedStory("golden/" + name)
            let plan = try story.plan()
            let timeline = try plan.timeline(of: try story.keyScript())
            let recording = try story.recording()
            for press in Self.presses(recording) {
                let live = try OtherProfiles(of: press, by: plan, timeline)
                let recorded = try Self.others(press, recording)
                #expect(live.differences.allSatisfy { $0.outcome.outcome != .unrecorded }, "\(name) press \(press)")
                for difference in recorded.differences where difference.outcome.outcome != .unrecorded {
                    for profile in difference.profiles {
                        let found = live.differences.first { $0.profiles.contains(profile) }
                        #expect(found?.outcome == difference.outcome, "\(name) press \(press) under \(profile)")
                    }
                }
            }
        }
    }

    @Test("EV-13 repeats of a recorded press are compared as those of a scene's", arguments: [
        ("ios15", ["ios7", "ios26", "ios27"]), ("ios9", ["ios7", "ios26", "ios27"]),
    ])
    func repeats(_ profile: String, _ once: [String]) throws {
        let story = RecordedStory("scenes/traps/t04-held-close-before-26", profile)
        let plan = try story.plan()
        let live = try OtherProfiles(of: 1, by: plan, try plan.timeline(of: try story.keyScript()))
        let recorded = try Self.others(1, try story.recording())
        #expect(recorded.unknown == nil && Set(recorded.same).isSubset(of: live.same))
        // Who would have been offered the press by later versions is not in the recording of an older one.
        let known = recorded.differences.filter { $0.outcome.outcome != .unrecorded }
        for difference in known {
            let found = live.differences.first { Set($0.profiles).isSuperset(of: difference.profiles) }
            #expect(found?.outcome == difference.outcome && difference.openQuestion == nil)
        }
        #expect(known.filter { $0.outcome.repeats == 0 }.flatMap(\.profiles) == once)
    }

    @Test("EV-13 a key that is held for longer than is cut out repeats, or not")
    func aLongHold() throws {
        let scene = """
            scene: 1
            profile: ios15
            responders:
              - {id: win, kind: window, keyWindow: true}
              - id: vc
                kind: viewController
                next: win
                canBecomeFirstResponder: true
                actions: ["go:"]
                keyCommands: [{input: j, modifiers: [command], action: "go:", repeatBehavior: nonRepeatable}]
            firstResponder: vc
            """
        let replay = SceneReplay(try Scene(text: scene, file: "made.yaml"), resources: RecordedStory.resources)
        let script = try KeyScript(text: "keys 1\nhold cmd+j 60s\n", file: "made.keys")
        let recording = try replay.record(try replay.timeline(of: script), showsKeys: true)
        let excerpt = try #require(Self.excerpt(1, of: recording))
        #expect(excerpt.records.count < recording.records.count)
        let others = try Self.others(1, recording)
        #expect(others.differences.first { $0.outcome.repeats == 0 }?.profiles == ["ios7", "ios26", "ios27"])
        #expect(Set(["ios9", "ios13", "ios134"]).isSubset(of: others.same))
        var excerpts = PressExcerpts(of: [1])
        excerpts.consume(recording)
        #expect(excerpts.takeFinished(recording.definitions).first?.excerpt.records == excerpt.records)
    }

    @Test("EV-13 what a repeat that did not come would have found is an open question")
    func repeatsThatDidNotCome() throws {
        let story = RecordedStory("scenes/traps/t04-held-close-before-26", "ios26")
        let recorded = try Self.others(1, try story.recording())
        #expect(!recorded.same.contains("ios15"))
        let difference = try #require(recorded.differences.first { $0.profiles.contains("ios15") })
        #expect(difference.outcome.outcome == .performed && difference.openQuestion?.isEmpty == false)
    }

    @Test func aRecordingWithoutCallsSaysThatItCannotTell() throws {
        var recording = Recording()
        recording.append(.level(LevelRecord(level: .keys)), at: .zero)
        let otherwise = try WhatIfReplayTests.otherwise()
        #expect(try OtherProfiles(of: 1, in: recording, otherwise: otherwise).unknown == .noCalls)
    }
}
