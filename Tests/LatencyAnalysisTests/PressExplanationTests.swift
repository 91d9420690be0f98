import KeyModel
import LatencyAnalysis
import Testing
import TraceFormat
import TracePresses

@Suite struct PressExplanationTests {
    static func explanation(_ selector: PressSelector, in recording: Recording) -> PressExplanation? {
        var explainer = PressExplainer(selector)
        explainer.consume(recording)
        return explainer.explanation(definitions: recording.definitions)
    }

    static func closeTab(_ selector: PressSelector) -> PressExplanation? {
        explanation(selector, in: CloseTabFlight.recording())
    }

    @Test func theLadderIsTheChainFirstResponderFirst() throws {
        let found = try #require(Self.closeTab(.press(2)))
        #expect(found.ladder.map(\.id) == ["pdf", "doc", "tabs", "app"])
        #expect(found.ladder.map(\.place) == (1...4).map { .chain($0) })
        #expect(found.ladder.map(\.window) == ["win2", "win2", "win1", nil])
        #expect(found.ladder.map(\.isFirstResponder) == [true, false, false, false])
        #expect(found.ladder.map(\.isTarget) == [false, false, true, false])
        // The first was read at the release too.
        #expect(found.ladder.map(\.calls) == [2, 2, 1, 1] && found.callsOnRelease == 1)
        #expect(found.ladder.map { $0.cost?.nanoseconds } == [310_000, 250_000, 700_000, 40_000])
        #expect(found.ladder.map(\.offered) == [1, 1, 2, 1])
    }

    /// Those that were asked are shown, however far up they are.
    @Test func aLadderOfThousandsIsShortened() throws {
        var builder = RecordingBuilder()
        for number in 0..<6_000 {
            builder.link("r\(number)", next: number < 5_999 ? "r\(number + 1)" : nil, window: nil)
        }
        let first = builder.responder("r0")
        builder.add(.firstResponder(FirstResponderRecord(responder: first, cause: .start)))
        let at = builder.down(.keyboard(0x04))
        builder.canPerform(at, "r5500", "go:", false)
        builder.add(.resolution(ResolutionRecord(at: at, outcome: .unhandled, takenBy: nil, state: nil)))
        let found = try #require(Self.explanation(.press(1), in: builder.recording))
        #expect(found.isShortened)
        #expect(found.ladder.count == 1_025)
        #expect(found.ladder.last?.id == "r5500" && found.ladder.last?.place == .offChain)
    }

    @Test func everyCandidateHasItsVerdictAndReason() throws {
        let found = try #require(Self.closeTab(.press(2)))
        let candidates = found.ladder.flatMap(\.candidates)
        #expect(candidates.map(\.verdict) == [.unperformable, .won, .otherModifiers, .shadowed])
        #expect(candidates.map(\.command.action) == ["closeDocument:", "closeTab:", "closeAll:", "closeWindow:"])
        #expect(candidates.first?.reason == "canPerformAction = no at doc")
        #expect(found.ladder[1].answers.map(\.isYes) == [false])
    }

    @Test func supplierTargetAndWindowsAreNamed() throws {
        let resolution = try #require(Self.closeTab(.press(2))?.resolution)
        #expect(resolution.supplier == "tabs")
        #expect(resolution.target == "tabs")
        #expect(resolution.keyWindow == "win2")
        #expect(resolution.targetWindow == "win1")
        #expect(resolution.leavesKeyWindow)
    }

    @Test func contextSaysSinceWhenAndWhy() throws {
        let context = try #require(Self.closeTab(.press(3))?.context)
        #expect(context.firstResponder == "search")
        #expect(context.firstResponderSince?.cause == .click)
        #expect(context.firstResponderSince?.press == 2)
        #expect(context.keyWindow == "win2")
        #expect(context.keyWindowSince?.press == 1)
        #expect(Self.closeTab(.press(1))?.context.keyWindowSince?.isInitial == true)
    }

    @Test func aMaskedPressShowsItsClassOnly() throws {
        let found = try #require(Self.closeTab(.press(3)))
        #expect(found.key?.key == .masked(.letter))
        #expect(found.key?.chord == nil)
        #expect(found.resolution?.character == nil)
    }

    @Test func repeatsAndTheReleaseAreTold() throws {
        let found = try #require(Self.closeTab(.press(4)))
        #expect(found.repeats.count == 2)
        #expect(found.repeats.outcomes.map(\.outcome) == [.performed])
        #expect(found.calls?[0] == 5)
        #expect(found.key?.held?.nanoseconds == 550_000_000)
        #expect(found.key?.isReleaseSynthetic == true)
    }

