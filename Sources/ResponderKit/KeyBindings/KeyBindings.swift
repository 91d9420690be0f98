import KeyModel
public import ResponderEngine

/// The contents of key binding dictionaries, which bind keys in text: one tree of keys and modifiers for both dialects
/// (spec §10).
///
/// Attach it to a text field or view. A binding replaces what text does with the key; what is not bound stays as it
/// is. Later files win over earlier ones.
///
///     let bindings = try KeyBindings(bytes, file: "DefaultKeyBinding.dict")
///     textView.keyBindings = bindings
public struct KeyBindings: Sendable {
    /// One step of a binding; the steps are done in order.
    public enum Operation: Hashable, Sendable {
        case perform(Selector)
        case insert(String)

        /// The action performed, which is `insertText:` for a text.
        public var action: Selector {
            switch self {
            case .perform(let action): action
            case .insert: "insertText:"
            }
        }
    }

    /// The place where a binding was read.
    public struct Source: Hashable, Sendable {
        public var file: String
        public var line: Int

        public init(file: String, line: Int) {
            self.file = file
            self.line = line
        }
    }

    /// Something in a file that is not taken over, and why (spec KB-6).
    public struct Skipped: Hashable, Sendable, CustomStringConvertible {
        public var file: String
        public var place: PropertyList.Place
        public var reason: String

        /// `FILE: line N, column M: skipped: …`.
        public var description: String {
            "\(file): line \(place.line), column \(place.column): skipped: \(reason)"
        }
    }

    /// A key that does something.
    public struct Binding: Hashable, Sendable {
        /// Empty where the key is disabled.
        public var operations: [Operation]
        public var source: Source
    }

    /// The keys that may follow those before.
    struct Table: Hashable, Sendable {
        var entries: [BoundKey: Entry] = [:]
        var source = Source(file: "", line: 0)
    }

    indirect enum Entry: Hashable, Sendable {
        case binding(Binding)
        case table(Table)
    }

    var root = Table()
    /// The skipped parts in the order of the files.
    public private(set) var skipped: [Skipped] = []

    /// The next stroke after it is literal (`GSQuoteKey`, spec KB-9).
    public var quoteKey = BoundKey(modifiers: .control, scalar: "q")
    /// It forgets the strokes of a sequence that is not whole yet (`GSAbortKey`, spec KB-9).
    public var abortKey = BoundKey(modifiers: .control, scalar: "g")
    /// A literal key with Control inserts its control character instead of a beep (`GSInsertControlKeystrokes`).
    public var insertsControlKeystrokes = false

    public init() {}

    /// Reads a file: an old-style or XML property list whose keys are of either dialect. What cannot be understood in
    /// it is left out and reported in `skipped`.
    ///
    /// - Throws: what keeps the file from being a property list, or a dictionary.
    public init(_ bytes: some Collection<UInt8>, file: String) throws(KeyBindingFileError) {
        let list: PropertyList
        do { list = try PropertyList(bytes) } catch { throw KeyBindingFileError(file: file, error: error) }
        guard case .dictionary(let entries) = list.content else {
            throw KeyBindingFileError(
                file: file,
                error: PropertyListError(
                    place: list.place, expected: "a dictionary of key bindings", found: list.kindName))
        }
        var reader = KeyBindingReader(file: file)
        root = reader.table(entries, at: list.place, dialect: nil)
        skipped = reader.skipped
    }

    /// Adds the bindings of a file that comes later: they win, tables are merged (spec KB-5, KB-8).
    public mutating func merge(_ later: KeyBindings) {
        root.merge(later.root)
        skipped += later.skipped
        quoteKey = later.quoteKey
        abortKey = later.abortKey
        insertsControlKeystrokes = later.insertsControlKeystrokes
    }

    public var isEmpty: Bool { root.entries.isEmpty }

    /// Some sequence has a key that types text, without ⌘ and ⌃.
    package var hasBareKeys: Bool {
        all.contains { $0.keys.contains { TextKeyClass.isBareKey(String($0.scalar), $0.modifiers) } }
    }

    /// Every binding with the keys that lead to it, in a fixed order.
    public var all: [(keys: [BoundKey], binding: Binding)] { root.all(after: []) }

    /// The binding of a sequence of keys.
    public subscript(keys: BoundKey...) -> Binding? {
        var table = root
        for (place, key) in keys.enumerated() {
            switch table.entries[key] {
            case .binding(let binding)?: return place == keys.count - 1 ? binding : nil
            case .table(let inner)?: table = inner
            case nil: return nil
            }
        }
        return nil
    }
}

extension KeyBindings.Table {
    /// Puts a value under a sequence of keys. A table merges into a table; whatever else was there gives way.
    mutating func set(_ entry: KeyBindings.Entry, for keys: ArraySlice<BoundKey>) {
        guard let first = keys.first else { return }
        let rest = keys.dropFirst()
        if rest.isEmpty {
            if case .table(let new) = entry, case .table(var old)? = entries[first] {
                old.merge(new)
                entries[first] = .table(old)
            } else {
                entries[first] = entry
            }
            return
        }
        var inner = KeyBindings.Table(source: source)
        if case .table(let old)? = entries[first] { inner = old }
        inner.set(entry, for: rest)
        entries[first] = .table(inner)
    }

    mutating func merge(_ later: KeyBindings.Table) {
        for (key, entry) in later.entries { set(entry, for: [key]) }
        source = later.source
    }

    fileprivate func all(after keys: [BoundKey]) -> [(keys: [BoundKey], binding: KeyBindings.Binding)] {
        entries.sorted { BoundKey.order($0.key, $1.key) }.flatMap { key, entry in
            switch entry {
            case .binding(let binding): [(keys + [key], binding)]
            case .table(let inner): inner.all(after: keys + [key])
            }
        }
    }
}

extension BoundKey {
    static func order(_ a: BoundKey, _ b: BoundKey) -> Bool {
        (a.scalar.value, a.modifiers.rawValue) < (b.scalar.value, b.modifiers.rawValue)
    }
}

/// The reason why a key binding file could not be read.
public struct KeyBindingFileError: Error, Hashable, Sendable, CustomStringConvertible {
    public var file: String
    public var error: PropertyListError

    /// `FILE: line N, column M: expected …, found …`, and the remedy after `; `.
    public var description: String { "\(file): \(error)" }
}
