public import ResponderEngine

extension Scene {
    /// Reads a scene. `file` is the path for messages.
    public init(_ bytes: some Collection<UInt8>, file: String) throws(SourceTextError) {
        guard bytes.count <= Scene.maximumBytes else {
            throw SourceTextError(
                file: file, line: 1, subject: "scene", expected: "at most 1 MiB", found: "\(bytes.count) bytes")
        }
        try self.init(text: try SourceText.decode(bytes, file: file), file: file)
    }

    public init(text: String, file: String) throws(SourceTextError) {
        guard text.utf8.count <= Scene.maximumBytes else {
            throw SourceTextError(
                file: file, line: 1, subject: "scene", expected: "at most 1 MiB", found: "\(text.utf8.count) bytes")
        }
        try YAMLGuard.check(text, file: file)
        guard let document = try YAMLValue.document(text, file: file), !document.isNull else {
            throw SourceTextError(
                file: file, line: 1, subject: "scene", expected: "scene: 1", found: "an empty document")
        }
        self.init(file: file, name: Scene.baseName(file))
        var map = try document.map("a map that begins with scene: 1")
        let version = try map.take(required: "scene", "version 1")
        guard try version.integer(in: 0...Int.max, "version 1") == 1 else { throw version.error("version 1") }
        if let value = map.take("name") { name = try value.name() }
        if let value = map.take("profile") {
            let named = try value.name(Scene.profileExpected)
            guard Scene.mayName(profile: named) else { throw value.error(Scene.profileExpected) }
            (profile, profileLine) = (named, value.line)
        }
        if let value = map.take("parameters") { parameters = try Scene.readParameters(value) }
        if let value = map.take("layout") {
            layout = try value.name("a layout such as us or us:dvorak")
            layoutLine = value.line
        }
        if let value = map.take("direction") { direction = try value.choice(KeyboardEngine.LayoutDirection.self) }
        if let value = map.take("device") { device = try value.choice(Device.self) }
        if let value = map.take("focusSystem") { focusSystem = try value.bool() }
        if let value = map.take("softwareKeyboard") { softwareKeyboard = try SoftwareKeyboardDescription.read(value) }
        let list = try map.take(required: "responders", "the list of responders").list("a list of responders")
        let first = map.take("firstResponder")
        if let first, !first.isNull { firstResponder = try first.name("the id of a responder, or null") }
        if let value = map.take("mainMenu") { mainMenu = try MenuDescription.readBar(value) }
        if let value = map.take("mainMenuVariants") {
            mainMenuVariants = try value.variants("menus", besides: "mainMenu", "menus", MenuDescription.readBar)
        }
        try map.finish()

        responders.reserveCapacity(list.count)
        for value in list { responders.append(try ResponderDescription.read(value)) }
        guard !responders.isEmpty else {
            throw SourceTextError(
                file: file, line: map.line, subject: "responders", expected: "at least one responder", found: "none")
        }
        _ = try SceneLinks(self) { place in
            switch place {
            case .scene(let key): key == "firstResponder" ? first?.line ?? 1 : 1
            case .responder(let index, let key, let item): Scene.line(of: key, item, in: list[index])
            }
        }
    }

    /// The line of a key, or of an item of its list, for a message about what it refers to.
    private static func line(of key: String, _ item: Int?, in responder: YAMLValue) -> Int {
        guard case .mapping(let mapping) = responder.node.content,
            let entry = mapping.first(where: { $0.key.scalar?.string == key })
        else { return responder.line }
        let line = entry.key.line
        switch (item, entry.value.content) {
        case (let item?, .sequence(let items)): return items.count > item ? items[item].line : line
        case (let item?, .mapping(let items)):
            return items.count > item ? items[item].key.line : line
        default: return line
        }
    }

    private static func baseName(_ file: String) -> String {
        var name = file.split(separator: "/").last.map(String.init) ?? file
        for ending in [".yaml", ".scene"] where name.hasSuffix(ending) { name.removeLast(ending.count) }
        return name
    }

    static let profileExpected = "one of \(Profile.shippedNames.joined(separator: ", ")), or the path of a profile file"

    /// A shipped profile, or a path: something with a slash or a dot.
    static func mayName(profile name: String) -> Bool {
        Profile.named(name) != nil || name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
    }

    private static func readParameters(_ value: YAMLValue) throws(SourceTextError) -> [ParameterSetting] {
        var settings: [ParameterSetting] = []
        var (scratch, appKit) = (Profile(), Profile.named("appkit") ?? Profile())
        for (key, entry) in try value.entries("a map of profile parameters") {
            let name = try key.name("the name of a parameter")
            let text = try parameterText(entry)
            let isOfAppKit = appKit.value(of: name) != nil && scratch.value(of: name) == nil
            do { if isOfAppKit { try appKit.set(name, to: text) } else { try scratch.set(name, to: text) } } catch {
                switch error {
                case .badValue(_, let expected, let found):
                    throw entry.error(expected, found: SourceTextError.quoted(found))
                default:
                    throw key.error(
                        "one of the parameters \(Profile.parameterNames.joined(separator: ", "))",
                        found: "the unknown parameter \(SourceTextError.quoted(name))")
                }
            }
            settings.append(ParameterSetting(name: name, value: text, line: key.line))
        }
        return settings
    }

    /// A value, or a list of words such as chords.
    private static func parameterText(_ value: YAMLValue) throws(SourceTextError) -> String {
        guard case .sequence = value.node.content else { return try value.string("a value") }
        let words = try value.list("a list of chords") { entry throws(SourceTextError) in try entry.string("a chord") }
        return words.isEmpty ? "none" : words.joined(separator: " ")
    }
}

extension Scene {
    /// A profile with this scene's parameters.
    public func applyingParameters(to profile: Profile) throws(SourceTextError) -> Profile {
        var profile = profile
        for setting in parameters {
            do { try profile.set(setting.name, to: setting.value) } catch {
                throw SourceTextError(
                    file: file, line: setting.line, subject: "parameters.\(setting.name)",
                    expected: "a parameter of a profile", found: "\(error)")
            }
        }
        return profile
    }

    /// The path of a file that the scene names, relative to the scene's own folder.
    public func path(of named: String) -> String {
        guard !named.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return named }
        return file[...slash] + named
    }
}
