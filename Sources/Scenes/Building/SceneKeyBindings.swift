public import ResponderKit

/// The key binding files that a scene names (spec §10).
extension Scene {
    /// The bindings of a text responder: its files in their order, each beside the scene, later ones over earlier
    /// ones. `nil` where it names none.
    ///
    /// - Throws: the file that cannot be read, or where it is no dictionary.
    public func keyBindings(
        of responder: ResponderDescription, _ resources: SceneResources
    ) throws(SourceTextError) -> KeyBindings? {
        guard !responder.text.keyBindings.isEmpty else { return nil }
        var bindings = KeyBindings()
        for name in responder.text.keyBindings {
            if let shipped = Scene.shippedKeyBindings.first(where: { $0.name == name }) {
                bindings.merge(shipped.bindings)
            } else {
                bindings.merge(try keyBindings(named: name, of: responder, resources))
            }
        }
        return bindings
    }

    /// The entries left out of all its key binding files, and why: keys and values that name nothing (spec KB-6).
    public func skippedKeyBindings(_ resources: SceneResources) throws(SourceTextError) -> [KeyBindings.Skipped] {
        var skipped: [KeyBindings.Skipped] = []
        var known: Set<KeyBindings.Skipped> = []
        for responder in responders {
            let own = try keyBindings(of: responder, resources)?.skipped ?? []
            skipped += own.filter { !known.contains($0) }
            known.formUnion(own)
        }
        return skipped
    }

    /// The tables that come with the program, by the names that a scene has for them.
    static let shippedKeyBindingNames = shippedKeyBindings.map(\.name)
    private static let shippedKeyBindings = [
        (name: "gnustep", bindings: KeyBindings.gnustep), (name: "editing", bindings: KeyBindings.editing),
    ]

    /// The tables of text in a GNUstep app, the later ones over the earlier ones.
    public static let textKeyBindings = shippedKeyBindingNames

    private func keyBindings(
        named name: String, of responder: ResponderDescription, _ resources: SceneResources
    ) throws(SourceTextError) -> KeyBindings {
        let path = path(of: name)
        let bytes: [UInt8]
        do { bytes = try resources.readFile(path) } catch {
            throw SourceTextError(
                file: file, line: responder.keyBindingsLine, subject: "\(responder.id).keyBindings",
                expected: "\(Scene.shippedKeyBindingNames.joined(separator: ", ")), or a key binding file",
                found: "\(SourceTextError.quoted(name)) (\(error))")
        }
        do { return try KeyBindings(bytes, file: name) } catch {
            // As of a profile, the content is not quoted: names of elements are the file's own.
            let found = error.error.found.hasPrefix("<") ? "another element" : error.error.found
            throw SourceTextError(
                file: path, line: error.error.place.line, subject: "column \(error.error.place.column)",
                expected: error.error.expected, found: found, remedy: error.error.remedy)
        }
    }
}

extension SceneBuilder {
    /// Attaches the bindings of every text responder.
    func attachKeyBindings(_ resources: SceneResources) throws(SourceTextError) {
        for (at, description) in scene.responders.enumerated() {
            guard let bindings = try scene.keyBindings(of: description, resources) else { continue }
            (responders[at] as? any DocumentTextInput)?.keyBindings = bindings
        }
    }
}
