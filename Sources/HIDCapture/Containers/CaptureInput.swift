import Libc
import SystemPackage

/// The bytes of a capture through a window, from a descriptor (a pipe will do), from memory, or as
/// they are unpacked.
final class CaptureInput {
    /// Reads into a part of the room; 0 at the end. `nil` where all is in memory.
    private let read: ((UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int)?
    /// The window: `count` bytes at `base + start`.
    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    private var start = 0
    private var count: Int
    private var isAtEnd: Bool
    private let ownsMemory: Bool
    /// Position of the window's first byte, from the start of the capture.
    private(set) var offset: UInt64 = 0
    /// Asked before more is read; throws where no more may be taken.
    var check: (() throws(CaptureError) -> Void)?

    /// Reads from the descriptor's current position.
    convenience init(_ descriptor: FileDescriptor) {
        self.init(reading: { room throws(CaptureError) in
            do {
                return try descriptor.read(into: room)
            } catch {
                throw .system(code: (error as? Errno)?.rawValue ?? 0, operation: "read")
            }
        })
    }

    init(reading read: @escaping (UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int) {
        self.read = read
        capacity = 1 << 18
        base = .allocate(byteCount: capacity, alignment: 16)
        count = 0
        isAtEnd = false
        ownsMemory = true
    }

    /// The bytes must outlive this object.
    init(_ bytes: UnsafeRawBufferPointer) {
        read = nil
        capacity = bytes.count
        count = bytes.count
        isAtEnd = true
        // Memory that is not owned is never written: `fill` returns at once.
        if let address = bytes.baseAddress {
            base = UnsafeMutableRawPointer(mutating: address)
            ownsMemory = false
        } else {
            base = .allocate(byteCount: 1, alignment: 1)
            ownsMemory = true
        }
    }

    deinit { if ownsMemory { base.deallocate() } }

    /// The next `length` bytes, or `nil` when fewer are left. Valid until the next call.
    func peek(_ length: Int) throws(CaptureError) -> UnsafeRawBufferPointer? {
        if count < length { try fill(length) }
        guard count >= length else { return nil }
        return UnsafeRawBufferPointer(start: base + start, count: length)
    }

    /// All bytes that are in the window: at least `length`, fewer only at the end. Valid until the next call.
    func window(_ length: Int) throws(CaptureError) -> UnsafeRawBufferPointer {
        if count < length { try fill(length) }
        return UnsafeRawBufferPointer(start: base + start, count: count)
    }

    /// The available part of the first `length` bytes.
    func head(_ length: Int) throws(CaptureError) -> [UInt8] {
        if let whole = try peek(length) { return Array(whole) }
        return Array(try peek(remaining) ?? UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// All bytes up to the end, which are `limit` at the most.
    func rest(_ limit: Int) throws(CaptureError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let window = try window(1)
            if window.isEmpty { return bytes }
            guard bytes.count + window.count <= limit else {
                throw .malformed(
                    offset: offset, what: "packed data",
                    expected: "at most \(limit >> 20) MiB from a pipe; give the file itself", found: "more")
            }
            bytes += window
            consume(window.count)
        }
    }

    /// The number of bytes left, when fewer than `length` are.
    var remaining: Int { count }

    /// Moves past bytes that `peek` has returned.
    func consume(_ length: Int) {
        let taken = min(max(0, length), count)
        start += taken
        count -= taken
        offset += UInt64(taken)
    }

    /// Moves past `length` bytes without keeping them; false when the end comes first.
    func skip(_ length: UInt64) throws(CaptureError) -> Bool {
        var left = length
        while left > 0 {
            if count == 0 { try fill(1) }
            guard count > 0 else { return false }
            let step = Int(min(UInt64(count), left))
            consume(step)
            left -= UInt64(step)
        }
        return true
    }

    /// The next line without its end, or `nil` at the end of the input. Valid until the next call. Of a line longer
    /// than `limit` nothing is kept: it is empty and `isTooLong`.
    func line(limit: Int) throws(CaptureError) -> (bytes: UnsafeRawBufferPointer, isTooLong: Bool)? {
        var searched = 0
        var isTooLong = false
        while true {
            let left = UnsafeRawBufferPointer(start: base + start + searched, count: count - searched)
            if let end = left.firstIndex(of: 0x0A) {
                let line = UnsafeRawBufferPointer(start: base + start, count: isTooLong ? 0 : searched + end)
                consume(searched + end + 1)
                return (line, isTooLong)
            }
            searched = count
            if count >= limit {
                isTooLong = true
                consume(count)
                searched = 0
            }
            let before = count
            try fill(count + 1)
            if count == before {
                if count == 0, !isTooLong { return nil }
                let line = UnsafeRawBufferPointer(start: base + start, count: isTooLong ? 0 : count)
                consume(count)
                return (line, isTooLong)
            }
        }
    }

    private func fill(_ length: Int) throws(CaptureError) {
        guard let read, !isAtEnd, count < length else { return }
        try check?()
        if length > capacity {
            let bigger = UnsafeMutableRawPointer.allocate(byteCount: length, alignment: 16)
            bigger.copyMemory(from: base + start, byteCount: count)
            base.deallocate()
            (base, capacity, start) = (bigger, length, 0)
        } else if start + length > capacity || count == 0 {
            memmove(base, base + start, count)
            start = 0
        }
        while count < length, !isAtEnd {
            let room = UnsafeMutableRawBufferPointer(
                start: base + start + count, count: capacity - start - count)
            let n = try read(room)
            if n == 0 { isAtEnd = true }
            count += n
        }
    }
}
