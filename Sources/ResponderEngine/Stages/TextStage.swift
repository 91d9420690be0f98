import KeyModel

/// A text responder's handling of a key (spec §2.3).
extension KeyboardEngine {
    /// The first responder, when it is text that can be edited.
    var editableText: (responder: Responder, input: any TextInput)? {
        guard let first = firstResponder, let input = first.textInput, input.isEditable else { return nil }
        return (first, input)
    }

    func runText(_ stroke: Stroke, into resolution: inout Resolution) -> Bool {
        guard let (responder, input) = editableText, let edit = textEdit(stroke) else { return false }
        switch edit {
        case .insert(let symbol): type(symbol, input, &resolution)
        case .newline: resolution.text = input.pressReturn()
        case .tab where input.isSingleLine: moveToField(after: responder, backwards: stroke.matchFlags.contains(.shift))
        case .tab: insert("\t", input, &resolution)
        case .nothing: break
        case .command(.delete(.backward, by: .character)): input.deleteBackward()
        case .command(.newlineAfterCaret): if !input.isSingleLine { input.perform(.newlineAfterCaret) }
        case .command(let command): if !isDead(command) { input.perform(command) }
        }
        if case .insert = edit {} else { deadSequence = [] }
        if input.isSecureTextEntry { resolution.text = nil }
        resolution.outcome = .consumedByText
        resolution.takenBy = .text
        resolution.target = responder
        return true
    }

    /// The edit that editable text makes of a key; `nil` for a key that it leaves alone.
    func textEdit(_ stroke: Stroke) -> TextKeys.Edit? {
        switch stroke.usage {
        case .tab? where usesFocus && !typesTab(stroke): nil
        case .tab? where stroke.matchFlags == .shift && hasFieldBefore: .tab
        case .escape? where !profile.escapeTakenByText: nil
        default: textKeysEdit(stroke)
        }
    }

    /// That of the text alone, without what a focus system and fields beside it have of Tab and Escape.
    func textKeysEdit(_ stroke: Stroke) -> TextKeys.Edit? {
        let edit = TextKeys.edit(stroke, layout: layout)
        guard firstResponder?.textInput?.isKeyInputAlone == true else { return edit }
        switch edit {
        case .insert?, .newline?, .tab?, .command(.delete(.backward, by: .character))?:
            return stroke.matchFlags.contains(.control) ? nil : edit
        default: return nil
        }
    }

    /// With a focus system Tab goes from a field to what is focused next; text of several lines types it (spec EV-14).
    private func typesTab(_ stroke: Stroke) -> Bool {
        guard let first = firstResponder, let input = first.textInput, !first.interpretsKeysAsPage else { return false }
        return !input.isSingleLine && stroke.matchFlags.isSubset(of: .option)
    }

    /// ⇧Tab goes back from a field of one line, where there is no focus system.
    private var hasFieldBefore: Bool {
        guard !usesFocus, let first = firstResponder, first.textInput?.isSingleLine == true else { return false }
        return fields(with: first).count > 1
    }

    /// The editable texts of the key window in their order: those of its views, else those of a tree that has no views.
    private func fields(with first: Responder) -> [Responder] {
        guard !isRecorded, profile.appKit == nil else { return [] }
        let seen = application.keyWindow.map(KeyboardEngine.focusableItems) ?? []
        let all = seen.contains { $0 === first } ? seen : tracked
        return all.filter { $0.textInput?.isEditable == true && $0.windowOfChain === first.windowOfChain }
    }

    /// Tab in a field of one line goes to the next field, round from the last to the first; alone it does nothing.
    private func moveToField(after first: Responder, backwards: Bool) {
        let fields = fields(with: first)
        guard fields.count > 1, let place = fields.firstIndex(where: { $0 === first }) else { return }
        fields[(place + (backwards ? fields.count - 1 : 1)) % fields.count].becomeFirstResponder()
    }

    /// Up and down arrows do nothing in text on iOS 7.0 (spec §11 T-27).
    private func isDead(_ command: TextCommand) -> Bool {
        guard profile.verticalArrowsDeadInTextView, case .move(let direction, _, _) = command else { return false }
        return direction == .up || direction == .down
    }

    private func insert(_ text: String, _ input: any TextInput, _ resolution: inout Resolution) {
        let inserted = input.offerText(text, isTyped: true)
        // After what strokes of a key binding before it came to.
        let before = resolution.text ?? ""
        resolution.text = resolution.key?.maskedClass == nil ? inserted.map { before + $0 } : nil
    }

    /// Types a symbol. Dead keys wait for the next one; a sequence that means nothing leaves its last symbol.
    private func type(_ symbol: Layout.Symbol, _ input: any TextInput, _ resolution: inout Resolution) {
        if case .none = symbol {
            deadSequence = []
            return insert("\u{FFFD}", input, &resolution)
        }
        if deadSequence.isEmpty, case .text(let text) = symbol { return insert(text, input, &resolution) }
        deadSequence.append(symbol)
        if let text = layout.compose[deadSequence] {
            deadSequence = []
            return insert(text, input, &resolution)
        }
        guard case .text(let text) = symbol else { return }
        deadSequence = []
        insert(text, input, &resolution)
    }
}

