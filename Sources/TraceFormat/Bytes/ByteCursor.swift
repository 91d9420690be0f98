/// Consumes bytes from front to back. Every read checks what is left; slices are parsed inside themselves.
struct ByteCursor {
    private let base: UnsafeRawPointer?
    private(set) var position: Int
    private(set) var end: Int

    init(_ bytes: UnsafeRawBufferPointer) {
        base = bytes.baseAddress
        position = 0
        end = bytes.count
    }

    var remaining: Int { end - position }
    var isAtEnd: Bool { position == end }

    @inline(__always) mutating func byte(_ field: StaticString) throws(TraceError) -> UInt8 {
        guard position < end, let base else { throw ByteCursor.short(field, 1, 0) }
        let value = base.load(fromByteOffset: position, as: UInt8.self)
        position += 1
        return value
    }

    /// LEB128 of up to 64 bits in its shortest form.
    @inline(__always) mutating func varint(_ field: StaticString) throws(TraceError) -> UInt64 {
        guard position < end, let base else { throw ByteCursor.short(field, 1, 0) }
        let first = base.load(fromByteOffset: position, as: UInt8.self)
        if first < 0x80 {
            position += 1
            return UInt64(first)
        }
        return try longVarint(field)
    }

    private mutating func longVarint(_ field: StaticString) throws(TraceError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte(field)
            if shift == 63, byte > 1 {
                throw TraceError(.outOfRange, field: "\(field)", expected: "a number of 64 bits", found: "more")
            }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 {
                if byte == 0 {
                    throw TraceError(
                        .overlongNumber, field: "\(field)", expected: "the shortest form", found: "a trailing 00")
                }
                return value
            }
            shift += 7
        }
    }

    /// An unsigned number of `length` (0…8) bytes.
    @inline(__always)
    mutating func littleEndian(_ length: Int, _ field: StaticString) throws(TraceError) -> UInt64 {
        guard let base, length <= end - position else { throw ByteCursor.short(field, length, end - position) }
        var value: UInt64 = 0
        if end - position >= 8 {
            let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            value = length >= 8 ? word : word & ((1 << UInt64(length * 8)) - 1)
        } else {
            for index in 0..<length {
                value |= UInt64(base.load(fromByteOffset: position + index, as: UInt8.self)) << UInt64(index * 8)
            }
        }
        position += length
        return value
    }

    mutating func bytes(
        _ count: UInt64, limit: Int, _ field: StaticString
    ) throws(TraceError) -> UnsafeRawBufferPointer {
        guard count <= UInt64(limit) else {
            throw TraceError(.limitExceeded, field: "\(field)", expected: "at most \(limit) bytes", found: "\(count)")
        }
        let length = Int(count)
        guard length <= end - position else { throw ByteCursor.short(field, length, end - position) }
        defer { position += length }
        return UnsafeRawBufferPointer(start: base.map { $0 + position }, count: length)
    }

    /// A length and as many bytes of UTF-8.
    mutating func text(_ field: StaticString) throws(TraceError) -> String {
        let length = try varint(field)
        return try text(length: length, field)
    }

    mutating func text(length: UInt64, _ field: StaticString) throws(TraceError) -> String {
        try TraceLimits.check(Int(clamping: length), of: field)
        let raw = try bytes(length, limit: TraceLimits.stringBytes, field)
        guard let text = String(validating: raw, as: UTF8.self) else {
            throw TraceError(.invalidText, field: "\(field)", expected: "UTF-8", found: "\(raw.count) other bytes")
        }
        try TraceLimits.check(text, of: field)
        return text
    }

    /// Narrows the cursor to the next `length` bytes and returns the end it had.
    mutating func enter(_ length: UInt64, _ field: StaticString) throws(TraceError) -> Int {
        guard length <= UInt64(end - position) else {
            throw TraceError(.truncated, field: "\(field)", expected: "\(length) bytes", found: "\(end - position)")
        }
        defer { end = position + Int(length) }
        return end
    }

    /// Leaves a slice that must have been read to its end.
    mutating func leave(_ outer: Int) throws(TraceError) {
        guard position == end else {
            throw TraceError(.leftover, expected: "the end of the record", found: "\(end - position) more bytes")
        }
        end = outer
    }

    /// Continues after the slice, whatever of it was read.
    mutating func skip(_ outer: Int) {
        position = end
        end = outer
    }

    private static func short(_ field: StaticString, _ wanted: Int, _ left: Int) -> TraceError {
        let expected = wanted == 1 ? "a byte" : "\(wanted) bytes"
        return TraceError(.truncated, field: "\(field)", expected: expected, found: "\(left)")
    }
}