    @Test func aKeyHeldForLongerThanPressesWaitHasItsRelease() throws {
        var flight = RecordingBuilder()
        let repeats: UInt32 = 16_500
        let at = flight.down(.downArrow)
        for tick in 0...repeats {
            if tick > 0 {
                flight.wait(1_000)
                flight.add(
                    .key(
                        KeyRecord(
                            device: 1, key: .clear(.downArrow), phase: .repeat, modifiers: [], press: at.press)))
            }
            let here = PressTick(press: at.press, tick: tick)
            flight.add(.resolution(ResolutionRecord(at: here, outcome: .unhandled, takenBy: nil, state: nil)))
        }
        flight.wait(1_000)
        flight.up(.downArrow, of: at)
        let held = Int64(repeats + 1) * 1_000
        for selector in [PressSelector.press(1), .chord(try ChordQuery("down"), isLast: true)] {
            let found = try #require(Self.explanation(selector, in: flight.recording))
            #expect(found.key?.held?.nanoseconds == held)
            #expect(found.repeats.count == UInt64(repeats))
        }
        var summarizer = PressSummarizer()
        summarizer.consume(flight.recording)
        summarizer.finish()
        let next = summarizer.next(flight.recording.definitions)
        let story = try #require(next)
        #expect(story.key?.held?.nanoseconds == held)
        #expect(story.repeats.count == UInt64(repeats))
        let another = summarizer.next(flight.recording.definitions)
        #expect(another == nil)
    }

    @Test func noSuchPressIsNoExplanation() throws {
        #expect(Self.closeTab(.press(99)) == nil)
        #expect(Self.closeTab(.chord(try ChordQuery("cmd+q"), isLast: true)) == nil)
        #expect(Self.explanation(.press(1), in: Recording()) == nil)
    }

    /// ⌘ with the keys at W and Z of a US keyboard, on a layout that has their letters exchanged.
    private static func exchanged() -> Recording {
        var flight = RecordingBuilder()
        for (usage, typed) in [(0x1A, "z"), (0x1D, "w"), (0x1A, "z")] as [(UInt16, String)] {
            let at = flight.down(.keyboard(usage), .command)
            flight.resolve(at, .unhandled) { record, flight in record.character = flight.string(typed) }
        }
        return flight.recording
    }

    @Test func aChordIsLookedForByCharacterFirst() throws {
        let found = try #require(Self.explanation(.chord(ChordQuery("⌘W"), isLast: true), in: Self.exchanged()))
        #expect(found.press == 2)
        #expect(found.search?.match == .character)
        #expect(found.search?.results.count == 1)
        // Its key has typed another character before and after.
        #expect(found.search?.others.results.map(\.presses) == [[1, 3]])
    }

    @Test func allPressesOfAChordAreCountedByWhatTheyCameTo() throws {
        var flight = RecordingBuilder()
        for target in ["tabs", "text", "tabs", "tabs"] {
            let at = flight.down(.keyboard(0x1A), .command)
            flight.resolve(at, .performed) { record, flight in
                record.action = flight.string("close:")
                record.target = flight.responder(target)
            }
        }
        let query = PressSelector.chord(try ChordQuery("cmd+w"), isLast: true)
        let results = try #require(Self.explanation(query, in: flight.recording)?.search?.results)
        #expect(results.results.map { $0.outcome?.target } == ["tabs", "text"])
        #expect(results.results.map(\.count) == [3, 1])
        #expect(results.results.map(\.presses) == [[1, 3, 4], [2]])
    }

    @Test func elseByPosition() throws {
        var flight = RecordingBuilder()
        let at = flight.down(.keyboard(0x1A), .command)
        flight.resolve(at, .unhandled) { record, flight in record.character = flight.string("z") }
        let found = try #require(Self.explanation(.chord(ChordQuery("cmd+w"), isLast: false), in: flight.recording))
        #expect(found.search?.match == .position)
    }

    @Test func firstAndLastAreChosenAmongAllThatMatch() throws {
        let recording = Self.exchanged()
        let first = try #require(Self.explanation(.chord(ChordQuery("cmd+char:z"), isLast: false), in: recording))
        let last = try #require(Self.explanation(.chord(ChordQuery("⌘z"), isLast: true), in: recording))
        #expect((first.press, last.press) == (1, 3))
        #expect(first.search?.results.count == 2)
    }

    @Test func modifiersMustBeExactlyThose() throws {
        #expect(Self.explanation(.chord(try ChordQuery("shift+cmd+w"), isLast: true), in: Self.exchanged()) == nil)
        #expect(Self.explanation(.chord(try ChordQuery("w"), isLast: true), in: Self.exchanged()) == nil)
    }

    @Test func namedKeysAreFoundByPosition() throws {
        let found = try #require(Self.closeTab(.chord(ChordQuery("left"), isLast: true)))
        #expect(found.press == 4)
        #expect(found.search?.match == .position)
    }

