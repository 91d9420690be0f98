import KeyModel

/// A property list as far as key binding files use it, with the place of every part for messages.
///
/// Both forms are read: old-style text, as people write it, and XML. Nothing else of a property list has a use here,
/// so numbers, dates and data are kept as what they are called.
public struct PropertyList: Hashable, Sendable {
    public indirect enum Content: Hashable, Sendable {
        case string(String)
        case array([PropertyList])
        /// The entries in the order of the file; keys may occur more than once. A key is a string, or in old-style text
        /// an array (spec KB-8).
        case dictionary([Entry])
        /// A number, date, truth value or data, by the name of its kind.
        case other(String)
    }

    public struct Entry: Hashable, Sendable {
        public var key: PropertyList
        public var value: PropertyList
    }

    /// The beginning of a part, from line 1 and column 1; a column is a Unicode scalar.
    public struct Place: Hashable, Sendable, Comparable {
        public var line: Int
        public var column: Int

        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }

        public static func < (a: Place, b: Place) -> Bool { (a.line, a.column) < (b.line, b.column) }
    }

    public var content: Content
    public var place: Place

    /// The kind of the part, in words.
    public var kindName: String {
        switch content {
        case .string: "a string"
        case .array: "an array"
        case .dictionary: "a dictionary"
        case .other(let name): name
        }
    }

    init(content: Content, place: Place) {
        self.content = content
        self.place = place
    }

    /// More bytes than any dictionary that people write.
    public static let maximumBytes = 1 << 20
    /// Parts inside each other.
    public static let maximumDepth = 32

    /// Reads either form, distinguished by the first character that is no blank: `<` begins XML, and no old-style
    /// dictionary. The text is UTF-8, or UTF-16 with a byte order mark.
    public init(_ bytes: some Collection<UInt8>) throws(PropertyListError) {
        guard bytes.count <= PropertyList.maximumBytes else {
            throw PropertyListError(
                place: Place(line: 1, column: 1), expected: "at most 1 MiB", found: "\(bytes.count) bytes")
        }
        let scalars = try PropertyListScanner.decode(Array(bytes))
        var scanner = PropertyListScanner(scalars)
        scanner.skipBlanks()
        if scanner.peek == "<" {
            self = try XMLPropertyListParser.parse(scanner)
        } else {
            self = try OldStylePropertyListParser.parse(scanner)
        }
    }
}

/// The reason why a property list could not be read, and the place.
public struct PropertyListError: Error, Hashable, Sendable, CustomStringConvertible {
    public var place: PropertyList.Place
    public var expected: String
    public var found: String
    /// The remedy, where that is not obvious.
    public var remedy: String?

    /// `line N, column M: expected …, found …`, and the remedy after `; `.
    public var description: String {
        let help = remedy.map { "; \($0)" } ?? ""
        return "line \(place.line), column \(place.column): expected \(expected), found \(found)\(help)"
    }

    /// Text of a file in a message: in quotes, hidden characters as escapes, cut after 60 characters.
    package static func quoted(_ text: String) -> String {
        let shown = VisibleText.escaped(String(text.unicodeScalars.prefix(60)))
        return text.unicodeScalars.dropFirst(60).isEmpty ? "\"\(shown)\"" : "\"\(shown)…\""
    }
}

/// The scalars of a file, one after the other, with the place of the next.
struct PropertyListScanner {
    private let scalars: [Unicode.Scalar]
    private var at = 0
    private(set) var place = PropertyList.Place(line: 1, column: 1)

    init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    /// The text of a file. Bytes that are not UTF-8 are an error at their place.
    static func decode(_ bytes: [UInt8]) throws(PropertyListError) -> [Unicode.Scalar] {
        if bytes.starts(with: Array("bplist".utf8)) {
            throw PropertyListError(
                place: PropertyList.Place(line: 1, column: 1), expected: "a property list as text or XML",
                found: "a binary one", remedy: "convert it with plutil -convert xml1")
        }
        let isBig = bytes.starts(with: [0xFE, 0xFF])
        if isBig || bytes.starts(with: [0xFF, 0xFE]) {
            let units = stride(from: 2, to: bytes.count - 1, by: 2).map { (at: Int) -> UInt16 in
                let (first, second) = (UInt16(bytes[at]), UInt16(bytes[at + 1]))
                return isBig ? first << 8 | second : second << 8 | first
            }
            return Array(String(decoding: units, as: UTF16.self).unicodeScalars)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        var scalars = Array(text.unicodeScalars)
        if !text.utf8.elementsEqual(bytes) {
            let wrong = zip(text.utf8, bytes).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? 0
            var place = PropertyList.Place(line: 1, column: 1)
            for scalar in String(decoding: bytes.prefix(wrong), as: UTF8.self).unicodeScalars {
                place.advance(over: scalar)
            }
            throw PropertyListError(place: place, expected: "UTF-8 text", found: "bytes that are not UTF-8")
        }
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        return scalars
    }

    var peek: Unicode.Scalar? { at < scalars.count ? scalars[at] : nil }
    var isAtEnd: Bool { at >= scalars.count }

    @discardableResult
    mutating func next() -> Unicode.Scalar? {
        guard at < scalars.count else { return nil }
        defer { at += 1 }
        place.advance(over: scalars[at])
        return scalars[at]
    }

    func starts(with text: String) -> Bool {
        var here = at
        for scalar in text.unicodeScalars {
            guard here < scalars.count, scalars[here] == scalar else { return false }
            here += 1
        }
        return true
    }

    /// Skips the text if it is next.
    mutating func skip(_ text: String) -> Bool {
        guard starts(with: text) else { return false }
        for _ in text.unicodeScalars { next() }
        return true
    }

    /// Skips up to and over the text that ends what began at `begin`.
    mutating func skip(over text: String, toEnd what: String, at begin: PropertyList.Place) throws(PropertyListError) {
        while !skip(text) {
            guard next() != nil else {
                throw error(expected: "\(text) to end the \(what)", at: begin, found: "none before the end")
            }
        }
    }

    mutating func skipBlanks() { while let scalar = peek, PropertyListScanner.isBlank(scalar) { next() } }

    mutating func take(while belongs: (Unicode.Scalar) -> Bool) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = peek, belongs(scalar) {
            text.append(scalar)
            next()
        }
        return String(text)
    }

    static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0x20 || (scalar.value >= 0x09 && scalar.value <= 0x0D)
    }

    func error(expected: String, at place: PropertyList.Place? = nil, found: String? = nil) -> PropertyListError {
        let found = found ?? peek.map { PropertyListError.quoted(String($0)) } ?? "the end of the file"
        return PropertyListError(place: place ?? self.place, expected: expected, found: found)
    }
}

extension PropertyList.Place {
    fileprivate mutating func advance(over scalar: Unicode.Scalar) {
        if scalar == "\n" {
            line += 1
            column = 1
        } else {
            column += 1
        }
    }
}
