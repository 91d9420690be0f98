import KeyModel
import Testing
import TraceFormat
import TracePresses

/// Presses put together out of records that overlap, are missing, or come late.
@Suite struct PressAssemblerTests {
    static func key(_ press: UInt32, _ phase: KeyPhase) -> TraceRecord.Body {
        .key(KeyRecord(device: 1, key: .clear(.keyboard(4)), phase: phase, modifiers: [], press: press))
    }

    static func resolved(_ press: UInt32, _ tick: UInt32 = 0) -> TraceRecord.Body {
        .resolution(
            ResolutionRecord(at: PressTick(press: press, tick: tick), outcome: .performed, takenBy: nil, state: nil))
    }

    static func call(_ press: UInt32, _ occasion: CallOccasion, tick: UInt32 = 0) -> TraceRecord.Body {
        .call(
            CallRecord(
                at: PressTick(press: press, tick: tick), kind: .keyCommands, occasion: occasion,
                responder: ResponderRef(rawValue: 0), pass: 1, depth: 0, duration: nil, action: nil, answer: .none))
    }

    static func presses(
        _ bodies: [TraceRecord.Body], _ delivery: PressAssembler.Delivery = .released, level: TraceLevel = .calls,
        parts: PressParts = .decision, selection: PressAssembler.Selection? = nil
    ) -> [TracePress] {
        var assembler = PressAssembler(parts, delivery, level: level, selection: selection)
        var found: [TracePress] = []
        for (place, body) in bodies.enumerated() {
            assembler.consume(
                TraceRecord(time: TraceTime(nanoseconds: Int64(place)), sequence: UInt64(place), body: body))
            while let press = assembler.next() { found.append(press) }
        }
        assembler.finish()
        while let press = assembler.next() { found.append(press) }
        return found
    }

    @Test func `presses that overlap come in the order of their downs, each with its own calls`() {
        let found = Self.presses([
            Self.key(1, .down), Self.key(2, .down), Self.call(1, .down), Self.call(2, .down), Self.call(1, .down),
            Self.resolved(2), Self.resolved(1), Self.key(2, .up), Self.call(2, .release), Self.key(1, .up),
        ])
        #expect(found.map(\.at.press) == [1, 2])
        #expect(found.map { $0.run(0).callCounts[0] } == [2, 1])
        #expect(found.map { $0.run(0).callsOnRelease } == [0, 1])
        #expect(found.map { $0.release?.time.nanoseconds } == [9, 7])
    }

    /// Records are one nanosecond apart.
    @Test func `a key is held from its down to its up by the times of its events where both are recorded`() {
        func delay(_ press: UInt32, _ nanoseconds: Int64) -> TraceRecord.Body {
            .stage(
                StageRecord(
                    at: PressTick(press: press, tick: 0), stage: .inputDelay,
                    duration: TraceDuration(nanoseconds: nanoseconds)))
        }
        let found = Self.presses([
            Self.key(1, .down), delay(1, 2), Self.resolved(1), Self.key(2, .down), Self.resolved(2),
            Self.key(1, .up), delay(0, 4), Self.key(2, .up), Self.key(3, .down), delay(3, 1), Self.resolved(3),
            Self.key(3, .up), delay(0, 9),
        ])
        #expect(found.map { $0.held?.nanoseconds } == [3, 4, 0])
        #expect(found.map { $0.stages[.inputDelay]?.nanoseconds } == [2, nil, 1])
        #expect(Self.presses([Self.key(1, .down), Self.resolved(1)]).map(\.held) == [nil])
    }

    @Test func `a press with more records of a kind than are kept says so`() throws {
        let at = PressTick(press: 1, tick: 0)
        let message = TraceRecord.Body.invocation(
            InvocationRecord(
                at: at, kind: .keyDown, occasion: .down, responder: ResponderRef(rawValue: 0), duration: .zero))
        for kind in [message, Self.call(1, .down)] {
            for (count, isShortened) in [(TracePress.recordLimit, false), (TracePress.recordLimit + 1, true)] {
                let records = [Self.key(1, .down)] + Array(repeating: kind, count: count) + [Self.key(1, .up)]
                let press = try #require(Self.presses(records, parts: [.keys, .calls, .times]).first)
                #expect(press.isShortened == isShortened)
                #expect(press.calls.count + press.invocations.count == TracePress.recordLimit)
                #expect(press.callTimes.count + press.invocationTimes.count == TracePress.recordLimit)
            }
        }
    }

