import KeyModel
import TraceFormat

/// Replaces consecutive presses that type text by the first one, so that they cannot be counted.
///
/// Changes of modifier keys during a run are written at its end, as far as they last, with their receivers. Lengths of
/// documents are removed, and so are hashes of states, which depend on them, once there was a run. So are counts of all
/// entries or presses of a recording, from which the rest could be subtracted.
struct TextRuns {
    private(set) var counts = IdentifyingDataCounts()
    private var presses = PressRenumbering()
    /// Presses of text that stay.
    private var first = OrdinalSet()
    private var isInRun = false
    private var hadRun = false
    private var shift: UInt64 = 0
    /// Modifier keys as they are, and as the written records report them so far.
    private var real = ModifierState()
    private var reported = ModifierState()
    private var capsLock: KeyModifiers = []
    /// Receivers of the last change of each modifier key in this run, and the key to which deliveries without a press
    /// belong.
    private var deliveries: [ModifierKey: [TraceRecord.Body]] = [:]
    private var delivered: ModifierKey?
    /// Text keys that are down and were taken out, where their press has no ordinal.
    private var unnumbered: Set<KeyOfDevice> = []
    private var lastTime = TraceTime.zero
    private var lastSequence: UInt64?
    /// The initial context.
    private(set) var initialContext: [ContextEntry] = []

    private struct ModifierKey: Hashable {
        var device: UInt16
        var key: ModifierKeys
    }

    init(_ context: [ContextEntry]) {
        for entry in context {
            if case .heldModifiers(let held) = entry {
                real.restore(ModifierState.Keyboard(device: held.device, keys: held.keys))
                reported.restore(ModifierState.Keyboard(device: held.device, keys: held.keys))
            }
            guard case .record(let body) = entry else {
                initialContext.append(entry)
                continue
            }
            if let kept = withoutCounts(body) { initialContext.append(.record(kept)) }
        }
    }

    mutating func apply(_ record: TraceRecord, _ definitions: TraceDefinitions, _ out: inout [TraceRecord]) {
        lastTime = record.time
        lastSequence = record.sequence
        var record = record
        if case .environment(let fact) = record.body, real.roles.apply(fact: fact.name, fact.value) {
            reported.roles = real.roles
        }
        switch record.body {
        case .key(let key):
            guard let kept = kept(key, record, &out) else {
                shift &-= 1
                return
            }
            record.body = .key(kept)
        case .text, .textInput:
            endRun(record.time, record.sequence, &out)
        default:
            guard let body = withoutCounts(record.body).flatMap({ decided($0, definitions) }) else {
                shift &-= 1
                return
            }
            record.body = body
        }
        record.sequence = record.sequence &+ shift
        out.append(record)
    }

    mutating func finish(_ out: inout [TraceRecord]) { endRun(lastTime, (lastSequence ?? 0) &+ 1, &out) }

    private mutating func kept(_ key: KeyRecord, _ record: TraceRecord, _ out: inout [TraceRecord]) -> KeyRecord? {
        capsLock = key.modifiers.intersection(.capsLock)
        if let usage = key.key.usage, let own = usage.modifierKey { return follow(usage, own, key) ? key : nil }
        delivered = nil
        var key = key
        let isText = TextRuns.isText(key)
        switch key.phase {
        case .down where isText:
            if isInRun {
                counts.add(.textRunLengths)
                if let press = key.press { presses.drop(press) } else { unnumbered.insert(KeyOfDevice(key)) }
                return nil
            }
            isInRun = true
            hadRun = true
            if let press = key.press { first.insert(press) }
        case .down:
            endRun(record.time, record.sequence, &out)
            if let press = key.press { first.remove(press) }
        case .repeat:
            if isText {
                counts.add(.textRunLengths)
                return nil
            }
        case .up, .cancel:
            if let press = key.press, presses.isDropped(press) { return nil }
            if key.press == nil, unnumbered.remove(KeyOfDevice(key)) != nil { return nil }
        }
        if let press = key.press {
            if key.phase == .down { presses.keep(press) }
            key.press = presses.new(press)
        }
        return key
    }

