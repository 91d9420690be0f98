import KeyModel

/// Proposed texts of goldens as a unified diff of their accepted ones, made where nothing may be accepted and applied
/// by a person. It can be read, and `git apply` takes it as well.
package struct GoldenPatch: Sendable {
    /// A text of a golden, whole: what was accepted, and what is found.
    package struct File: Hashable, Sendable {
        package var path: String
        package var old: [String]
        package var new: [String]
    }

    package private(set) var files: [File] = []

    /// What `propose` would leave beside the goldens.
    package init(_ comparisons: [GoldenComparison]) throws(VerdictError) {
        for comparison in comparisons where comparison.isProposable {
            let golden = comparison.golden
            if let text = comparison.proposedText {
                let accepted = try golden.expected()
                let plain = try BudgetedText(text, file: golden.path)
                let kept = try golden.accepted()?.keepingBudgets(in: plain) ?? text
                try add(golden.path, accepted ?? "", kept)
            }
            guard let findings = comparison.findings, (try? golden.acceptedFindings()) != findings else { continue }
            try add(golden.findingsPath, (try? TextFile.readAccepted(golden.findingsPath)) ?? "", findings.text)
        }
    }

    private mutating func add(_ path: String, _ old: String, _ new: String) throws(VerdictError) {
        guard !path.unicodeScalars.contains(where: { $0.value < 32 }) else {
            throw VerdictError(.usage, path, "patch", expected: "a name on one line", found: "a control character")
        }
        if old != new { files.append(File(path: path, old: GoldenPatch.lines(old), new: GoldenPatch.lines(new))) }
    }

    private static func lines(_ text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    /// One hunk for each file, with all of its lines.
    package var text: String {
        files.map { file in
            let path = Annotation.path(file.path)
            let rows = SequenceAlignment(file.old.map(ByteName.init), file.new.map(ByteName.init)).steps.map { step in
                switch step {
                case .both(let place, _): " " + file.old[place]
                case .onlyFirst(let place): "-" + file.old[place]
                case .onlySecond(let place): "+" + file.new[place]
                }
            }
            let head = [
                file.old.isEmpty ? "--- /dev/null" : "--- a/\(path)", "+++ b/\(path)",
                "@@ -\(file.old.isEmpty ? 0 : 1),\(file.old.count) +1,\(file.new.count) @@",
            ]
            return (head + rows).map { $0 + "\n" }.joined()
        }.joined()
    }

    /// Reads a patch. - Throws: where it is none that `text` writes: lines of other tools are refused.
    package init(_ text: String, file name: String) throws(VerdictError) {
        var counts = (old: 0, new: 0)
        for (place, line) in GoldenPatch.lines(text).enumerated() {
            func refuse(_ expected: String) -> VerdictError {
                VerdictError(
                    .notComparable, "\(name): line \(place + 1)", "patch", expected: expected,
                    found: String(line.prefix(80)))
            }
            let isOpen = counts.old > 0 || counts.new > 0
            if !isOpen, line == "--- /dev/null" || line.hasPrefix("--- a/") {
                files.append(File(path: "", old: [], new: []))
            } else if !isOpen, files.last?.path == "", line.hasPrefix("+++ b/") {
                files[files.count - 1].path = String(line.dropFirst(6))
            } else if !isOpen, files.last?.path.isEmpty == false, line.hasPrefix("@@ -") {
                let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
                guard numbers.count == 4, line.hasSuffix("@@") else { throw refuse("@@ -1,N +1,N @@") }
                counts = (numbers[1], numbers[3])
            } else if isOpen, let sign = line.first, " -+".contains(sign) {
                if sign != "+" { files[files.count - 1].old.append(String(line.dropFirst())) }
                if sign != "-" { files[files.count - 1].new.append(String(line.dropFirst())) }
                counts = (counts.old - (sign == "+" ? 0 : 1), counts.new - (sign == "-" ? 0 : 1))
            } else {
                throw refuse("a line of a patch that keyflight gate --patch wrote")
            }
        }
        guard counts == (0, 0), !files.isEmpty, files.allSatisfy({ !$0.path.isEmpty && !$0.new.isEmpty }) else {
            throw VerdictError(
                .notComparable, name, "patch", expected: "a whole one", found: files.isEmpty ? "none" : "a torn one")
        }
    }

    /// Leaves its texts beside the accepted ones of these goldens, for review: none of a file that is no text of them,
    /// and none where what was accepted is another one by now. Nothing is written before all of it is known to fit.
    /// - Parameter chosen: Those of them whose texts are left.
    /// - Returns: The goldens that have one now.
    package func propose(
        among cases: [GoldenCase], chosen: [GoldenCase]
    ) throws(VerdictError) -> [GoldenCase] {
        var fitting: [(golden: GoldenCase, text: String, isFindings: Bool)] = []
        var seen: Set<String> = []
        for file in files {
            let places = cases.flatMap { golden in
                [(golden, golden.path, false), (golden, golden.findingsPath, true)]
            }
            let matches = places.filter { golden, path, _ in
                ("/" + file.path).hasSuffix("/\(golden.name)/" + (path.split(separator: "/").last ?? ""))
            }
            guard let (golden, path, isFindings) = matches.max(by: { $0.0.name.count < $1.0.name.count }) else {
                throw VerdictError(
                    .notComparable, file.path, "patch", expected: "a text of a golden that is there", found: "none")
            }
            // However its path is written: the last of two would be written over what a person read first.
            guard seen.insert(path).inserted else {
                throw VerdictError(
                    .notComparable, file.path, "patch", expected: "one text of each file", found: "another one of it")
            }
            guard GoldenPatch.lines(try TextFile.readAccepted(path) ?? "") == file.old else {
                throw VerdictError(
                    .notComparable, path, "patch", expected: "the text that the patch was made for",
                    found: "another one")
            }
            guard chosen.contains(golden) else { continue }
            var text = file.new.map { $0 + "\n" }.joined()
            if isFindings {
                _ = try GoldenFindings(text, file: file.path)
            } else {
                let budgeted = try BudgetedText(text, file: file.path)
                do { _ = try GoldenRows(budgeted.text) } catch {
                    throw VerdictError(.notComparable, file.path, reason: "is no golden: \(error)")
                }
                // Budgets that were accepted stay, as with any pending text.
                text = BudgetedText.inserting(budgeted.allocations.text, in: budgeted.text)
            }
            fitting.append((golden, text, isFindings))
        }
        for (golden, text, isFindings) in fitting {
            try TextFile.write(text, to: isFindings ? golden.pendingFindingsPath : golden.pendingPath)
        }
        return fitting.map(\.golden)
    }
}