    /// An app that measures its action alone has the times of its `keyCommands` as well.
    @Test func `stages that are not recorded have the time of the calls outside of those that are`() throws {
        let at = PressTick(press: 1, tick: 0)
        func call(_ kind: CallKind, _ duration: Int64, depth: UInt16 = 0) -> TraceRecord.Body {
            .call(
                CallRecord(
                    at: at, kind: kind, occasion: .down, responder: ResponderRef(rawValue: 0), pass: 1, depth: depth,
                    duration: TraceDuration(nanoseconds: duration), action: nil, answer: .none))
        }
        func stage(_ stage: LatencyStage, _ duration: Int64) -> TraceRecord.Body {
            .stage(StageRecord(at: at, stage: stage, duration: TraceDuration(nanoseconds: duration)))
        }
        func press(_ records: [(Int64, TraceRecord.Body)]) throws -> TracePress {
            var assembler = PressAssembler([.keys, .times, .calls], .decided)
            for (place, record) in records.enumerated() {
                assembler.consume(
                    TraceRecord(
                        time: TraceTime(nanoseconds: record.0), sequence: UInt64(place), body: record.1))
            }
            assembler.finish()
            let press = assembler.next()
            return try #require(press)
        }
        let derived = try press([
            (0, Self.key(1, .down)), (300, call(.keyCommands, 100, depth: 1)), (500, call(.keyCommands, 400)),
            (600, call(.canPerformAction, 50)), (900, call(.canPerformAction, 70)), (1000, stage(.action, 300)),
            (1010, Self.resolved(1)), (2000, Self.key(1, .up)),
        ]).stages
        #expect(derived[.collect]?.nanoseconds == 400 && derived[.validate]?.nanoseconds == 50)
        #expect(derived[.action]?.nanoseconds == 300 && derived.total?.nanoseconds == 750)
        #expect(LatencyStage.allCases.filter(derived.isDerived) == [.collect, .validate])
        let recorded = try press([
            (0, Self.key(1, .down)), (500, call(.keyCommands, 400)), (520, stage(.collect, 500)),
            (540, Self.resolved(1)),
        ])
        #expect(recorded.stages.total?.nanoseconds == 500 && recorded.stages.derived == 0)
        #expect(recorded.stageRecords.count == 1)
    }

    @Test func `what comes after a resolution is another run`() {
        let found = Self.presses([
            Self.key(1, .down), Self.call(1, .down), Self.resolved(1), Self.call(1, .down), Self.resolved(1),
            Self.key(1, .up),
        ])
        #expect(found.count == 1)
        #expect(found[0].runCount == 2)
        #expect((0..<2).map { found[0].run($0) }.allSatisfy { $0.callCounts[0] == 1 && $0.resolution != nil })
    }

    @Test func `repeats keep the ticks that their decisions have, where a part begins amid them`() {
        let found = Self.presses([
            Self.key(7, .repeat), Self.call(7, .repeatTick, tick: 41), Self.resolved(7, 41), Self.key(7, .repeat),
            Self.resolved(7, 42), Self.key(7, .up),
        ])
        #expect(found.map(\.at) == [PressTick(press: 7, tick: 41), PressTick(press: 7, tick: 42)])
        #expect(found.allSatisfy { $0.key != nil && $0.resolution != nil })
    }

    @Test func `a press of which nothing was decided is there, and so is one without its key`() {
        #expect(Self.presses([Self.key(1, .down), Self.key(1, .up)], level: .keys).map(\.level) == [.keys])
        let found = Self.presses([Self.resolved(3), Self.key(4, .down)])
        #expect(found.map(\.at.press) == [3, 4])
        #expect(found[0].key == nil && found[1].resolution == nil)
    }

    @Test(arguments: [PressAssembler.Delivery.decided, .released])
    func `a key that comes after its decision is that of the same press`(_ delivery: PressAssembler.Delivery) {
        let keys = [Self.key(1, .down), Self.key(1, .up), Self.key(2, .down), Self.key(2, .up)]
        let found = Self.presses([Self.resolved(1)] + keys + [Self.resolved(2)], delivery)
        #expect(found.map(\.at.press) == [1, 2])
        #expect(found.map { $0.key != nil && $0.down != nil && $0.release != nil } == [true, true])
        #expect(found.map { $0.time.nanoseconds } == [1, 3])
        // The first press has left when its key comes.
        let late = Self.presses([Self.resolved(1), Self.resolved(2)] + keys, delivery)
        #expect(late.map(\.at.press) == [1, 2])
        // Two downs with one number are two presses, as FORMAT.md has it.
        let twice = Self.presses([Self.resolved(1), Self.resolved(2)] + keys + keys + [Self.resolved(1)])
        #expect(twice.map(\.at.press) == [1, 2, 1, 2])
    }