    /// A press that types text: its key is masked, or would be.
    private static func isText(_ key: KeyRecord) -> Bool {
        switch key.key {
        case .masked: true
        case .clear(let usage):
            TextKeyClass(usage) != nil && key.modifiers.isDisjoint(with: [.command, .control])
        }
    }

    /// A key on its way along the chain; without a press it is a modifier key.
    private static func isDelivery(_ body: TraceRecord.Body) -> Bool {
        switch body {
        case .receiver, .gesture: true
        default: false
        }
    }

    private mutating func decided(_ body: TraceRecord.Body, _ definitions: TraceDefinitions) -> TraceRecord.Body? {
        guard var at = body.decided else { return body }
        if at.press == 0, isInRun, TextRuns.isDelivery(body) {
            if let delivered { deliveries[delivered, default: []].append(body) } else { counts.add(.textRunLengths) }
            return nil
        }
        if at.press > 0 {
            if presses.isDropped(at.press) || at.tick > 0 && first.contains(at.press) { return nil }
            at.press = presses.new(at.press)
        }
        switch body.decided(at: at) {
        case .resolution(var record):
            if hadRun, record.state != nil {
                counts.add(.textRunLengths)
                record.state = nil
            }
            return .resolution(record)
        case .effect(var record):
            if record.value != nil, definitions[record.kind] == "text" {
                counts.add(.textRunLengths)
                record.value = nil
            }
            return .effect(record)
        case let other: return other
        }
    }

    /// The record without a count of all presses or entries; `nil` when it was nothing else.
    private mutating func withoutCounts(_ body: TraceRecord.Body) -> TraceRecord.Body? {
        switch body {
        case .environment(let fact) where RenamedFacts.countsPresses(fact.name):
            counts.add(.textRunLengths)
            return nil
        case .clockRelation(var relation) where relation.matches > 0:
            counts.add(.textRunLengths)
            relation.matches = 0
            return .clockRelation(relation)
        case .loss(var loss) where loss.detail.hasPrefix("repeats of press "):
            counts.add(.textRunLengths)
            loss.detail = ""
            return .loss(loss)
        default: return body
        }
    }

    /// False for a change that waits for the end of the run.
    private mutating func follow(_ usage: KeyUsage, _ own: ModifierKeys, _ key: KeyRecord) -> Bool {
        guard key.phase != .repeat else { return !isInRun }
        real.apply(usage, key.phase, device: key.device)
        if isInRun {
            delivered = ModifierKey(device: key.device, key: own)
            forget(ModifierKey(device: key.device, key: own))
        } else {
            reported = real
        }
        return !isInRun
    }

    private mutating func forget(_ key: ModifierKey) {
        counts.add(.textRunLengths, UInt64(deliveries.removeValue(forKey: key)?.count ?? 0))
    }

    private mutating func endRun(_ time: TraceTime, _ sequence: UInt64, _ out: inout [TraceRecord]) {
        guard isInRun else { return }
        isInRun = false
        for device in Set((real.keyboards + reported.keyboards).map(\.device)).sorted() {
            let (was, now) = (reported.keys(of: device), real.keys(of: device))
            for usage in was.symmetricDifference(now).usages {
                guard let own = usage.modifierKey else { continue }
                let phase: KeyPhase = now.contains(own) ? .down : .up
                reported.apply(usage, phase, device: device)
                let key = KeyRecord(
                    device: device, key: .clear(usage), phase: phase, modifiers: capsLock.union(reported.heldFlags),
                    press: nil)
                let bodies = deliveries.removeValue(forKey: ModifierKey(device: device, key: own)) ?? []
                for body in [.key(key)] + bodies {
                    out.append(TraceRecord(time: time, sequence: sequence &+ shift, body: body))
                    shift &+= 1
                }
            }
        }
        for key in Array(deliveries.keys) { forget(key) }
        delivered = nil
    }
}
