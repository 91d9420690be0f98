import TraceReports

/// Goldens in the Swift files below a folder of tests: words in quotes, without comments and disabled tests, and the
/// names that tests compare. A golden whose name is not among the words is not named by any test, whether its line, its
/// file or its target was deleted.
package struct GoldenReferences: Sendable {
    private var words: Set<String> = []
    private var names: [Reference] = []
    /// Calls whose name is no text in quotes, nor a constant that is one, and uses of the function that are no call:
    /// which golden they compare is not known.
    package private(set) var unnamed: [(call: String, file: String)] = []

    /// A golden that a test compares: `.golden("NAME")`, `expectGolden("NAME")` or `XCTAssertGolden("NAME")`.
    package struct Reference: Hashable, Sendable {
        package var name: String
        /// The Swift file.
        package var file: String
        /// In a folder that only the running test knows.
        var isElsewhere = false
    }

    /// Throws where there is nothing to read: no test at all would make every golden an orphan.
    package init(tests folder: String) throws(VerdictError) {
        var sources: [(source: SwiftTokens, file: String)] = []
        var visited: Set<String> = []
        do throws(VerdictError) { try GoldenReferences.read(folder, &visited, &sources) } catch {
            var error = error
            if error.what == "open" { error.what = "tests" }
            throw error
        }
        guard !sources.isEmpty else {
            throw VerdictError(.notComparable, folder, "tests", expected: "Swift files in it", found: "none")
        }
        var times: [SwiftTokens.Token: Int] = [:]
        for source in sources { for token in source.source.tokens { times[token, default: 0] += 1 } }
        for var source in sources {
            source.source.removeUncalled(times)
            add(source.source, source.file)
        }
    }

    private static func read(
        _ folder: String, _ visited: inout Set<String>, _ sources: inout [(source: SwiftTokens, file: String)]
    ) throws(VerdictError) {
        // Links that lead to a folder above them are without end.
        guard visited.insert(TextFile.resolved(folder) ?? folder).inserted else { return }
        for name in try TextFile.names(in: folder) where !name.hasPrefix(".") {
            let path = "\(folder)/\(name)"
            if name.hasSuffix(".swift") {
                guard let text = try TextFile.read(path) else { continue }
                sources.append((SwiftTokens(text), path))
            } else if TextFile.kind(of: path) == .folder {
                try read(path, &visited, &sources)
            }
        }
    }

    /// What a call is given that prints or describes: no golden is compared by it.
    private static let descriptions: Set<String> = [
        "Test", "Suite", "bug", "print", "debugPrint", "XCTFail", "XCTSkip", "fatalError",
    ]

    /// The functions that compare a golden.
    private static let comparing: Set<String> = ["expectGolden", "XCTAssertGolden"]

    private mutating func add(_ source: SwiftTokens, _ file: String) {
        let tokens = source.tokens
        // What a name stands for, where it has one meaning in the file.
        var constants: [SwiftTokens.Token: [[String]]] = [:]
        for (place, token) in tokens.enumerated() {
            if token == .word("let"), source.matches([.mark("=")], place + 2), place + 3 < tokens.count {
                let isPutTogether = source.matches([.mark("+")], place + 4)
                var value: [String] = []
                if case .string(let text) = tokens[place + 3], !isPutTogether { value = [text] }
                constants[tokens[place + 1], default: []].append(value)
            }
            if token == .word("for"), source.matches([.word("in"), .mark("[")], place + 2) {
                let list = tokens[(place + 4)...].prefix { $0 != .mark("]") }
                let values = list.compactMap { if case .string(let value) = $0 { value } else { nil } }
                constants[tokens[place + 1], default: []].append(list.contains(.mark("(")) ? [] : values)
            }
            if source.matches([.mark("@"), .word("Test"), .mark("(")], place) {
                let given = source.arguments(ofTest: place)
                if let given { constants[given.parameter, default: []].append(given.values) }
            }
            if case .word(let word) = token, GoldenReferences.comparing.contains(word), !source.isCall(place),
                !source.isDeclared(place)
            {
                unnamed.append((word, file))
            }
            guard place >= 1, tokens[place - 1] == .mark("("), case .word(let call) = tokens[max(place - 2, 0)] else {
                if case .string(let word) = token { words.insert(word) }
                continue
            }
            if case .string(let word) = token, !GoldenReferences.descriptions.contains(call) { words.insert(word) }
            let isTrait = call == "golden" && place >= 3 && tokens[place - 3] == .mark(".")
            let compares = GoldenReferences.comparing.contains(call) && !source.isDeclared(place - 2)
            guard isTrait || compares else { continue }
            add(call, tokens[place..<source.end(of: place - 1)], constants[token] ?? [], file)
        }
    }

    /// Adds a call with these arguments, the first of which has `meanings` where it is a word.
    private mutating func add(
        _ call: String, _ arguments: ArraySlice<SwiftTokens.Token>, _ meanings: [[String]], _ file: String
    ) {
        let rest = arguments.dropFirst()
        let isWhole = rest.first == .mark(",") || rest.first == .mark(")")
        var values = meanings.count == 1 ? meanings[0] : []
        if case .string(let word)? = arguments.first { values = [word] }
        guard isWhole, !values.isEmpty else {
            // A function of another name has its first argument labelled; expectGolden(_:_:_:) is none.
            if rest.first != .mark(":") || arguments.first == .word("_") { unnamed.append((call, file)) }
            return
        }
        let isElsewhere = GoldenReferences.haveFolder(arguments)
        names += values.map { Reference(name: $0, file: file, isElsewhere: isElsewhere) }
    }

    /// Returns true if one of the arguments is `GoldenTest(folder: …)`, also as `.init(folder: …)`.
    private static func haveFolder(_ arguments: ArraySlice<SwiftTokens.Token>) -> Bool {
        var depth = 0
        for (place, token) in zip(arguments.indices, arguments) {
            switch token {
            case .mark("("), .mark("["), .mark("{"): depth += 1
            case .mark(")"), .mark("]"), .mark("}"): depth -= 1
            case .word("GoldenTest") where depth == 0, .word("init") where depth == 0:
                let label: [SwiftTokens.Token] = [.mark("("), .word("folder"), .mark(":")]
                let rest = arguments[(place + 1)...]
                if rest.starts(with: label), rest.dropFirst(label.count).first != .word("nil") { return true }
            default: break
            }
        }
        return false
    }

    /// Returns true if a test compares it, false if those that call for one of its name compare others, and `nil` where
    /// none does.
    private func comparison(of golden: GoldenCase) -> Bool? {
        let known = names.filter { GoldenReferences.names(golden).contains($0.name) }
        guard !known.isEmpty else { return nil }
        return known.contains { reference in
            guard !reference.isElsewhere, let near = GoldenStore.folder(near: reference.file) else { return true }
            return TextFile.resolved("\(near)/\(reference.name)") == TextFile.resolved(golden.folder)
        }
    }

    /// Returns true if a test compares it, or may do so.
    func compare(_ golden: GoldenCase) -> Bool {
        comparison(of: golden) ?? (!unnamed.isEmpty && mention(golden.name))
    }

    /// Returns true if a test names it.
    func name(_ golden: GoldenCase) -> Bool {
        comparison(of: golden) ?? GoldenReferences.names(golden).contains(where: mention)
    }

    /// A test names a golden by its path in the folder of goldens that is nearest to the test.
    static func names(_ golden: GoldenCase) -> [String] {
        let path = TextFile.resolved(golden.folder) ?? golden.folder
        return [golden.name] + ["Goldens/", "Traces/golden/"].compactMap { path.components($0).dropFirst().last }
    }

    package func mention(_ golden: String) -> Bool { words.contains(golden) }

    /// Names of tests whose golden `stores` do not compare: with where it was looked for, and the one that is there. A
    /// test looks in the folder near it, where there is one. Of a store that is one golden nothing else is asked.
    package func missing(in stores: [GoldenStore]) -> [(name: Reference, places: [GoldenStore], found: GoldenCase?)] {
        // The goldens that a test compares, which are those under the scene's own profile.
        var known: [GoldenStore: [GoldenCase]] = [:]
        func cases(_ store: GoldenStore) -> [GoldenCase] {
            let cases = known[store] ?? ((try? store.cases()) ?? []).filter { $0.profile == nil }
            known[store] = cases
            return cases
        }
        let single = stores.filter { store in cases(store).contains { $0.folder == store.path } }
        let whole = stores.filter { !single.contains($0) }
        // By folder: the goldens of several tests may be below one store.
        let folders = Set(whole.flatMap(cases).compactMap { TextFile.resolved($0.folder) })
        let compared = Set(whole.map(\.resolved))
        let parents = Set(single.compactMap { TextFile.resolved("\($0.path)/..") })
        var seen: Set<[String]> = []
        return names.filter { !$0.isElsewhere }.compactMap { reference in
            let near = GoldenStore.folder(near: reference.file).map { GoldenStore($0) }
            if let near, parents.contains(near.resolved), !compared.contains(near.resolved) { return nil }
            if let near, folders.contains("\(near.resolved)/\(reference.name)") { return nil }
            let isCompared = near.map { compared.contains($0.resolved) } ?? true
            let places = isCompared ? whole.filter { near.map(\.resolved) ?? $0.resolved == $0.resolved } : [near!]
            let found = places.lazy.compactMap { cases($0).first { $0.name == reference.name } }.first
            guard !places.isEmpty, found == nil || !isCompared, seen.insert([reference.name, reference.file]).inserted
            else { return nil }
            return (reference, places, found)
        }
    }
}

