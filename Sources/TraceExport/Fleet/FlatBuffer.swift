/// A buffer in FlatBuffers' form, written from front to back: a reference is filled in once what it points to is there.
///
/// https://flatbuffers.dev/internals: a table begins with the distance to its vtable, which has the place of each field
/// in it; references are unsigned distances to what comes later; everything is aligned to its size, little-endian.
struct FlatBuffer {
    private(set) var bytes: [UInt8] = [0, 0, 0, 0]

    enum Field {
        case absent
        case byte(UInt8)
        case short(Int16)
        case int(Int32)
        case long(Int64)
        case reference

        var size: Int {
            switch self {
            case .absent: 0
            case .byte: 1
            case .short: 2
            case .int, .reference: 4
            case .long: 8
            }
        }
    }

    /// Offset of the first reference of the buffer.
    static let root = 0

    /// Appends a table. The result is where it begins and where each field is.
    mutating func table(_ fields: [Field]) -> (start: Int, fields: [Int]) {
        var places: [Int] = []
        var size = 4
        for field in fields {
            if field.size > 0 { size += (field.size - size % field.size) % field.size }
            places.append(field.size > 0 ? size : 0)
            size += field.size
        }
        align(to: 2)
        let vtable = bytes.count
        append(UInt16(4 + 2 * fields.count))
        append(UInt16(size))
        for place in places { append(UInt16(place)) }
        align(to: 8)
        let start = bytes.count
        append(Int32(start - vtable))
        for (field, place) in zip(fields, places) where field.size > 0 {
            while bytes.count < start + place { bytes.append(0) }
            switch field {
            case .absent: break
            case .byte(let value): bytes.append(value)
            case .short(let value): append(value)
            case .int(let value): append(value)
            case .long(let value): append(value)
            case .reference: append(0 as UInt32)
            }
        }
        return (start, places.map { start + $0 })
    }

    /// Appends a vector of references. The result is where it begins and where each of them is.
    mutating func references(_ count: Int) -> (start: Int, elements: [Int]) {
        align(to: 4)
        let start = bytes.count
        append(UInt32(count))
        for _ in 0..<count { append(0 as UInt32) }
        return (start, (0..<count).map { start + 4 + 4 * $0 })
    }

    /// Appends a vector of structures of two longs.
    mutating func pairs(_ pairs: [(Int64, Int64)]) -> Int {
        align(to: 8)
        append(0 as UInt32)
        let start = bytes.count
        append(UInt32(pairs.count))
        for pair in pairs {
            append(pair.0)
            append(pair.1)
        }
        return start
    }

    mutating func string(_ text: String) -> Int {
        align(to: 4)
        let start = bytes.count
        append(UInt32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
        bytes.append(0)
        return start
    }

    /// Fills in the reference at a place.
    mutating func point(_ reference: Int, to target: Int) {
        withUnsafeBytes(of: UInt32(target - reference).littleEndian) {
            bytes.replaceSubrange(reference..<reference + 4, with: $0)
        }
    }

    mutating func align(to size: Int) { while bytes.count % size != 0 { bytes.append(0) } }

    private mutating func append(_ value: some FixedWidthInteger) { bytes.append(littleEndian: value) }
}

extension [UInt8] {
    mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
