import KeyModel

extension ReportDescriptor {
    /// Fills `keys` with the keys of a report. Its cost is bounded by the bits that are there: a field's elements
    /// beyond the report's end do not exist, as the kernel reads a short report as if zeros followed.
    /// Returns the report's id and whether an array is ErrorRollOver; `nil` for an empty report or an unknown id.
    package func read(
        _ report: UnsafeRawBufferPointer, into keys: inout PressedKeys
    ) -> (id: UInt8, isRollover: Bool)? {
        guard let first = report.first else {
            keys.removeAll()
            return nil
        }
        guard usesReportIDs else { return read(report, id: 0, into: &keys) }
        return read(UnsafeRawBufferPointer(rebasing: report.dropFirst()), id: first, into: &keys)
    }

    /// The same for a report that comes without its id, as on Bluetooth LE. `withoutRelative`: as it is right after
    /// the keys that are events have gone up again.
    package func read(
        _ payload: UnsafeRawBufferPointer, id: UInt8, into keys: inout PressedKeys, withoutRelative: Bool = false
    ) -> (id: UInt8, isRollover: Bool)? {
        keys.removeAll()
        guard inputBits[id] != nil else { return nil }
        var isRollover = false
        for field in fields where field.reportID == id && !(withoutRelative && field.isRelative) {
            // Fields of an id follow each other, so none behind this one is in the report either.
            if field.bitOffset >= payload.count * 8 { break }
            let present = (payload.count * 8 - field.bitOffset) / field.size
            let elements = min(field.count, max(0, present))
            if field.isVariable {
                field.readVariables(payload, elements, into: &keys)
            } else if field.readArray(payload, elements, into: &keys) {
                isRollover = true
            }
        }
        return (id, isRollover)
    }
}

extension ReportDescriptor.Field {
    /// Each element is one key; the last usage repeats for elements beyond the usages.
    fileprivate func readVariables(_ payload: UnsafeRawBufferPointer, _ elements: Int, into keys: inout PressedKeys) {
        var element = 0
        for (index, range) in usages.enumerated() where element < elements {
            let isLast = index == usages.count - 1
            let left = elements - element
            let length = isLast ? left : min(Int(range.upperBound - range.lowerBound) + 1, left)
            guard ReportDescriptor.mayHoldKeys(range) else {
                element += length
                continue
            }
            for step in 0..<length where bits(payload, element + step) != 0 {
                let usage = UInt32(clamping: UInt64(range.lowerBound) + UInt64(step))
                guard let key = ReportDescriptor.key(min(usage, range.upperBound)) else { continue }
                // Wider elements of other pages are dials and sliders, not keys; Apple's Fn is a byte on some boards.
                if size == 1 || key.isKeyboardPage || key == .appleFn { keys.insert(key) }
            }
            element += length
        }
    }

    /// Each element names a key by its number. True when one names ErrorRollOver.
    fileprivate func readArray(
        _ payload: UnsafeRawBufferPointer, _ elements: Int, into keys: inout PressedKeys
    ) -> Bool {
        var isRollover = false
        for element in 0..<elements {
            var value = Int64(bits(payload, element))
            if logicalMinimum < 0, value >> Int64(size - 1) != 0 { value -= 1 << Int64(size) }
            guard value >= logicalMinimum, value <= logicalMaximum, let usage = usage(at: value - logicalMinimum)
            else { continue }
            if usage == 0x0007_0001 {
                isRollover = true
            } else if let key = ReportDescriptor.key(usage) {
                keys.insert(key)
            }
        }
        return isRollover
    }

    private func usage(at index: Int64) -> UInt32? {
        // The range is the last one that does not begin after `index`.
        let number = firstIndexes.indices.partitionPoint { firstIndexes[$0] <= index } - 1
        guard number >= 0 else { return nil }
        let (range, step) = (usages[number], index - firstIndexes[number])
        guard step <= Int64(range.upperBound - range.lowerBound) else { return nil }
        return range.lowerBound + UInt32(truncatingIfNeeded: step)
    }

    /// An element of 1–32 bits, low bits first. The caller has checked that it is inside the payload.
    private func bits(_ payload: UnsafeRawBufferPointer, _ element: Int) -> UInt32 {
        let from = bitOffset + element * size
        var value: UInt64 = 0
        let (first, last) = (from >> 3, (from + size - 1) >> 3)
        for byte in first...last { value |= UInt64(payload[byte]) << UInt64(8 * (byte - first)) }
        value >>= UInt64(from & 7)
        return UInt32(truncatingIfNeeded: value & ((1 << UInt64(size)) - 1))
    }
}
