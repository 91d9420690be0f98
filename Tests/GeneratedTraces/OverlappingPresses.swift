import KeyModel
public import TraceFormat

/// Presses and repeats that overlap, each with some stages and calls: told as an app's recorder tells them, at their
/// ends, or as a replay does, all at once.
public struct OverlappingPresses {
    private var random: SeededGenerator
    private var recording = Recording()
    private var records: [(time: Int64, body: TraceRecord.Body)] = []
    private var responders: [ResponderRef] = []

    public static func recording(seed: UInt64, presses: Int) -> Recording {
        var flight = OverlappingPresses(random: SeededGenerator(seed: seed))
        for name in ["page", "nav", "app"] {
            let responder = ResponderDefinition(id: name, kind: "view")
            flight.responders.append(flight.recording.definitions.intern(responder))
        }
        var arrival: Int64 = 1_000_000_000
        for press in 1...UInt32(clamping: max(1, presses)) {
            arrival += Int64(flight.random.below(4_000_000))
            var at = PressTick(press: press, tick: 0)
            flight.deliver(at, at: arrival)
            while flight.random.chance(25) {
                arrival += Int64(flight.random.below(4_000_000))
                at.tick += 1
                flight.deliver(at, at: arrival)
            }
        }
        // Of one moment, in the order in which they were made.
        let sorted = flight.records.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
        for (time, body) in sorted.map(\.element) {
            flight.recording.append(body, at: TraceTime(nanoseconds: time))
        }
        return flight.recording
    }

    private init(random: SeededGenerator) { self.random = random }

    private mutating func deliver(_ at: PressTick, at arrival: Int64) {
        let key = KeyRecord(
            device: 1, key: .clear(.keyboard(0x1A)), phase: at.tick == 0 ? .down : .repeat, modifiers: .command,
            press: at.press)
        records.append((arrival, .key(key)))
        let isReplayed = random.chance(30)
        var time = arrival
        for stage in LatencyStage.allCases where random.chance(55) {
            let length = random.chance(15) ? 0 : Int64(random.below(3_000_000))
            if stage.rawValue > LatencyStage.inputDelay.rawValue {
                if stage == .collect { ask(at, from: time, lasting: length, isReplayed ? arrival : nil) }
                time += length
                if random.chance(30), !isReplayed { time += Int64(random.below(2_000)) }
            }
            let record = StageRecord(at: at, stage: stage, duration: TraceDuration(nanoseconds: length))
            records.append((isReplayed ? arrival : time, .stage(record)))
        }
        guard random.chance(95) else { return }
        let outcome = Outcome(rawValue: UInt8(random.below(13)))
        let resolution = ResolutionRecord(at: at, outcome: outcome, takenBy: nil, state: nil)
        records.append((isReplayed ? arrival : time + 1, .resolution(resolution)))
    }

    /// Calls that share the time of the stage they are made in.
    private mutating func ask(_ at: PressTick, from begin: Int64, lasting length: Int64, _ moment: Int64?) {
        var time = begin
        for responder in responders {
            let share = length / Int64(responders.count)
            time += share
            let call = CallRecord(
                at: at, kind: .keyCommands, occasion: at.tick == 0 ? .down : .repeatTick, responder: responder, pass: 1,
                depth: 0, duration: random.chance(20) ? nil : TraceDuration(nanoseconds: share), action: nil,
                answer: .none)
            records.append((moment ?? time, .call(call)))
        }
    }
}
