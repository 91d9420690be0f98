/// Something a user sees change during a press.
public struct Effect: Hashable, Sendable {
    /// The responder's id.
    public var id: String
    public var kind: Kind
    public var value: Value

    public init(id: String, kind: Kind, value: Value) {
        self.id = id
        self.kind = kind
        self.value = value
    }

    /// The kinds and their values:
    ///
    /// | kind | value |
    /// |---|---|
    /// | selection | selected rows, ascending (`[row]`, or `[section, row]` joined, see the component) |
    /// | offset | `[x, y]` in points |
    /// | zoom | scale in thousandths |
    /// | date | `yyyy-mm-dd` |
    /// | push, pop, present, dismiss | id of the other controller |
    /// | tab | selected index |
    /// | text | length of the document in characters |
    /// | marked | true while there is marked text |
    /// | focus | id of the focused item |
    /// | firstResponder | true when gained, false when lost without a successor |
    /// | alsoPerformed | action of a command that ran beside the one that decided |
    /// | keyboard | name of a notification about the software keyboard, such as `willShow` |
    /// | beep, menuDropped, menuRaised, menuException | nothing, or what was dropped, or raised |
    public enum Kind: String, CaseIterable, Sendable {
        case selection, offset, zoom, date, push, pop, present, dismiss, tab, text, marked, focus, firstResponder
        case alsoPerformed, keyboard, beep, menuDropped, menuRaised, menuException
    }

    public enum Value: Hashable, Sendable {
        case none
        case flag(Bool)
        case number(Int)
        case numbers([Int])
        case text(String)
    }
}
