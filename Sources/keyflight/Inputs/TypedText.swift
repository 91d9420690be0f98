import KeyModel
import TraceFormat

/// The text typed in a trace, in one line: characters by the layout, chords as `[⌘W]`, masked keys as `◻`.
struct TypedText {
    private(set) var text = ""
    /// Keys of which only the class is known.
    private(set) var masked = 0
    /// The trace holds what its keys type.
    private(set) var hasLayout = false
    var layoutName: String { layout.name }
    private var layout: Layout
    private var layouts = ParsedTexts<Layout?>()
    /// Dead keys that wait for what they combine with.
    private var pending: [Layout.Symbol] = []

    private static let glyphs: [KeyUsage: String] = [
        .returnOrEnter: "⏎", .keypadEnter: "⏎", .tab: "⇥", .deleteOrBackspace: "⌫", .deleteForward: "⌦", .spacebar: " ",
    ]

    /// `layout`: where the trace stores none.
    init(on layout: Layout) { self.layout = layout }

    mutating func follow(_ body: TraceRecord.Body, _ definitions: TraceDefinitions) {
        switch body {
        case .layout(let record):
            guard let stored = layouts.layout(record.table, definitions) else { return }
            (layout, hasLayout) = (stored, true)
        case .text(let record): text += record.text.flatMap { definitions[$0] } ?? "◻"
        case .key(let key): if key.press != nil, key.phase == .down || key.phase == .repeat { type(key) }
        default: break
        }
    }

    private mutating func type(_ key: KeyRecord) {
        guard let usage = key.key.usage else {
            masked += 1
            text += "◻"
            return
        }
        let held = key.modifiers.intersection(.matchMask)
        if let glyph = TypedText.glyphs[usage], held.subtracting(.shift).isEmpty {
            text += glyph
        } else if held.isDisjoint(with: [.command, .control]), let typed = character(usage, key.modifiers) {
            text += typed
        } else {
            text += "[\(Chord(modifiers: held, usage: usage).glyphs)]"
        }
    }

    /// Empty for a dead key, until the key after it comes; `nil` for a key that types nothing.
    private mutating func character(_ usage: KeyUsage, _ modifiers: KeyModifiers) -> String? {
        guard TextKeyClass(usage) != nil else { return nil }
        let symbol = layout.symbol(for: usage, modifiers: modifiers)
        switch symbol {
        case .none: return nil
        case .dead:
            pending.append(symbol)
            return ""
        case .text(let typed):
            let composed = pending.isEmpty ? nil : layout.compose[pending + [symbol]]
            pending = []
            return composed ?? typed
        }
    }
}