/// The keys that text takes, and their edits.
enum TextKeys {
    enum Edit {
        /// The symbol of the key; `.none` for a masked key, whose character is unknown.
        case insert(Layout.Symbol)
        case newline, tab
        /// Taken without an effect, as Escape is.
        case nothing
        case command(TextCommand)
    }

    /// `nil` for a key that text leaves alone. Commands may want a key of either kind: which of the two may have it
    /// without harm is another question (spec §8.2).
    static func edit(_ stroke: Stroke, layout: Layout) -> Edit? {
        let flags = stroke.matchFlags
        guard let usage = stroke.usage else {
            return flags.isDisjoint(with: [.command, .control]) ? .insert(.none) : nil
        }
        if let edit = special(usage, flags) { return edit }
        guard !stroke.characters.isSpecial else { return nil }
        if flags.contains(.command) {
            guard stroke.characters.shortcut == .ascii("z") else { return nil }
            return flags == .command ? .command(.undo) : flags == [.command, .shift] ? .command(.redo) : nil
        }
        if flags.contains(.control) {
            if flags.contains(.option) { return nil }
            return control(stroke.characters.plain, flags) ?? typedWithControl(usage, stroke, layout)
        }
        let symbol = layout.symbol(for: usage, modifiers: stroke.flags)
        return symbol == .none ? nil : .insert(symbol)
    }

    /// The modifier combinations with which text takes Delete and the arrows: ⇧ with none, ⌃, ⌥ or ⌘.
    private static func isEditing(_ flags: KeyModifiers) -> Bool {
        [[], .control, .option, .command].contains(flags.subtracting(.shift))
    }

    private static func special(_ usage: KeyUsage, _ flags: KeyModifiers) -> Edit? {
        let unit: TextCommand.Unit = flags.contains(.option) ? .word : flags.contains(.command) ? .line : .character
        let hasCommand = flags.contains(.command)
        switch usage {
        case .deleteOrBackspace where isEditing(flags):
            return .command(.delete(unit == .line ? .start : .backward, by: unit))
        // It deletes with ⌃⌥ too, how far is not known: as with ⌃ (spec §2.3).
        case .deleteOrBackspace where !hasCommand: return .command(.delete(.backward, by: .character))
        case .deleteForward where flags.isDisjoint(with: [.command, .control]):
            return .command(.delete(.forward, by: unit))
        case .leftArrow where isEditing(flags):
            return .command(.move(.left, by: unit, extending: flags.contains(.shift)))
        case .rightArrow where isEditing(flags):
            return .command(.move(.right, by: unit, extending: flags.contains(.shift)))
        case .upArrow where isEditing(flags): return .command(vertical(.up, .start, flags))
        case .downArrow where isEditing(flags): return .command(vertical(.down, .end, flags))
        case .spacebar where !hasCommand: return space(flags.subtracting(.shift))
        case .returnOrEnter where !hasCommand, .keypadEnter where !hasCommand: return .newline
        case .tab where !hasCommand && flags != .shift: return .tab
        case .escape where flags.subtracting(.shift).isEmpty: return .nothing
        default: return nil
        }
    }

    /// Space with other modifiers than ⇧ and ⌘: ⌃ switches the input source and never comes here on a device.
    private static func space(_ others: KeyModifiers) -> Edit? {
        switch others {
        case .option: .insert(.text("\u{A0}"))
        case .control: nil
        default: .insert(.text(" "))
        }
    }

    private static func vertical(
        _ step: TextCommand.Direction, _ end: TextCommand.Direction, _ flags: KeyModifiers
    ) -> TextCommand {
        let extending = flags.contains(.shift)
        if flags.contains(.command) { return .move(end, by: .document, extending: extending) }
        return .move(step, by: flags.contains(.option) ? .paragraph : .character, extending: extending)
    }

    /// ⌃ and ⇧⌃ with the letters of spec §2.3.
    private static func control(_ plain: String, _ flags: KeyModifiers) -> Edit? {
        let extending = flags.contains(.shift)
        switch plain {
        case "a": return .command(.move(.start, by: .paragraph, extending: extending))
        case "e": return .command(.move(.end, by: .paragraph, extending: extending))
        case "b": return .command(.move(.backward, by: .character, extending: extending))
        case "f": return .command(.move(.forward, by: .character, extending: extending))
        case "p": return .command(.move(.up, by: .character, extending: extending))
        case "n": return .command(.move(.down, by: .character, extending: extending))
        case "h": return .command(.delete(.backward, by: .character))
        case "d": return .command(.delete(.forward, by: .character))
        case "k": return .command(.delete(.end, by: .paragraph))
        case "t": return .command(.transpose)
        case "o": return .command(.newlineAfterCaret)
        case "i": return .tab
        case "j", "m": return .newline
        default: return nil
        }
    }

    /// The text that keys other than letters type with ⌃ and ⇧⌃ (spec §2.3).
    private static func typedWithControl(_ usage: KeyUsage, _ stroke: Stroke, _ layout: Layout) -> Edit? {
        let plain = stroke.characters.plain
        switch plain {
        case "0"..."9" where plain.utf8.count == 1: return .insert(.text(plain))
        case "=", "`", ",", ".", "/": return .insert(.text(plain))
        case ";", "'": return .insert(layout.symbol(for: usage, modifiers: .shift))
        case "§": return .insert(.text("`"))
        default: return nil
        }
    }
}
