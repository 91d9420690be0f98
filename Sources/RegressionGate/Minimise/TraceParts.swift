package import TraceFormat

/// A trace as parts that can be left out: each press with everything that was recorded of it, and each record of no
/// press by itself. Of the records four bytes each are held.
package struct TraceParts: Sendable {
    private let bytes: TraceBytes
    /// Part of each record, in the order of the trace.
    private var partOfRecord: [UInt32] = []
    /// Parts that are presses, in the order in which they were met.
    package private(set) var presses: [UInt32] = []
    package private(set) var others: [UInt32] = []

    /// - Throws: What a reader of the bytes throws.
    package init(_ bytes: TraceBytes) throws(TraceError) {
        self.bytes = bytes
        var reader = try TraceReader(bytes)
        reader.definitionLifetime = .block
        var known: [UInt32: UInt32] = [:]
        var count: UInt32 = 0
        while let record = reader.next() {
            // Press 0 is text that came without a key: its records are parts of their own.
            let press = record.body.press ?? 0
            if press > 0, let part = known[press] {
                partOfRecord.append(part)
                continue
            }
            if press > 0 {
                known[press] = count
                presses.append(count)
            } else {
                others.append(count)
            }
            partOfRecord.append(count)
            count += 1
        }
    }

    /// Writes the trace with these parts alone. Times and sequence numbers stay as they are.
    /// - Throws: What the sink throws, and what a reader of the bytes throws.
    package func write(_ kept: [UInt32], to sink: @escaping TraceWriter.Sink) throws {
        var isKept = [Bool](repeating: false, count: presses.count + others.count)
        for part in kept { isKept[Int(part)] = true }
        var reader = try TraceReader(bytes)
        let places = partOfRecord.indices.lazy.filter { isKept[Int(partOfRecord[$0])] }
        var header = reader.report.header ?? TraceHeader(level: .calls, isMasked: true)
        var writer: TraceWriter?
        func begin(_ sequence: UInt64) throws {
            header.firstSequence = sequence
            writer = try TraceWriter(header: header, context: TraceContext(reader.initialContext), sink: sink)
        }
        var read = 0
        for place in places {
            while read < place, reader.next() != nil { read += 1 }
            guard let record = reader.next() else { break }
            read += 1
            if writer == nil { try begin(record.sequence) }
            try writer?.skip(toSequence: record.sequence)
            try writer?.append(record.body, at: record.time, definitions: reader.definitions)
        }
        if writer == nil { try begin(header.firstSequence) }
        try writer?.finish()
    }

    /// Leaves out what it can: presses first, then the rest. `holds` returns true if the fault remains in the
    /// trace with these parts.
    package func minimised(
        while mayAsk: () -> Bool, _ holds: ([UInt32]) throws -> Bool
    ) rethrows -> (presses: [UInt32], others: [UInt32]) {
        let keptPresses = try DeltaDebugging.minimised(presses, while: mayAsk) { try holds($0 + others) }
        let keptOthers = try DeltaDebugging.minimised(others, while: mayAsk) { try holds(keptPresses + $0) }
        return (keptPresses, keptOthers)
    }
}
