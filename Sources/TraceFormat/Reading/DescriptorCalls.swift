import Libc

/// Calls on file descriptors that are resumed after a signal. Their names are not those of the system's calls, which
/// would have to be qualified by the name of each system's module.
enum DescriptorCalls {
    static func fill(_ bytes: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int {
        resumed { read(descriptor, bytes.baseAddress, bytes.count) }
    }

    /// Reads at a place of a regular file, whatever its own position is.
    static func fill(_ bytes: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int) -> Int {
        resumed { pread(descriptor, bytes.baseAddress, bytes.count, off_t(offset)) }
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

    static var lastError: Int32 { errno }

    /// The system's description of an `errno`.
    static func words(_ error: Int32) -> String { String(cString: strerror(error)) }
}