    @Test func withoutResolutionsTheStoredLayoutSaysWhatAKeyTypes() throws {
        var flight = RecordingBuilder()
        let table = flight.string("layout de\nkey 1d U+0079 U+0059 - -\n")
        flight.add(.layout(LayoutRecord(name: "de", hash: 1, table: table)))
        flight.down(.keyboard(0x1D), .command)
        let found = try #require(Self.explanation(.chord(ChordQuery("⌘Y"), isLast: true), in: flight.recording))
        #expect(found.search?.match == .character)
        #expect(found.resolution == nil)
    }

    @Test func overlappingPressesKeepTheirOwnRecords() throws {
        var flight = RecordingBuilder()
        flight.link("a", next: nil, window: nil)
        flight.link("b", next: nil, window: nil)
        var responder = flight.responder("a")
        flight.add(.firstResponder(FirstResponderRecord(responder: responder, cause: .start)))
        let (first, second) = (flight.down(.tab), flight.down(.escape))
        flight.keyCommands(first, of: "a")
        // The first press moves the first responder before the second one is looked at.
        responder = flight.responder("b")
        flight.add(.firstResponder(FirstResponderRecord(responder: responder, cause: .become)))
        flight.resolve(first, .performed) { record, flight in record.start = flight.responder("a") }
        flight.keyCommands(second, of: "b")
        flight.resolve(second, .unhandled) { record, flight in record.start = flight.responder("b") }
        #expect(Self.explanation(.press(1), in: flight.recording)?.context.firstResponder == "a")
        let found = try #require(Self.explanation(.press(2), in: flight.recording))
        #expect(found.context.firstResponder == "b")
        #expect(found.ladder.map(\.calls) == [1])
    }

    @Test func suppliersOffTheChainAndTheMenuComeLast() throws {
        var flight = RecordingBuilder()
        flight.link("view", next: nil, window: nil)
        let at = flight.down(.tab)
        flight.keyCommands(at, of: "view")
        flight.keyCommands(at, of: "primaryColumn")
        let menu = flight.command("\t", [], "next:")
        flight.candidate(at, nil, menu, .won)
        flight.resolve(at, .performed, takenBy: .mainMenu) { record, flight in
            record.start = flight.responder("view")
        }
        let found = try #require(Self.explanation(.press(1), in: flight.recording))
        #expect(found.ladder.map(\.place) == [.chain(1), .offChain, .mainMenu])
        #expect(found.resolution?.supplier == "mainMenu")
        #expect(found.ladder.last?.candidates.map(\.verdict) == [.won])
    }

    @Test func aChainInACircleEnds() throws {
        var flight = RecordingBuilder()
        flight.link("a", next: "b", window: nil)
        flight.link("b", next: "a", window: nil)
        let at = flight.down(.tab)
        flight.resolve(at, .unhandled) { record, flight in record.start = flight.responder("a") }
        #expect(Self.explanation(.press(1), in: flight.recording)?.ladder.map(\.id) == ["a", "b"])
    }

    @Test func handlesThatNothingDefinesAreNamedAsSuch() throws {
        var recording = Recording()
        recording.append(
            .key(KeyRecord(device: 1, key: .clear(.tab), phase: .down, modifiers: [], press: 1)), at: .zero)
        var resolution = ResolutionRecord(at: PressTick(press: 1, tick: 0), outcome: .performed, takenBy: nil, state: 0)
        resolution.start = ResponderRef(rawValue: 77)
        resolution.action = StringRef(rawValue: 78)
        recording.append(.resolution(resolution), at: .zero)
        let found = try #require(Self.explanation(.press(1), in: recording))
        #expect(found.ladder.map(\.id) == ["unknown-77"])
        #expect(found.resolution?.action == nil)
    }

    @Test func whoSwallowedThePressIsMarked() throws {
        var flight = RecordingBuilder()
        flight.link("field", next: "vc", window: nil)
        flight.link("vc", next: nil, window: nil)
        let at = flight.down(.keyboard(0x04))
        flight.received(at, by: ["field", "vc"], swallowed: true)
        flight.resolve(at, .swallowedByPresses, takenBy: .presses) { record, flight in
            record.start = flight.responder("field")
            record.target = flight.responder("vc")
        }
        let found = try #require(Self.explanation(.press(1), in: flight.recording))
        #expect(found.ladder.map(\.isSwallower) == [false, true])
        #expect(found.ladder.map(\.isReceiver) == [true, true])
        // Nothing was recorded about calls, which is not the same as none.
        #expect(found.calls == nil)
        #expect(found.ladder.allSatisfy { $0.calls == nil })
    }
}
