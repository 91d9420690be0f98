import Libc
import TraceFormat

/// A missing verdict, or a step that a person has to do first: one line, and the exit code.
package struct VerdictError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// A baseline is missing, torn, or made under other rules.
        case notComparable
        /// A file or folder cannot be read.
        case notPermitted
        /// A file or folder cannot be written.
        case notWritable
        /// Invalid words in a file of budgets, a filter, a mode.
        case usage
        /// The golden's folder has no responders: they are a test's own.
        case noResponders
        /// A program cannot be started.
        case notRunnable
    }

    package var kind: Kind
    package var file: String
    package var what: String
    package var expected: String
    package var found: String
    package var remedy: String?
    /// In place of an expected and a found value, where there are none.
    private var reason: String?

    init(_ kind: Kind, _ file: String, reason: String) {
        self.init(kind, file, "", expected: "", found: "")
        self.reason = reason
    }

    init(_ kind: Kind, _ file: String, _ what: String, expected: String, found: String, remedy: String? = nil) {
        self.kind = kind
        self.file = file
        self.what = what
        self.expected = expected
        self.found = found
        self.remedy = remedy
    }

    package var description: String {
        "\(file): " + (reason ?? "\(what): expected \(expected), found \(found)") + (remedy.map { "; \($0)" } ?? "")
    }
}

/// Small whole files.
enum TextFile {
    /// Scenes are at most 1 MiB; a golden of a hundred thousand presses is below this.
    static let limit = 256 << 20

    static func exists(_ path: String) -> Bool { Files.exists(path) }

    /// `nil` when there is none. A link that leads nowhere is there, and cannot be read.
    static func bytes(_ path: String) throws(VerdictError) -> [UInt8]? {
        guard try check(path) else { return nil }
        guard let bytes = try? TraceFile.read(path) else {
            throw VerdictError(.notPermitted, path, reason: "cannot be read")
        }
        return bytes.withBytes { Array($0) }
    }

    /// The reason for which the last call of the system failed.
    private static func unreadable(_ path: String) -> VerdictError {
        VerdictError(.notPermitted, path, reason: "cannot be read: \(String(cString: strerror(errno)))")
    }

    /// Goldens come with a repository of others. A link in them may name any file of the user, whose content messages
    /// would quote, and a device has no end: read are files, and links to files of the goldens or the working folder.
    /// - Returns: False where there is nothing of that name.
    @discardableResult
    static func check(_ path: String) throws(VerdictError) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return false }
            throw unreadable(path)
        }
        let isLink = status.isSymbolicLink
        guard stat(path, &status) == 0 else {
            throw isLink ? VerdictError(.notPermitted, path, reason: "is a link that leads nowhere") : unreadable(path)
        }
        guard status.isRegularFile else {
            let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "a pipe or a device"
            throw VerdictError(.notPermitted, path, "open", expected: "a file", found: kind)
        }
        guard access(path, R_OK) == 0 else { throw unreadable(path) }
        guard status.st_size <= limit else {
            throw VerdictError(
                .notComparable, path, "size", expected: "at most \(limit) bytes", found: "\(status.st_size)")
        }
        guard isLink else { return true }
        let store = path.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
        guard isInside(resolved(path) ?? "", [store, "."].map { resolved($0.isEmpty ? "." : $0) }) else {
            throw VerdictError(
                .notPermitted, path, "open", expected: "a link to a file of the goldens or below the working folder",
                found: "one that leads elsewhere")
        }
        return true
    }

    private static func isInside(_ path: String, _ folders: [String?]) -> Bool {
        folders.contains { $0.map { path.hasPrefix($0 + "/") } ?? false }
    }

    /// Refuses a file that a golden's scene names outside of the goldens and the working folder, without a look at it:
    /// whether it is there, and what is wrong in it, is no business of a stranger's.
    static func checkNamed(_ path: String, byGoldenIn folder: String) throws(VerdictError) {
        let folders = [folder + "/..", "."]
        guard isInside(Files.standardized(path), folders.map { Files.standardized($0) }),
            resolved(path).map({ isInside($0, folders.map(resolved)) }) ?? true
        else {
            throw VerdictError(
                .notPermitted, path, "open", expected: "a file of the goldens or below the working folder",
                found: "one that is elsewhere")
        }
    }

    /// The path without links; `nil` where it leads nowhere.
    static func resolved(_ path: String) -> String? { Files.resolved(path) }

    static func read(_ path: String) throws(VerdictError) -> String? {
        guard let bytes = try bytes(path) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw VerdictError(.notComparable, path, "text", expected: "UTF-8", found: "other bytes")
        }
        return text
    }

    /// A text of a golden, in which every byte counts: what an editor or git made of it on its way is named as such.
    static func readAccepted(_ path: String) throws(VerdictError) -> String? {
        guard let text = try read(path) else { return nil }
        if text.utf8.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw VerdictError(.notComparable, path, reason: "begins with a byte order mark; save it without")
        }
        var (line, last) = (1, UInt8(0))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\n"), last == UInt8(ascii: "\r") {
                throw VerdictError(.notComparable, path, reason: "line \(line) ends in CR LF; save with LF")
            }
            if byte == 0 {
                throw VerdictError(.notComparable, path, reason: "line \(line) has a NUL character; save it as UTF-8")
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
            last = byte
        }
        return text
    }

    /// Puts a text in place in one step, so that no reader gets half of it.
    static func write(_ text: String, to path: String) throws(VerdictError) {
        do { try Files.write(Array(text.utf8), to: path) } catch {
            throw VerdictError(
                .notWritable, path, "write", expected: "a folder that can be written to", found: "\(error)")
        }
    }

    static func remove(_ path: String) throws(VerdictError) {
        do { try Files.remove(path) } catch {
            throw VerdictError(.notWritable, path, "remove", expected: "a file", found: "\(error)")
        }
    }

    /// Names in a folder, sorted.
    ///
    /// - Throws: where it is none, or cannot be read.
    static func names(in folder: String) throws(VerdictError) -> [String] {
        let names: [String]
        do { names = try Files.names(in: folder) } catch {
            switch kind(of: folder) {
            case .nothing: throw VerdictError(.notComparable, folder, "open", expected: "a folder", found: "none")
            case .deadLink: throw VerdictError(.notComparable, folder, reason: "is a link that leads nowhere")
            case .folder: throw VerdictError(.notPermitted, folder, reason: "cannot be read: \(error)")
            case .other: throw VerdictError(.notComparable, folder, "open", expected: "a folder", found: "a file")
            }
        }
        // Names that are no UTF-8 come with replacement characters, and name nothing.
        guard names.allSatisfy({ !$0.contains("\u{FFFD}") || kind(of: "\(folder)/\($0)") != .nothing }) else {
            throw VerdictError(.notComparable, folder, "names", expected: "UTF-8", found: "other bytes in one")
        }
        return names
    }

    enum Kind { case nothing, deadLink, folder, other }

    /// Of the target where the path is a link.
    static func kind(of path: String) -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else { return lstat(path, &status) == 0 ? .deadLink : .nothing }
        return status.st_mode & S_IFMT == S_IFDIR ? .folder : .other
    }

    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.isSymbolicLink
    }
}
