extension ResponderDescription {
    static func read(_ value: YAMLValue) throws(SourceTextError) -> ResponderDescription {
        var map = try value.map("a responder such as {id: vc, kind: viewController}")
        let id = try map.take(required: "id", "the responder's name").name("the responder's name")
        let kind = try map.take(required: "kind", "one of \(kindNames)").choice(Kind.self)
        var responder = ResponderDescription(id: id, kind: kind)
        responder.line = value.line
        for group in responder.keyGroups {
            try map.read(group.keys, into: &responder)
            try group.check(responder, map)
        }
        try map.finish { ResponderDescription.explain($0, kind) }
        return responder
    }

    static var kindNames: String { Kind.allCases.map(\.rawValue).joined(separator: ", ") }

    /// The reason why a key does not belong to a responder of this kind.
    private static func explain(_ key: String, _ kind: Kind) -> String? {
        let group = allKeys.first { $0.keys.contains { $0.name == key } }
        return group?.owners.map { "\(key), a key of \($0), on a \(kind.rawValue)" }
    }
}
