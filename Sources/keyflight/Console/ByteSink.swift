import SystemPackage

/// A stream that bytes are written to, in pieces of 64 KiB.
final class ByteSink {
    /// `nil` collects everything in memory.
    private var descriptor: FileDescriptor?
    /// Called once, when there is something to write: another stream to write to, such as a pager's.
    var beforeFirstWrite: (() -> FileDescriptor?)?
    /// Called before each write.
    var beforeWrite: (() -> Void)?
    /// A reader that went away takes nothing from the work: what is left to write is dropped.
    var dropsWhenClosed = false
    private var isClosed = false
    private var buffer: [UInt8] = []
    private static let capacity = 65_536

    init(_ descriptor: FileDescriptor?) {
        self.descriptor = descriptor
        buffer.reserveCapacity(descriptor == nil ? 0 : ByteSink.capacity)
    }

    /// The bytes written, when they are kept in memory.
    var collected: [UInt8] { buffer }

    func write(_ text: String) throws {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= ByteSink.capacity { try flush() }
    }

    /// Long pieces are handed on one by one: their maker holds them.
    func write(_ bytes: some Collection<UInt8>) throws {
        var rest = bytes[...]
        repeat {
            let room = descriptor == nil ? rest.count : ByteSink.capacity - buffer.count
            buffer.append(contentsOf: rest.prefix(room))
            rest = rest.dropFirst(room)
            if buffer.count >= ByteSink.capacity { try flush() }
        } while !rest.isEmpty
    }

    func line(_ text: String) throws { try write(text + "\n") }

    /// Hands on what is buffered. A reader that went away is `OutputClosed`, unless the rest is to be dropped.
    func flush() throws {
        guard descriptor != nil, !buffer.isEmpty else { return }
        beforeWrite?()
        if let start = beforeFirstWrite {
            beforeFirstWrite = nil
            descriptor = start() ?? descriptor
        }
        guard let descriptor else { return }
        defer { buffer.removeAll(keepingCapacity: true) }
        guard !isClosed else { return }
        do {
            try descriptor.writeAll(buffer)
        } catch Errno.brokenPipe {
            isClosed = dropsWhenClosed
            guard isClosed else { throw OutputClosed() }
        } catch let error as Errno {
            throw Failure(
                .unwritable, "standard output: write: expected room for \(buffer.count) bytes, found \(error)")
        }
    }
}