extension GoldenStore {
    /// The folder without links.
    fileprivate var resolved: String { TextFile.resolved(path) ?? path }

    /// Folders of goldens that no test names, by name.
    package func orphans(_ tests: [GoldenReferences]) throws(VerdictError) -> [String] {
        var found: [String] = []
        // Of one that cannot be read it is not known what it is.
        for golden in try cases() where found.last != golden.folder && (try? TextFile.names(in: golden.folder)) != nil {
            if !tests.contains(where: { $0.name(golden) }) { found.append(golden.folder) }
        }
        return found
    }
}

extension GateReport {
    /// Compares the names in tests and the folders of goldens in both directions. A call whose golden is not known is
    /// refused unless it is allowed, such as where the goldens are counted: its golden may be gone.
    package mutating func compareNames(
        _ tests: [GoldenReferences], _ stores: [GoldenStore], allowsUnnamed: Bool = false
    ) throws(VerdictError) {
        for (call, file) in tests.flatMap(\.unnamed) where !allowsUnnamed {
            refusals.append(
                Finding(
                    refused: file, "\(call)(…): expected the name of a golden in quotes, found another expression",
                    remedy: "write the names in quotes, or say how many goldens there are: --expect N"))
        }
        for store in stores { orphans += try store.orphans(tests) }
        var cases: [GoldenCase] = []
        for store in stores { cases += try store.cases() }
        for (reference, places, found) in tests.flatMap({ $0.missing(in: stores) }) {
            let expected = places.map(\.path).joined(separator: " or ")
            let deeper = cases.first { $0.name.hasSuffix("/" + reference.name) }.map { "it at \($0.folder)" }
            let other = cases.first { $0.name == reference.name }.map {
                $0.profile == nil ? "it at \($0.folder)" : "\($0.file) alone"
            }
            let line = found.map { "is in \($0.store), which this gate was not given" }
                ?? "expected it in \(expected), found \(deeper ?? other ?? "none")"
            var refusal = Finding(
                refused: reference.file, "golden “\(reference.name)”: \(line)",
                remedy: found.map { "name the folder as well: \(ShellWord.quoted($0.store))" }
                    ?? "put the golden back, or take its test away")
            refusal.golden = reference.name
            refusals.append(refusal)
        }
    }
}
