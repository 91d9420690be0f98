import KeyModel
import TraceFormat

/// An event of the recorder as a whole, not of one of its threads.
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
    /// The entries of them whose beginning read the clock as well.
    private(set) var spans: UInt64 = 0
    /// The interval in which nothing is recorded, with its begin and cause; `nil` while recording.
    private(set) var suppression: SuppressionInterval?

    struct SuppressionInterval {
        let cause: LossCause
        /// In ticks.
        let since: UInt64
        /// Begin of its records, once there are some.
        var begin: TraceTime?
        /// True if it is in the trace as a gap of unknown length.
        var isWritten = false
    }

    /// Ticks at time 0, and CLOCK_MONOTONIC then.
    let start: UInt64
    let startNanoseconds: UInt64
    var clock: TickClock
    private let output: any TraceOutput
    private let source: any RecordingSource
    private var level: TraceLevel
    /// The recording level in the trace.
    private var writtenLevel: TraceLevel
    private var lastTime = TraceTime.zero
    private var threads: [ThreadPresses] = []
    /// End of the last interval without recording, in ticks. A thread that is new since then may handle a key of that
    /// time; a held-keys snapshot from before it no longer applies.
    private var lastGapEnd: UInt64?
    /// Keys by the thread that recorded their downs.
    var keyboard = KeyboardState()
    var decisions = MaskedDecisions()
    /// Presses whose samples were announced, by the number of those; the last few.
    private var sampled: [(number: UInt32, at: PressTick)] = []
    private static let sampledLimit = 16
    /// Text keys are recorded in clear.
    private let showsKeys: Bool
    /// The trace has the version that stores messages of hooks.
    let storesInvocations: Bool

    init(start: UInt64, options: RecorderOptions, output: any TraceOutput, source: any RecordingSource) {
        self.start = start
        self.source = source
        clock = TickClock()
        startNanoseconds = clock.nanoseconds(start)
        level = options.level
        writtenLevel = options.level
        showsKeys = options.showsKeys
        storesInvocations = options.recordsInvocations
        keyboard.modifiers.roles = options.modifierRoles
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
            // Inside a suppression the switch is recorded when it ends.
            if suppression == nil { try writeLevel(time(event.time)) }
        case .pause: if suppression == nil { suppression = SuppressionInterval(cause: .paused, since: event.time) }
        case .beginSecureEntry:
            try endSuppression(event.time)
            suppression = SuppressionInterval(cause: .secureEntry, since: event.time)
        case .resume: if suppression?.cause == .paused { try endSuppression(event.time) }
        case .endSecureEntry: if suppression?.cause == .secureEntry { try endSuppression(event.time) }
        }
    }

    /// Ends a pause or a secure entry with its gap.
    mutating func endSuppression(_ now: UInt64) throws {
        guard let gap = gap(until: time(now)) else { return }
        try beginGap(at: gap.begin)
        suppression = nil
        lastGapEnd = now
        try write(.loss(gap.record(from: gap.begin)), at: gap.begin)
        if level != writtenLevel { try writeLevel(gap.begin) }
    }

    /// Writes the open suppression interval as a gap of unknown length, since the process may end before it
    /// closes. A second record of the same time has its end.
    mutating func recordOpenGap(_ now: UInt64) throws {
        guard suppression?.isWritten == false, let gap = gap(until: time(now)) else { return }
        try beginGap(at: gap.begin)
        suppression?.isWritten = true
        try write(.loss(LossRecord(cause: gap.cause, count: nil, duration: nil, detail: "")), at: gap.begin)
    }

    /// The suppression until this moment. A secure entry reveals no more than the seconds it touched: the gap begins at
    /// a whole second, or at the record before it where that is later, and ends at a whole second.
    func gap(until: TraceTime) -> RecordedGap? {
        guard let suppression else { return nil }
        let since = time(suppression.since)
        guard suppression.cause == .secureEntry else {
            let begin = suppression.begin ?? max(since, lastTime)
            return RecordedGap(cause: suppression.cause, begin: begin, end: max(begin, until))
        }
        let second = SecureGap.second
        let begin = suppression.begin ?? max(TraceTime(rawValue: since.rawValue / second * second), lastTime)
        var end = SecureGap.roundedUp(until.rawValue)
        if end <= begin.rawValue { end = (begin.rawValue / second + 1) * second }
        return RecordedGap(cause: suppression.cause, begin: begin, end: TraceTime(rawValue: end))
    }

    private mutating func beginGap(at moment: TraceTime) throws {
        guard suppression?.begin == nil else { return }
        suppression?.begin = moment
        try releaseHeldKeys(moment)
    }

    /// Releases the keys that are held at the end of the process.
    mutating func releaseKeys(_ now: UInt64) throws { try releaseHeldKeys(max(time(now), lastTime)) }

    private mutating func writeLevel(_ moment: TraceTime) throws {
        writtenLevel = level
        try write(.level(LevelRecord(level: level)), at: moment)
    }

    /// An up during a gap is not recorded: keys that were down are released where it begins.
    private mutating func releaseHeldKeys(_ moment: TraceTime) throws {
        for key in keyboard.held { try release(key, at: moment) }
        for index in threads.indices {
            threads[index].handled = HandledPress(isLeftOut: true)
            threads[index].statement = nil
        }
    }

    /// A record of the recorder's own.
    mutating func write(_ body: TraceRecord.Body, _ clock: UInt64) throws { try write(body, at: time(clock)) }

    private mutating func write(_ body: TraceRecord.Body, at moment: TraceTime) throws {
        var body = body
        if !showsKeys {
            decisions.follow(body, definitions)
            guard let kept = decisions.kept(body, definitions) else { return }
            body = kept
        }
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

    mutating func updateNames() { source.update(&names, &definitions) }

    // MARK: Entries

    /// Turns an entry into its record.
    mutating func add(_ entry: UnsafePointer<UInt64>, of thread: UInt32) throws {
        let head = EntryHead(word: entry[1])
        guard let kind = head.kind, suppression == nil, kind.level <= level else { return }
        let index = Int(thread)
        while threads.count <= index {
            threads.append(ThreadPresses(handled: HandledPress(isLeftOut: lastGapEnd != nil)))
        }
        if kind == .held {
            if entry[0] >= lastGapEnd ?? 0 { threads[index].statement = HeldKeysSnapshot(entry, head) }
            return
        }
        entries += 1
        if kind == .stage || kind == .call || kind == .invocation { spans += 1 }
        if let statement = threads[index].statement {
            threads[index].statement = nil
            let isKey = kind == .key || kind == .rareKey
            try reconcile(thread, with: statement, before: isKey ? KeyEntry(entry, head) : nil)
        }
        if kind == .key || kind == .rareKey { return try addKey(KeyEntry(entry, head), entry[0], thread) }
        if kind == .samples {
            // After a pause or a secure entry the press would disclose what came in it.
            guard !threads[index].handled.isLeftOut else { return }
            if sampled.count == RecordAssembly.sampledLimit { sampled.removeFirst() }
            return sampled.append((head.wide, threads[index].handled.at))
        }
        if kind == .adopt {
            let ordinal = UInt32(truncatingIfNeeded: entry[2] >> 32)
            let owner = Int(truncatingIfNeeded: entry[2] & 0xFFFF_FFFF)
            guard owner < threads.count else { return }
            threads[index].handled = threads[owner].handling(ordinal)
            return
        }
        if kind == .stage {
            // Moved out and back: a copy would copy all that it keeps.
            var presses = ThreadPresses()
            swap(&presses, &threads[index])
            defer { swap(&presses, &threads[index]) }
            if let body = stage(head, entry, &presses) { try write(body, entry[0]) }
            return
        }
        let isOfOther = kind == .cost && head.wide != 0
        let press = isOfOther ? threads[index].handling(head.wide) : threads[index].handled
        let body = contextBody(kind, head, entry) ?? decisionBody(kind, head, entry, press)
        if let body { try write(body, entry[0]) }
    }

    /// The press whose samples have this number.
    mutating func takeSampled(_ number: UInt32) -> PressTick? {
        sampled.firstIndex { $0.number == number }.map { sampled.remove(at: $0).at }
    }

    private mutating func addKey(_ entry: KeyEntry, _ clock: UInt64, _ thread: UInt32) throws {
        let index = Int(thread)
        guard let phase = KeyPhase(rawValue: UInt8(entry.flags & 3)) else { return }
        let (device, ordinal) = (entry.device, entry.ordinal)
        var key = KeyIdentity.clear(KeyUsage(rawValue: entry.code))
        if entry.isMasked {
            key = .masked(TextKeyClass(rawValue: UInt8(truncatingIfNeeded: entry.code)) ?? .letter)
        } else if !showsKeys, isMasked(entry, phase, threads[index]) {
            key = key.masked(nil)
        }
        if phase == .down { keyboard.endEarlier(key, device: device, source: thread) }
        var press = phase == .down ? nil : threads[index].press(of: ordinal)
        // A press that was released for lost entries is not held any more, and another of its class is not meant.
        let isReleased = press.map { keyboard.key(ofPress: $0) == nil } ?? false
        let isSynthetic = entry.flags & 4 != 0
        let held =
            isReleased
            ? nil
            : keyboard.apply(
                key, phase, device: device, press: press, source: thread, isSynthetic: isSynthetic,
                isNumbered: ordinal != 0)
        // Its record has no number: nothing in the trace says that its key went down with ⌘ or ⌃.
        if held == nil, !showsKeys { key = key.masked(nil) }
        if phase == .down, let new = held?.press {
            threads[index].remember(ordinal, new, isMasked: key.usage == nil)
            press = new
        }
        let record = keyboard.record(key, phase, device: device, press: press, isSynthetic: isSynthetic)
        threads[index].begin(record, ordinal)
        try write(record, at: time(clock))
    }

    /// A key that its thread let through for a ⌘ or ⌃ that, in the order of all threads' records, was not held: it went
    /// up a moment before, or its down was lost. For the rest of a press its down decides.
    private func isMasked(_ entry: KeyEntry, _ phase: KeyPhase, _ presses: ThreadPresses) -> Bool {
        guard phase == .down else { return presses.handling(entry.ordinal).isMasked }
        return keyboard.modifiers.seenFlags.isDisjoint(with: [.command, .control])
    }

    /// Repairs the state after lost entries of a thread: releases keys that it no longer holds, presses the modifiers
    /// that it does hold, and goes on with the press that it handles. `next`: the key event that comes now, which the
    /// thread has counted already.
    private mutating func reconcile(_ thread: UInt32, with statement: HeldKeysSnapshot, before next: KeyEntry?) throws {
        let down = statement.modifierKeys
        func isNext(_ usage: KeyUsage, _ device: UInt16) -> Bool {
            next.map { !$0.isMasked && $0.code == usage.rawValue && $0.device == device } ?? false
        }
        let moment = max(time(statement.time), lastTime)
        for key in keyboard.held where key.source == thread {
            if let press = key.press {
                let ordinal = threads[Int(thread)].ordinal(of: press)
                if let ordinal, statement.isDown(ordinal) || ordinal == next?.ordinal { continue }
            } else if let usage = key.key.usage {
                if isNext(usage, key.device) || down.contains(where: { $0 == (key.device, usage) }) { continue }
            }
            try release(key, at: moment)
        }
        for (device, usage) in down where !isNext(usage, device) {
            let key = KeyIdentity.clear(usage)
            if keyboard.held.contains(where: { $0.source == thread && $0.device == device && $0.key == key }) {
                continue
            }
            try make(key, .down, device: device, press: nil, source: thread, at: moment)
        }
        let owner = Int(statement.current.thread)
        if owner < threads.count {
            threads[Int(thread)].handled = threads[owner].handling(statement.current.ordinal)
        }
    }

    private mutating func release(_ key: KeyboardState.HeldKey, at moment: TraceTime) throws {
        try make(key.key, .up, device: key.device, press: key.press, source: key.source, at: moment)
    }

    /// Records a synthetic event.
    private mutating func make(
        _ key: KeyIdentity, _ phase: KeyPhase, device: UInt16, press: UInt32?, source: UInt32, at moment: TraceTime
    ) throws {
        keyboard.apply(key, phase, device: device, press: press, source: source, isSynthetic: true)
        try write(keyboard.record(key, phase, device: device, press: press, isSynthetic: true), at: moment)
    }

    private mutating func write(_ record: KeyRecord, at moment: TraceTime) throws {
        decisions.follow(record)
        lastTime = max(lastTime, moment)
        try output.append(record, at: lastTime, definitions: definitions)
    }
}
