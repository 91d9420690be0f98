import KeyModel

/// The keys in the input reports of an interface, as its report descriptor lays them out (HID 1.11, section 6.2.2).
///
/// All its memory is bounded by its own length: a range of usages is two numbers, however wide, and a field of a
/// million elements is one entry that costs nothing until a report has that many bits.
package struct ReportDescriptor: Hashable, Sendable {
    /// A field whose elements can be keys.
    package struct Field: Hashable, Sendable {
        package var reportID: UInt8
        /// The offset from the first bit after the report id.
        package var bitOffset: Int
        /// Bits of an element.
        package var size: Int
        package var count: Int
        /// True: element n is the key of usage n. False (array): an element's value chooses the usage.
        package var isVariable: Bool
        /// True where a set element is an event and not a state: the key goes down and up at once.
        package var isRelative: Bool
        /// The value that means the first usage, for arrays.
        package var logicalMinimum: Int64
        package var logicalMaximum: Int64
        /// Inclusive usage ranges, page in the high half, one after the other.
        package var usages: [ClosedRange<UInt32>]
        /// For each range the index of its first usage, so that an array's value finds its usage by halving.
        var firstIndexes: [Int64] = []
    }

    package private(set) var fields: [Field] = []
    /// True when reports begin with an id.
    package internal(set) var usesReportIDs = false
    /// Payload bits of the input report with each id.
    package internal(set) var inputBits: [UInt8: Int] = [:]

    /// True when some keys are events, not states.
    package private(set) var hasRelativeKeys = false
    /// True when a key of the keyboard page can be in a report.
    package private(set) var hasKeyboardKeys = false

    init() {}

    /// The reason why a descriptor cannot be used.
    package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        /// The offset from the descriptor's first byte.
        package var offset: Int
        package var what: String
        package var expected: String
        package var found: String

        package init(offset: Int, what: String, expected: String, found: String) {
            (self.offset, self.what, self.expected, self.found) = (offset, what, expected, found)
        }

        package var description: String {
            "report descriptor byte \(offset): \(what): expected \(expected), found \(found)"
        }
    }

    /// Reads a descriptor; the first violation refuses all of it.
    package init(_ bytes: [UInt8]) throws(Refusal) {
        guard bytes.count <= CaptureLimits.descriptorBytes else {
            throw Refusal(
                offset: 0, what: "length", expected: "at most \(CaptureLimits.descriptorBytes) bytes",
                found: "\(bytes.count)")
        }
        var reading = ReportDescriptorReading()
        try reading.read(bytes)
        self = reading.result
    }

    mutating func add(_ field: Field) {
        fields.append(field)
        var index: Int64 = 0
        for range in field.usages {
            fields[fields.count - 1].firstIndexes.append(index)
            index += Int64(range.upperBound - range.lowerBound) + 1
        }
        if field.isRelative { hasRelativeKeys = true }
        if field.usages.contains(where: { $0.overlaps(ReportDescriptor.keyboardKeys) }) { hasKeyboardKeys = true }
    }

    static let keyboardKeys: ClosedRange<UInt32> = 0x0007_0004...0x0007_FFFF
    private static let consumerKeys: ClosedRange<UInt32> = 0x000C_0001...0x000C_FFFF
    /// System Power Down to System Warm Restart, Do Not Disturb, Microphone Mute and Accessibility, Display Toggle of
    /// the Generic Desktop page, Mute and digits of telephones, those of cameras: what Linux takes for keys.
    private static let systemKeys: [ClosedRange<UInt32>] = [
        0x0001_0081...0x0001_008F, 0x0001_009B...0x0001_009B, 0x0001_00A9...0x0001_00AA, 0x0001_00B5...0x0001_00B5,
        0x000B_002F...0x000B_002F, 0x000B_00B0...0x000B_00BF, 0x0090_0020...0x0090_0021,
    ]

    /// Fn, or Globe, of Apple's keyboards, on either of the vendor pages that they use (spec §4).
    private static let appleFn: [UInt32] = [0x00FF_0003, 0xFF00_0003]

    /// True for usages that are keys here: the keyboard page, the consumer page, system keys, Apple's Fn.
    static func mayHoldKeys(_ range: ClosedRange<UInt32>) -> Bool {
        range.overlaps(keyboardKeys) || range.overlaps(consumerKeys) || systemKeys.contains(where: range.overlaps)
            || appleFn.contains(where: range.contains)
    }

    /// The key of a usage; `nil` for usage 0, the error codes 1–3 of the keyboard page, and what is no key.
    static func key(_ usage: UInt32) -> KeyUsage? {
        if keyboardKeys.contains(usage) || consumerKeys.contains(usage)
            || usage & 0xFFFF > 3 && systemKeys.contains(where: { $0.contains(usage) })
        {
            return KeyUsage(rawValue: usage)
        }
        // Every empty slot of every report comes here: no table is looked into.
        return usage == 0x00FF_0003 || usage == 0xFF00_0003 ? .appleFn : nil
    }

    /// True when a key of the keyboard page can be in the report with this id.
    func hasKeyboardKeys(id: UInt8) -> Bool {
        fields.contains { field in
            field.reportID == id && field.usages.contains { $0.overlaps(ReportDescriptor.keyboardKeys) }
        }
    }
}
