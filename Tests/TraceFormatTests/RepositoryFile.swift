import Libc
import Testing

@testable import TraceFormat

/// Files of the repository, by their path in it.
enum RepositoryFile {
    static func path(_ name: String) -> String {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return (parts.dropLast(3) + [Substring(name)]).joined(separator: "/")
    }

    static func bytes(_ name: String) throws -> [UInt8] { try TraceFile.read(path(name)).withBytes { Array($0) } }

    static func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    static func write(_ bytes: [UInt8], to name: String) throws {
        let output = try TraceFileOutput(publishingTo: path(name), replacing: .regularFile)
        try bytes.withUnsafeBytes { try output.write($0) }
        try output.publish()
    }

    static func isSet(_ variable: String) -> Bool { getenv(variable) != nil }

    /// Compares a text with a golden. A different one is left beside it as `….new`, unless CI is set.
    static func expect(_ text: String, toEqual golden: String) throws {
        let accepted = (try? Self.text(golden)) ?? ""
        guard accepted != text else { return }
        if !isSet("CI") { try write(Array(text.utf8), to: golden + ".new") }
        Issue.record("\(golden) should be, after a look at it (Scripts/accept-goldens):\n\(text)")
    }
}
