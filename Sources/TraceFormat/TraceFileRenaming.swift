#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension TraceFile {
    /// Gives a finished recording another name. `replacingOwn`: what has that name is an older part of the same
    /// recording and goes away; otherwise nothing may have it.
    public static func rename(_ path: String, to target: String, replacingOwn: Bool) throws(TraceError) {
        if replacingOwn {
            #if canImport(Darwin)
            let result = Darwin.rename(path, target)
            #elseif canImport(Musl)
            let result = Musl.rename(path, target)
            #else
            let result = Glibc.rename(path, target)
            #endif
            guard result == 0 else { throw failure(target, "a name for the older part", errno) }
        } else {
            // link(2) fails where the target exists: nothing of anybody else's is ever replaced.
            guard link(path, target) == 0 else { throw failure(target, "a new file", errno) }
            unlink(path)
        }
    }
}
