import KeyModel
public import TraceFormat

/// A flight as an app's recorder writes it at level `calls`: somebody types, now and then a chord; for each press the
/// first responder gets it, every responder of the chain is asked for its key commands in every pass, each stage ends
/// where the next begins, and a resolution closes it. What types text is masked.
///
/// The records of a lower level are those of the flight whose kind belongs to it.
public struct TypedFlight: Sendable {
    public private(set) var recording = Recording()
    public private(set) var keyEvents = 0
    public private(set) var presses = 0
    public private(set) var calls = 0

    private let parameters: FlightParameters
    private var random: SeededGenerator
    private var time: Int64 = 0
    private var chain: [ResponderRef] = []
    private var lists: [[CommandListRef]] = []
    private var current: [Int]
    private let showsSettle: Bool

    /// `showsSettle`: the app measures the time until it is idle again as well.
    public init(_ parameters: FlightParameters, showsSettle: Bool = false) {
        self.parameters = parameters
        self.showsSettle = showsSettle
        random = SeededGenerator(seed: parameters.seed)
        current = Array(repeating: 0, count: parameters.responders)
        begin()
        type()
    }

    /// The records up to a level.
    public func recording(_ level: TraceLevel) -> Recording {
        var part = Recording()
        part.definitions = recording.definitions
        for record in recording.records where (record.body.kind?.level ?? .keys) <= level {
            part.append(record.body, at: record.time)
        }
        return part
    }

    private mutating func append(_ body: TraceRecord.Body) {
        recording.append(body, at: TraceTime(nanoseconds: time))
    }

    // MARK: The app

    private mutating func begin() {
        for place in 0..<parameters.responders {
            let kind = place == 0 ? "TextField" : place == parameters.responders - 1 ? "Application" : "ViewController"
            chain.append(recording.definitions.intern(ResponderDefinition(id: "\(kind)-\(place)", kind: kind)))
        }
        // Three lists of each responder: all its commands, all but the first, all but the last.
        for place in 0..<parameters.responders {
            let commands = (0..<parameters.commandsPerResponder).map { number in
                recording.definitions.intern(
                    CommandDefinition(
                        input: String(UnicodeScalar(UInt8(97 + (place * 7 + number) % 26))), modifiers: .command,
                        action: "command\(number)Of\(place):"))
            }
            lists.append(
                [commands, Array(commands.dropFirst()), Array(commands.dropLast())].map {
                    recording.definitions.intern($0)
                })
        }
        append(.environment(EnvironmentRecord(name: "profile", value: "ios15")))
        for (place, responder) in chain.enumerated() {
            let next = place + 1 < chain.count ? chain[place + 1] : nil
            append(.link(LinkRecord(responder: responder, next: next, window: chain[max(0, chain.count - 2)])))
        }
        append(.keyWindow(KeyWindowRecord(window: chain[max(0, chain.count - 2)], cause: .start)))
        append(.firstResponder(FirstResponderRecord(responder: chain[0], cause: .start)))
    }

    // MARK: The typist

    private enum Step {
        case down(KeyIdentity, isChord: Bool)
        case up(KeyIdentity, press: UInt32)
        case command(KeyPhase)
    }

    private mutating func type() {
        // A word is five characters.
        let pace = 60_000_000_000 / Int64(parameters.wordsPerMinute * 5)
        var begin: Int64 = 1_000_000_000
        var steps: [(time: Int64, step: Step)] = []
        for number in 1...UInt32(clamping: max(1, parameters.presses)) {
            begin += random.logNormal(median: pace, sigmaThousandths: 350)
            let held = random.logNormal(median: 85_000_000, sigmaThousandths: 250)
            let isChord = random.isOne(in: parameters.pressesPerChord)
            let usage = KeyUsage.keyboard(UInt16(0x04 + random.below(26)))
            let key: KeyIdentity =
                isChord ? .clear(usage) : .masked(random.isOne(in: 6) ? .space : .letter)
            if isChord { steps.append((begin - 60_000_000, .command(.down))) }
            steps.append((begin, .down(key, isChord: isChord)))
            steps.append((begin + held, .up(key, press: number)))
            if isChord {
                steps.append((begin + held + 20_000_000, .command(.up)))
                begin += held + 40_000_000
            }
        }
        var held: KeyModifiers = []
        for (at, step) in steps.enumerated().sorted(by: { ($0.1.time, $0.0) < ($1.1.time, $1.0) }).map(\.1) {
            time = max(time + 1_000, at)
            perform(step, &held)
        }
    }

