package import KeyModel
package import TraceFormat
package import TracePresses

/// A press in a list: the key, its result, the time, and the number of its repeats.
package struct ListedPress: Hashable, Sendable {
    package var press: UInt32
    package var time: TraceTime
    package var chord: PressChord
    /// `nil` while nothing is decided.
    package var outcome: PressOutcome?
    /// `nil` where no stage is known.
    package var total: TraceDuration?
    package var repeats: UInt32 = 0
    fileprivate var isReleased = false
}

/// Lists the presses of a trace as it is read, in the order in which they went down, or, with a filter, in the order in
/// which those that it lets through were decided. Only unfinished ones are held in memory.
package struct PressList: Sendable {
    private var assembler: PressAssembler
    private let filter: PressFilter?
    private var level: TraceLevel
    /// Presses up to this one were listed before.
    private let former: UInt32
    private var open: [ListedPress] = []
    /// Presses listed so far, those that may still change among them.
    package private(set) var count = 0
    /// The highest ordinal of a press that was listed.
    private var last: UInt32
    private var isFinished = false
    /// Presses that may still change. Real ones overlap by a handful.
    private static let limit = 64

    /// - Parameters:
    ///   - former: The highest ordinal of the presses before, where a reading begins in the course of a trace.
    ///   - context: The context there.
    package init(
        level: TraceLevel, from context: PressContext, after former: UInt32 = 0, where filter: PressFilter? = nil
    ) {
        assembler = PressAssembler(.decision, .decided, level: level, from: context)
        (self.level, self.filter, self.former, last) = (level, filter, former, former)
    }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        switch record.body {
        case .key(let key):
            if let press = key.press { follow(key, press, record.time) }
            // Nothing is decided of the presses of a keyboard: they would only wait.
            if filter == nil, level == .keys { return }
        case .resolution(let resolution):
            // Of a press whose key is not in the trace.
            if filter == nil, resolution.at.tick == 0 { begin(resolution.at.press, record.time, nil) }
        case .level(let change): level = change.level
        default: break
        }
        assembler.consume(record)
        take(definitions)
    }

    private mutating func follow(_ key: KeyRecord, _ press: UInt32, _ time: TraceTime) {
        if key.phase == .down, filter == nil {
            let chord = PressChord(modifiers: key.modifiers, key: key.key, character: nil)
            return begin(press, time, chord)
        }
        guard let place = open.lastIndex(where: { $0.press == press }) else { return }
        if key.phase == .repeat { open[place].repeats &+= 1 }
        if key.phase == .up || key.phase == .cancel { open[place].isReleased = true }
    }

    private mutating func begin(_ press: UInt32, _ time: TraceTime, _ chord: PressChord?) {
        // The decision of a press that was listed is no other press.
        guard press > (chord == nil ? last : former), !open.contains(where: { $0.press == press }) else { return }
        let unknown = PressChord(modifiers: [], key: nil, character: nil)
        open.append(ListedPress(press: press, time: time, chord: chord ?? unknown))
        open[open.count - 1].isReleased = chord == nil
        count += 1
        last = max(last, press)
    }

    private mutating func take(_ names: TraceDefinitions) {
        while let press = assembler.next() {
            guard press.isPressOrRepeat, !press.isText, filter?.matches(press, names) ?? true else { continue }
            if filter != nil, !open.contains(where: { $0.press == press.at.press }) {
                begin(press.at.press, press.time, press.chord(names))
                open[open.count - 1].isReleased = true
            }
            guard !press.isRepeat, let place = open.lastIndex(where: { $0.press == press.at.press }) else { continue }
            if press.key != nil { open[place].chord = press.chord(names) }
            open[place].outcome = press.resolution.map { PressOutcome($0, names) }
            open[place].total = press.stages.total
        }
    }

    /// The next press that changes no more; `nil` when more records must be consumed before.
    package mutating func next() -> ListedPress? {
        guard let first = open.first else { return nil }
        let isOver = first.isReleased && (first.outcome != nil || level == .keys)
        return isOver || isFinished || open.count > PressList.limit ? open.removeFirst() : nil
    }

    /// Nothing more comes.
    package mutating func finish(_ definitions: TraceDefinitions) {
        assembler.finish()
        take(definitions)
        isFinished = true
    }

    /// Those that may still change, as they are now.
    package func unfinished(_ definitions: TraceDefinitions) -> [ListedPress] {
        var list = self
        list.finish(definitions)
        return list.open
    }
}