    @Test func `a press that is resolved again after it was delivered is no press more`() {
        let bodies = [
            Self.key(1, .down), Self.resolved(1), Self.key(1, .up), Self.key(2, .down), Self.resolved(2),
            Self.call(1, .down), Self.resolved(1), Self.key(3, .down), Self.resolved(3), Self.key(3, .up),
            Self.key(2, .up),
        ]
        #expect(Self.presses(bodies, .released).map(\.at.press) == [1, 2, 3])
        let decided = Self.presses(bodies, .decided)
        #expect(decided.map(\.at.press) == [1, 2, 1, 3])
        #expect(decided.map(\.isPressOrRepeat) == [true, true, false, true])
    }

    @Test func `press 0 is none, and no text`() {
        let text = TraceRecord.Body.text(TextRecord(text: StringRef(rawValue: 7)))
        let found = Self.presses(
            [Self.key(0, .down), Self.key(0, .repeat), text, Self.resolved(0, 1), Self.key(0, .up)],
            parts: [.keys, .texts, .resolutions])
        #expect(found.map(\.at) == [PressTick(press: 0, tick: 1)])
        #expect(found[0].text?.rawValue == 7 && found[0].isResolved && found[0].key == nil)
    }

    @Test func `a key held for longer than can wait leaves without its release`() {
        let repeats = PressAssembler.Delivery.released.limit + 10
        let bodies = [Self.key(1, .down), Self.resolved(1)]
            + (1...UInt32(repeats)).flatMap { [Self.key(1, .repeat), Self.resolved(1, $0)] } + [Self.key(1, .up)]
        let found = Self.presses(bodies)
        #expect(found.count == repeats + 1)
        #expect(found[0].isCutShort && found[0].release == nil)
        #expect(found.map(\.at.tick) == Array(0...UInt32(repeats)))
    }

    static func focus(_ responder: UInt32) -> TraceRecord.Body {
        .firstResponder(FirstResponderRecord(responder: ResponderRef(rawValue: responder), cause: .become))
    }

    static func receiver(_ press: UInt32) -> TraceRecord.Body {
        .receiver(
            ReceiverRecord(
                at: PressTick(press: press, tick: 0), responder: ResponderRef(rawValue: 0), phase: .down,
                isSwallowed: true))
    }

    static func effect(_ press: UInt32) -> TraceRecord.Body {
        .effect(
            EffectRecord(
                at: PressTick(press: press, tick: 0), responder: nil, kind: StringRef(rawValue: 0), value: nil))
    }

    static func stage(_ press: UInt32, _ nanoseconds: Int64) -> TraceRecord.Body {
        .stage(
            StageRecord(
                at: PressTick(press: press, tick: 0), stage: .collect,
                duration: TraceDuration(nanoseconds: nanoseconds)))
    }

    @Test func `a decided press is handed over when another one's record comes, undecided ones never`() {
        let bodies = [
            Self.key(1, .down), Self.key(2, .down), Self.call(2, .down), Self.resolved(2), Self.call(1, .down),
            Self.resolved(1), Self.key(1, .up), Self.resolved(1), Self.key(3, .down),
        ]
        let found = Self.presses(bodies, .decided)
        #expect(found.map(\.at.press) == [2, 1])
        #expect(found.map(\.resolutions.count) == [1, 2])
        #expect(found.map { $0.time.nanoseconds } == [1, 0])
        let all = Self.presses(bodies, .released)
        #expect(all.map(\.at.press) == [1, 2, 3])
    }

    @Test(arguments: [PressAssembler.Delivery.decided, .released])
    func `the first receiver, candidate or call of a press fixes its context`(_ delivery: PressAssembler.Delivery) {
        let found = Self.presses(
            [
                Self.focus(1), Self.key(1, .down), Self.key(2, .down), Self.receiver(1), Self.focus(2),
                Self.call(1, .down),
                Self.resolved(1), Self.stage(2, 5), Self.focus(3), Self.call(2, .down), Self.focus(4), Self.effect(2),
                Self.resolved(2), Self.key(1, .up), Self.key(2, .up),
            ], delivery)
        #expect(found.map { $0.context.firstResponder?.responder?.rawValue } == [1, 3])
        #expect(found.map { $0.context.firstResponder?.change?.press } == [nil, 2])
        #expect(found[0].isSwallowed && found[0].receivers.count == 1)
        #expect(found[1].stages.total?.nanoseconds == 5)
    }

