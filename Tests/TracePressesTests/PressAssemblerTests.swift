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

    @Test func `a key held for longer than can wait leaves without its release`() {
        let repeats = PressAssembler.Delivery.released.limit + 10
        let bodies = [Self.key(1, .down), Self.resolved(1)]
            + (1...UInt32(repeats)).flatMap { [Self.key(1, .repeat), Self.resolved(1, $0)] } + [Self.key(1, .up)]
        let found = Self.presses(bodies)
        #expect(found.count == repeats + 1)
        #expect(found[0].isCutShort && found[0].release == nil)
        #expect(found.map(\.at.tick) == Array(0...UInt32(repeats)))
    }
}
