public import KeyModel

/// An app and its keys in a few lines, for tests and examples.
extension KeyboardEngine {
    /// An application of one scene with one window, which is key and shows this controller: `app`, `scene` and
    /// `window`. No responder is first yet.
    public convenience init(
        rootViewController: ViewController, profile: Profile = Profile(), layout: Layout,
        cachePolicy: CachePolicy = .none
    ) {
        let application = Application(id: "app")
        self.init(application: application, profile: profile, layout: layout, cachePolicy: cachePolicy)
        let scene = WindowScene(id: "scene")
        let window = Window(id: "window")
        application.connect(scene)
        scene.addWindow(window)
        window.rootViewController = rootViewController
        window.makeKeyAndVisible()
    }

    /// Presses a written chord, such as `⌘W`, `cmd+shift+w` or `cmd+char:w`, and lets it go. The key of a character is
    /// the one that types it on this engine's layout, with the modifiers it takes.
    ///
    /// - Returns: what became of the key; `nil` for a lone modifier, and inside an action.
    /// - Throws: what in the text names no chord, or a character that the layout has no key for.
    @discardableResult
    public func press(_ chord: String) throws(ChordError) -> Resolution? {
        let (modifiers, key) = try Chord.parse(chord)
        switch key {
        case .usage(let usage): return press(Chord(modifiers: modifiers, usage: usage))
        case .character(let character):
            guard let strokes = layout.keyStrokes(typing: character), let stroke = strokes.first, strokes.count == 1
            else { throw .unknownKey("char:\(character)") }
            return press(Chord(modifiers: modifiers.union(stroke.modifiers), usage: stroke.usage))
        }
    }

    /// Presses the modifiers of a chord on the left side, then its key, and lets them go in the reverse order, all at
    /// the virtual time that has come (`advance(to:)`).
    ///
    /// - Returns: what became of the key; `nil` for a lone modifier, and inside an action.
    @discardableResult
    public func press(_ chord: Chord) -> Resolution? {
        let keys = chord.modifiers.leftKeys + [chord.usage]
        var resolution: Resolution?
        for key in keys { resolution = keyDown(.clear(key), at: tree.now) }
        for key in keys.reversed() { _ = keyUp(.clear(key), at: tree.now) }
        return resolution
    }
}
