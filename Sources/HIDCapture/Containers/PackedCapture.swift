import CZlib

/// A capture in a gzip file, unpacked piece by piece while it is read: only a window of it is in memory.
final class PackedCapture {
    static let magic: [UInt8] = [0x1F, 0x8B, 8]

    private let input: CaptureInput
    /// On the heap: zlib keeps its address.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var isAtEnd = false
    private var unpacked: UInt64 = 0
    /// The reason why the data end too early.
    private var damage: String?

    private init(_ input: CaptureInput) throws(CaptureError) {
        self.input = input
        stream.initialize(to: z_stream())
        // The largest window, in the frame of gzip.
        guard inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .system(code: 12, operation: "unpack")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    static func read(_ input: CaptureInput, into traffic: CaptureTraffic) throws(CaptureError) {
        let packed = try PackedCapture(input)
        let content = CaptureInput(reading: { room throws(CaptureError) in try packed.read(into: room) })
        let head = try content.head(CaptureKind.headBytes)
        guard let kind = CaptureKind(head: head), kind != .gzip else {
            throw .malformed(
                offset: 0, what: "unpacked file",
                expected: "a capture or recording of a keyboard; unpack others first",
                found: CaptureKind.words(head))
        }
        try kind.read(content, into: traffic)
        guard let damage = packed.damage else { return }
        traffic.noteDamage(at: content.offset, "packed data", "all of them", damage)
    }

    /// Fills a part of the room at least; 0 at the end.
    private func read(into room: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
        var count = 0
        while count == 0, !isAtEnd {
            let window = try input.window(1)
            stream.pointee.next_in = UnsafeMutableRawPointer(mutating: window.baseAddress)?
                .assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_in = UInt32(clamping: window.count)
            stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(clamping: room.count)
            let status = window.isEmpty ? Z_BUF_ERROR : inflate(stream, Z_NO_FLUSH)
            input.consume(window.count - Int(stream.pointee.avail_in))
            count = room.count - Int(stream.pointee.avail_out)
            unpacked += UInt64(count)
            guard unpacked <= CaptureLimits.unpackedBytes + 4 * input.offset else {
                throw .malformed(
                    offset: input.offset, what: "packed data",
                    expected: "at most \(CaptureLimits.unpackedBytes >> 20) MiB and four times their own size; unpack "
                        + "them first", found: "more")
            }
            // Another gzip file may follow, and belongs to the first one.
            if status == Z_STREAM_END, try input.peek(3)?.elementsEqual(PackedCapture.magic) ?? false {
                inflateReset(stream)
            } else if status != Z_OK {
                isAtEnd = true
                let reason = stream.pointee.msg.map { String(cString: $0) } ?? "fewer"
                damage = status == Z_STREAM_END ? nil : reason
            }
        }
        return count
    }
}
