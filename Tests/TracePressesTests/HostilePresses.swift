import KeyModel
import TraceFormat
import TracePresses

/// Traces that can be read, and whose presses are odd: a source lost or mixed up what belongs together, or reports
/// without end. They are `Traces/hostile/presses-NAME.keyflight`; set `KEYFLIGHT_WRITE_HOSTILE` to write them anew.
struct HostilePresses {
    let name: String
    /// The required result, as in `Traces/hostile/README.md`.
    let result: String
    let bodies: [TraceRecord.Body]

    private init(_ name: String, _ result: String, _ bodies: [TraceRecord.Body]) {
        (self.name, self.result, self.bodies) = (name, result, bodies)
    }

    /// Its line there.
    var row: String { "| `presses-\(name).keyflight` | \(result) |" }

    func bytes() throws -> [UInt8] {
        var recording = Recording()
        for number in 0...UInt32(HostilePresses.growth) {
            _ = recording.definitions.intern(ResponderDefinition(id: "r\(number)", kind: "view"))
        }
        for (place, body) in bodies.enumerated() { recording.append(body, at: TraceTime(nanoseconds: Int64(place))) }
        return try recording.bytes(header: TraceHeader(level: .calls, isMasked: false))
    }

    /// Presses that overlap a slow one, more than may wait.
    static let overlapping = PressAssembler.Delivery.decided.limit + 76
    /// Presses whose keys never come up, more than may wait.
    static let unreleased = PressAssembler.heldLimit * 3
    /// Facts of a context that grows, and the presses in contexts of their own that follow.
    static let (growth, growingPresses) = (3_000, 900)

    static let all = [
        HostilePresses(
            "ordinal-twice", "2 presses: the first without a release, the second with its own call",
            [
                key(1, .down), call(1), resolved(1), key(1, .down), call(1), call(1), resolved(1), key(1, .up),
            ]),
        HostilePresses(
            "decision-before-key", "1 press with its call and its resolution; its key is in no other",
            [call(1), resolved(1), key(1, .down), key(1, .up), key(2, .down), call(2), resolved(2), key(2, .up)]),
        HostilePresses(
            "slow-among-many", "\(overlapping + 1) presses; the slow one is one press with its call, stage and release",
            [key(1, .down), call(1)]
                + (2...UInt32(overlapping + 1)).flatMap { [key($0, .down), call($0), resolved($0), key($0, .up)] }
                + [stage(1), resolved(1), key(1, .up)]),
        HostilePresses(
            "repeat-goes-back", "repeats 1, 2 and 3, and a late call of repeat 1 that is no key",
            [
                key(1, .down), resolved(1), key(1, .repeat), resolved(1, 1), key(1, .repeat), resolved(1, 2),
                call(1, 1), key(1, .repeat), resolved(1, 3), key(1, .up),
            ]),
        HostilePresses(
            "cut-amid-repeats", "repeat 41, which came up before it was decided, has its key",
            [key(1, .repeat), key(1, .up), call(1, 41), resolved(1, 41), key(2, .down), resolved(2), key(2, .up)]),
        HostilePresses(
            "level-falls", "4 presses; that of level keys does not keep the third waiting",
            [
                key(1, .down), call(1), resolved(1), key(1, .up), .level(LevelRecord(level: .keys)), key(2, .down),
                key(2, .up), .level(LevelRecord(level: .calls)), key(3, .down), call(3), resolved(3), key(3, .up),
                key(4, .down), call(4),
            ]),
        HostilePresses(
            "keys-unreleased", "\(unreleased) presses, of which at most \(PressAssembler.heldLimit) wait",
            (1...UInt32(unreleased)).flatMap { [key($0, .down), resolved($0)] }),
        HostilePresses(
            "environment-grows", "\(growingPresses) presses; few wait with an environment of their own",
            growing { environment($0) }),
        HostilePresses(
            "presentations-grow", "\(growingPresses) presses; few wait with presentations of their own",
            growing { presentation($0) }),
    ]

    /// Facts of a context, and presses that are never resolved, each in a context of its own.
    private static func growing(_ fact: (UInt32) -> TraceRecord.Body) -> [TraceRecord.Body] {
        (1...UInt32(growth)).map(fact) + (1...UInt32(growingPresses)).flatMap { [key($0, .down), call($0), fact($0)] }
    }

    private static func key(_ press: UInt32, _ phase: KeyPhase) -> TraceRecord.Body {
        PressAssemblerTests.key(press, phase)
    }

    private static func resolved(_ press: UInt32, _ tick: UInt32 = 0) -> TraceRecord.Body {
        PressAssemblerTests.resolved(press, tick)
    }

    private static func call(_ press: UInt32, _ tick: UInt32 = 0) -> TraceRecord.Body {
        PressAssemblerTests.call(press, tick == 0 ? .down : .repeatTick, tick: tick)
    }

    private static func stage(_ press: UInt32) -> TraceRecord.Body { PressAssemblerTests.stage(press, 5) }

    private static func environment(_ number: UInt32) -> TraceRecord.Body {
        .environment(EnvironmentRecord(name: "fact \(number)", value: ""))
    }

    private static func presentation(_ number: UInt32) -> TraceRecord.Body {
        .presentation(
            PresentationRecord(
                presenter: ResponderRef(rawValue: number - 1), presented: ResponderRef(rawValue: number)))
    }
}
