import GeneratedTraces
import KeyModel
import TraceFormat

/// The fleet that sessions are drawn from: versions of an app, systems and devices, and one regression.
struct Fleet {
    static let versions = ["4.1", "4.2"]
    static let systems = ["18.5", "26.0", "26.1"]
    /// With the time that everything takes there, in thousandths.
    static let devices: [(model: String, slowness: Int64)] = [
        ("iPad14,3", 700), ("iPad13,1", 1_000), ("iPad12,1", 1_250), ("iPad11,6", 1_600),
    ]
    /// With the median of the time that they take for an answer, in nanoseconds.
    static let responders: [(id: String, median: Int64)] = [
        ("field", 9_000), ("editor", 42_000), ("toolbar", 15_000), ("library", 60_000), ("split", 12_000),
        ("tabs", 30_000), ("window", 7_000), ("scene", 5_000), ("application", 11_000),
    ]
    /// 15 % more, of one responder in one version on one system.
    static let slower = (responder: "library", version: "4.2", system: "26.0", thousandths: 1_150 as Int64)

    var seed: UInt64
    var installations: Int
    var hasRegression: Bool
}

/// One session: who ran what where, by its number alone.
struct FleetSession {
    private var recording = Recording()
    private var random: SeededGenerator
    private var time: Int64 = 0
    private let slowness: [Int64]
    private let chain: [ResponderRef]
    private let lists: [CommandListRef]

    /// The bytes of the trace.
    static func bytes(_ number: Int, of fleet: Fleet, isMasked: Bool = true) throws -> [UInt8] {
        var session = FleetSession(number, of: fleet)
        session.press(isMasked: isMasked)
        return try session.recording.bytes(header: TraceHeader(level: .calls, isMasked: isMasked))
    }

    private init(_ number: Int, of fleet: Fleet) {
        random = SeededGenerator(seed: fleet.seed &* 1_000_003 &+ UInt64(number))
        let installation = random.below(fleet.installations)
        // An installation keeps its device and its system, not its version.
        var owner = SeededGenerator(seed: fleet.seed &* 7_919 &+ UInt64(installation))
        let device = Fleet.devices[owner.below(Fleet.devices.count)]
        let system = Fleet.systems[owner.below(Fleet.systems.count)]
        let version = Fleet.versions[random.below(Fleet.versions.count)]
        // What else the device does in the session slows all of it.
        let load = random.logNormal(median: device.slowness, sigmaThousandths: 150)
        slowness = Fleet.responders.map { responder in
            let isSlower = fleet.hasRegression && responder.id == Fleet.slower.responder
                && version == Fleet.slower.version && system == Fleet.slower.system
            return load * (isSlower ? Fleet.slower.thousandths : 1_000) / 1_000
        }
        var definitions = TraceDefinitions()
        chain = Fleet.responders.map {
            definitions.intern(ResponderDefinition(id: $0.id, kind: $0.id == "field" ? "TextField" : "ViewController"))
        }
        lists = Fleet.responders.indices.map { place in
            let commands = (0..<4).map { number in
                definitions.intern(
                    CommandDefinition(
                        input: String(UnicodeScalar(UInt8(97 + (place * 4 + number) % 26))), modifiers: .command,
                        action: "command\(number)Of\(place):"))
            }
            return definitions.intern(commands)
        }
        recording.definitions = definitions
        let facts = [
            ("profile", "ios26"), ("service.version", version), ("app.build_id", version == "4.1" ? "410" : "420"),
            ("vcs.ref.head.revision", version == "4.1" ? "0a41c0de" : "0a42c0de"), ("os.version", system),
            ("device.model.identifier", device.model), ("session.id", "session-\(number)"),
            ("app.installation.id", "installation-\(installation)"),
        ]
        for fact in facts { append(.environment(EnvironmentRecord(name: fact.0, value: fact.1))) }
        for (place, responder) in chain.enumerated() {
            let next = place + 1 < chain.count ? chain[place + 1] : nil
            append(.link(LinkRecord(responder: responder, next: next, window: chain[6])))
        }
        append(.keyWindow(KeyWindowRecord(window: chain[6], cause: .start)))
        append(.firstResponder(FirstResponderRecord(responder: chain[0], cause: .start)))
    }

