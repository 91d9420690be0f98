#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Calls on file descriptors that go on after a signal.
enum DescriptorCalls {
    static func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            #if canImport(Darwin)
            let count = Darwin.read(descriptor, bytes.baseAddress, bytes.count)
            #elseif canImport(Musl)
            let count = Musl.read(descriptor, bytes.baseAddress, bytes.count)
            #else
            let count = Glibc.read(descriptor, bytes.baseAddress, bytes.count)
            #endif
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Reads at a place of a regular file, whatever its own position is.
    static func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        while true {
            let count = pread(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
            if count >= 0 || errno != EINTR { return count }
        }
    }

    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        while true {
            #if canImport(Darwin)
            let count = Darwin.write(descriptor, bytes.baseAddress, bytes.count)
            #elseif canImport(Musl)
            let count = Musl.write(descriptor, bytes.baseAddress, bytes.count)
            #else
            let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            #endif
            if count >= 0 || errno != EINTR { return count }
        }
    }

    static func size(of descriptor: Int32) -> Int? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(clamping: status.st_size) : nil
    }

    static func close(_ descriptor: Int32) {
        #if canImport(Darwin)
        _ = Darwin.close(descriptor)
        #elseif canImport(Musl)
        _ = Musl.close(descriptor)
        #else
        _ = Glibc.close(descriptor)
        #endif
    }

    static var lastError: Int32 { errno }

    /// What an `errno` means.
    static func words(_ error: Int32) -> String { String(cString: strerror(error)) }
}
