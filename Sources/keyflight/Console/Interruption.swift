#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Ctrl-C ends a run with status 130 and leaves no temporary file behind.
enum Interruption {
    /// Read by the signal handler, which may only look at plain memory.
    nonisolated(unsafe) private static var temporary: UnsafeMutablePointer<CChar>?

    static func install() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGINT) { _ in
            if let path = Interruption.temporary { unlink(path) }
            _exit(130)
        }
    }

    /// Names the file to remove when interrupted, or none.
    static func fileToRemove(_ path: String?) {
        let old = temporary
        temporary = path.map { strdup($0) } ?? nil
        free(old)
    }
}
