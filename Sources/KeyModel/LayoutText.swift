/// The text form of a layout, in which layouts are shipped and stored in traces. The same layout always gives the same
/// text.
///
///     layout fr
///     key 04 caps U+0071 U+0051 - -
///     key 2f dead_circumflex dead_diaeresis - -
///     compose dead_circumflex U+0065 = U+00EA
///
/// A text is its scalars joined by `,`; `-` is no symbol; keys ascend by usage, `compose` lines by their text. Under
/// Caps Lock, `caps` swaps levels 1 and 2, and 3 and 4; `lock` gives 2 for 1, and 4 for 3; `baselock` gives 2 for 1;
/// `optionlock` gives 4 for 3; `capital` gives the capital of 1.
/// `command 1a U+0077 U+0057` has a key's characters under Command, without and with Shift, where they differ from
/// those that it types.
extension Layout {
    public var text: String {
        var lines = ["layout \(name)"]
        for (usage, key) in keys.sorted(by: { $0.key < $1.key }) {
            let symbols = key.symbols.map(Layout.word).joined(separator: " ")
            let effect = key.capsLock == .none ? "" : key.capsLock.rawValue + " "
            lines.append("key \(usage.hexadecimal(2)) \(effect)\(symbols)")
        }
        for (usage, texts) in commandLevel.sorted(by: { $0.key < $1.key }) {
            let words = [texts.plain, texts.shifted].map { $0.isEmpty ? "-" : Layout.word(.text($0)) }
            lines.append("command \(usage.hexadecimal(2)) \(words.joined(separator: " "))")
        }
        lines += compose.map { sequence, result in
            "compose \(sequence.map(Layout.word).joined(separator: " ")) = \(Layout.word(.text(result)))"
        }.sorted()
        return lines.joined(separator: "\n") + "\n"
    }

    /// A stable hash of the text form.
    public var hash: UInt64 {
        var hash = StableHash()
        hash.combine(text)
        return hash.value
    }

    /// The line and the reason of an error in a layout text.
    public struct ParseError: Error, Hashable, Sendable {
        /// 1-based.
        public var line: Int
        public var expected: String
        public var found: String
    }

    public init(text: String) throws(ParseError) {
        var layout: Layout?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(separator: " ").map(String.init)
            guard let kind = words.first, !kind.hasPrefix("#") else { continue }
            let number = index + 1
            if kind == "layout", layout == nil, words.count == 2 {
                layout = Layout(name: words[1])
            } else if layout != nil, kind == "key" {
                try layout!.read(key: words.dropFirst(), line: number)
            } else if layout != nil, kind == "command" {
                try layout!.read(command: words.dropFirst(), line: number)
            } else if layout != nil, kind == "compose" {
                try layout!.read(compose: words.dropFirst(), line: number)
            } else {
                let expected = "layout NAME, then key, command and compose lines"
                throw ParseError(line: number, expected: expected, found: String(line))
            }
        }
        guard let layout else { throw ParseError(line: 1, expected: "layout NAME", found: "nothing") }
        self = layout
    }

    private mutating func read(key words: ArraySlice<String>, line: Int) throws(ParseError) {
        var rest = words
        guard let code = rest.popFirst(), let usage = UInt16(code, radix: 16), keys[usage] == nil else {
            throw ParseError(line: line, expected: "a new usage in hexadecimal", found: words.first ?? "nothing")
        }
        let effect = rest.first.flatMap { CapsLockEffect(rawValue: $0) } ?? .none
        if effect != .none { rest = rest.dropFirst() }
        guard rest.count == 4 else {
            throw ParseError(line: line, expected: "four levels", found: "\(rest.count)")
        }
        var symbols: [Symbol] = []
        for word in rest { symbols.append(try Layout.symbol(word, line: line)) }
        keys[usage] = Key(symbols: symbols, capsLock: effect)
    }

    private mutating func read(command words: ArraySlice<String>, line: Int) throws(ParseError) {
        let list = Array(words)
        guard list.count == 3, let usage = UInt16(list[0], radix: 16), commandLevel[usage] == nil else {
            let found = list.joined(separator: " ")
            throw ParseError(line: line, expected: "command USAGE PLAIN SHIFTED, each usage once", found: found)
        }
        var texts: [String] = []
        for word in list.dropFirst() {
            switch try Layout.symbol(word, line: line) {
            case .none: texts.append("")
            case .text(let text): texts.append(text)
            case .dead: throw ParseError(line: line, expected: "a text or -", found: word)
            }
        }
        commandLevel[usage] = CommandTexts(plain: texts[0], shifted: texts[1])
    }

    private mutating func read(compose words: ArraySlice<String>, line: Int) throws(ParseError) {
        let list = Array(words)
        guard list.count >= 4, list[list.count - 2] == "=",
            case .text(let result) = try Layout.symbol(list[list.count - 1], line: line)
        else {
            let found = list.joined(separator: " ")
            throw ParseError(line: line, expected: "compose SYMBOL SYMBOL … = TEXT", found: found)
        }
        var sequence: [Symbol] = []
        for word in list.dropLast(2) { sequence.append(try Layout.symbol(word, line: line)) }
        compose[sequence] = result
    }

    private static func word(_ symbol: Symbol) -> String {
        switch symbol {
        case .none: "-"
        case .dead(let name): name
        case .text(let text):
            text.unicodeScalars.map { scalar in
                let code = String(scalar.value, radix: 16, uppercase: true)
                return "U+" + String(repeating: "0", count: max(0, 4 - code.utf8.count)) + code
            }.joined(separator: ",")
        }
    }

    private static func symbol(_ word: String, line: Int) throws(ParseError) -> Symbol {
        if word == "-" { return .none }
        if word.hasPrefix("dead_") { return .dead(word) }
        var text = String.UnicodeScalarView()
        for part in word.split(separator: ",", omittingEmptySubsequences: false) {
            guard part.hasPrefix("U+"), let code = UInt32(part.dropFirst(2), radix: 16),
                let scalar = Unicode.Scalar(code)
            else { throw ParseError(line: line, expected: "U+XXXX, dead_NAME or -", found: word) }
            text.append(scalar)
        }
        return .text(String(text))
    }
}
