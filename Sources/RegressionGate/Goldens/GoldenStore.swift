import LatencyAnalysis

/// A folder of goldens: each folder in it that holds an input, a live app's command or an expected text is one, with
/// one case for each expected text.
package struct GoldenStore: Hashable, Sendable {
    package var path: String

    package init(_ path: String) { self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path }

    /// Every case, by name, then by profile. A folder with an input and no expected text has one case, which is
    /// missing. Throws when there is no such folder, or nothing in it: a gate over nothing must not pass.
    package func cases() throws(VerdictError) -> [GoldenCase] {
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
        var cases: [GoldenCase] = []
        for file in files where file.hasPrefix("expected.") {
            let name = file.hasSuffix(".new") ? String(file.dropLast(4)) : file
            guard name.hasSuffix(".txt") else { continue }
            let profile = name == "expected.txt" ? nil : String(name.dropFirst("expected.".count).dropLast(4))
            let found = GoldenCase(folder: folder, profile: profile)
            if !cases.contains(found) { cases.append(found) }
        }
        // An accepted text whose input was deleted is a case as well: one that cannot be compared.
        let isGolden = ["input.keys", "input.keyflight", "launch.txt"].contains(where: files.contains)
        return cases.isEmpty && isGolden ? [GoldenCase(folder: folder)] : cases
    }

    /// Cases with a pending text.
    package func pending() throws(VerdictError) -> [GoldenCase] {
        var found: [GoldenCase] = []
        for golden in try cases() {
            let (text, findings) = (try golden.pending(), try golden.pendingFindings())
            if text != nil || findings != nil { found.append(golden) }
        }
        return found
    }

    /// Cases whose name, or `NAME (PROFILE)`, a pattern matches: `*` matches any characters, `?` one.
    package static func matching(_ patterns: [String], _ cases: [GoldenCase]) -> [GoldenCase] {
        guard !patterns.isEmpty else { return cases }
        return cases.filter { golden in
            patterns.contains { GlobPattern($0).matches(golden.name) || GlobPattern($0).matches(golden.title) }
        }
    }
}

extension GoldenCase {
    /// Puts the pending text in place of the accepted one, whose latency budgets stay.
    package func accept() throws(VerdictError) {
        let (text, findings) = (try pending(), try pendingFindings())
        guard text != nil || findings != nil else {
            throw VerdictError(.usage, path, "pending text", expected: file + ".new", found: "none")
        }
        if let text {
            let pending = try BudgetedText(text, file: pendingPath)
            try TextFile.write(try accepted()?.keepingBudgets(in: pending.text) ?? text, to: path)
        }
        if let findings { try TextFile.write(findings.text, to: findingsPath) }
        try reject()
    }

    /// Forgets what is pending.
    package func reject() throws(VerdictError) {
        for path in [pendingPath, pendingFindingsPath, pagePath] where try TextFile.bytes(path) != nil {
            try TextFile.remove(path)
        }
    }

    /// Leaves a text to be looked at, and what `lint` found where that is not what was accepted. A text that shows what
    /// was typed in clear from a masked recording's place is the caller's to refuse.
    package func propose(_ text: String?, findings: GoldenFindings? = nil) throws(VerdictError) {
        if let text { try TextFile.write(text, to: pendingPath) }
        guard let findings else { return }
        let isNew = (try? acceptedFindings()).map { $0 != findings } ?? true
        if isNew { try TextFile.write(findings.text, to: pendingFindingsPath) }
    }
}
