import Libc

extension TraceFile {
    /// Renames a finished recording. `replacingOwn`: the target is an older part of the same recording and is replaced;
    /// otherwise it must not exist.
    public static func rename(_ path: String, to target: String, replacingOwn: Bool) throws(TraceError) {
        if replacingOwn {
            guard renameat(AT_FDCWD, path, AT_FDCWD, target) == 0 else {
                throw failure(target, "a name for the older part", errno)
            }
        } else {
            try takeFreeName(path, as: target)
        }
    }

    /// Throws when the name exists and may not be replaced, before the work whose result would get it.
    /// `advice` follows where a file is found that could be replaced.
    public static func checkIsFree(
        _ path: String, but replaceable: Replacing = .nothing, advice: String = ""
    ) throws(TraceError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        if case .regularFile = replaceable, status.isRegularFile { return }
        let found =
            status.isRegularFile
            ? "one that exists\(advice)"
            : status.isFolder ? "a folder; name a file" : "something that is no regular file"
        throw failure(path, "a new file", EEXIST, found: found)
    }

    /// Renames a file to a name that must be free: link(2) fails where it is not, so that no other file is ever
    /// replaced. Where the file system has no hard links, the name is first reserved by an empty file.
    static func takeFreeName(
        _ path: String, as target: String,
        linking: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32 = { link($0, $1) }
    ) throws(TraceError) {
        if linking(path, target) == 0 {
            unlink(path)
            return
        }
        let code = errno
        guard code == EPERM || code == EOPNOTSUPP || code == ENOSYS || code == EMLINK else {
            throw failure(target, "a new file", code)
        }
        close(try opened(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600))
        do {
            try rename(path, to: target, replacingOwn: true)
        } catch {
            unlink(target)
            throw error
        }
    }
}
