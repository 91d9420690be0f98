/// Earlier and later moments of a text (spec §1.6: text undoes by itself). What is typed in a row is one change.
struct TextUndo {
    struct Moment {
        var document: TextDocument
        var styles: TextStyles
        var anchor: Int
        var caret: Int
    }

    var done: [Moment] = []
    var undone: [Moment] = []
    /// What is typed next belongs to the change before it.
    var isTyping = false

    /// Changes that can be undone.
    private static let depth = 500

    /// Keeps the moment before a change.
    mutating func note(_ moment: Moment, isTyped: Bool) {
        undone = []
        if !isTyped || !isTyping {
            done.append(moment)
            if done.count > TextUndo.depth { done.removeFirst() }
        }
        isTyping = isTyped
    }
}
