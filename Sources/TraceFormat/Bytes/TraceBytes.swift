/// The bytes of a trace: in memory, or in a file that is read piece by piece.
///
/// A file is read with `pread` into a window of one block at most, not mapped into memory: what another process
/// takes away from a mapped file ends the reader with SIGBUS, and what it changes there differs between the check of
/// a checksum and the decoding. A window has neither problem, its memory is bounded, and the copy out of the page
/// cache costs less than the checksum.
public final class TraceBytes: @unchecked Sendable {
    enum Storage {
        /// Valid as long as this object lives; never written to.
        case memory(UnsafeRawBufferPointer, release: () -> Void)
        case file(descriptor: Int32)
    }

    let storage: Storage
    /// Bytes when it was opened. A file that is being appended to is read up to here.
    public let count: Int
    /// Name of the file in errors.
    public let file: String?
    /// Called after each block with the offset of its end, during a reading from front to back. Set before reading.
    public var onBlock: ((_ end: Int) -> Void)?

    /// A copy of these bytes.
    public convenience init(_ bytes: [UInt8], file: String? = nil) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
        copy.copyBytes(from: bytes)
        self.init(UnsafeRawBufferPointer(copy), file: file) { copy.deallocate() }
    }

    /// Owns memory that `release` frees.
    init(_ raw: UnsafeRawBufferPointer, file: String?, release: @escaping () -> Void) {
        storage = .memory(raw, release: release)
        count = raw.count
        self.file = file
    }

    /// Owns the descriptor of a regular file of `count` bytes.
    init(descriptor: Int32, count: Int, file: String?) {
        storage = .file(descriptor: descriptor)
        self.count = count
        self.file = file
    }

    deinit {
        switch storage {
        case .memory(_, let release): release()
        case .file(let descriptor): DescriptorCalls.release(descriptor)
        }
    }

    /// True when they are read from a file piece by piece.
    public var isInFile: Bool { if case .file = storage { true } else { false } }

    /// A copy of the first bytes, `count` of them or those that are there.
    public func prefix(_ count: Int) -> [UInt8] {
        let wanted = max(0, min(count, self.count))
        return [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            filled = copyBytes(at: 0, count: wanted, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// All bytes, valid while the closure runs. Those of a file are read into memory for it, as far as they are
    /// still there.
    public func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        var window = TraceWindow(self)
        return try withExtendedLifetime(self) { try body(window.bytes(at: 0, count: count)) }
    }

    /// Copies the bytes from `offset` on, at most `count` of them, to the start of `buffer`. The result is how many
    /// were there and fit: fewer at the end, and where the file cannot be read.
    public func copyBytes(at offset: Int, count: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard offset >= 0, offset < self.count, count > 0 else { return 0 }
        let wanted = min(count, self.count - offset, buffer.count)
        let target = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
        switch storage {
        case .memory(let raw, _):
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: raw[offset..<offset + wanted]))
            return wanted
        case .file(let descriptor):
            return DescriptorCalls.fill(target, from: descriptor, at: offset).filled
        }
    }

    /// True when this begins like a trace, however damaged the rest is.
    public var isTrace: Bool { begins(with: TraceFrame.fileMagic) }

    /// True when this may become a trace by what is appended to it: its file header has not been written.
    public var mayBecomeTrace: Bool {
        count < TraceFrame.fileHeaderLength && begins(with: Array(TraceFrame.fileMagic.prefix(count)))
    }

    /// True when this begins like a trace in the text format. A byte order mark before it is an error of the text.
    public var isTextFormat: Bool {
        let start = Array("keyflight-text ".utf8)
        return begins(with: start) || begins(with: TraceTextReader.byteOrderMark + start)
    }

    private func begins(with start: [UInt8]) -> Bool {
        var window = TraceWindow(self)
        return window.bytes(at: 0, count: start.count).elementsEqual(start)
    }
}

/// A piece of a trace at a time. Copies do not disturb each other.
struct TraceWindow {
    /// Pieces are read ahead so far, so that small blocks do not cost a system call each.
    static let readAhead = 1 << 19

