import KeyModel
import TraceFormat

/// Masking of traces in clear: the one definition, for all tools, of what is kept.
///
/// A key that types text is kept by its class, decided at the down for the whole press (`KeyboardState` has the rule).
/// Data that would reveal it are removed with it: characters, text, the matched command and which actions were queried.
/// Input to a secure field is removed altogether and replaced by one gap. Titles are removed, and so are records of
/// unknown kinds, which could contain anything. Keys masked before stay as they are.
struct TraceMask {
    private(set) var counts = IdentifyingDataCounts()
    let space: DefinitionSpace
    private let map: DefinitionMap
    /// Text keys in clear that are down since a chord, for those without a press.
    private var chorded: Set<KeyOfDevice> = []
    /// The modifiers that are down, as far as the records show.
    private var modifiers = ModifierState()
    /// Presses of which nothing needs to be hidden.
    private var clearPresses = OrdinalSet()
    private var decisions: MaskedDecisions
    private var secure = SecureTyping()
    /// Kinds of effects whose value is text or the length of a text.
    static let effectsWithText: Set<String> = ["text", "marked"]

    private let dropsTitles: Bool

    /// `dropsTitles`: titles of commands and of menus go as well. `takers`: those of the whole trace.
    init(
        dropsTitles: Bool, into space: DefinitionSpace = DefinitionSpace(), _ takers: MaskedDecisions.Takers? = nil
    ) {
        self.space = space
        decisions = takers.map { MaskedDecisions($0) } ?? MaskedDecisions()
        self.dropsTitles = dropsTitles
        var edits = DefinitionMap.Edits()
        if dropsTitles { edits.command = { $0.untitled } }
        map = DefinitionMap(into: space, edits: edits)
    }

    /// What of the app takes keys that type text, at any time of the trace: a mask that met it as it came would leave
    /// the first of them out.
    static func takers(in bytes: TraceBytes, isMasked: Bool) throws(TraceError) -> MaskedDecisions.Takers {
        var reader = try TraceReader(bytes)
        var mask = TraceMask(dropsTitles: false)
        _ = mask.context(reader.initialContext, reader.definitions, trustsHeldKeys: isMasked)
        reader.definitionLifetime = .block
        var blocks: UInt64 = 0
        while let record = reader.next() {
            if blocks != reader.blocks {
                blocks = reader.blocks
                mask.beginBlock()
            }
            mask.decisions.follow(record.body, reader.definitions)
            if case .environment(let fact) = record.body { mask.modifiers.roles.apply(fact: fact.name, fact.value) }
            if case .key(let key) = record.body { mask.decisions.follow(mask.masked(key)) }
        }
        return mask.decisions.takers
    }

    /// The records that follow have handles of their own.
    mutating func beginBlock() {
        map.forgetHandles()
        decisions.forgetHandles()
    }

    /// The masked initial context. Of a text key that was down it is unknown whether it was a chord, and of a modifier
    /// whether it was seen to go down: `trustsHeldKeys` means that the trace was masked when it was cut.
    mutating func context(
        _ entries: [ContextEntry], _ source: TraceDefinitions, trustsHeldKeys: Bool
    ) -> [ContextEntry] {
        entries.map { entry in
            switch entry {
            case .record(let body): decisions.follow(body, source)
            case .lastList(let last): decisions.follow(last.list, source)
            default: break
            }
            switch entry {
            case .heldKey(var held):
                let isText = held.key.usage.flatMap { TextKeyClass($0) }
                if let textClass = isText, !trustsHeldKeys {
                    counts.add(.usages)
                    held.key = .masked(textClass)
                } else if held.key.usage != nil {
                    if isText != nil { chorded.insert(KeyOfDevice(held.device, held.key)) }
                    clearPresses.insert(held.press)
                }
                decisions.follow(held.press, isMasked: held.key.usage == nil)
                return .heldKey(held)
            case .record(.textInput(let input)):
                secure.isSecure = input.isSecure
                return map.moved(entry, from: source)
            case .record(.environment(let fact)):
                modifiers.roles.apply(fact: fact.name, fact.value)
                return map.moved(entry, from: source)
            case .heldModifiers(let held):
                modifiers.restore(.init(device: held.device, keys: held.keys), isSeen: trustsHeldKeys)
                return map.moved(entry, from: source)
            default: return map.moved(entry, from: source)
            }
        }
    }

    /// Appends the masked record to `out`, if anything is left of it, and records that had to wait for it.
    mutating func apply(_ record: TraceRecord, _ source: TraceDefinitions, _ out: inout [TraceRecord]) {
        guard let body = masked(record.body, source) else {
            secure.drop()
            return
        }
        let dropped = secure.dropped
        secure.apply(TraceRecord(time: record.time, sequence: record.sequence, body: body), &out)
        counts.add(.text, secure.dropped &- dropped)
    }

    /// Appends the records that waited for the end of a gap.
    mutating func finish(_ out: inout [TraceRecord]) { secure.finish(&out) }

    private mutating func masked(_ body: TraceRecord.Body, _ source: TraceDefinitions) -> TraceRecord.Body? {
        decisions.follow(body, source)
        let kept = decisions.kept(body, source)
        if case .effect = body, kept != nil, kept != body { counts.add(.text) }
        if let at = body.decided, kept == nil || decisions.hides(at.press), kept != body { counts.add(.characters) }
        return kept.flatMap { withoutText($0, source) }
    }

