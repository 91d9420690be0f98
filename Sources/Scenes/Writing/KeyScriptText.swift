import KeyModel

extension KeyScript {
    /// The script as a file contains it, each of `comments` in a line of its own at the beginning. Reading it gives the
    /// same steps.
    public func text(comments: [String] = []) -> String {
        var text = comments.map { SceneComment.line($0) + "\n" }.joined() + "keys 1\n"
        for line in steps { text += line.step.text + "\n" }
        return text
    }
}

extension KeyScript.Step {
    /// The step as a line of a script.
    public var text: String {
        switch self {
        case .press(let chord): "press \(chord.text)"
        case .hold(let chord, let duration): "hold \(chord.text) \(duration.text)"
        case .down(let key): "down \(KeyScript.KeyChord(modifiers: [], key: key).text)"
        case .up(let key): "up \(KeyScript.KeyChord(modifiers: [], key: key).text)"
        case .wait(let duration): "wait \(duration.text)"
        case .type(let text): "type \(JSONString.literal(text))"
        case .insert(let text): "insert \(JSONString.literal(text))"
        case .context(let step): "do \(step.text)"
        }
    }
}

extension KeyScript.KeyChord {
    fileprivate var text: String {
        switch key {
        case .usage(let usage): Chord(modifiers: modifiers, usage: usage).text
        case .character(let character): (Chord.prefixes(modifiers) + ["char:\(character)"]).joined(separator: "+")
        }
    }
}

/// Comments of scenes and scripts.
enum SceneComment {
    /// One line, whatever the comment is made of: names in it come from files.
    static func line(_ comment: String) -> String { "# " + VisibleText.escaped(comment) }
}
