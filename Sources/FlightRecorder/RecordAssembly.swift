import KeyModel
import TraceFormat

/// Something that the host told the recorder as a whole, not one of its threads.
struct RecorderEvent {
    enum Kind {
        case level(TraceLevel)
        case pause, resume
        case beginSecureEntry, endSecureEntry
    }
    var time: UInt64
    var kind: Kind
}

/// A time in which nothing was recorded on purpose.
struct RecordedGap {
    let cause: LossCause
    let begin: TraceTime
    let end: TraceTime

    /// The gap from `moment` on.
    func record(from moment: TraceTime) -> LossRecord {
        LossRecord(cause: cause, count: nil, duration: max(end, moment).since(moment), detail: "")
    }
}

/// Entries and events in their order → records of a trace.
struct RecordAssembly {
    private(set) var definitions = TraceDefinitions()
    private(set) var names = NameTable.Names()
    /// Entries turned into records.
    private(set) var entries: UInt64 = 0
    /// Those of them whose beginning read the clock as well.
    private(set) var spans: UInt64 = 0
    /// Nothing is recorded at the moment, and since when and why.
    private(set) var silence: Silence?

    struct Silence {
        let cause: LossCause
        /// In ticks.
        let since: UInt64
        /// Where its records stand, once there are some.
        var begin: TraceTime?
        /// It stands in the trace as a gap of unknown length.
        var isTold = false
    }

    /// Ticks at time 0, and CLOCK_MONOTONIC then.
    let start: UInt64
    let startNanoseconds: UInt64
    var clock: TickClock
    private let output: any TraceOutput
    private var level: TraceLevel
    /// The level that the trace says it has.
    private var writtenLevel: TraceLevel
    private var lastTime = TraceTime.zero
    private var modifiers = JoinedModifiers()
    private var presses: UInt32 = 0
    private var threads: [PressesOfThread] = []
    /// Keys that are down, for the releases that a gap calls for.
    private var held: [(thread: UInt32, ordinal: UInt32, record: KeyRecord)] = []

    init(start: UInt64, level: TraceLevel, output: any TraceOutput) {
        self.start = start
        clock = TickClock()
        startNanoseconds = clock.nanoseconds(start)
        self.level = level
        writtenLevel = level
        self.output = output
    }

    /// The time of the trace at these ticks.
    func time(_ ticks: UInt64) -> TraceTime {
        let nanoseconds = clock.nanoseconds(ticks)
        return TraceTime(rawValue: nanoseconds > startNanoseconds ? Int64(clamping: nanoseconds - startNanoseconds) : 0)
    }

    // MARK: Events

    mutating func apply(_ event: RecorderEvent) throws {
        switch event.kind {
        case .level(let new):
            guard new != level else { return }
            level = new
            // Inside a silence the switch is told at its end.
            if silence == nil { try writeLevel(time(event.time)) }
        case .pause: if silence == nil { silence = Silence(cause: .paused, since: event.time) }
        case .beginSecureEntry:
            try endSilence(event.time)
            silence = Silence(cause: .secureEntry, since: event.time)
        case .resume: if silence?.cause == .paused { try endSilence(event.time) }
        case .endSecureEntry: if silence?.cause == .secureEntry { try endSilence(event.time) }
        }
    }

    /// Ends a pause or a secure entry with its gap.
    mutating func endSilence(_ now: UInt64) throws {
        guard let gap = gap(until: time(now)) else { return }
        try beginGap(at: gap.begin)
        silence = nil
        try write(.loss(gap.record(from: gap.begin)), at: gap.begin)
        if level != writtenLevel { try writeLevel(gap.begin) }
    }

    /// Puts the silence that goes on into the trace as a gap of unknown length, for whoever finds it when the process
    /// is no more. Its end is told by a second record of the same time.
    mutating func tellOpenGap(_ now: UInt64) throws {
        guard silence?.isTold == false, let gap = gap(until: time(now)) else { return }
        try beginGap(at: gap.begin)
        silence?.isTold = true
        try write(.loss(LossRecord(cause: gap.cause, count: nil, duration: nil, detail: "")), at: gap.begin)
    }

