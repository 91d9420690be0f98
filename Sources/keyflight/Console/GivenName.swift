import Libc

/// Words of the command line that are not UTF-8, and so no strings: the file that one names is opened before the run,
/// read by its descriptor, and named by the repaired word.
enum GivenName {
    /// By the path of the descriptor. Written before the run only.
    nonisolated(unsafe) private static var names: [String: String] = [:]

    /// The name for messages and reports of the file at a path.
    static func of(_ path: String) -> String { names[path] ?? path }

    /// A word as a string; of `--option=FILE` the file alone is opened.
    static func word(_ bytes: UnsafePointer<CChar>) -> String {
        if let text = String(validatingCString: bytes) { return text }
        var (option, name) = ("", bytes)
        if strncmp(bytes, "--", 2) == 0, let sign = strchr(bytes, CInt(UInt8(ascii: "="))) {
            name = UnsafePointer(sign) + 1
            option = String(String(cString: bytes).prefix { $0 != "=" }) + "="
        }
        let descriptor = open(name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return String(cString: bytes) }
        let path = "/dev/fd/\(descriptor)"
        names[path] = String(cString: name)
        return option + path
    }
}
