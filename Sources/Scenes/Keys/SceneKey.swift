import ResponderEngine

/// A key of a map in a scene: how its value gets into the description of its owner, from there into the text of a
/// scene, and into the live responder.
struct SceneKey<Owner>: Sendable {
    /// The state of a live responder when it gets a value.
    enum Moment { case isMade, isConfigured, hasChildren }

    typealias Path<Value> = any WritableKeyPath<Owner, Value> & Sendable
    typealias Reading = @Sendable (YAMLValue, YAMLMap, inout Owner) throws(SourceTextError) -> Void

    let name: String
    /// The expected value, for the message about a map without this key; `nil` for a key that may be left out.
    private(set) var required: String?
    /// Reads the value into the owner, with the map that the key is in.
    private(set) var read: Reading
    /// `nil` for what the text of a scene leaves out.
    private(set) var write: @Sendable (Owner) -> String? = { _ in nil }
    private(set) var moment = Moment.isMade
    /// `nil` for a value that the live responder does not get by itself.
    private(set) var apply: (@Sendable (Owner, Responder) -> Void)?

    init(_ name: String, write: @escaping @Sendable (Owner) -> String? = { _ in nil }, read: @escaping Reading) {
        (self.name, self.read, self.write) = (name, read, write)
    }

    /// A property that the text leaves out where its value is `absent`.
    init<Value: Equatable & Sendable>(
        _ name: String, _ path: Path<Value>, _ codec: SceneCodec<Value>, unless absent: Value? = nil,
        required: String? = nil
    ) {
        self.init(name) { owner in
            owner[keyPath: path] == absent ? nil : codec.write?(owner[keyPath: path])
        } read: { value, _, owner throws(SourceTextError) in
            owner[keyPath: path] = try codec.read(value)
        }
        self.required = required
    }

    init<Value: Sendable>(_ name: String, _ path: Path<Value?>, _ codec: SceneCodec<Value>) {
        self.init(name) { owner in
            owner[keyPath: path].flatMap { codec.write?($0) }
        } read: { value, _, owner throws(SourceTextError) in
            owner[keyPath: path] = try codec.read(value)
        }
    }

    /// The key with what follows from its value, or a check of it.
    func then(_ next: @escaping @Sendable (YAMLValue, inout Owner) throws(SourceTextError) -> Void) -> SceneKey {
        var key = self
        key.read = { [read] value, map, owner throws(SourceTextError) in
            try read(value, map, &owner)
            try next(value, &owner)
        }
        return key
    }
}

extension SceneKey where Owner == ResponderDescription {
    /// A key whose value the live responder gets, where there is one. `read` looks at what was read before.
    init<Value: Sendable, Live>(
        _ name: String, _ path: Path<Value?>, when moment: Moment = .isMade,
        read: @escaping @Sendable (YAMLValue, ResponderDescription) throws(SourceTextError) -> Value,
        apply: @escaping @Sendable (Live, Value) -> Void
    ) {
        self.init(name) { value, _, description throws(SourceTextError) in
            description[keyPath: path] = try read(value, description)
        }
        self.moment = moment
        self.apply = { description, responder in
            if let value = description[keyPath: path], let live = responder as? Live { apply(live, value) }
        }
    }

    init<Value: Sendable, Live>(
        _ name: String, _ path: Path<Value?>, _ codec: SceneCodec<Value>, when moment: Moment = .isMade,
        apply: @escaping @Sendable (Live, Value) -> Void
    ) {
        self.init(
            name, path, when: moment, read: { value, _ throws(SourceTextError) in try codec.read(value) }, apply: apply)
        write = { description in description[keyPath: path].flatMap { codec.write?($0) } }
    }

    init<Value: Sendable, Live>(
        _ name: String, _ path: Path<Value?>, _ codec: SceneCodec<Value>, when moment: Moment = .isMade,
        sets property: any ReferenceWritableKeyPath<Live, Value> & Sendable
    ) {
        self.init(name, path, codec, when: moment) { (live: Live, value) in live[keyPath: property] = value }
    }
}

/// Keys of responders of some kinds.
struct SceneKeyGroup: Sendable {
    typealias Check = @Sendable (ResponderDescription, YAMLMap) throws(SourceTextError) -> Void

    /// The kinds in words; `nil` for keys of every kind.
    let owners: String?
    let has: @Sendable (ResponderDescription.Kind) -> Bool
    /// Runs when all keys are read.
    let check: Check
    let keys: [SceneKey<ResponderDescription>]

    init(
        _ owners: String? = nil, _ has: @escaping @Sendable (ResponderDescription.Kind) -> Bool = { _ in true },
        check: @escaping Check = { _, _ in }, @SceneKeyList keys: () -> [SceneKey<ResponderDescription>]
    ) {
        (self.owners, self.has, self.check, self.keys) = (owners, has, check, keys())
    }
}

@resultBuilder enum SceneKeyList {
    static func buildExpression(_ key: SceneKey<ResponderDescription>) -> SceneKey<ResponderDescription> { key }
    static func buildBlock(_ keys: SceneKey<ResponderDescription>...) -> [SceneKey<ResponderDescription>] { keys }
}

extension YAMLMap {
    /// Reads the keys that the map has, in their order.
    mutating func read<Owner>(_ keys: [SceneKey<Owner>], into owner: inout Owner) throws(SourceTextError) {
        for key in keys {
            if let expected = key.required {
                try key.read(try take(required: key.name, expected), self, &owner)
            } else if let value = take(key.name) {
                try key.read(value, self, &owner)
            }
        }
    }
}

extension Array {
    /// The keys and values of an owner as a map in one line.
    func text<Owner>(of owner: Owner) -> String where Element == SceneKey<Owner> {
        "{" + compactMap { key in key.write(owner).map { "\(key.name): \($0)" } }.joined(separator: ", ") + "}"
    }
}

extension ResponderDescription {
    typealias Key = SceneKey<ResponderDescription>

    /// Every key behind `id` and `kind`, in the order in which messages list them.
    static let allKeys: [SceneKeyGroup] = placeKeys + answerKeys + controllerKeys + textKeys + contentKeys + hostedKeys

    private static let keysByKind = Dictionary(
        uniqueKeysWithValues: Kind.allCases.map { kind in (kind, allKeys.filter { $0.has(kind) }) })

    var keyGroups: [SceneKeyGroup] { ResponderDescription.keysByKind[kind] ?? [] }

    /// Gives a live responder what it gets at this moment.
    func apply(to responder: Responder, when moment: Key.Moment) {
        for group in keyGroups {
            for key in group.keys where key.moment == moment { key.apply?(self, responder) }
        }
    }

    /// The keys of these names with their values, where the responder has some.
    func written(_ names: [String]) -> [(key: String, value: String)] {
        let keys = ResponderDescription.allKeys.flatMap(\.keys)
        return names.compactMap { name in
            keys.first { $0.name == name }?.write(self).map { (name, $0) }
        }
    }
}
