import Libc

/// Calls on file descriptors that are resumed after a signal. Their names are not those of the system's calls, which
/// would have to be qualified by the name of each system's module.
enum DescriptorCalls {
    static func fill(_ bytes: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int {
        resumed { read(descriptor, bytes.baseAddress, bytes.count) }
    }

    /// Reads from a place of a regular file on, whatever its own position is, as far as the file goes: how many bytes,
    /// and `errno` of a read that failed.
    static func fill(
        _ bytes: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int
    ) -> (filled: Int, failure: Int32?) {
        var filled = 0
        while filled < bytes.count {
            let room = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
            let count = resumed { pread(descriptor, room.baseAddress, room.count, off_t(offset + filled)) }
            if count < 0 { return (filled, errno) }
            if count == 0 { break }
            filled += count
        }
        return (filled, nil)
    }

    static func append(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
        resumed { write(descriptor, bytes.baseAddress, bytes.count) }
    }

    private static func resumed(_ call: () -> Int) -> Int {
        while true {
            let count = call()
            if count >= 0 || errno != EINTR { return count }
        }
    }

    static func size(of descriptor: Int32) -> Int? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(clamping: status.st_size) : nil
    }

    static func release(_ descriptor: Int32) { _ = close(descriptor) }

    /// The system's description of an `errno`.
    static func words(_ error: Int32) -> String { String(cString: strerror(error)) }
}