    private mutating func withoutText(_ body: TraceRecord.Body, _ source: TraceDefinitions) -> TraceRecord.Body? {
        switch body {
        case .key(let record):
            let record = masked(record)
            decisions.follow(record)
            return .key(record)
        case .environment(let fact):
            modifiers.roles.apply(fact: fact.name, fact.value)
            return map.moved(body, from: source)
        case .text(let record):
            if record.text != nil { counts.add(.text) }
            return .text(TextRecord(text: nil))
        case .step(let record): return .step(StepRecord(step: masked(record, source)))
        case .unknown:
            counts.add(.text)
            return nil
        case .candidate(let record) where isHidden(record.at) && record.verdict != .possible:
            counts.add(.characters)
            return nil
        case .effect(let record): return .effect(masked(record, source))
        case .call(var record):
            if isHidden(record.at), record.action != nil {
                counts.add(.characters)
                record.action = nil
            }
            return map.moved(.call(record), from: source)
        case .cost(let record) where isHidden(record.at):
            counts.add(.characters)
            return nil
        case .samples(let record) where isHidden(record.at) && !decisions.isText(record.at.press):
            counts.add(.characters)
            return nil
        case .invocation(let record): return map.moved(.invocation(masked(record)), from: source)
        case .resolution(let record): return map.moved(.resolution(masked(record)), from: source)
        default: return map.moved(body, from: source)
        }
    }

    private mutating func masked(_ record: InvocationRecord) -> InvocationRecord {
        var record = record
        if dropsTitles, record.path != nil {
            counts.add(.titles)
            record.path = nil
        }
        guard isHidden(record.at) else { return record }
        var masked = record
        if record.kind.isAboutSelector { masked.selector = nil }
        masked.sender = nil
        masked.path = nil
        if masked != record { counts.add(.characters) }
        return masked
    }

    private mutating func masked(_ record: KeyRecord) -> KeyRecord {
        var record = record
        if let usage = record.key.usage {
            modifiers.apply(usage, record.phase, device: record.device, isSynthetic: record.isSynthetic)
        }
        if case .clear(let usage) = record.key, let textClass = TextKeyClass(usage) {
            let key = KeyOfDevice(record)
            // Two threads may hold one key of a device: a press is known by its number, where it has one.
            var isClear = record.press.map { clearPresses.contains($0) } ?? chorded.contains(key)
            switch record.phase {
            case .down:
                let unseen = modifiers.heldFlags.subtracting(modifiers.seenFlags)
                isClear = !record.modifiers.subtracting(unseen).isDisjoint(with: [.command, .control])
                if isClear { chorded.insert(key) } else { chorded.remove(key) }
            case .up, .cancel: chorded.remove(key)
            case .repeat: break
            }
            if !isClear {
                counts.add(.usages)
                record.key = .masked(textClass)
            }
        }
        if let press = record.press, record.phase == .down {
            if record.key.usage == nil { clearPresses.remove(press) } else { clearPresses.insert(press) }
        }
        return record
    }

    /// A decision about a press whose key is not known, or about text without a key.
    private func isHidden(_ at: PressTick) -> Bool {
        at.press == 0 || !clearPresses.contains(at.press)
    }

    private mutating func masked(_ record: ResolutionRecord) -> ResolutionRecord {
        var record = record
        if record.text != nil {
            counts.add(.text)
            record.text = nil
        }
        guard isHidden(record.at) else { return record }
        if record.character != nil {
            counts.add(.characters)
            record.character = nil
        }
        // Of text without a key the command gives nothing away.
        guard record.at.press > 0 else { return record }
        if record.command != nil || record.supplier != nil || record.action != nil {
            counts.add(.characters)
            record.command = nil
            record.supplier = nil
            record.action = nil
        }
        return record
    }

    /// Lengths and flags stay; values in quotes are removed where they are text or the key is hidden.
    private mutating func masked(_ record: EffectRecord, _ source: TraceDefinitions) -> TraceFormat.EffectRecord {
        var record = record
        let isWritten = record.value.flatMap { source[$0] }?.utf8.contains(UInt8(ascii: "\"")) == true
        let kind = source[record.kind] ?? ""
        if isWritten, TraceMask.effectsWithText.contains(kind) || isHidden(record.at) && !TraceMask.namesThings(kind) {
            counts.add(.text)
            record.value = nil
        }
        guard case .effect(let moved) = map.moved(.effect(record), from: source) else { return record }
        return moved
    }

    /// Kinds of effects whose value is a date or the id of something.
    private static func namesThings(_ kind: String) -> Bool {
        [
            "date", "push", "pop", "present", "dismiss", "focus", "beep", "menuDropped", "menuRaised", "menuException",
            "keyboard",
        ].contains(kind)
    }

    private static let steps: Set<String> = [
        "focus", "resign", "present", "dismiss", "push", "pop", "select", "activate", "deactivate", "attach", "detach",
        "unmark", "invalidate", "setNeedsRebuild", "setNeedsRevalidate", "layout", "profile", "click", "mark", "set",
        "menu", "pick", "candidateBar", "dock", "undock", "split", "join", "reloadInputViews",
    ]

    /// Marked text is text: only the word `marktext` of such a step is kept. An unknown step becomes `unknown`.
    private mutating func masked(_ record: StepRecord, _ source: TraceDefinitions) -> StringRef {
        let text = source[record.step] ?? ""
        let word = String(text.prefix { $0 != " " })
        let kept = TraceMask.steps.contains(word) ? text : word == "marktext" ? "marktext \u{FFFD}" : "unknown"
        if kept != text { counts.add(.text) }
        return space.definitions.intern(kept)
    }
}
