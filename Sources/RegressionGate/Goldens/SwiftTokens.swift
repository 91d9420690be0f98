/// The words, strings and marks of a Swift source, without its comments and without code that never runs: `#if false`,
/// disabled tests and suites, and XCTest methods that begin by skipping themselves.
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
        removeDisabled()
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
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#") && beginsRawString {
                readString()
            } else if SwiftTokens.isWord(byte) {
                let begin = place
                while place < bytes.count, SwiftTokens.isWord(bytes[place]) { place += 1 }
                tokens.append(.word(String(decoding: bytes[begin..<place], as: UTF8.self)))
            } else {
                place += 1
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                if isInner, depth < 0 { return }
                if byte > UInt8(ascii: " ") { tokens.append(.mark(Unicode.Scalar(byte))) }
            }
        }
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

    private mutating func removeFalseConditions() {
        var kept: [Token] = []
        var at = 0
        while at < tokens.count {
            guard matches([.mark("#"), .word("if"), .word("false")], at) else {
                kept.append(tokens[at])
                at += 1
                continue
            }
            var depth = 1
            at += 3
            while at < tokens.count, depth > 0 {
                if matches([.mark("#"), .word("if")], at) { depth += 1 }
                if matches([.mark("#"), .word("endif")], at) { depth -= 1 }
                let isBranch = matches([.mark("#"), .word("else")], at) || matches([.mark("#"), .word("elseif")], at)
                if isBranch, depth == 1 { break }
                at += 1
            }
        }
        tokens = kept
    }

    private mutating func removeDisabled() {
        var kept: [Token] = []
        var at = 0
        while at < tokens.count {
            if let end = endOfDisabled(at) {
                at = end
            } else {
                kept.append(tokens[at])
                at += 1
            }
        }
        tokens = kept
    }

    /// The place after a disabled declaration that begins here; `nil` for anything else.
    private func endOfDisabled(_ at: Int) -> Int? {
        if tokens[at] == .word("func") {
            guard let body = tokens[at...].firstIndex(of: .mark("{")) else { return nil }
            let skips = matches([.word("throw"), .word("XCTSkip")], body + 1)
                || matches([.word("try"), .word("XCTSkipIf"), .mark("("), .word("true")], body + 1)
                || matches([.word("try"), .word("XCTSkipUnless"), .mark("("), .word("false")], body + 1)
            return skips ? end(of: body) : nil
        }
        let traits: [Token] = [.word("Test"), .word("Suite")]
        guard tokens[at] == .mark("@"), traits.contains(where: { matches([$0, .mark("(")], at + 1) })
        else { return nil }
        let arguments = at + 2
        let end = end(of: arguments)
        let isDisabled = (arguments..<end).contains { place in
            matches([.mark("."), .word("disabled")], place)
                && !matches([.mark("("), .word("if")], place + 2)
                || matches([.mark("."), .word("enabled"), .mark("("), .word("if"), .mark(":"), .word("false")], place)
        }
        guard isDisabled, let body = tokens[end...].firstIndex(of: .mark("{")) else { return nil }
        return self.end(of: body)
    }

    func matches(_ wanted: [Token], _ at: Int) -> Bool {
        at + wanted.count <= tokens.count && tokens[at..<at + wanted.count].elementsEqual(wanted)
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
