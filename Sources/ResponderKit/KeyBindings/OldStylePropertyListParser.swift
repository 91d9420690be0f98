/// Reads old-style property lists: `{ key = value; }`, `( value, value )`, `"string"`, bare words, `<0fbd>`, with
/// comments of C and C++.
struct OldStylePropertyListParser {
    private var scanner: PropertyListScanner

    static func parse(_ scanner: PropertyListScanner) throws(PropertyListError) -> PropertyList {
        var parser = OldStylePropertyListParser(scanner: scanner)
        try parser.skipBlanks()
        let list = try parser.value(depth: 1)
        try parser.skipBlanks()
        guard parser.scanner.isAtEnd else {
            throw parser.scanner.error(expected: "the end of the file")
        }
        return list
    }

    /// Blanks and comments.
    private mutating func skipBlanks() throws(PropertyListError) {
        while true {
            scanner.skipBlanks()
            if scanner.skip("//") {
                while let scalar = scanner.peek, scalar != "\n", scalar != "\r" { scanner.next() }
            } else if scanner.starts(with: "/*") {
                let begin = scanner.place
                _ = scanner.skip("/*")
                try scanner.skip(over: "*/", toEnd: "comment", at: begin)
            } else {
                return
            }
        }
    }

    private mutating func value(depth: Int) throws(PropertyListError) -> PropertyList {
        let place = scanner.place
        guard depth <= PropertyList.maximumDepth else {
            throw scanner.error(
                expected: "at most \(PropertyList.maximumDepth) parts inside each other", found: "one more")
        }
        switch scanner.peek {
        case "{": return PropertyList(content: .dictionary(try entries(depth: depth)), place: place)
        case "(": return PropertyList(content: .array(try items(depth: depth)), place: place)
        case "\"", "'": return PropertyList(content: .string(try quotedString()), place: place)
        case "<":
            try scanner.skip(over: ">", toEnd: "data", at: place)
            return PropertyList(content: .other("data"), place: place)
        default:
            let word = scanner.take(while: OldStylePropertyListParser.isWord)
            guard !word.isEmpty else { throw scanner.error(expected: "{, (, a string or a word") }
            return PropertyList(content: .string(word), place: place)
        }
    }

    private mutating func entries(depth: Int) throws(PropertyListError) -> [PropertyList.Entry] {
        let begin = scanner.place
        scanner.next()
        var entries: [PropertyList.Entry] = []
        while true {
            try skipBlanks()
            guard !scanner.isAtEnd else {
                throw scanner.error(expected: "} to end the dictionary", at: begin, found: "none before the end")
            }
            if scanner.skip("}") { return entries }
            let key = try value(depth: depth + 1)
            try skipBlanks()
            guard scanner.skip("=") else { throw scanner.error(expected: "= after the key") }
            try skipBlanks()
            entries.append(PropertyList.Entry(key: key, value: try value(depth: depth + 1)))
            try skipBlanks()
            // The last one may do without.
            guard scanner.skip(";") || scanner.peek == "}" else { throw scanner.error(expected: "; after the value") }
        }
    }

    private mutating func items(depth: Int) throws(PropertyListError) -> [PropertyList] {
        let begin = scanner.place
        scanner.next()
        var items: [PropertyList] = []
        while true {
            try skipBlanks()
            guard !scanner.isAtEnd else {
                throw scanner.error(expected: ") to end the array", at: begin, found: "none before the end")
            }
            if scanner.skip(")") { return items }
            items.append(try value(depth: depth + 1))
            try skipBlanks()
            guard scanner.skip(",") || scanner.peek == ")" else { throw scanner.error(expected: ", or ) in the array") }
        }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "A"..."Z", "a"..."z", "0"..."9", "_", "$", "/", ":", ".", "-": true
        default: false
        }
    }

    // MARK: Strings

    private mutating func quotedString() throws(PropertyListError) -> String {
        let begin = scanner.place
        let quote = scanner.next()
        var text = String.UnicodeScalarView()
        /// The first half of a pair of surrogates, as `\Ud83d\Ude00` writes a character.
        var high: UInt32?
        while let scalar = scanner.peek {
            if scalar == quote {
                guard high == nil else { break }
                scanner.next()
                return String(text)
            }
            let place = scanner.place
            scanner.next()
            guard scalar == "\\" else {
                guard high == nil else { throw lone(at: place) }
                text.append(scalar)
                continue
            }
            guard let code = try escape() else { continue }
            if let first = high {
                let whole = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + (code & 0x3FF))
                guard code & 0xFC00 == 0xDC00, let whole else { throw lone(at: place) }
                text.append(whole)
                high = nil
            } else if code & 0xFC00 == 0xD800 {
                high = code
            } else {
                guard let scalar = Unicode.Scalar(code) else { throw lone(at: place) }
                text.append(scalar)
            }
        }
        guard high == nil else { throw lone(at: scanner.place) }
        throw scanner.error(expected: "a closing quote", at: begin, found: "none before the end")
    }

    private func lone(at place: PropertyList.Place) -> PropertyListError {
        scanner.error(expected: "both halves of a pair of surrogates", at: place, found: "one")
    }

    /// The character that follows a backslash; `nil` for a line that goes on.
    private mutating func escape() throws(PropertyListError) -> UInt32? {
        guard let letter = scanner.peek else { throw scanner.error(expected: "an escape") }
        if ("0"..."7").contains(letter) { return try number(radix: 8, digits: 3) }
        scanner.next()
        return switch letter {
        case "\n": nil
        case "U", "u": try number(radix: 16, digits: 4)
        default: OldStylePropertyListParser.escapes[letter] ?? letter.value
        }
    }

    private static let escapes: [Unicode.Scalar: UInt32] = [
        "a": 0x07, "b": 0x08, "f": 0x0C, "n": 0x0A, "r": 0x0D, "t": 0x09, "v": 0x0B,
    ]

    /// Up to so many digits, and at least one.
    private mutating func number(radix: UInt32, digits: Int) throws(PropertyListError) -> UInt32 {
        var value: UInt32 = 0
        var count = 0
        while count < digits, let scalar = scanner.peek, scalar.isASCII,
            let digit = Character(scalar).hexDigitValue, digit < Int(radix)
        {
            value = value * radix + UInt32(digit)
            count += 1
            scanner.next()
        }
        guard count > 0 else { throw scanner.error(expected: "hexadecimal digits after \\U") }
        return value
    }

    private init(scanner: PropertyListScanner) { self.scanner = scanner }
}
