/// Bytes being written, in little-endian order. Its memory is kept when it is emptied.
struct ByteBuffer: Sendable {
    private var storage: [UInt8] = []
    private(set) var count = 0

    /// Makes room for `extra` more bytes.
    @inline(__always) mutating func reserve(_ extra: Int) {
        if storage.count - count < extra { grow(extra) }
    }

    private mutating func grow(_ extra: Int) {
        let wanted = max(256, max(storage.count * 2, count + extra))
        // Copied as a whole: zeroes that are appended are appended one by one where nothing is optimised.
        var grown = [UInt8](repeating: 0, count: wanted)
        grown.withUnsafeMutableBytes { $0.copyBytes(from: storage) }
        storage = grown
    }

    mutating func removeAll() { count = 0 }

    /// Adds 1 to the byte at an offset.
    mutating func increment(at offset: Int) { storage[offset] &+= 1 }

    mutating func truncate(to length: Int) { count = min(count, length) }

    @inline(__always) mutating func append(byte: UInt8) {
        reserve(1)
        storage[count] = byte
        count += 1
    }

    /// LEB128: seven bits a byte, least significant first, the highest bit set on all bytes but the last.
    mutating func append(varint value: UInt64) {
        reserve(10)
        var rest = value
        while rest >= 0x80 {
            storage[count] = UInt8(truncatingIfNeeded: rest) | 0x80
            count += 1
            rest >>= 7
        }
        storage[count] = UInt8(truncatingIfNeeded: rest)
        count += 1
    }

    /// The `length` (0…8) least significant bytes of `value`.
    mutating func append(littleEndian value: UInt64, length: Int) {
        reserve(8)
        var rest = value
        for _ in 0..<length {
            storage[count] = UInt8(truncatingIfNeeded: rest)
            count += 1
            rest >>= 8
        }
    }

    mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        storage.withUnsafeMutableBytes { target in
            guard let to = target.baseAddress, let from = bytes.baseAddress else { return }
            (to + count).copyMemory(from: from, byteCount: bytes.count)
        }
        count += bytes.count
    }

    mutating func append(_ other: borrowing ByteBuffer) {
        other.withBytes { append(contentsOf: $0) }
    }

    /// Provides memory for `room` bytes to the closure, which returns how many it wrote.
    @inline(__always) mutating func write(room: Int, _ body: (UnsafeMutableRawPointer) -> Int) {
        reserve(room)
        let start = count
        let written = storage.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return 0 }
            return body(base + start)
        }
        count += written
    }

    borrowing func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        let length = count
        return try storage.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[0..<length])) }
    }
}

extension [UInt8] {
    /// The same, as `ByteBuffer` appends it.
    package mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}
