package import KeyModel
package import TraceFormat

/// The keys of one keyboard as downs and ups that are typed on another one, by position.
///
/// A trace is shown to it twice: first to find out what the other keyboard must have, then to type.
package struct KeyTyping {
    /// A key that goes down or up.
    package struct Event: Hashable, Sendable {
        package var usage: KeyUsage
        package var isDown: Bool
    }

    /// A key that the other keyboard must have.
    package struct Need: Hashable, Sendable {
        package var usage: KeyUsage
        package var isShifted = false
        /// Its text by the layout of the trace; `nil` where it types nothing, or that is not known.
        package var text: String?
    }

    /// In the order in which they come first.
    package private(set) var needs: [Need] = []
    /// Keys that type text and have Option held, on whose characters layouts of other systems do not agree.
    package private(set) var withOption: UInt64 = 0
    package private(set) var omissions = KeyExport.Omissions()
    /// Downs of keys that are no modifiers.
    package private(set) var presses: UInt64 = 0
    private var known: Set<Need> = []
    private var changes: KeyChanges
    private var keyboards: Set<UInt16> = []
    private var layout: Layout?
    private var layouts = ParsedTexts<Layout?>()

    /// `device`: the keyboard to type; the only one unless given.
    package init(device: UInt16? = nil) { changes = KeyChanges(device: device) }

    /// The key that a record of the trace types; `nil` for all other records.
    /// - Throws: `ExportRefusal` for a masked key, and for a second keyboard.
    package mutating func event(
        _ record: TraceRecord, _ definitions: TraceDefinitions
    ) throws(ExportRefusal) -> Event? {
        switch record.body {
        case .key(let key):
            guard let change = try changes.change(key, at: record.time) else { return nil }
            guard keyboards.contains(change.device) || keyboards.isEmpty else {
                throw ExportRefusal(description: "keyboards: expected one, found several; choose with --device")
            }
            keyboards.insert(change.device)
            return event(change)
        case .layout(let record):
            layout = layouts.layout(record.table, definitions) ?? layout
        default: omissions.note(record)
        }
        return nil
    }

    private mutating func event(_ change: KeyChange) -> Event? {
        switch change.phase {
        case .repeat:
            omissions.repeats += 1
            return nil
        case .up, .cancel: return Event(usage: change.usage, isDown: false)
        case .down:
            if !change.usage.isModifier { presses += 1 }
            note(change)
            return Event(usage: change.usage, isDown: true)
        }
    }

    private mutating func note(_ change: KeyChange) {
        var need = Need(usage: change.usage)
        let held = change.modifiers
        let isChord = !held.isDisjoint(with: [.command, .control])
        if let textClass = TextKeyClass(change.usage), textClass != .keypad, !isChord {
            if held.contains(.option) {
                withOption += 1
            } else {
                need.isShifted = held.contains(.shift)
                let symbol = layout?.symbol(for: change.usage, modifiers: need.isShifted ? .shift : [])
                if case .text(let text)? = symbol { need.text = text }
            }
        }
        if known.insert(need).inserted { needs.append(need) }
    }
}
