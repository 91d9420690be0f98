/// Reads XML property lists: the elements of Apple's document type, its five entities and numbered ones. A document
/// type with definitions of its own is refused, so that nothing expands.
struct XMLPropertyListParser {
    private var scanner: PropertyListScanner

    private struct Tag {
        var name: String
        /// `<name/>`
        var isEmpty: Bool
        var isEnd: Bool
        var place: PropertyList.Place
    }

    static func parse(_ scanner: PropertyListScanner) throws(PropertyListError) -> PropertyList {
        var parser = XMLPropertyListParser(scanner: scanner)
        var tag = try parser.tag("<plist> or <dict>")
        let isWrapped = tag.name == "plist" && !tag.isEnd && !tag.isEmpty
        if isWrapped { tag = try parser.tag("an element such as <dict>") }
        let list = try parser.element(tag, depth: 1)
        if isWrapped { try parser.end(of: "plist") }
        try parser.skipMarkup()
        guard parser.scanner.isAtEnd else { throw parser.scanner.error(expected: "the end of the file") }
        return list
    }

    private init(scanner: PropertyListScanner) { self.scanner = scanner }

    /// Blanks, comments, instructions and the document type.
    private mutating func skipMarkup() throws(PropertyListError) {
        while true {
            scanner.skipBlanks()
            let begin = scanner.place
            if scanner.skip("<!--") {
                try scanner.skip(over: "-->", toEnd: "comment", at: begin)
            } else if scanner.skip("<?") {
                try scanner.skip(over: "?>", toEnd: "instruction", at: begin)
            } else if scanner.skip("<!DOCTYPE") {
                _ = scanner.take { $0 != ">" && $0 != "[" }
                guard scanner.skip(">") else { throw scanner.error(expected: "> to end the document type") }
            } else {
                return
            }
        }
    }

    private mutating func tag(_ expected: String) throws(PropertyListError) -> Tag {
        try skipMarkup()
        let place = scanner.place
        guard scanner.skip("<") else { throw scanner.error(expected: expected) }
        let isEnd = scanner.skip("/")
        let name = scanner.take(while: XMLPropertyListParser.isName)
        guard !name.isEmpty else { throw scanner.error(expected: expected, at: place, found: "a tag without a name") }
        let attributes = scanner.take { $0 != ">" && $0 != "<" }
        guard scanner.skip(">") else { throw scanner.error(expected: "> to end the tag <\(name)", at: place) }
        return Tag(name: name, isEmpty: !isEnd && attributes.hasSuffix("/"), isEnd: isEnd, place: place)
    }

    private mutating func end(of name: String) throws(PropertyListError) {
        let found = try tag("</\(name)>")
        guard found.isEnd, found.name == name else { throw wrong(found, expected: "</\(name)>") }
    }

    private static func isName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "A"..."Z", "a"..."z", "0"..."9", "_": true
        default: false
        }
    }

    private func wrong(_ tag: Tag, expected: String) -> PropertyListError {
        scanner.error(expected: expected, at: tag.place, found: "<\(tag.isEnd ? "/" : "")\(shown(tag.name))>")
    }

    private func shown(_ name: String) -> String { String(name.prefix(60)) }

    private mutating func element(_ tag: Tag, depth: Int) throws(PropertyListError) -> PropertyList {
        guard depth <= PropertyList.maximumDepth else {
            throw scanner.error(
                expected: "at most \(PropertyList.maximumDepth) parts inside each other", at: tag.place,
                found: "one more")
        }
        guard !tag.isEnd else { throw wrong(tag, expected: "an element such as <string>") }
        let content: PropertyList.Content
        switch tag.name {
        case "dict": content = .dictionary(tag.isEmpty ? [] : try entries(depth: depth))
        case "array": content = .array(tag.isEmpty ? [] : try items(depth: depth))
        case "string": content = .string(tag.isEmpty ? "" : try text(of: tag.name))
        case "true", "false":
            if !tag.isEmpty { try end(of: tag.name) }
            content = .other("a truth value")
        case "integer", "real", "date", "data":
            if !tag.isEmpty { _ = try text(of: tag.name) }
            content = .other(tag.name == "integer" || tag.name == "real" ? "a number" : "a \(tag.name)")
        default: throw wrong(tag, expected: "dict, array, string, integer, real, true, false, date or data")
        }
        return PropertyList(content: content, place: tag.place)
    }

    private mutating func entries(depth: Int) throws(PropertyListError) -> [PropertyList.Entry] {
        var entries: [PropertyList.Entry] = []
        while true {
            let tag = try tag("<key> or </dict>")
            if tag.isEnd, tag.name == "dict" { return entries }
            guard tag.name == "key", !tag.isEnd else { throw wrong(tag, expected: "<key> or </dict>") }
            let name = tag.isEmpty ? "" : try text(of: "key")
            let value = try element(try self.tag("the value of the key"), depth: depth + 1)
            entries.append(
                PropertyList.Entry(key: PropertyList(content: .string(name), place: tag.place), value: value))
        }
    }

    private mutating func items(depth: Int) throws(PropertyListError) -> [PropertyList] {
        var items: [PropertyList] = []
        while true {
            let tag = try tag("an element or </array>")
            if tag.isEnd, tag.name == "array" { return items }
            items.append(try element(tag, depth: depth + 1))
        }
    }

    /// The text up to the end tag, which is taken as well.
    private mutating func text(of name: String) throws(PropertyListError) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = scanner.peek {
            let place = scanner.place
            if scanner.skip("<![CDATA[") {
                while !scanner.starts(with: "]]>"), let next = scanner.next() { text.append(next) }
                guard scanner.skip("]]>") else {
                    throw scanner.error(expected: "]]> to end the section", at: place, found: "none before the end")
                }
            } else if scanner.skip("<!--") {
                try scanner.skip(over: "-->", toEnd: "comment", at: place)
            } else if scalar == "<" {
                try end(of: name)
                return String(text)
            } else if scalar == "&" {
                text.append(try entity())
            } else {
                scanner.next()
                text.append(scalar)
            }
        }
        throw scanner.error(expected: "</\(name)>")
    }

    private static let entities: [String: Unicode.Scalar] = [
        "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'",
    ]

    private mutating func entity() throws(PropertyListError) -> Unicode.Scalar {
        let place = scanner.place
        scanner.next()
        let name = scanner.take { $0 == "#" || XMLPropertyListParser.isName($0) }
        guard scanner.skip(";"), let scalar = XMLPropertyListParser.scalar(named: name) else {
            throw scanner.error(
                expected: "&lt; &gt; &amp; &quot; &apos; or a number such as &#x1B;", at: place,
                found: PropertyListError.quoted("&" + name))
        }
        return scalar
    }

    private static func scalar(named name: String) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return entities[name] }
        let isHexadecimal = name.hasPrefix("#x") || name.hasPrefix("#X")
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        guard (1...8).contains(digits.count) else { return nil }
        return UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
    }
}
