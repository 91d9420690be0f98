/// Changes that can be taken back, byte for byte. What is typed in a row is one of them.
struct TextUndo {
    /// A change with what it replaced, so that it can be undone.
    struct Change {
        var start: Int
        /// Characters in its place now.
        var count: Int
        var replaced: String
        var styles: [TextStyleRun]
        /// The selection before it.
        var anchor: Int
        var caret: Int
        var kind: Kind
    }

    enum Kind {
        /// Typing and composing join the change before them, other edits are changes of their own.
        case typing, composing, other
    }

    private(set) var done: [Change] = []
    private(set) var undone: [Change] = []
    /// The next change begins a new one.
    private var isClosed = true

    /// Changes that can be undone at least; beyond twice as many, the older half goes.
    static let depth = 500

    var canUndo: Bool { !done.isEmpty }
    var canRedo: Bool { !undone.isEmpty }

    /// A caret that moves ends a row of typing.
    mutating func close() { isClosed = true }

    mutating func note(_ change: Change) {
        undone.removeAll()
        if !isClosed, change.kind != .other, let last = done.last, last.kind == change.kind,
            change.start >= last.start, change.start + change.replacedCount <= last.start + last.count
        {
            done[done.count - 1].count += change.count - change.replacedCount
        } else {
            done.append(change)
            if done.count > TextUndo.depth * 2 { done.removeFirst(TextUndo.depth) }
        }
        isClosed = change.kind == .other
    }

    mutating func popDone() -> Change? {
        isClosed = true
        return done.popLast()
    }

    mutating func popUndone() -> Change? {
        isClosed = true
        return undone.popLast()
    }

    mutating func pushDone(_ change: Change) { done.append(change) }
    mutating func pushUndone(_ change: Change) { undone.append(change) }
}

extension TextUndo.Change {
    /// Characters in its place before.
    var replacedCount: Int { replaced.count }
}
