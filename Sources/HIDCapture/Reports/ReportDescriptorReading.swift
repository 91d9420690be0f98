/// The state machine of report descriptor items: globals with push and pop, locals until the next main item.
struct ReportDescriptorReading {
    private(set) var result = ReportDescriptor()

    private struct Globals {
        var page: UInt32 = 0
        var logicalMinimum: Int64 = 0
        /// As read, signed and unsigned: which one holds is known when a field uses it.
        var logicalMaximum: (signed: Int64, unsigned: Int64) = (0, 0)
        var size = 0
        var count = 0
        var reportID: UInt8 = 0
    }

    /// A usage with its page, or one that takes the page of the main item that ends its scope.
    private struct LocalUsage {
        var value: UInt32
        var hasPage: Bool
    }

    private var globals = Globals()
    private var stack: [Globals] = []
    private var usages: [(first: LocalUsage, last: LocalUsage)] = []
    private var minimum: LocalUsage?
    private var isInDelimiter = false
    private var usagesInDelimiter = 0
    private var collectionDepth = 0

    /// The kernel's limit of nested pushes.
    private static let pushDepth = 4

    mutating func read(_ bytes: [UInt8]) throws(ReportDescriptor.Refusal) {
        var at = 0
        while at < bytes.count {
            let prefix = bytes[at]
            let isLong = prefix == 0xFE
            let size = isLong ? (at + 1 < bytes.count ? 2 + Int(bytes[at + 1]) : 2) : [0, 1, 2, 4][Int(prefix & 3)]
            guard bytes.count - at - 1 >= size else {
                throw refusal(at, isLong ? "long item" : "item", "\(size) bytes", "\(bytes.count - at - 1)")
            }
            // A long item has no meaning in HID 1.11 and is passed over.
            if !isLong { try item(prefix, bytes[(at + 1)..<(at + 1 + size)], at) }
            at += 1 + size
        }
        guard collectionDepth == 0 else {
            throw refusal(at, "End Collection", "\(collectionDepth) more", "the end of the descriptor")
        }
    }

    private mutating func item(_ prefix: UInt8, _ data: ArraySlice<UInt8>, _ at: Int) throws(ReportDescriptor.Refusal) {
        var value: UInt32 = 0
        for (index, byte) in data.enumerated() { value |= UInt32(byte) << UInt32(8 * index) }
        switch prefix >> 2 & 3 {
        case 0: try mainItem(prefix >> 4, value, at)
        case 1: try globalItem(prefix >> 4, value, size: data.count, at)
        case 2: localItem(prefix >> 4, LocalUsage(value: value, hasPage: data.count == 4))
        default: throw refusal(at, "item type", "main, global or local", "the reserved type")
        }
    }

    private mutating func mainItem(_ tag: UInt8, _ flags: UInt32, _ at: Int) throws(ReportDescriptor.Refusal) {
        switch tag {
        case 8: try input(flags, at)
        case 10: collectionDepth += 1
        case 12:
            guard collectionDepth > 0 else { throw refusal(at, "End Collection", "an open collection", "none") }
            collectionDepth -= 1
        default: break  // output, feature and what later versions may bring take no room in input reports
        }
        usages.removeAll(keepingCapacity: true)
        minimum = nil
        isInDelimiter = false
    }

    private mutating func globalItem(
        _ tag: UInt8, _ value: UInt32, size: Int, _ at: Int
    ) throws(ReportDescriptor.Refusal) {
        switch tag {
        case 0: globals.page = value & 0xFFFF
        case 1: globals.logicalMinimum = ReportDescriptorReading.signed(value, size)
        case 2: globals.logicalMaximum = (ReportDescriptorReading.signed(value, size), Int64(value))
        case 7: globals.size = Int(value)
        case 8:
            guard (1...255).contains(value) else { throw refusal(at, "report id", "1–255", "\(value)") }
            globals.reportID = UInt8(truncatingIfNeeded: value)
            result.usesReportIDs = true
        case 9: globals.count = Int(value)
        case 10:
            guard stack.count < ReportDescriptorReading.pushDepth else {
                throw refusal(at, "push", "at most \(ReportDescriptorReading.pushDepth) deep", "one more")
            }
            stack.append(globals)
        case 11:
            guard let saved = stack.popLast() else { throw refusal(at, "pop", "a push before it", "none") }
            globals = saved
        default: break  // physical range and unit say nothing about keys
        }
    }

    private mutating func localItem(_ tag: UInt8, _ usage: LocalUsage) {
        switch tag {
        case 0: add(usage, usage)
        case 1: minimum = usage
        case 2:
            if let minimum { add(minimum, usage) }
            minimum = nil
        case 10:
            isInDelimiter = usage.value & 0xFF == 1
            usagesInDelimiter = 0
        default: break
        }
    }

    /// Of alternatives between delimiters the first, which is the preferred one, is used for all.
    private mutating func add(_ first: LocalUsage, _ last: LocalUsage) {
        if isInDelimiter {
            usagesInDelimiter += 1
            if usagesInDelimiter > 1 { return }
        }
        usages.append((first, last))
    }

    private mutating func input(_ flags: UInt32, _ at: Int) throws(ReportDescriptor.Refusal) {
        let before = result.inputBits[globals.reportID] ?? 0
        let (bits, overflow) = globals.size.multipliedReportingOverflow(by: globals.count)
        guard !overflow, bits <= CaptureLimits.reportBytes * 8 - before else {
            throw refusal(
                at, "input report", "at most \(CaptureLimits.reportBytes) bytes",
                "\(globals.count) fields of \(globals.size) bits after \(before) bits")
        }
        result.inputBits[globals.reportID] = before + bits
        let ranges = usages.compactMap { usage -> ClosedRange<UInt32>? in
            let (first, last) = (full(usage.first), full(usage.last))
            return first <= last ? first...last : nil  // a range that ends before it begins names nothing
        }
        let isConstant = flags & 1 != 0
        guard !isConstant, (1...32).contains(globals.size), globals.count > 0,
            ranges.contains(where: ReportDescriptor.mayHoldKeys)
        else { return }
        // A one-byte FF means 255 where the minimum rules out −1.
        let maximum = globals.logicalMaximum
        let isUnsigned = globals.logicalMinimum >= 0 && maximum.signed < globals.logicalMinimum
        result.add(
            .init(
                reportID: globals.reportID, bitOffset: before, size: globals.size, count: globals.count,
                isVariable: flags & 2 != 0, isRelative: flags & 6 == 6, logicalMinimum: globals.logicalMinimum,
                logicalMaximum: isUnsigned ? maximum.unsigned : maximum.signed, usages: ranges))
    }

    private func full(_ usage: LocalUsage) -> UInt32 {
        usage.hasPage ? usage.value : globals.page << 16 | usage.value & 0xFFFF
    }

    private static func signed(_ value: UInt32, _ size: Int) -> Int64 {
        switch size {
        case 1: Int64(Int8(truncatingIfNeeded: value))
        case 2: Int64(Int16(truncatingIfNeeded: value))
        default: Int64(Int32(truncatingIfNeeded: value))
        }
    }

    private func refusal(_ at: Int, _ what: String, _ expected: String, _ found: String) -> ReportDescriptor.Refusal {
        .init(offset: at, what: what, expected: expected, found: found)
    }
}