    private mutating func perform(_ step: Step, _ held: inout KeyModifiers) {
        keyEvents += 1
        switch step {
        case .command(let phase):
            held = phase == .down ? .command : []
            append(.key(KeyRecord(device: 1, key: .clear(.leftGUI), phase: phase, modifiers: held, press: nil)))
        case .up(let key, let press):
            append(.key(KeyRecord(device: 1, key: key, phase: .up, modifiers: held, press: press)))
        case .down(let key, let isChord):
            presses += 1
            let press = UInt32(clamping: presses)
            append(.key(KeyRecord(device: 1, key: key, phase: .down, modifiers: held, press: press)))
            handle(PressTick(press: press, tick: 0), isChord)
        }
    }

    // MARK: A press

    private mutating func handle(_ at: PressTick, _ isChord: Bool) {
        let delay = random.logNormal(median: 900_000, sigmaThousandths: 400)
        append(.stage(StageRecord(at: at, stage: .inputDelay, duration: TraceDuration(nanoseconds: delay))))
        time += random.logNormal(median: parameters.gapMedian, sigmaThousandths: 150)
        var begin = time
        time += random.logNormal(median: 4_000, sigmaThousandths: 300)
        append(.receiver(ReceiverRecord(at: at, responder: chain[0], phase: .down, isSwallowed: false)))
        end(.presses, at, &begin, 6_000)
        ask(at)
        end(.collect, at, &begin, 2_000)
        end(.match, at, &begin, 5_000)
        if isChord { end(.validate, at, &begin, 3_000) }
        end(.action, at, &begin, isChord ? 900_000 : 250_000)
        if showsSettle { end(.settle, at, &begin, 6_000_000) }
        time += random.logNormal(median: parameters.gapMedian, sigmaThousandths: 150)
        var record = ResolutionRecord(
            at: at, outcome: isChord ? .performed : .consumedByText, takenBy: isChord ? .keyCommands : .text,
            state: nil)
        let target = isChord ? chain[random.below(min(4, chain.count))] : chain[0]
        record.target = target
        record.start = chain[0]
        record.keyWindow = chain[max(0, chain.count - 2)]
        if isChord {
            record.supplier = target
            record.action = recording.definitions.intern("command\(random.below(2))Of\(target.rawValue):")
        }
        append(.resolution(record))
    }

    /// A stage that goes on for some more time, and then the next one begins.
    private mutating func end(_ stage: LatencyStage, _ at: PressTick, _ begin: inout Int64, _ median: Int64) {
        time += random.logNormal(median: median, sigmaThousandths: 500)
        append(.stage(StageRecord(at: at, stage: stage, duration: TraceDuration(nanoseconds: time - begin))))
        begin = time
    }

    private mutating func ask(_ at: PressTick) {
        for pass in 1...UInt16(clamping: max(1, parameters.passes)) {
            for place in chain.indices {
                let gap = random.logNormal(median: parameters.gapMedian, sigmaThousandths: 150)
                let length = random.logNormal(
                    median: parameters.getterMedian, sigmaThousandths: parameters.getterSigmaThousandths)
                time += gap + length
                if random.isOne(in: parameters.callsPerChange) { current[place] = (current[place] + 1) % 3 }
                calls += 1
                append(
                    .call(
                        CallRecord(
                            at: at, kind: .keyCommands, occasion: .down, responder: chain[place], pass: pass, depth: 0,
                            duration: TraceDuration(nanoseconds: length), action: nil,
                            answer: .commands(lists[place][current[place]]))))
            }
        }
    }
}
