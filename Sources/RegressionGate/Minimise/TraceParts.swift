public import TraceFormat

/// A trace as parts that can be left out: each press with everything that was recorded of it, and each record of no
/// press by itself.
public struct TraceParts: Sendable {
    private let recording: Recording
    /// Places of records, for each part.
    private var parts: [[Int]] = []
    /// Places among the parts.
    public private(set) var presses: [Int] = []
    public private(set) var others: [Int] = []

    public init(_ recording: Recording) {
        self.recording = recording
        var known: [UInt32: Int] = [:]
        for (place, record) in recording.records.enumerated() {
            // Press 0 is text that came without a key: its records stand by themselves.
            guard let press = record.body.press, press > 0 else {
                others.append(parts.count)
                parts.append([place])
                continue
            }
            if let part = known[press] {
                parts[part].append(place)
            } else {
                known[press] = parts.count
                presses.append(parts.count)
                parts.append([place])
            }
        }
    }

    /// The trace with these parts alone. Times and sequence numbers stay as they are.
    public func recording(of kept: [Int]) -> Recording {
        var smaller = Recording()
        smaller.definitions = recording.definitions
        smaller.initialContext = recording.initialContext
        for place in kept.flatMap({ parts[$0] }).sorted() { smaller.append(recording.records[place]) }
        return smaller
    }

    /// Leaves out what it can: presses first, then the rest. `holds` says whether what is wrong is still wrong.
    public func minimised(_ holds: (Recording) throws -> Bool) rethrows -> (presses: [Int], others: [Int]) {
        let keptPresses = try DeltaDebugging.minimised(presses) { try holds(recording(of: $0 + others)) }
        let keptOthers = try DeltaDebugging.minimised(others) { try holds(recording(of: keptPresses + $0)) }
        return (keptPresses, keptOthers)
    }
}
