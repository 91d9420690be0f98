import KeyModel
package import TraceFormat

/// Records for people, a line each: number, time, time since the line before, and the fields in the text format.
package struct RecordListing: Sendable {
    /// Cells of the fields at most; beyond, they are cut. Layout tables and hostile names are longer.
    static let width = 2000
    private var last: TraceTime?
    /// A cell takes four characters at most, and those four bytes: a list of 65,536 commands is not written out.
    private var writer = TraceTextWriter(mostListBytes: 16 * RecordListing.width)

    package init() {}

    /// The column titles. Ends with a line break.
    package var heading: String { RecordListing.row("seq", "time", "+Δ", "record") }

    /// The line of a record. Ends with a line break.
    package mutating func line(_ record: TraceRecord, definitions: TraceDefinitions) -> String {
        writer.removeAll()
        writer.append(record, definitions: definitions)
        // The first two words are number and time.
        let words = writer.text.dropLast().split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        let delta = last.map { "+" + HumanNumbers.column(record.time.since($0)) } ?? HumanNumbers.column(nil)
        last = record.time
        return RecordListing.row(
            String(record.sequence), HumanNumbers.time(record.time), delta,
            words.count == 3 ? SafeText.escaped(String(words[2]), limit: RecordListing.width) : "")
    }

    private static func row(_ sequence: String, _ time: String, _ delta: String, _ record: String) -> String {
        padded(sequence, 8) + "  " + padded(time, 10) + "  " + padded(delta, 9) + "  " + record + "\n"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
