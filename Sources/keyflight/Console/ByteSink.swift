import SystemPackage

/// A stream that bytes are written to, in pieces of 64 KiB.
final class ByteSink {
    /// `nil` collects everything in memory.
    private let descriptor: FileDescriptor?
    private var buffer: [UInt8] = []
    private static let capacity = 65_536

    init(_ descriptor: FileDescriptor?) {
        self.descriptor = descriptor
        buffer.reserveCapacity(descriptor == nil ? 0 : ByteSink.capacity)
    }

    /// What was written, when it is kept in memory.
    var collected: [UInt8] { buffer }

    func write(_ text: String) throws {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= ByteSink.capacity { try flush() }
    }

    func write(_ bytes: some Collection<UInt8>) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= ByteSink.capacity { try flush() }
    }

    func line(_ text: String) throws {
        buffer.append(contentsOf: text.utf8)
        buffer.append(0x0A)
        if buffer.count >= ByteSink.capacity { try flush() }
    }

    /// Hands on what is buffered. A reader that went away is `OutputClosed`.
    func flush() throws {
        guard let descriptor, !buffer.isEmpty else { return }
        defer { buffer.removeAll(keepingCapacity: true) }
        do {
            try descriptor.writeAll(buffer)
        } catch Errno.brokenPipe {
            throw OutputClosed()
        } catch let error as Errno {
            throw Failure(
                .notPermitted, "standard output: write: expected room for \(buffer.count) bytes, found \(error)")
        }
    }
}
