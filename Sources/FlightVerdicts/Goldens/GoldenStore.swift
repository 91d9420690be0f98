import LatencyAnalysis

/// A folder of goldens: each folder in it that holds an input is one, with one case for each expected text.
public struct GoldenStore: Hashable, Sendable {
    public var path: String

    public init(_ path: String) { self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path }

    /// Every case, by name, then by profile. A folder with an input and no expected text has one case, which is
    /// missing. Throws when there is no such folder, or nothing in it: a gate over nothing must not pass.
    public func cases() throws(VerdictError) -> [GoldenCase] {
        guard let names = TextFile.names(in: path) else {
            throw VerdictError(
                .notComparable, path, "goldens", expected: "a folder", found: "none",
                remedy: "name the folder that holds them")
        }
        var cases: [GoldenCase] = []
        // The folder may be one golden itself.
        for folder in [path] + names.map({ "\(path)/\($0)" }) {
            cases += GoldenStore.cases(inGolden: folder)
        }
        guard !cases.isEmpty else {
            throw VerdictError(
                .notComparable, path, "goldens", expected: "folders with input.keys or input.keyflight",
                found: "none")
        }
        return cases
    }

    private static func cases(inGolden folder: String) -> [GoldenCase] {
        let files = TextFile.names(in: folder) ?? []
        guard files.contains("input.keys") || files.contains("input.keyflight") else { return [] }
        var cases: [GoldenCase] = []
        for file in files where file.hasPrefix("expected.") {
            let name = file.hasSuffix(".new") ? String(file.dropLast(4)) : file
            guard name.hasSuffix(".txt") else { continue }
            let profile = name == "expected.txt" ? nil : String(name.dropFirst("expected.".count).dropLast(4))
            let found = GoldenCase(folder: folder, profile: profile)
            if !cases.contains(found) { cases.append(found) }
        }
        return cases.isEmpty ? [GoldenCase(folder: folder)] : cases
    }

    /// Cases with a pending text.
    public func pending() throws(VerdictError) -> [GoldenCase] {
        var found: [GoldenCase] = []
        for golden in try cases() where try golden.pending() != nil { found.append(golden) }
        return found
    }

    /// Cases whose name, or `NAME (PROFILE)`, a pattern matches: `*` stands for any characters, `?` for one.
    public static func matching(_ patterns: [String], _ cases: [GoldenCase]) -> [GoldenCase] {
        guard !patterns.isEmpty else { return cases }
        return cases.filter { golden in
            patterns.contains { GlobPattern($0).matches(golden.name) || GlobPattern($0).matches(golden.title) }
        }
    }
}

extension GoldenCase {
    /// Puts the pending text in place of the accepted one.
    public func accept() throws(VerdictError) {
        guard let text = try pending() else {
            throw VerdictError(.usage, path, "pending text", expected: file + ".new", found: "none")
        }
        try TextFile.write(text, to: path)
        try TextFile.remove(pendingPath)
    }

    /// Forgets the pending text.
    public func reject() throws(VerdictError) { try TextFile.remove(pendingPath) }

    /// Leaves a text to be looked at. A text that shows what was typed in clear from a masked recording's place is
    /// the caller's to refuse.
    public func propose(_ text: String) throws(VerdictError) { try TextFile.write(text, to: pendingPath) }
}
