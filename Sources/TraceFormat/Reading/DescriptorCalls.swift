import Libc

/// Calls on file descriptors that are resumed after a signal. Their names are not those of the system's calls, which
/// would have to be qualified by the name of each system's module.
enum DescriptorCalls {
    static func fill(_ bytes: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int {
        while true {
            let count = read(descriptor, bytes.baseAddress, bytes.count)
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Reads at a place of a regular file, whatever its own position is.
    static func fill(_ bytes: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int) -> Int {
        while true {
            let count = pread(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
            if count >= 0 || errno != EINTR { return count }
        }
    }

    static func append(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
        while true {
            let count = write(descriptor, bytes.baseAddress, bytes.count)
            if count >= 0 || errno != EINTR { return count }
        }
    }

    static func size(of descriptor: Int32) -> Int? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(clamping: status.st_size) : nil
    }

    static func release(_ descriptor: Int32) { _ = close(descriptor) }

    static var lastError: Int32 { errno }

    /// The system's description of an `errno`.
    static func words(_ error: Int32) -> String { String(cString: strerror(error)) }
}
