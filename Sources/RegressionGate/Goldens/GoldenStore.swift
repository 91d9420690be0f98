import LatencyAnalysis
import Libc

/// A folder of goldens: each folder in it, at any depth, that holds an input, a live app's command or an expected text
/// is one, with one case for each expected text.
package struct GoldenStore: Hashable, Sendable {
    package var path: String

    package init(_ path: String) { self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path }

    /// Every case, by name, then by profile. A folder with an input and no expected text has one case, which is
    /// missing; one that cannot be read, and a link that leads nowhere, have one that cannot be compared.
    ///
    /// - Throws: where there is no such folder, or nothing in it: a gate over nothing must not pass.
    package func cases() throws(VerdictError) -> [GoldenCase] {
        var cases: [GoldenCase] = []
        var linked: Set<String> = []
        // The folder may be one golden itself.
        try collect(GoldenCase(folder: path), isFirst: true, &linked, &cases)
        guard !cases.isEmpty else {
            throw VerdictError(
                .notComparable, path, "goldens", expected: "folders with input.keys or input.keyflight",
                found: "none")
        }
        return cases
    }

    private func collect(
        _ place: GoldenCase, isFirst: Bool = false, _ linked: inout Set<String>, _ cases: inout [GoldenCase]
    ) throws(VerdictError) {
        let names: [String]
        do throws(VerdictError) { names = try TextFile.names(in: place.folder) } catch {
            guard !isFirst else {
                var error = error
                if error.what == "open" { error.what = "goldens" }
                throw error
            }
            // Comparing it says why.
            return cases.append(place)
        }
        let found = GoldenStore.cases(of: place, names)
        cases += found
        if !isFirst, TextFile.isLink(place.folder) {
            // Goldens below a link to a folder of them are not looked for: comparing it says so. One below a linked
            // golden may lead back to it.
            let holdsFolders = names.contains { TextFile.kind(of: "\(place.folder)/\($0)") == .folder }
            if found.isEmpty, holdsFolders { cases.append(place) }
            guard !found.isEmpty, linked.insert(TextFile.resolved(place.folder) ?? place.folder).inserted else {
                return
            }
        }
        for name in names where !name.hasPrefix(".") {
            let inner = GoldenCase(folder: "\(place.folder)/\(name)", store: path)
            switch TextFile.kind(of: inner.folder) {
            case .folder: try collect(inner, &linked, &cases)
            // A file of the golden says so itself.
            case .deadLink where found.isEmpty || !GoldenFileNames.isKnown(name): cases.append(inner)
            case .deadLink, .nothing, .other: break
            }
        }
    }

    private static func cases(of place: GoldenCase, _ files: [String]) -> [GoldenCase] {
        var cases: [GoldenCase] = []
        for file in files {
            let name = file.hasSuffix(".new") ? String(file.dropLast(4)) : file
            var found = place
            found.profile = GoldenFileNames.profile(of: name, "expected")
            if found.file == name, !cases.contains(found) { cases.append(found) }
        }
        // An accepted text whose input was deleted is a case as well: one that cannot be compared.
        return cases.isEmpty && files.contains(where: GoldenFileNames.makesGolden) ? [place] : cases
    }

    /// The folder of goldens of a test: the nearest `Goldens` or `Traces/golden` above its file, up to the package's
    /// folder.
    package static func folder(near file: String) -> String? {
        // The parent of `..` is `../..`: a path that is not standardized has no end.
        var here = Files.parent(of: Files.standardized(file))
        while here != "/" {
            for name in ["Goldens", "Traces/golden"] {
                let folder = "\(here)/\(name)"
                if TextFile.exists(folder) { return folder }
            }
            if TextFile.exists("\(here)/Package.swift") { return nil }
            here = Files.parent(of: here)
        }
        return nil
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
        // The name of a golden, such as *, is no pattern for the others.
        let names = Set(cases.map(\.name))
        return cases.filter { golden in
            patterns.contains { pattern in
                names.contains(pattern)
                    ? golden.name == pattern
                    : GlobPattern(pattern).matches(golden.name) || GlobPattern(pattern).matches(golden.title)
            }
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
            do { _ = try GoldenRows(pending.text) } catch {
                throw VerdictError(.notComparable, pendingPath, reason: "is no golden: \(error)")
            }
            try TextFile.write(try accepted()?.keepingBudgets(in: pending) ?? text, to: path)
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
