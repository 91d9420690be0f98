/// The bytes of a trace, owned.
public final class TraceBytes: @unchecked Sendable {
    /// Valid as long as this object lives; never written to.
    let raw: UnsafeRawBufferPointer
    /// How errors call the file.
    public let file: String?
    private let release: () -> Void

    /// A copy of these bytes.
    public init(_ bytes: [UInt8], file: String? = nil) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
        copy.copyBytes(from: bytes)
        raw = UnsafeRawBufferPointer(copy)
        self.file = file
        release = { copy.deallocate() }
    }

    /// Takes over memory that `release` gives back.
    init(_ raw: UnsafeRawBufferPointer, file: String?, release: @escaping () -> Void) {
        self.raw = raw
        self.file = file
        self.release = release
    }

    deinit { release() }

    public var count: Int { raw.count }

    /// The bytes, valid while the closure runs.
    public func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try withExtendedLifetime(self) { try body(raw) }
    }

    /// True when this begins like a trace, however damaged the rest is.
    public var isTrace: Bool { withBytes { $0.starts(with: TraceFrame.fileMagic) } }

    /// True when this begins like the text twin of a trace.
    public var isTextTwin: Bool { withBytes { $0.starts(with: "keyflight-text ".utf8) } }
}
