import TraceFormat
import TracePresses

/// Pairs the resolved presses of a recording with those of a replay of it, by press and repeat.
///
/// Both are read in step. Where their next presses are not the same, some overlap, or one of the two lacks one: both
/// are read ahead to tell which.
struct PressPairing {
    enum Pair {
        /// - Parameter isInOrder: No press stands before the one and behind the other.
        case both(ResolvedPress, ResolvedPress, isInOrder: Bool)
        case onlyRecorded(ResolvedPress)
        case onlyReplayed(ResolvedPress)
    }

    private(set) var recorded: ResolvedPresses
    private(set) var replayed: ResolvedPresses
    /// Read ahead.
    private var wanted: [ResolvedPress] = []
    private var found: [ResolvedPress] = []
    /// So many presses may be under way at once: in an AppKit app, all that are typed into a modal loop.
    private static let overlap = 1_024

    init(_ recorded: any RecordStream, _ replayed: any RecordStream) {
        (self.recorded, self.replayed) = (ResolvedPresses(recorded), ResolvedPresses(replayed))
    }

    /// The next pair in the order of the recording, `nil` after the last.
    mutating func next() -> Pair? {
        read(ahead: 1)
        if let pair = pairInStep() { return pair }
        guard !wanted.isEmpty || !found.isEmpty else { return nil }
        read(ahead: PressPairing.overlap)
        return pairInStep() ?? pairOutOfStep()
    }

    private mutating func read(ahead count: Int) {
        while wanted.count < count, let press = recorded.next() { wanted.append(press) }
        while found.count < count, let press = replayed.next() { found.append(press) }
    }

    private mutating func pairInStep() -> Pair? {
        // Presses of which the recording kept the keys only were resolved by nobody.
        while let press = found.first, wanted.first?.at != press.at, recorded.isUnresolved(press.at.press) {
            found.removeFirst()
            read(ahead: 1)
        }
        guard let press = wanted.first, let other = found.first, press.at == other.at else { return nil }
        return .both(wanted.removeFirst(), found.removeFirst(), isInOrder: true)
    }

    private mutating func pairOutOfStep() -> Pair? {
        guard let press = wanted.first else { return found.isEmpty ? nil : .onlyReplayed(found.removeFirst()) }
        guard let other = found.first else { return .onlyRecorded(wanted.removeFirst()) }
        let place = found.firstIndex { $0.at == press.at }
        let isLate = wanted.contains { $0.at == other.at }
        if let place, isLate { return .both(wanted.removeFirst(), found.remove(at: place), isInOrder: false) }
        let isReplayedOnly = place != nil || !isLate && other.time < press.time
        return isReplayedOnly ? .onlyReplayed(found.removeFirst()) : .onlyRecorded(wanted.removeFirst())
    }
}
