import KeyModel
import ResponderEngine

/// The place of a value in a scene, as keys and indices from the top; rendered only for messages.
indirect enum YAMLPath {
    case top
    case key(String, YAMLPath)
    case index(Int, YAMLPath)

    var text: String {
        switch self {
        case .top: ""
        case .key(let key, .top): key
        case .key(let key, let parent): "\(parent.text).\(key)"
        case .index(let index, let parent): "\(parent.text)[\(index)]"
        }
    }
}

/// A value of a scene file that knows its place. Every read names the place when the value is another one.
struct YAMLValue {
    let node: YAMLNode
    let path: YAMLPath
    let file: String

    var line: Int { node.line }

    /// Parses a document. The text has passed `YAMLGuard`.
    static func document(_ text: String, file: String) throws(SourceTextError) -> YAMLValue? {
        try YAMLNode.document(text, file: file).map { YAMLValue(node: $0, path: .top, file: file) }
    }

    // MARK: Scalars

    /// True for `null`, `~` and an empty plain value.
    var isNull: Bool {
        guard let scalar = node.scalar, scalar.isPlain else { return false }
        return scalar.string.isEmpty || scalar.string == "null" || scalar.string == "~"
    }

    func string(_ expected: String = "a text") throws(SourceTextError) -> String {
        guard let scalar = node.scalar, !isNull else { throw error(expected) }
        return scalar.string
    }

    /// A text with at least one character.
    func name(_ expected: String = "a name") throws(SourceTextError) -> String {
        let name = try string(expected)
        guard !name.isEmpty else { throw error(expected) }
        return name
    }

    func selector() throws(SourceTextError) -> String {
        let expected = "a selector such as closeTab:"
        let name = try name(expected)
        guard Selector(name).isValid else { throw error(expected) }
        return name
    }

    func bool() throws(SourceTextError) -> Bool {
        guard let scalar = node.scalar, scalar.isPlain, let value = Bool(scalar.string) else {
            throw error("true or false")
        }
        return value
    }

    func integer(in range: ClosedRange<Int>, _ expected: String) throws(SourceTextError) -> Int {
        guard let scalar = node.scalar, scalar.isPlain, let value = Int(scalar.string),
            range.contains(value)
        else { throw error(expected) }
        return value
    }

    /// A number with at most three decimals, times 1000.
    func thousandths(_ expected: String) throws(SourceTextError) -> Int {
        guard let scalar = node.scalar, scalar.isPlain else { throw error(expected) }
        let parts = scalar.string.split(separator: ".", omittingEmptySubsequences: false)
        let digits = parts.count == 2 ? parts[1] : ""
        guard let first = parts.first, parts.count <= 2, digits.utf8.count <= 3, parts.count == 1 || !digits.isEmpty,
            (first + digits).utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
            let value = Int(first + digits + String(repeating: "0", count: 3 - digits.utf8.count)),
            (1...1_000_000).contains(value)
        else { throw error(expected) }
        return value
    }

