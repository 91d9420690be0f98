/// The words, strings and marks of a Swift source, without its comments and without code that never runs: `#if false`,
/// `if false`, disabled tests and suites, and what is behind a test that skips itself.
struct SwiftTokens {
    enum Token: Hashable {
        case word(String)
        /// The content of a literal, as written.
        case string(String)
        case mark(Unicode.Scalar)
    }

    private(set) var tokens: [Token] = []
    private let bytes: [UInt8]
    private var place = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
        read(untilParenthesis: false)
        removeFalseConditions()
        removeDead()
    }

    // MARK: Reading

    private func isNext(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[place...].starts(with: $0) }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    /// Reads the source, or an interpolation up to its end.
    private mutating func read(untilParenthesis isInner: Bool) {
        var depth = 0
        while place < bytes.count {
            let byte = bytes[place]
            if isNext("//") {
                while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
            } else if isNext("/*") {
                skipComment()
            } else if let end = endOfRegex {
                place = end
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#") && beginsRawString {
                readString()
            } else if SwiftTokens.isWord(byte) {
                let begin = place
                while place < bytes.count, SwiftTokens.isWord(bytes[place]) { place += 1 }
                tokens.append(.word(String(decoding: bytes[begin..<place], as: UTF8.self)))
            } else if byte == UInt8(ascii: "`"), let name = rawName {
                place += name.utf8.count + 2
                // A keyword in backticks is a name, and no keyword.
                tokens.append(.word(SwiftTokens.keywords.contains(name) ? "`\(name)`" : name))
            } else {
                place += 1
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                if isInner, depth < 0 { return }
                if byte > UInt8(ascii: " ") { tokens.append(.mark(Unicode.Scalar(byte))) }
            }
        }
    }

    /// Words with a meaning here.
    private static let keywords: Set<String> = [
        "func", "if", "let", "for", "in", "guard", "return", "throw", "import", "extension", "struct", "class", "enum",
        "actor", "true", "false",
    ]

    /// The name between two backticks, the first of which is here.
    private var rawName: String? {
        let name = bytes[(place + 1)...].prefix { $0 != UInt8(ascii: "`") && $0 != UInt8(ascii: "\n") }
        guard !name.isEmpty, name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: "`") else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    /// Comments may be inside one another.
    private mutating func skipComment() {
        var depth = 0
        repeat {
            if isNext("/*") {
                (depth, place) = (depth + 1, place + 2)
            } else if isNext("*/") {
                (depth, place) = (depth - 1, place + 2)
            } else {
                place += 1
            }
        } while depth > 0 && place < bytes.count
    }

    /// The place after a regular expression that begins here, where a value is expected; it may have quotes in it.
    private var endOfRegex: Int? {
        guard bytes[place] == UInt8(ascii: "/"), place + 1 < bytes.count, bytes[place + 1] > UInt8(ascii: " "),
            case .mark(let mark) = tokens.last ?? .mark("="), "(,=:[{!&|?;".unicodeScalars.contains(mark)
        else { return nil }
        var at = place + 1
        while at < bytes.count, bytes[at] != UInt8(ascii: "\n") {
            if bytes[at] == UInt8(ascii: "/") { return at + 1 }
            at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    private var beginsRawString: Bool {
        bytes[place...].first { $0 != UInt8(ascii: "#") } == UInt8(ascii: "\"")
    }

    private mutating func readString() {
        var hashes = 0
        while bytes[place] == UInt8(ascii: "#") { (hashes, place) = (hashes + 1, place + 1) }
        let escape = [UInt8(ascii: "\\")] + [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
        let isLong = isNext("\"\"\"")
        let quote = [UInt8](repeating: UInt8(ascii: "\""), count: isLong ? 3 : 1)
        let end = quote + escape.dropFirst()
        place += quote.count
        let begin = place
        while place < bytes.count, !bytes[place...].starts(with: end) {
            // A quote that no string begins with, such as one of a regular expression.
            if !isLong, bytes[place] == UInt8(ascii: "\n") { return }
            guard bytes[place...].starts(with: escape) else {
                place += 1
                continue
            }
            place += escape.count
            if place < bytes.count, bytes[place] == UInt8(ascii: "(") {
                place += 1
                read(untilParenthesis: true)
            } else {
                place += 1
            }
        }
        if !isLong { tokens.append(.string(String(decoding: bytes[begin..<min(place, bytes.count)], as: UTF8.self))) }
        place = min(place + end.count, bytes.count)
    }

    // MARK: Code that never runs

    /// The value of a condition that begins here; `nil` where it depends on something.
    private func truth(_ at: Int) -> Bool? {
        var (at, isNegated) = (at, false)
        while at < tokens.count, [.mark("!"), .mark("(")].contains(tokens[at]) {
            isNegated = isNegated != (tokens[at] == .mark("!"))
            at += 1
        }
        guard at < tokens.count, [.word("true"), .word("false")].contains(tokens[at]) else { return nil }
        let value = (tokens[at] == .word("true")) != isNegated
        guard at + 1 < tokens.count else { return value }
        switch tokens[at + 1] {
        case .mark("&"): return value ? nil : false
        case .mark("|"): return value ? true : nil
        default: return value
        }
    }

    private mutating func removeFalseConditions() {
        var kept: [Token] = []
        // Of each condition around: whether this branch may be compiled, and whether an earlier one is.
        var around: [(isKept: Bool, isDecided: Bool)] = []
        var at = 0
        while at < tokens.count {
            if tokens[at] == .mark("#"), at + 1 < tokens.count, case .word(let word) = tokens[at + 1] {
                let value = truth(at + 2)
                let isDecided = around.last?.isDecided ?? false
                switch word {
                case "if": around.append((value != false, value == true))
                case "elseif": around.indices.last.map { around[$0] = (!isDecided && value != false, value == true) }
                case "else": around.indices.last.map { around[$0].isKept = !isDecided }
                case "endif": _ = around.popLast()
                default: break
                }
            }
            if around.allSatisfy(\.isKept) { kept.append(tokens[at]) }
            at += 1
        }
        tokens = kept
    }

    private mutating func removeDead() {
        var dead: [Range<Int>] = []
        var disabled: Set<Token> = []
        var open: [Int] = []
        for (at, token) in tokens.enumerated() {
            switch token {
            case .mark("{"): open.append(at)
            case .mark("}"): _ = open.popLast()
            case .word("func"):
                guard let skipped = skipped(at) else { continue }
                dead.append(skipped)
                let isSetUp = [.word("setUp"), .word("setUpWithError")].contains(tokens[at + 1])
                if isSetUp, let type = open.last { dead.append(type..<end(of: type)) }
            case .word("if") where at == 0 || tokens[at - 1] != .mark("#"):
                if truth(at + 1) == false, let body = body(at) { dead.append(body) }
            // What fails there is no failure.
            case .word("withKnownIssue"), .word("XCTExpectFailure"):
                let closure = tokens[(at + 1)...].first == .mark("(") ? end(of: at + 1) : at + 1
                if matches([.mark("{")], closure) { dead.append(closure..<end(of: closure)) }
            case .mark("@"):
                guard isDisabled(at), let body = body(at) else { continue }
                dead.append(at..<body.upperBound)
                let kinds: [Token] = [.word("struct"), .word("class"), .word("enum"), .word("actor")]
                if let kind = tokens[at..<body.lowerBound].lastIndex(where: { kinds.contains($0) }) {
                    disabled.insert(tokens[kind + 1])
                }
            default: break
            }
        }
        for at in tokens.indices.dropLast() where tokens[at] == .word("extension") {
            if disabled.contains(tokens[at + 1]), let body = body(at) { dead.append(body) }
        }
        remove(dead)
    }

    /// Removes functions that nothing calls, from a file with tests: no test, no override, and not a word elsewhere.
    mutating func removeUncalled(_ times: [Token: Int]) {
        let isOfTests = tokens.contains(.word("XCTestCase"))
            || tokens.indices.contains { matches([.mark("@"), .word("Test")], $0) }
        guard isOfTests else { return }
        var dead: [Range<Int>] = []
        for at in tokens.indices.dropLast() where tokens[at] == .word("func") {
            let name = tokens[at + 1]
            guard case .word(let word) = name, word != "main", times[name, default: 0] < 2 else { continue }
            let before = attributes(before: at)
            let isFound = word.hasPrefix("test") && tokens.contains(.word("XCTestCase"))
                && before.isDisjoint(with: ["private", "fileprivate", "static"])
                && matches([.mark("("), .mark(")")], at + 2)
            if isFound || !before.isDisjoint(with: ["Test", "override"]) { continue }
            if let body = body(at) { dead.append(body) }
        }
        remove(dead)
    }

    private mutating func remove(_ ranges: [Range<Int>]) {
        guard !ranges.isEmpty else { return }
        var isDead = [Bool](repeating: false, count: tokens.count)
        for range in ranges { for place in range { isDead[place] = true } }
        tokens = zip(tokens, isDead).filter { !$1 }.map(\.0)
    }

    /// The names of attributes and modifiers in front of a declaration.
    private func attributes(before at: Int) -> Set<String> {
        var found: Set<String> = []
        var place = at - 1
        while place >= 0 {
            if tokens[place] == .mark(")") {
                var depth = 0
                repeat {
                    if tokens[place] == .mark(")") { depth += 1 }
                    if tokens[place] == .mark("(") { depth -= 1 }
                    place -= 1
                } while depth > 0 && place >= 0
            }
            guard place >= 0, case .word(let word) = tokens[place] else { break }
            found.insert(word)
            place -= place > 0 && tokens[place - 1] == .mark("@") ? 2 : 1
        }
        return found
    }

    /// The texts that `@Test(arguments: […])` gives its function, and the parameter that gets them.
    func arguments(ofTest at: Int) -> (parameter: Token, values: [String])? {
        let inner = at + 2..<end(of: at + 2)
        guard let list = inner.first(where: { matches([.word("arguments"), .mark(":"), .mark("[")], $0) }),
            let function = tokens[inner.upperBound...].firstIndex(of: .word("func")),
            let colon = tokens[function...].firstIndex(of: .mark(":"))
        else { return nil }
        let values = tokens[list..<inner.upperBound].prefix { $0 != .mark("]") }
        // Of pairs, it is not known which of them is the name.
        guard !values.contains(.mark("(")) else { return nil }
        return (tokens[colon - 1], values.compactMap { if case .string(let value) = $0 { value } else { nil } })
    }

    /// The part of a function behind a statement that skips the test or returns.
    private func skipped(_ at: Int) -> Range<Int>? {
        guard let body = body(at) else { return nil }
        var depth = 0
        for place in body {
            if tokens[place] == .mark("{") { depth += 1 }
            if tokens[place] == .mark("}") { depth -= 1 }
            guard depth == 1 else { continue }
            let ends = matches([.word("throw"), .word("XCTSkip")], place)
                || matches([.word("XCTExpectFailure"), .mark("(")], place)
                || matches([.word("Test"), .mark("."), .word("cancel")], place)
                || matches([.word("XCTSkipIf"), .mark("(")], place) && truth(place + 2) == true
                || matches([.word("XCTSkipUnless"), .mark("(")], place) && truth(place + 2) == false
                || matches([.word("return"), .mark(";")], place)
                || tokens[place] == .word("guard") && truth(place + 1) == false
            if ends { return place..<body.upperBound - 1 }
        }
        return nil
    }

    /// `@Test(…)` and `@Suite(…)` with a trait that always disables, or without arguments to run with;
    /// `@available(*, unavailable)`.
    private func isDisabled(_ at: Int) -> Bool {
        let gone: [Token] = [.word("available"), .mark("("), .mark("*"), .mark(","), .word("unavailable")]
        if matches(gone, at + 1) { return true }
        let traits: [Token] = [.word("Test"), .word("Suite")]
        guard traits.contains(where: { matches([$0, .mark("(")], at + 1) }) else { return false }
        return (at + 2..<end(of: at + 2)).contains { place in
            let condition = matches([.mark("("), .word("if"), .mark(":")], place + 2) ? truth(place + 5) : nil
            let hasCondition = matches([.mark("("), .word("if")], place + 2)
            return matches([.mark("."), .word("disabled")], place) && (!hasCondition || condition == true)
                || matches([.mark("."), .word("enabled")], place) && condition == false
                || matches([.word("arguments"), .mark(":"), .mark("["), .mark("]")], place)
        }
    }

    func matches(_ wanted: [Token], _ at: Int) -> Bool {
        at + wanted.count <= tokens.count && tokens[at..<at + wanted.count].elementsEqual(wanted)
    }

    /// The name here is one that is called at once.
    func isCall(_ at: Int) -> Bool { matches([.mark("(")], at + 1) }

    /// The name here is that of a declaration, or of an import.
    func isDeclared(_ at: Int) -> Bool {
        at >= 1 && tokens[at - 1] == .word("func")
            || at >= 4 && tokens[at - 1] == .mark(".") && matches([.word("import"), .word("func")], at - 4)
    }

    /// The braces after this place, with what is in them.
    func body(_ at: Int) -> Range<Int>? {
        var at = at
        while at < tokens.count, tokens[at] != .mark("{") { at = tokens[at] == .mark("(") ? end(of: at) : at + 1 }
        return at < tokens.count ? at..<end(of: at) : nil
    }

    /// The place after the bracket that closes the one here.
    func end(of open: Int) -> Int {
        let pair: (Token, Token) = tokens[open] == .mark("{") ? (.mark("{"), .mark("}")) : (.mark("("), .mark(")"))
        var depth = 0
        for place in open..<tokens.count {
            if tokens[place] == pair.0 { depth += 1 }
            if tokens[place] == pair.1 { depth -= 1 }
            if depth == 0 { return place + 1 }
        }
        return tokens.count
    }
}
