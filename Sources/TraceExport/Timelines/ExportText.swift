import KeyModel
import LatencyAnalysis
import TraceFormat

/// Texts from a trace as names in other programs' files; they are not to be trusted.
enum ExportText {
    /// Longer names are cut: no real selector is so long.
    static let limit = 400

    /// Escapes invisible characters: an escape character becomes `\u{1b}`.
    static func visible(_ text: String) -> String {
        guard text.utf8.count > limit, text.unicodeScalars.count > limit else { return VisibleText.escaped(text) }
        var cut = String.UnicodeScalarView(text.unicodeScalars.prefix(limit))
        cut.append("…")
        return VisibleText.escaped(String(cut))
    }

    /// `cmd+w`; `shift+letter` for a masked key; `press` where the key is not in the recording.
    static func name(of chord: PressChord) -> String {
        if let text = chord.text { return text }
        guard case .masked(let kind) = chord.key else { return "press" }
        let bare = Chord(modifiers: chord.modifiers, usage: .keyboard(4)).text
        return bare.dropLast() + "masked " + kind.name
    }

    /// The id of a responder; `?` for one that nothing defines.
    static func id(_ responder: ResponderRef, _ names: TraceDefinitions) -> String {
        names[responder].map { visible($0.id) } ?? "?"
    }

    static func text(_ string: StringRef?, _ names: TraceDefinitions) -> String? {
        string.flatMap { names[$0] }.map(visible)
    }

    /// `tabs.keyCommands`.
    static func name(of call: TimelineCall, _ names: TraceDefinitions) -> String {
        "\(id(call.responder, names)).\(call.kindName)"
    }
}
