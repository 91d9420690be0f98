import Libc

extension TraceFile {
    /// Gives a finished recording another name. `replacingOwn`: what has that name is an older part of the same
    /// recording and goes away; otherwise nothing may have it.
    public static func rename(_ path: String, to target: String, replacingOwn: Bool) throws(TraceError) {
        if replacingOwn {
            guard renameat(AT_FDCWD, path, AT_FDCWD, target) == 0 else {
                throw failure(target, "a name for the older part", errno)
            }
        } else {
            try takeFreeName(path, as: target)
        }
    }

    /// Refuses a name that something has already, before work is done that would end at it.
    public static func checkIsFree(_ path: String) throws(TraceError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        let isRegular = status.st_mode & S_IFMT == S_IFREG
        var error = TraceError(
            .file, expected: "a new file", found: isRegular ? "one that exists" : "something that is no regular file")
        error.file = path
        error.systemError = EEXIST
        throw error
    }

    /// Gives a file another name, which must be free: link(2) fails where it is not, so that nothing of anybody else's
    /// is ever replaced. Where the file system has no hard links, the name is taken by an empty file of our own first.
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
