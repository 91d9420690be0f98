import KeyModel
package import TraceFormat

/// One place of a trace that breaks `Traces/FORMAT.md`.
package struct FormatViolation: Hashable, Sendable {
    /// Byte offset, where it is known.
    package var offset: UInt64?
    /// Sequence number of the record, where it is one.
    package var record: UInt64?
    /// A description of the violation, with the expected and the found value.
    package var reason: String

    /// `where: what: expected …, found …`.
    package var description: String {
        var place: [String] = []
        if let offset { place.append("byte \(offset)") }
        if let record { place.append("record \(record)") }
        return place.isEmpty ? reason : "\(place.joined(separator: ", ")): \(reason)"
    }
}

/// A strict check of `Traces/FORMAT.md`: what readers report, the form — the records are written again, and the bytes
/// must be the same — and that a masked trace contains no text.
package struct FormatCheck: Sendable {
    package struct Summary: Sendable {
        package var violations: [FormatViolation] = []
        package var report = ReadingReport()
        /// More were found than are reported one by one.
        package var isCut = false

        mutating func add(_ violation: FormatViolation) {
            if violations.count < TraceLimits.damages { violations.append(violation) } else { isCut = true }
        }
    }

    package init() {}

    /// Throws for bytes that are no trace, or one of another version.
    package func run(_ bytes: TraceBytes) throws -> Summary {
        var summary = Summary()
        var reader = try TraceReader(bytes)
        var form = try reader.report.header.map { try FormComparison($0, reader, bytes) }
        var text = (reader.report.header?.isMasked == true) ? MaskedTextCheck(reader) : nil
        var ordinals = OrdinalSet()
        var blocks = reader.report.blocks
        while let record = reader.next() {
            let isNewBlock = reader.report.blocks != blocks
            blocks = reader.report.blocks
            if !reader.report.damages.isEmpty { form = nil }
            try form?.append(record, reader.definitions, beginsBlock: isNewBlock)
            if case .key(let key) = record.body, key.phase == .down, let press = key.press {
                if ordinals.contains(press) {
                    let reason = "press: expected an ordinal that no key went down with before, found \(press)"
                    summary.add(FormatViolation(record: record.sequence, reason: reason))
                }
                ordinals.insert(press)
            }
            if let reason = text?.violation(record, reader.definitions) {
                summary.add(FormatViolation(record: record.sequence, reason: reason))
            }
        }
        summary.report = reader.report
        if summary.report.damages.isEmpty, let difference = try form?.finish() { summary.add(difference) }
        for damage in summary.report.damages { summary.add(FormatCheck.violation(damage)) }
        return summary
    }

    private static func violation(_ damage: ReadingReport.Damage) -> FormatViolation {
        var reason = damage.reason
        if reason == ReadingReport.noEndMarker {
            reason = "end marker: expected one, found none"
        } else if !reason.contains("expected") || !reason.contains("found") {
            let lost = damage.recordsLost.map { count in
                count == 0 ? "" : ", \(count) \(count == 1 ? "record" : "records") missing"
            }
            reason = "order: expected a whole trace, found \(reason)\(lost ?? "")"
        }
        return FormatViolation(offset: damage.offset, reason: reason)
    }
}

/// Writes the records of a trace again and compares the bytes.
private struct FormComparison {
    private final class Progress {
        private let bytes: TraceBytes
        private var offset = 0
        private var piece = [UInt8](repeating: 0, count: 1 << 16)
        private(set) var difference: (offset: Int, expected: UInt8, found: UInt8?)?

        init(_ bytes: TraceBytes) { self.bytes = bytes }

        /// Compares the expected bytes with the next ones of the file, a piece at a time.
        func compare(_ expected: UnsafeRawBufferPointer) {
            var done = 0
            while done < expected.count, difference == nil {
                let wanted = min(piece.count, expected.count - done)
                let count = piece.withUnsafeMutableBytes { bytes.copyBytes(at: offset, count: wanted, into: $0) }
                let place = (0..<count).first { piece[$0] != expected[done + $0] }
                if let place {
                    difference = (offset + place, expected[done + place], piece[place])
                } else if count < wanted {
                    difference = (offset + count, expected[done + count], nil)
                }
                offset += count
                done += count
            }
        }
    }

    private var writer: TraceWriter
    private let progress: Progress
    private let name: String

    init(_ header: TraceHeader, _ reader: TraceReader, _ bytes: TraceBytes) throws {
        let progress = Progress(bytes)
        self.progress = progress
        name = header.form.name
        writer = try TraceWriter(header: header, context: TraceContext(reader.initialContext)) { progress.compare($0) }
    }

    mutating func append(
        _ record: TraceRecord, _ definitions: TraceDefinitions, beginsBlock: Bool
    ) throws {
        guard progress.difference == nil else { return }
        // The recorder decides where a live block ends.
        if beginsBlock { try writer.flush() }
        try writer.skip(toSequence: record.sequence)
        try writer.append(record.body, at: record.time, definitions: definitions)
    }

    mutating func finish() throws -> FormatViolation? {
        if progress.difference == nil { try writer.finish() }
        guard let difference = progress.difference else { return nil }
        let found = difference.found.map { $0.hexadecimal(2) } ?? "the end"
        return FormatViolation(
            offset: UInt64(difference.offset),
            reason: "\(name) form: expected \(difference.expected.hexadecimal(2)), found \(found)")
    }
}