    @Test func `an effect or a resolution leaves the context that was there when the key came`() {
        let found = Self.presses([
            Self.focus(1), Self.key(1, .down), Self.focus(2), Self.effect(1), Self.call(1, .down), Self.resolved(1),
        ])
        #expect(found.map { $0.context.firstResponder?.responder?.rawValue } == [1])
    }

    @Test func `texts without a key are numbered, and leave when they are resolved`() {
        let text = TraceRecord.Body.text(TextRecord(text: StringRef(rawValue: 7)))
        let found = Self.presses(
            [text, Self.resolved(0, 1), Self.key(1, .down), Self.resolved(1), text, Self.key(1, .up)],
            parts: [.keys, .texts, .resolutions])
        #expect(found.map(\.at.press) == [0, 1, 0])
        #expect(found.map(\.at.tick) == [1, 0, 2])
        #expect(found.map(\.isText) == [true, false, true])
        #expect(found.map(\.text?.rawValue) == [7, nil, 7])
        #expect(Self.presses([text, Self.resolved(0, 1)]).isEmpty)
    }

    @Test func `parts that were not asked for are not there, and counts are`() {
        let bodies = [
            Self.key(1, .down), Self.receiver(1), Self.call(1, .down), Self.call(1, .shadow), Self.stage(1, 3),
            Self.resolved(1), Self.key(1, .up),
        ]
        let found = Self.presses(bodies, .decided, parts: [])
        #expect(found.count == 1)
        #expect(found[0].key == nil && found[0].calls.isEmpty && found[0].receivers.isEmpty && found[0].isResolved)
        #expect(found[0].callCounts[0] == 1 && found[0].shadowReads == 1 && found[0].stages.total?.nanoseconds == 3)
    }

    @Test func `only presses that are selected are assembled, with their repeats`() {
        let bodies = [
            Self.key(1, .down), Self.call(1, .down), Self.resolved(1), Self.key(2, .down), Self.call(2, .down),
            Self.resolved(2), Self.key(2, .repeat), Self.resolved(2, 1), Self.key(1, .up), Self.key(2, .up),
        ]
        let byNumber = Self.presses(bodies) { press, _ in press == 2 }
        #expect(byNumber.map(\.at) == [PressTick(press: 2, tick: 0), PressTick(press: 2, tick: 1)])
        let byKey = Self.presses(bodies) { _, down in down != nil }
        #expect(byKey.map(\.at.press) == [1, 2, 2])
        #expect(byKey.map(\.down?.time.nanoseconds) == [0, 3, 3])
    }

    @Test func `a trace that resolves nothing keeps a bounded number of presses waiting`() {
        let downs = (1...3_000).flatMap { [Self.key($0, .down), Self.call($0, .down)] }
        #expect(Self.presses(downs, .decided).map(\.at.press) == Array(1...3_000))
        let keys = (1...40_000).map { Self.key($0, .down) }
        #expect(Self.presses(keys, .decided).isEmpty)
        #expect(Self.presses(keys, .released).map(\.at.press) == Array(1...40_000))
    }

    @Test func `a copy of a context keeps its links when one of them changes`() {
        func link(_ responder: UInt32, _ next: UInt32?) -> TraceRecord.Body {
            .link(
                LinkRecord(
                    responder: ResponderRef(rawValue: responder), next: next.map { ResponderRef(rawValue: $0) },
                    window: nil))
        }
        let links = (0..<200).map { link($0, $0 < 199 ? $0 + 1 : nil) }
        let found = Self.presses(
            links + [
                Self.focus(0), Self.key(1, .down), Self.call(1, .down), link(100, 0), Self.resolved(1),
                Self.key(2, .down), Self.call(2, .down), link(70_000, nil), Self.resolved(2),
            ])
        #expect(found.map(\.chain.count) == [200, 101], "the second one runs in a circle")
        let last = ResponderRef(rawValue: 199)
        #expect(found.map { $0.context.isOnChain(last, from: ResponderRef(rawValue: 0)) } == [true, false])
        #expect(found[1].context.isOnChain(ResponderRef(rawValue: 100), from: ResponderRef(rawValue: 0)))
    }
}
