import KeyModel
import ResponderEngine
import TraceFormat
import TracePresses

/// Answers of an AppKit app to key events, for a replay on another layout or with other modifiers: a key that is
/// another event to the app then is answered as that event was, where the same responder got it.
final class RecordedEvents {
    /// A key event as it reaches an app.
    private struct Event: Hashable {
        var start: ResponderRef?
        var window: ResponderRef?
        var unmodified: String
        var characters: String
        var modifiers: KeyModifiers
    }

    private let trace: RecordedTrace
    private let layout: Layout
    private lazy var answers: [Event: PressAnswers] = readAnswers()

    /// - Parameter layout: What the keys of the trace were typed on.
    init(_ trace: RecordedTrace, typedOn layout: Layout) { (self.trace, self.layout) = (trace, layout) }

    /// The answers to this press as it is now: its own, unless it is another event; `nil` where the recording has none.
    func answers(to press: PressAnswers, on layout: Layout, _ modifiers: KeyModifiers) -> PressAnswers? {
        guard let key = press.key, isChanged(key, on: layout, modifiers) else { return press }
        let (was, now) = (key.modifiers.intersection(.matchMask), modifiers.intersection(.matchMask))
        // Of a masked key it is not known what it types there.
        guard let usage = key.key.usage else { return nil }
        let (start, window) = (press.resolution?.start, press.resolution?.keyWindow)
        let recorded = event(usage, was, on: self.layout, start: start, window: window)
        let asked = event(usage, now, on: layout, start: start, window: window)
        return recorded == asked ? press : answers[asked]
    }

    /// True if the key is another event to an app than the recorded one. Of a masked key on another layout that is
    /// unknown, and true.
    func isAnother(_ key: KeyRecord, on layout: Layout, _ modifiers: KeyModifiers) -> Bool {
        guard isChanged(key, on: layout, modifiers) else { return false }
        guard let usage = key.key.usage else { return true }
        func seen(_ modifiers: KeyModifiers, _ layout: Layout) -> Event {
            event(usage, modifiers.intersection(.matchMask), on: layout, start: nil, window: nil)
        }
        return seen(key.modifiers, self.layout) != seen(modifiers, layout)
    }

    private func isChanged(_ key: KeyRecord, on layout: Layout, _ modifiers: KeyModifiers) -> Bool {
        key.modifiers.intersection(.matchMask) != modifiers.intersection(.matchMask) || layout != self.layout
    }

    private func event(
        _ usage: KeyUsage, _ modifiers: KeyModifiers, on layout: Layout, start: ResponderRef?, window: ResponderRef?
    ) -> Event {
        var characters = layout.plainText(for: usage)
        if case .text(let text) = layout.symbol(for: usage, modifiers: modifiers) { characters = text }
        return Event(
            start: start, window: window, unmodified: layout.plainText(for: usage),
            characters: usage.isNamedByPosition(on: layout) ? "\(usage)" : characters, modifiers: modifiers)
    }

    /// Answers of the first press of each event.
    private func readAnswers() -> [Event: PressAnswers] {
        var found: [Event: PressAnswers] = [:]
        var assembler = PressAssembler(.decision, .released, context: trace.initialContext)
        var records = trace.records()
        func take() {
            while let press = assembler.next() {
                guard let key = press.key, let usage = key.key.usage, let resolution = press.resolution else {
                    continue
                }
                let answered = event(
                    usage, key.modifiers.intersection(.matchMask), on: layout, start: resolution.start,
                    window: resolution.keyWindow)
                if found[answered] == nil { found[answered] = PressAnswers(press) }
            }
        }
        while let record = records.next() {
            assembler.consume(record)
            take()
        }
        assembler.finish()
        take()
        return found
    }
}

extension PressAnswers {
    /// The messages up to the outcome of a press.
    fileprivate convenience init(_ press: TracePress) {
        self.init(start: 0)
        key = press.key
        messages = press.invocations.filter { $0.occasion != .release }
        resolution = press.resolution
    }
}

extension KeyUsage {
    /// True for keys without text, such as arrows.
    fileprivate func isNamedByPosition(on layout: Layout) -> Bool { layout.plainText(for: self).isEmpty }
}

extension AnswerProvider {
    /// Recorded answers to the press that is handled, or to the event that its key is now.
    func keyEventAnswers() -> PressAnswers? {
        guard let press, let engine, let keyEvents else { return press }
        return keyEvents.answers(to: press, on: engine.layout, engine.modifiers)
    }
}
