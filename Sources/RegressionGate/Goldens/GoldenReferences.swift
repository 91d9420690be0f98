/// Goldens in the Swift files below a folder of tests: words in quotes, without comments and disabled tests, and the
/// names that tests compare. A golden whose name is not among the words is not named by any test, whether its line, its
/// file or its target was deleted.
package struct GoldenReferences: Sendable {
    private var words: Set<String> = []
    private var names: [Reference] = []
    private var hasFiles = false

    /// A golden that a test compares: `.golden("NAME")`, `expectGolden("NAME")` or `XCTAssertGolden("NAME")`.
    package struct Reference: Hashable, Sendable {
        package var name: String
        /// The Swift file.
        package var file: String
    }

    /// Throws where there is nothing to read: no test at all would make every golden an orphan.
    package init(tests folder: String) throws(VerdictError) {
        do throws(VerdictError) { try read(folder, depth: 0) } catch {
            var error = error
            if error.what == "open" { error.what = "tests" }
            throw error
        }
        guard hasFiles else {
            throw VerdictError(.notComparable, folder, "tests", expected: "Swift files in it", found: "none")
        }
    }

    private mutating func read(_ folder: String, depth: Int) throws(VerdictError) {
        for name in try TextFile.names(in: folder) where !name.hasPrefix(".") {
            let path = "\(folder)/\(name)"
            if name.hasSuffix(".swift") {
                guard let text = try TextFile.read(path) else { continue }
                hasFiles = true
                add(SwiftTokens(text), path)
            } else if depth < 16, TextFile.kind(of: path) == .folder {
                try read(path, depth: depth + 1)
            }
        }
    }

    private mutating func add(_ source: SwiftTokens, _ file: String) {
        let tokens = source.tokens
        for (place, token) in tokens.enumerated() {
            guard case .string(let word) = token else { continue }
            words.insert(word)
            guard place >= 2, tokens[place - 1] == .mark("("), case .word(let call) = tokens[place - 2]
            else { continue }
            let isGolden = ["expectGolden", "XCTAssertGolden"].contains(call)
                || call == "golden" && place >= 3 && tokens[place - 3] == .mark(".")
            guard isGolden else { continue }
            let arguments = tokens[place..<source.end(of: place - 1)]
            let next = arguments.dropFirst().first
            // Not in a folder that only the running test knows, nor a name that is put together.
            guard !arguments.contains(.word("folder")), next == .mark(",") || next == .mark(")") else { continue }
            names.append(Reference(name: word, file: file))
        }
    }

    package func mention(_ golden: String) -> Bool { words.contains(golden) }

    /// Names of tests for which there is no golden, neither in `stores` nor where the test would look for it.
    package func missing(in stores: [GoldenStore]) -> [Reference] {
        var seen: Set<String> = []
        // The names that a gate compares: a folder that it passes over is none of them.
        var known: [GoldenStore: Set<String>] = [:]
        func has(_ store: GoldenStore, _ name: String) -> Bool {
            let names = known[store] ?? Set(((try? store.cases()) ?? []).map(\.name))
            known[store] = names
            return names.contains(name)
        }
        return names.filter { reference in
            guard !stores.contains(where: { has($0, reference.name) }) else { return false }
            let near = GoldenStore.folder(near: reference.file).map { GoldenStore($0) }
            return near.map { has($0, reference.name) } != true && seen.insert(reference.name).inserted
        }
    }
}

extension GoldenStore {
    /// Folders of goldens that no test names, by name.
    package func orphans(_ tests: [GoldenReferences]) throws(VerdictError) -> [String] {
        var found: [String] = []
        // Of one that cannot be read it is not known what it is.
        for golden in try cases() where found.last != golden.folder && (try? TextFile.names(in: golden.folder)) != nil {
            if !tests.contains(where: { $0.mention(golden.name) }) { found.append(golden.folder) }
        }
        return found
    }
}

extension GateReport {
    /// Compares the names in tests and the folders of goldens in both directions.
    package mutating func compareNames(_ tests: [GoldenReferences], _ stores: [GoldenStore]) throws(VerdictError) {
        for store in stores { orphans += try store.orphans(tests) }
        var cases: [GoldenCase] = []
        for store in stores { cases += try store.cases() }
        for reference in tests.flatMap({ $0.missing(in: stores) }) {
            let deeper = cases.first { $0.name.hasSuffix("/" + reference.name) }
            let found = deeper.map { "it at \($0.folder)" } ?? "none"
            let places = stores.map(\.path).joined(separator: " or ")
            var refusal = Finding(
                refused: reference.file, "golden “\(reference.name)”: expected it in \(places), found \(found)",
                remedy: "put the golden back, or take its test away")
            refusal.golden = reference.name
            refusals.append(refusal)
        }
    }
}