    func duration() throws(SourceTextError) -> TraceDuration {
        let expected = "a duration such as 120us (an integer and ns, us, ms or s)"
        guard let scalar = node.scalar, let value = TraceDuration(text: scalar.string) else {
            throw error(expected)
        }
        return value
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _: Choice.Type
    ) throws(SourceTextError) -> Choice where Choice.RawValue == String {
        if let scalar = node.scalar, !isNull, let choice = Choice(rawValue: scalar.string) { return choice }
        throw error("one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
    }

    // MARK: Collections

    func list(_ expected: String = "a list") throws(SourceTextError) -> [YAMLValue] {
        guard case .sequence(let sequence) = node.content else { throw error(expected) }
        return sequence.enumerated().map { YAMLValue(node: $1, path: .index($0, path), file: file) }
    }

    func list<Element>(
        _ expected: String = "a list", _ read: (YAMLValue) throws(SourceTextError) -> Element
    ) throws(SourceTextError) -> [Element] {
        try list(expected).map(read)
    }

    func map(_ expected: String = "a map") throws(SourceTextError) -> YAMLMap {
        guard case .mapping(let mapping) = node.content else { throw error(expected) }
        return try YAMLMap(mapping, at: self)
    }

    /// The entries of a map whose keys are names, in the order of the file.
    func entries(_ expected: String) throws(SourceTextError) -> [(key: YAMLValue, value: YAMLValue)] {
        guard case .mapping(let mapping) = node.content else { throw error(expected) }
        return mapping.map { key, value in
            let name = key.scalar?.string ?? ""
            return (
                YAMLValue(node: key, path: .key(name, path), file: file),
                YAMLValue(node: value, path: .key(name, path), file: file)
            )
        }
    }

    /// The entries of a map with their names.
    func named<Element>(
        _ expected: String, _ name: (YAMLValue) throws(SourceTextError) -> String,
        _ read: (YAMLValue) throws(SourceTextError) -> Element
    ) throws(SourceTextError) -> [Named<Element>] {
        try entries(expected).map { key, value throws(SourceTextError) in Named(try name(key), try read(value)) }
    }

    /// Lists by the names of variants, which are others than the name of the first list.
    func variants<Element>(
        _ what: String, besides first: String, _ unit: String, _ read: (YAMLValue) throws(SourceTextError) -> [Element]
    ) throws(SourceTextError) -> [Named<[Element]>] {
        try entries("a map from a variant's name to its \(what)").map { key, list throws(SourceTextError) in
            let name = try key.name("a variant's name")
            guard name != first else {
                throw key.error("another name", found: "\(first), which names the first \(unit)")
            }
            return Named(name, list.isNull ? [] : try read(list))
        }
    }

    // MARK: Messages

    func error(_ expected: String, found: String? = nil) -> SourceTextError {
        SourceTextError(file: file, line: line, subject: path.text, expected: expected, found: found ?? shown)
    }

    private var shown: String {
        switch node.content {
        case .scalar(let scalar): isNull ? "nothing" : SourceTextError.quoted(scalar.string)
        case .mapping: "a map"
        case .sequence: "a list"
        }
    }
}

/// A map of a scene file. Keys that are not taken are errors.
struct YAMLMap {
    let value: YAMLValue
    private var entries: [String: (key: YAMLNode, value: YAMLNode)] = [:]
    private var asked: [String] = []
    private var taken = 0

    init(_ mapping: [(key: YAMLNode, value: YAMLNode)], at value: YAMLValue) throws(SourceTextError) {
        self.value = value
        entries.reserveCapacity(mapping.count)
        for (key, entry) in mapping {
            guard let scalar = key.scalar else {
                throw YAMLValue(node: key, path: value.path, file: value.file).error("a key that is a name")
            }
            entries[scalar.string] = (key, entry)
        }
    }

    var line: Int { value.line }

    /// The value of a key, `nil` where the map has none.
    subscript(key: String) -> YAMLValue? {
        entries[key].map { YAMLValue(node: $0.value, path: .key(key, value.path), file: value.file) }
    }

    mutating func take(_ key: String) -> YAMLValue? {
        asked.append(key)
        let found = self[key]
        if found != nil { taken += 1 }
        return found
    }

    mutating func take(required key: String, _ expected: String) throws(SourceTextError) -> YAMLValue {
        if let found = take(key) { return found }
        throw SourceTextError(
            file: value.file, line: line, subject: YAMLPath.key(key, value.path).text, expected: expected,
            found: "no such key",
            remedy: EditDistance.nearest(to: key, among: Array(rest.keys)).map { "\($0) may have to be \(key)" })
    }

    /// The keys that were not taken.
    private var rest: [String: (key: YAMLNode, value: YAMLNode)] { entries.filter { !asked.contains($0.key) } }

    /// Throws for the first key that was not taken; `explain` may return why it does not belong here.
    func finish(_ explain: (String) -> String? = { _ in nil }) throws(SourceTextError) {
        guard taken < entries.count else { return }
        let first = rest.min { order($0.value.key) < order($1.value.key) }
        guard let (name, entry) = first else { return }
        throw SourceTextError(
            file: value.file, line: entry.key.line, subject: YAMLPath.key(name, value.path).text,
            expected: "one of the keys \(asked.joined(separator: ", "))",
            found: explain(name) ?? "the unknown key \(SourceTextError.quoted(name))",
            remedy: EditDistance.nearest(to: name, among: asked).map { "it may have to be \($0)" })
    }

    private func order(_ key: YAMLNode) -> (Int, Int) { (key.line, key.column) }
}
