#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Libc

/// A missing verdict, or a step that a person has to do first: one line, and the exit code.
package struct VerdictError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Sort: Hashable, Sendable {
        /// A baseline is missing, torn, or made under other rules.
        case notComparable
        /// A file cannot be read or written.
        case notPermitted
        /// Invalid words in a file of budgets, a filter, a mode.
        case usage
        /// The golden's folder has no responders: they are a test's own.
        case noResponders
        /// A program cannot be started.
        case notRunnable
    }

    package var sort: Sort
    package var file: String
    package var what: String
    package var expected: String
    package var found: String
    package var remedy: String?

    init(_ sort: Sort, _ file: String, _ what: String, expected: String, found: String, remedy: String? = nil) {
        self.sort = sort
        self.file = file
        self.what = what
        self.expected = expected
        self.found = found
        self.remedy = remedy
    }

    package var description: String {
        "\(file): \(what): expected \(expected), found \(found)" + (remedy.map { "; \($0)" } ?? "")
    }
}

/// Small whole files.
enum TextFile {
    /// Scenes are at most 1 MiB; a golden of a hundred thousand presses is below this.
    static let limit = 256 << 20

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// `nil` when there is none.
    static func bytes(_ path: String) throws(VerdictError) -> [UInt8]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        try check(path)
        guard let data = FileManager.default.contents(atPath: path) else {
            throw VerdictError(.notPermitted, path, "open", expected: "a readable file", found: "one that is not")
        }
        return [UInt8](data)
    }

    /// Goldens come with a repository of others. A link in them may name any file of the user, whose content messages
    /// would quote, and a device has no end: read are files, and links to files of the goldens or the working folder.
    private static func check(_ path: String) throws(VerdictError) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        guard status.isRegularFile else {
            throw VerdictError(.notPermitted, path, "open", expected: "a file", found: "a folder, a pipe or a device")
        }
        guard status.st_size <= limit else {
            throw VerdictError(
                .notComparable, path, "size", expected: "at most \(limit) bytes", found: "\(status.st_size)")
        }
        guard lstat(path, &status) == 0, status.isSymbolicLink else { return }
        let target = resolved(path) ?? ""
        let store = path.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
        let allowed = [resolved(store.isEmpty ? "." : store), resolved(".")]
        guard allowed.contains(where: { $0.map { target.hasPrefix($0 + "/") } ?? false }) else {
            throw VerdictError(
                .notPermitted, path, "open", expected: "a link to a file of the goldens or below the working folder",
                found: "one that leads elsewhere")
        }
    }

    /// The path without links; `nil` where it leads nowhere.
    private static func resolved(_ path: String) -> String? {
        guard let whole = realpath(path, nil) else { return nil }
        defer { free(whole) }
        return String(cString: whole)
    }

    static func read(_ path: String) throws(VerdictError) -> String? {
        guard let bytes = try bytes(path) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw VerdictError(.notComparable, path, "text", expected: "UTF-8", found: "other bytes")
        }
        return text
    }

    /// Puts a text in place in one step, so that no reader gets half of it.
    static func write(_ text: String, to path: String) throws(VerdictError) {
        do {
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw VerdictError(
                .notPermitted, path, "write", expected: "a folder that can be written to", found: error.fileReason)
        }
    }

    static func remove(_ path: String) throws(VerdictError) {
        do { try FileManager.default.removeItem(atPath: path) } catch {
            throw VerdictError(.notPermitted, path, "remove", expected: "a file", found: error.fileReason)
        }
    }

    /// Names in a folder, sorted; `nil` when there is no such folder.
    static func names(in folder: String) -> [String]? {
        (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted()
    }
}