    /// The silence until this moment. A secure entry says no more than the seconds it touched: the gap begins at a
    /// whole second, or at the record before it where that is later, and ends at a whole second.
    func gap(until: TraceTime) -> RecordedGap? {
        guard let silence else { return nil }
        let since = time(silence.since)
        guard silence.cause == .secureEntry else {
            let begin = silence.begin ?? max(since, lastTime)
            return RecordedGap(cause: silence.cause, begin: begin, end: max(begin, until))
        }
        let second: Int64 = 1_000_000_000
        let begin = silence.begin ?? max(TraceTime(rawValue: since.rawValue / second * second), lastTime)
        var end = (until.rawValue / second + (until.rawValue % second == 0 ? 0 : 1)) * second
        if end <= begin.rawValue { end = (begin.rawValue / second + 1) * second }
        return RecordedGap(cause: silence.cause, begin: begin, end: TraceTime(rawValue: end))
    }

    private mutating func beginGap(at moment: TraceTime) throws {
        guard silence?.begin == nil else { return }
        silence?.begin = moment
        try releaseHeldKeys(moment)
    }

    private mutating func writeLevel(_ moment: TraceTime) throws {
        writtenLevel = level
        try write(.level(LevelRecord(level: level)), at: moment)
    }

    /// What goes up during a gap is not seen: keys that were down are released where it begins.
    private mutating func releaseHeldKeys(_ moment: TraceTime) throws {
        for key in held {
            var record = key.record
            record.phase = .up
            record.isSynthetic = true
            if case .clear(let usage) = record.key { modifiers.apply(usage, .up, record.device) }
            record.modifiers = flags(record.key)
            try output.append(record, at: moment, definitions: definitions)
        }
        if !held.isEmpty { lastTime = max(lastTime, moment) }
        held.removeAll()
        for index in threads.indices { threads[index].at = PressTick(press: 0, tick: 0) }
    }

    /// A record of the recorder's own.
    mutating func write(_ body: TraceRecord.Body, _ clock: UInt64) throws { try write(body, at: time(clock)) }

    private mutating func write(_ body: TraceRecord.Body, at moment: TraceTime) throws {
        lastTime = max(lastTime, moment)
        try output.append(body, at: lastTime, definitions: definitions)
    }

    /// Entries of a thread that found no room.
    mutating func writeDrops(_ count: UInt64, _ detail: String, _ now: UInt64) throws {
        try write(.loss(LossRecord(cause: .dropped, count: count, duration: nil, detail: detail)), now)
    }

    mutating func intern(_ responder: ResponderDefinition) -> ResponderRef { definitions.intern(responder) }
    mutating func intern(_ command: CommandDefinition) -> CommandRef { definitions.intern(command) }
    mutating func intern(_ text: String) -> StringRef { definitions.intern(text) }

    mutating func updateNames() { NameTable.shared.update(&names, &definitions) }

    // MARK: Entries

    /// Turns an entry into its record.
    mutating func add(_ entry: UnsafePointer<UInt64>, of thread: UInt32) throws {
        let head = EntryHead(word: entry[1])
        guard let kind = head.kind, silence == nil, kind.level <= level else { return }
        entries += 1
        if kind == .stage || kind == .call { spans += 1 }
        let index = Int(thread)
        while threads.count <= index { threads.append(PressesOfThread()) }
        if kind == .key || kind == .rareKey { return try addKey(KeyEntry(entry, head), entry[0], thread) }
        if kind == .adopt {
            let ordinal = UInt32(truncatingIfNeeded: entry[2] >> 32)
            let owner = Int(truncatingIfNeeded: entry[2] & 0xFFFF_FFFF)
            guard owner < threads.count else { return }
            (threads[index].at, threads[index].occasion) = threads[owner].handling(ordinal)
            return
        }
        let body =
            contextBody(kind, head, entry) ?? decisionBody(kind, head, entry, threads[index])
        if let body { try write(body, entry[0]) }
    }

    private mutating func addKey(_ entry: KeyEntry, _ clock: UInt64, _ thread: UInt32) throws {
        let index = Int(thread)
        guard let phase = KeyPhase(rawValue: UInt8(entry.flags & 3)) else { return }
        let (device, ordinal) = (entry.device, entry.ordinal)
        var key = KeyIdentity.clear(KeyUsage(rawValue: entry.code))
        if entry.flags & 8 != 0 {
            key = .masked(TextKeyClass(rawValue: UInt8(truncatingIfNeeded: entry.code)) ?? .letter)
        }
        var press: UInt32?
        if ordinal != 0 {
            if phase == .down, presses < .max {
                presses += 1
                threads[index].remember(ordinal, presses)
            }
            press = threads[index].press(of: ordinal)
        }
        if case .clear(let usage) = key { modifiers.apply(usage, phase, device) }
        let record = KeyRecord(
            device: device, key: key, phase: phase, modifiers: flags(key), press: press,
            isSynthetic: entry.flags & 4 != 0)
        follow(record, thread, ordinal)
        threads[index].begin(phase, press, ordinal)
        let moment = time(clock)
        lastTime = max(lastTime, moment)
        try output.append(record, at: lastTime, definitions: definitions)
    }

