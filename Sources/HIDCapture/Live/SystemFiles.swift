import Libc

/// Files of /sys, /proc and /dev, which may be missing, unreadable or odd: everything is optional and bounded.
package struct SystemFiles: Sendable {
    /// The prefix of every path: empty for this machine, a folder for another one's files.
    package let root: String

    private static let largest = 1 << 16

    package init(root: String = "") { self.root = root }

    /// The first 64 KiB of a file.
    package func bytes(_ path: String) -> [UInt8]? {
        let file = open(root + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: SystemFiles.largest)
        var count = 0
        while count < bytes.count {
            let more = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress.map { $0 + count }, $0.count - count) }
            if more <= 0 { break }
            count += more
        }
        return Array(bytes.prefix(count))
    }

    /// The first line of a text file, without blanks around it.
    package func line(_ path: String) -> String? {
        guard let bytes = bytes(path) else { return nil }
        let line = bytes.prefix { $0 != 0x0A && $0 != 0 }
        let text = String(decoding: line, as: UTF8.self)
        let kept = text.drop { $0 == " " || $0 == "\t" }
        return String(kept.reversed().drop { $0 == " " || $0 == "\t" || $0 == "\r" }.reversed())
    }

    package func number(_ path: String, radix: Int = 10) -> UInt32? { line(path).flatMap { UInt32($0, radix: radix) } }

    /// The names in a folder, in an order in which numbers count as such; empty when it cannot be read.
    package func names(_ path: String) -> [String] {
        guard let folder = opendir(root + path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder), names.count < 4096 {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { SystemFiles.order($0) < SystemFiles.order($1) }
    }

    /// `event10` behind `event9`.
    private static func order(_ name: String) -> (text: String, number: UInt64, whole: String) {
        let digits = String(name.reversed().prefix { $0.isASCII && $0.isNumber }.reversed())
        return (String(name.dropLast(digits.count)), UInt64(digits) ?? 0, name)
    }

    package func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

    /// True when this process may read it.
    package func isReadable(_ path: String) -> Bool { faccessat(AT_FDCWD, root + path, R_OK, AT_EACCESS) == 0 }

    /// The target of a path without any links, below the root; `nil` when it leads nowhere.
    package func resolved(_ path: String) -> String? {
        guard let whole = realpath(root + path, nil) else { return nil }
        defer { free(whole) }
        let text = String(cString: whole)
        guard !root.isEmpty, let base = realpath(root, nil) else { return text }
        defer { free(base) }
        let prefix = String(cString: base)
        return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }

    /// Owner, group and mode of a file, such as `root:input 0660`.
    package func permissions(_ path: String) -> String? {
        var status = stat()
        guard stat(root + path, &status) == 0 else { return nil }
        let owner = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) } ?? "\(status.st_uid)"
        let group = getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) } ?? "\(status.st_gid)"
        let mode = String(status.st_mode & 0o7777, radix: 8)
        return "\(owner):\(group) 0\(mode)"
    }
}