    let source: TraceBytes
    /// Offset of the end of the bytes: earlier than when the file was opened if it was truncated since.
    private(set) var end: Int
    /// `errno` of the read that failed, if one did; the bytes end there.
    private(set) var failure: Int32?
    private var piece: WindowPiece?

    init(_ source: TraceBytes) {
        self.source = source
        end = source.count
    }

    /// Includes what was appended to the file since. `nil` when nothing can be: it is shorter now, or no file.
    mutating func extend() -> Bool? {
        guard case .file(let descriptor) = source.storage, failure == nil,
            let size = DescriptorCalls.size(of: descriptor), size >= end
        else { return nil }
        defer { end = size }
        return size > end
    }

    /// The bytes from `offset` on, `count` of them or those that are there. Valid until the next call on this
    /// value, as long as this value lives.
    mutating func bytes(at offset: Int, count: Int) -> UnsafeRawBufferPointer {
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        guard offset >= 0, offset < end, count > 0 else { return empty }
        let wanted = min(count, end - offset)
        switch source.storage {
        case .memory(let raw, _): return UnsafeRawBufferPointer(rebasing: raw[offset..<offset + wanted])
        case .file(let descriptor):
            if let found = piece?.bytes(at: offset, count: wanted) { return found }
            load(descriptor, offset, wanted)
            guard offset < end else { return empty }
            return piece?.bytes(at: offset, count: min(wanted, end - offset)) ?? empty
        }
    }

    /// The bytes from `offset` on, as many as are available at once: at least `least` unless the trace ends before.
    mutating func bytes(at offset: Int, least: Int) -> UnsafeRawBufferPointer {
        guard offset >= 0, offset < end else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        switch source.storage {
        case .memory(let raw, _): return UnsafeRawBufferPointer(rebasing: raw[offset..<end])
        case .file:
            if let rest = piece?.rest(from: offset), rest.count >= least { return rest }
            return bytes(at: offset, count: max(least, TraceWindow.readAhead))
        }
    }

    private mutating func load(_ descriptor: Int32, _ offset: Int, _ wanted: Int) {
        let length = min(max(wanted, TraceWindow.readAhead), end - offset)
        // A copy of the window may still decode from the piece: it keeps it, and this one takes a new one.
        if !isKnownUniquelyReferenced(&piece) || (piece?.capacity ?? 0) < length {
            piece = nil
            piece = WindowPiece(capacity: max(length, TraceWindow.readAhead))
        }
        guard let piece else { return }
        failure = piece.load(descriptor, from: offset, count: length)
        if piece.count < length { end = min(end, offset + piece.count) }
    }
}

/// Memory that holds a part of a file.
private final class WindowPiece {
    private let memory: UnsafeMutableRawBufferPointer
    private var start = 0
    private(set) var count = 0

    init(capacity: Int) { memory = .allocate(byteCount: capacity, alignment: 16) }

    deinit { memory.deallocate() }

    var capacity: Int { memory.count }

    /// `nil` unless all of them are here.
    func bytes(at offset: Int, count wanted: Int) -> UnsafeRawBufferPointer? {
        guard offset >= start, wanted <= count, offset - start <= count - wanted else { return nil }
        return UnsafeRawBufferPointer(rebasing: memory[offset - start..<offset - start + wanted])
    }

    /// All that is here from `offset` on.
    func rest(from offset: Int) -> UnsafeRawBufferPointer? {
        guard offset >= start, offset - start < count else { return nil }
        return UnsafeRawBufferPointer(rebasing: memory[offset - start..<count])
    }

    /// Fills itself as far as the file goes. The result is `errno` of a read that failed.
    func load(_ descriptor: Int32, from offset: Int, count wanted: Int) -> Int32? {
        start = offset
        let room = UnsafeMutableRawBufferPointer(rebasing: memory[..<wanted])
        let (filled, failure) = DescriptorCalls.fill(room, from: descriptor, at: offset)
        count = filled
        return failure
    }
}