    private mutating func append(_ body: TraceRecord.Body) {
        recording.append(body, at: TraceTime(nanoseconds: time))
    }

    private mutating func press(isMasked: Bool) {
        let presses = Int(random.logNormal(median: 115, sigmaThousandths: 450))
        for number in 1...UInt32(clamping: max(2, presses)) {
            time += random.logNormal(median: 240_000_000, sigmaThousandths: 400)
            let isChord = random.isOne(in: 3)
            let letter = random.below(12)
            let usage = KeyUsage.keyboard(UInt16(0x04 + letter))
            let isClear = isChord || !isMasked
            let key: KeyIdentity = isClear ? .clear(usage) : .masked(.letter)
            if isChord { append(command(.down)) }
            append(.key(KeyRecord(
                device: 1, key: key, phase: .down, modifiers: isChord ? .command : [], press: number)))
            handle(PressTick(press: number, tick: 0), chord: isChord ? letter : nil)
            time += random.logNormal(median: 80_000_000, sigmaThousandths: 250)
            append(.key(KeyRecord(
                device: 1, key: key, phase: .up, modifiers: isChord ? .command : [], press: number)))
            if isChord { append(command(.up)) }
        }
    }

    private func command(_ phase: KeyPhase) -> TraceRecord.Body {
        .key(KeyRecord(
            device: 1, key: .clear(.leftGUI), phase: phase, modifiers: phase == .down ? .command : [], press: nil))
    }

    /// `chord`: the number of its letter. Each has one command, but for the last, for which no responder has one.
    private mutating func handle(_ at: PressTick, chord: Int?) {
        stage(.inputDelay, at, 900_000)
        stage(.presses, at, 6_000)
        let begin = time
        for place in chain.indices {
            let median = Fleet.responders[place].median * slowness[place] / 1_000
            let length = random.logNormal(median: median, sigmaThousandths: 400)
            time += length + random.logNormal(median: 700, sigmaThousandths: 150)
            append(.call(CallRecord(
                at: at, kind: .keyCommands, occasion: .down, responder: chain[place], pass: 1, depth: 0,
                duration: TraceDuration(nanoseconds: length), action: nil, answer: .commands(lists[place]))))
        }
        append(.stage(StageRecord(at: at, stage: .collect, duration: TraceDuration(nanoseconds: time - begin))))
        stage(.match, at, 5_000)
        stage(.action, at, chord == nil ? 250_000 : 900_000)
        let isStale = random.isOne(in: 40)
        append(.cache(CacheRecord(
            at: at, hits: isStale ? 1 : 0, misses: UInt32(chain.count), stale: isStale ? 1 : 0, invalidations: 0,
            shadowReads: 0, callsSaved: 0, timeSaved: .zero)))
        let isUnhandled = chord == 11
        var record = ResolutionRecord(
            at: at, outcome: isUnhandled ? .unhandled : chord == nil ? .consumedByText : .performed,
            takenBy: isUnhandled ? nil : chord == nil ? .text : .keyCommands, state: nil)
        record.start = chain[0]
        record.keyWindow = chain[6]
        if let chord, !isUnhandled {
            (record.target, record.supplier) = (chain[chord / 4], chain[chord / 4])
            record.action = recording.definitions.intern("command\(chord % 4)Of\(chord / 4):")
        }
        append(.resolution(record))
    }

    private mutating func stage(_ stage: LatencyStage, _ at: PressTick, _ median: Int64) {
        let length = random.logNormal(median: median, sigmaThousandths: 400)
        time += length
        append(.stage(StageRecord(at: at, stage: stage, duration: TraceDuration(nanoseconds: length))))
    }
}
