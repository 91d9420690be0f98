import Foundation
import Testing

/// A text under `Traces/golden` that a person accepted.
enum GoldenFile {
    /// Compares a text with the golden. A different one is left beside it as `….new`, unless CI is set: there,
    /// goldens are never written.
    static func expect(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let path = Files.path("Traces/golden/\(name)")
        let golden = Files.text(path)
        guard text != golden else { return }
        if ProcessInfo.processInfo.environment["CI"] == nil {
            let folder = URL(filePath: path).deletingLastPathComponent()
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try? Files.write(Array(text.utf8), to: path + ".new")
        }
        Issue.record(
            """
            golden \(name): \(firstDifference(golden, text))
            Look at the whole difference and accept it: Scripts/accept-goldens \(name)
            """, sourceLocation: sourceLocation)
    }

    private static func firstDifference(_ golden: String, _ found: String) -> String {
        let expected = golden.split(separator: "\n", omittingEmptySubsequences: false)
        let actual = found.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in expected.enumerated() where index >= actual.count || actual[index] != line {
            let other = index < actual.count ? String(actual[index]) : "the end"
            return "first difference in line \(index + 1)\n- \(line)\n+ \(other)"
        }
        return "lines were added from line \(expected.count) on"
    }
}
