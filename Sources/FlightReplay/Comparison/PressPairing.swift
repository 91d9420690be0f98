import TraceFormat
import TracePresses

/// Pairs the resolved presses of a recording with those of a replay of it, by press and repeat.
///
/// Both are read in step. Where their next presses are not the same, some overlap, or one of the two lacks one: both
/// are read ahead to find out which.
struct PressPairing {
    enum Pair {
        /// - Parameter isInOrder: No press precedes the one and follows the other.
        case both(ResolvedPress, ResolvedPress, isInOrder: Bool)
        case onlyRecorded(ResolvedPress)
        case onlyReplayed(ResolvedPress)

        /// The press that only one of the two has.
        var one: ResolvedPress? {
            switch self {
            case .both: nil
            case .onlyRecorded(let press), .onlyReplayed(let press): press
            }
        }
    }

    private(set) var recorded: ResolvedPresses
    private(set) var replayed: ResolvedPresses
    private var wanted = PressesAhead()
    private var found = PressesAhead()
    /// Most presses under way at once: in an AppKit app, all that are typed into a modal loop.
    private static let overlap = 1_024

    init(_ recorded: any RecordStream, _ replayed: any RecordStream) {
        (self.recorded, self.replayed) = (ResolvedPresses(recorded), ResolvedPresses(replayed))
    }

    /// The next pair in the order of the recording, `nil` after the last.
    mutating func next() -> Pair? {
        read(ahead: 1)
        if let pair = pairInStep() { return pair }
        guard !wanted.presses.isEmpty || !found.presses.isEmpty else { return nil }
        read(ahead: PressPairing.overlap)
        return pairInStep() ?? pairOutOfStep()
    }

    private mutating func read(ahead count: Int) {
        while wanted.hasRoom(for: count), let press = recorded.next() { wanted.append(press) }
        while found.hasRoom(for: count), let press = replayed.next() { found.append(press) }
    }

    private mutating func pairInStep() -> Pair? {
        // Presses of which the recording kept the keys only have no resolution.
        while let press = found.presses.first, wanted.presses.first?.at != press.at,
            recorded.isUnresolved(press.at.press)
        {
            found.remove(at: 0)
            read(ahead: 1)
        }
        guard let press = wanted.presses.first, let other = found.presses.first, press.at == other.at
        else { return nil }
        return .both(wanted.remove(at: 0), found.remove(at: 0), isInOrder: true)
    }

    private mutating func pairOutOfStep() -> Pair? {
        guard let press = wanted.presses.first else {
            return found.presses.isEmpty ? nil : .onlyReplayed(found.remove(at: 0))
        }
        guard let other = found.presses.first else { return .onlyRecorded(wanted.remove(at: 0)) }
        let place = found.presses.firstIndex { $0.at == press.at }
        let isLate = wanted.presses.contains { $0.at == other.at }
        if let place, isLate { return .both(wanted.remove(at: 0), found.remove(at: place), isInOrder: false) }
        let isReplayedOnly = place != nil || !isLate && other.time < press.time
        return isReplayedOnly ? .onlyReplayed(found.remove(at: 0)) : .onlyRecorded(wanted.remove(at: 0))
    }
}

/// Presses of one side that were read ahead. Their records are limited as well: a press of a few bytes may have as many
/// candidates as a list has commands.
private struct PressesAhead {
    private(set) var presses: [ResolvedPress] = []
    private var records = 0

    func hasRoom(for count: Int) -> Bool {
        presses.isEmpty || presses.count < count && records < TracePress.recordLimit
    }

    mutating func append(_ press: ResolvedPress) {
        records += PressesAhead.records(of: press)
        presses.append(press)
    }

    @discardableResult
    mutating func remove(at place: Int) -> ResolvedPress {
        let press = presses.remove(at: place)
        records -= PressesAhead.records(of: press)
        return press
    }

    private static func records(of press: ResolvedPress) -> Int {
        press.press.candidates.count + press.press.calls.count + press.press.receivers.count
    }
}
