import Libc

/// The file of this process's program.
enum ProgramName {
    /// True for a program that another one may come in place of, such as a shell.
    static var startsOthers: Bool {
        var path = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/exe", &path, path.count)
        guard length > 0 else { return true }
        let name = String(decoding: path[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .split(separator: "/").last ?? ""
        return name.hasSuffix("sh") || interpreters.contains { name.hasPrefix($0) } || wrappers.contains(String(name))
    }

    private static let interpreters = ["python", "perl", "ruby", "busybox"]
    private static let wrappers: Set = [
        "coreutils", "env", "gdb", "nice", "nohup", "setsid", "stdbuf", "strace", "taskset", "time", "timeout",
    ]
}