    private mutating func follow(_ record: KeyRecord, _ thread: UInt32, _ ordinal: UInt32) {
        let place = held.firstIndex {
            $0.thread == thread && $0.record.device == record.device && $0.ordinal == ordinal
                && (ordinal != 0 || $0.record.key == record.key)
        }
        switch record.phase {
        case .down: if place == nil, held.count < TraceLimits.heldKeys { held.append((thread, ordinal, record)) }
        case .repeat: break
        case .up, .cancel: if let place { held.remove(at: place) }
        }
    }

    /// Flags held now, with `numericPad` for keys of the keypad, as far as the key may be known.
    private func flags(_ key: KeyIdentity) -> KeyModifiers {
        switch key {
        case .clear(let usage): usage.isKeypad ? modifiers.flags.union(.numericPad) : modifiers.flags
        case .masked(let textClass): textClass == .keypad ? modifiers.flags.union(.numericPad) : modifiers.flags
        }
    }
}

/// A key event as its entry has it.
private struct KeyEntry {
    /// Bits 0 and 1 the phase, 2 synthetic, 3 masked.
    var flags: UInt32
    var device: UInt16
    /// Page and usage, or the class of a masked key.
    var code: UInt32
    /// The press as its thread counts, 0 for none.
    var ordinal: UInt32

    init(_ entry: UnsafePointer<UInt64>, _ head: EntryHead) {
        if head.kind == .key {
            flags = head.wide & 15
            device = head.small & 0xFF
            code = UInt32(head.small >> 8) | (flags & 8 == 0 ? 0x7_0000 : 0)
            ordinal = head.wide >> 4
        } else {
            flags = UInt32(head.small)
            device = UInt16(truncatingIfNeeded: head.wide)
            code = UInt32(truncatingIfNeeded: entry[2])
            ordinal = UInt32(truncatingIfNeeded: entry[2] >> 32)
        }
    }
}

/// The presses of one thread, and the one that it handles.
struct PressesOfThread {
    private static let places = 1024
    var at = PressTick(press: 0, tick: 0)
    var occasion = CallOccasion.down
    /// The last presses by the thread's own ordinal; a key held for longer than so many presses loses its number.
    private var recent: [Press] = []

    private struct Press {
        var ordinal: UInt32 = 0
        var press: UInt32 = 0
        /// Repeats so far.
        var ticks: UInt32 = 0
        /// Of its last event.
        var occasion = CallOccasion.down
    }

    mutating func remember(_ ordinal: UInt32, _ press: UInt32) {
        if recent.isEmpty { recent = Array(repeating: Press(), count: PressesOfThread.places) }
        recent[Int(ordinal) % PressesOfThread.places] = Press(ordinal: ordinal, press: press)
    }

    func press(of ordinal: UInt32) -> UInt32? { place(of: ordinal).map { recent[$0].press } }

    /// The last event of a press, which a thread handles again.
    func handling(_ ordinal: UInt32) -> (at: PressTick, occasion: CallOccasion) {
        guard let place = place(of: ordinal) else { return (PressTick(press: 0, tick: 0), .down) }
        let press = recent[place]
        return (PressTick(press: press.press, tick: press.occasion == .repeatTick ? press.ticks : 0), press.occasion)
    }

    private func place(of ordinal: UInt32) -> Int? {
        guard !recent.isEmpty, ordinal != 0 else { return nil }
        let place = Int(ordinal) % PressesOfThread.places
        return recent[place].ordinal == ordinal ? place : nil
    }

    /// What the thread records from now on belongs to this key event.
    mutating func begin(_ phase: KeyPhase, _ press: UInt32?, _ ordinal: UInt32) {
        var tick: UInt32 = 0
        switch phase {
        case .down: occasion = .down
        case .repeat:
            // Those of a press count on whatever came in between.
            tick = (place(of: ordinal).map { recent[$0].ticks } ?? (at.press == press ? at.tick : 0)) &+ 1
            occasion = .repeatTick
        case .up, .cancel: occasion = .release
        }
        if let place = place(of: ordinal) {
            if phase == .repeat { recent[place].ticks = tick }
            recent[place].occasion = occasion
        }
        at = PressTick(press: press ?? 0, tick: tick)
    }
}
