import Libc

/// Words of the command line that are not UTF-8, and so no strings: the file that one names is opened before the run,
/// read by its descriptor, and named by the repaired word. An output is written in its folder, which is opened.
enum GivenName {
    /// By the path of the descriptor. Written before the run only.
    nonisolated(unsafe) private static var names: [String: String] = [:]

    /// The name for messages and reports of the file at a path.
    static func of(_ path: String) -> String { names[path] ?? path }

    /// Repaired names of outputs that cannot be written, since no string is their last part.
    nonisolated(unsafe) private(set) static var unwritable: Set<String> = []

    /// A word as a string; of `--option=FILE` the file alone is opened.
    static func word(_ bytes: UnsafePointer<CChar>, after former: String) -> String {
        if let text = String(validatingCString: bytes) { return text }
        var (option, name) = ("", bytes)
        if strncmp(bytes, "--", 2) == 0, let sign = strchr(bytes, CInt(UInt8(ascii: "="))) {
            name = UnsafePointer(sign) + 1
            option = String(String(cString: bytes).prefix { $0 != "=" }) + "="
        }
        if ["-o", "--output"].contains(former) || option == "--output=" { return option + output(name) }
        let descriptor = open(name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return String(cString: bytes) }
        let path = "/dev/fd/\(descriptor)"
        names[path] = String(cString: name)
        return option + path
    }

    private static func output(_ name: UnsafePointer<CChar>) -> String {
        let repaired = String(cString: name)
        guard let sign = strrchr(name, CInt(UInt8(ascii: "/"))), let last = String(validatingCString: sign + 1) else {
            unwritable.insert(repaired)
            return repaired
        }
        let folder = strndup(name, Int(strlen(name) - strlen(sign)) + 1)
        defer { free(folder) }
        let descriptor = folder.map { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) } ?? -1
        guard descriptor >= 0 else { return repaired }
        let path = "/dev/fd/\(descriptor)/\(last)"
        names[path] = repaired
        return path
    }
}
