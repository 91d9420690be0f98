#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The words in quotes of the Swift files below a folder of tests: a golden whose name is not among them is not named
/// by any test, whether its line, its file or its target was deleted.
package struct GoldenReferences: Sendable {
    private var sources: [String] = []

    /// Throws where there is nothing to read: no test at all would make every golden an orphan.
    package init(tests folder: String) throws(VerdictError) {
        try read(folder, depth: 0)
        guard !sources.isEmpty else {
            throw VerdictError(.notComparable, folder, "tests", expected: "Swift files in it", found: "none")
        }
    }

    private mutating func read(_ folder: String, depth: Int) throws(VerdictError) {
        for name in TextFile.names(in: folder) ?? [] where !name.hasPrefix(".") {
            let path = "\(folder)/\(name)"
            if name.hasSuffix(".swift") {
                guard let text = try TextFile.read(path) else { continue }
                // A name in a comment is no use of the golden.
                sources.append(
                    text.split(separator: "\n").filter { !GoldenReferences.isComment($0) }.joined(separator: "\n"))
            } else if depth < 16 {
                try read(path, depth: depth + 1)
            }
        }
    }

    private static func isComment(_ line: Substring) -> Bool {
        line.drop { $0 == " " || $0 == "\t" }.hasPrefix("//")
    }

    package func mention(_ golden: String) -> Bool {
        let quoted = "\"\(golden)\""
        return sources.contains { $0.contains(quoted) }
    }
}

extension GoldenCase {
    /// A Swift file beside the folder of goldens, or below that place, names it: where `scene.yaml` is missing, that
    /// test makes the responders.
    var isNamedByATest: Bool { (try? GoldenReferences(tests: store + "/.."))?.mention(name) ?? false }
}

extension GoldenStore {
    /// Folders of goldens that no test names, by name.
    package func orphans(_ tests: [GoldenReferences]) throws(VerdictError) -> [String] {
        var found: [String] = []
        for golden in try cases() where found.last != golden.folder {
            if !tests.contains(where: { $0.mention(golden.name) }) { found.append(golden.folder) }
        }
        return found
    }
}
