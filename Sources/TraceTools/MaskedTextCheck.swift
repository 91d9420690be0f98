import KeyModel
import TraceFormat

/// Looks for text in a trace that is marked as masked.
///
/// Of a press whose down is missing it is unknown whether ⌘ or ⌃ was held: its repeats, its up and its decisions are
/// not checked, except for what is text whatever the key was.
struct MaskedTextCheck {
    private var mask = TraceMask(dropsTitles: false)
    private var discarded: [TraceRecord] = []
    /// Presses whose down was seen.
    private var downs = OrdinalSet()
    /// Keys that went down without a press, by their class.
    private var unnumbered: Set<KeyOfDevice> = []

    init(_ reader: TraceReader) {
        let context = reader.initialContext
        _ = mask.context(context, reader.definitions, trustsHeldKeys: true)
        for case .heldKey(let held) in context { downs.insert(held.press) }
    }

    /// A description of the record's violation; `nil` when it has none.
    mutating func violation(_ record: TraceRecord, _ definitions: TraceDefinitions) -> String? {
        let before = mask.counts
        mask.apply(record, definitions, &discarded)
        discarded.removeAll(keepingCapacity: true)
        let counts = mask.counts
        func hides(_ data: IdentifyingData) -> Bool { counts[data] != before[data] }
        switch record.body {
        case .key(let key):
            return isJudged(key) && hides(.usages)
                ? "masked key: expected the class of a key that types text, found its usage" : nil
        case .text(let text): return text.text == nil ? nil : MaskedTextCheck.text
        case .step where hides(.text): return "masked step: expected a known one without its text, found another"
        case .effect(let effect) where MaskedTextCheck.isWritten(effect, definitions):
            return "masked effect: expected no text, found some"
        case .candidate(let candidate)
        where candidate.verdict != .possible && downs.contains(candidate.at.press) && hides(.characters)
            && definitions[candidate.command]?.input != nil:
            return "masked candidate: expected none that reveals the key's character, found one"
        case .cost(let cost) where downs.contains(cost.at.press) && hides(.characters):
            return "masked cost: expected none of a masked key, found one"
        case .samples(let samples) where downs.contains(samples.at.press) && hides(.characters):
            return "masked samples: expected none of a key that was no text, found some"
        case .resolution(let resolution):
            if resolution.text != nil { return MaskedTextCheck.text }
            guard downs.contains(resolution.at.press), hides(.characters) else { return nil }
            if resolution.character != nil { return "masked character: expected none, found one" }
            return resolution.command.flatMap { definitions[$0]?.input } == nil
                ? nil : "masked command: expected none, found one, whose input is the key's character"
        default: return nil
        }
    }

    private static let text = "masked text: expected none, found some"

    private mutating func isJudged(_ key: KeyRecord) -> Bool {
        if key.phase == .down {
            if let press = key.press {
                downs.insert(press)
            } else if let textKey = MaskedTextCheck.textKey(key) {
                unnumbered.insert(textKey)
            }
            return true
        }
        if let press = key.press { return downs.contains(press) }
        return MaskedTextCheck.textKey(key).map { unnumbered.contains($0) } ?? false
    }

    /// The key by its class.
    private static func textKey(_ key: KeyRecord) -> KeyOfDevice? {
        switch key.key {
        case .masked: KeyOfDevice(key)
        case .clear(let usage): TextKeyClass(usage).map { KeyOfDevice(key.device, .masked($0)) }
        }
    }

    /// Lengths and flags are no text.
    private static func isWritten(_ effect: EffectRecord, _ definitions: TraceDefinitions) -> Bool {
        TraceMask.effectsWithText.contains(definitions[effect.kind] ?? "")
            && effect.value.flatMap { definitions[$0] }?.utf8.contains(UInt8(ascii: "\"")) == true
    }
}
