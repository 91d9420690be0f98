package import KeyModel
package import TraceFormat
import TraceReports

/// The keys that an app got, beside those that were typed: each once, in order, with its release. How long a key was
/// held, and how often it repeated meanwhile, is a matter of the system.
package struct KeyDelivery: Sendable {
    /// The presses of a script or a trace, and its texts without a key. A modifier is one where it was pressed alone.
    package struct Keys: TraceConsumer, Sendable {
        package private(set) var presses: [Press] = []
        /// Records that the trace says are lost.
        package private(set) var lost: UInt64 = 0
        /// Numbers of presses before each secure entry, of which nothing is recorded.
        fileprivate private(set) var secureEntries: Set<Int> = []
        /// Modifiers that are down, with the number of presses before them.
        fileprivate private(set) var held: [KeyUsage: Int] = [:]
        /// By press; 0 for Caps Lock and Num Lock of a GNUstep app, which begin none.
        private var open: [UInt32: Int] = [:]
        private var isOfApp = false

        package init() {}

        package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
            switch record.body {
            case .key(let key): follow(key, at: record.time)
            case .text(let text):
                let key = PressResult.Input.Key.text(text.text.flatMap { definitions[$0] }.map(ByteName.init))
                presses.append(Press(key: key, press: nil, time: record.time, isReleased: true))
            case .environment(let fact): isOfApp = isOfApp || fact.name == AdapterFact.toolkit
            case .loss(let loss):
                lost = lost.addingSaturated(loss.lostRecords)
                if loss.cause == .secureEntry { secureEntries.insert(presses.count) }
            default: break
            }
        }

        private mutating func follow(_ key: KeyRecord, at time: TraceTime) {
            if let usage = key.key.usage, usage.isModifier {
                if key.phase == .down {
                    held[usage] = presses.count
                } else if key.phase != .repeat, held.removeValue(forKey: usage) == presses.count, held.isEmpty {
                    let chord = Chord(modifiers: [], usage: usage)
                    presses.append(Press(key: .chord(chord), press: nil, time: time, isReleased: true))
                }
            } else if key.phase == .down {
                open[key.press ?? 0] = presses.count
                presses.append(Press(key: .init(key), press: key.press, time: time, isReleased: false))
            } else if key.phase != .repeat, !key.isSynthetic, let place = open[key.press ?? 0] {
                presses[place].isReleased = true
            }
        }

        /// An app that ends in its last key gets no release of it.
        fileprivate mutating func endWithApp() {
            guard isOfApp, let last = presses.indices.last, !presses[last].isReleased else { return }
            presses[last].isReleased = true
            let own = presses[last].modifiers
            held = held.filter { usage, _ in usage.modifierKey.map { !own.isSuperset(of: $0.modifiers) } ?? true }
        }

        fileprivate mutating func leaveOutModifiers() { presses.removeAll(where: \.isModifier) }
    }

    package struct Press: Hashable, Sendable {
        /// Where it is a modifier's, without modifiers.
        package var key: PressResult.Input.Key
        package var press: UInt32?
        package var time: TraceTime
        package var isReleased: Bool

        var isModifier: Bool { if case .chord(let chord) = key { chord.usage.isModifier } else { false } }
        var glyphs: String { PressResult.Input(key: key, isRepeat: false).glyphs }
        fileprivate var modifiers: KeyModifiers {
            switch key {
            case .chord(let chord): chord.modifiers
            case .masked(let modifiers, _): modifiers
            default: []
            }
        }

        /// The key as it is compared. What a stuck modifier brings into the clear of a masked trace is compared by its
        /// class, as without it.
        fileprivate func key(without stuck: KeyModifiers, masked: Bool) -> PressResult.Input.Key {
            switch key {
            case .masked(let modifiers, let name): return .masked(modifiers.subtracting(stuck), name)
            case .chord(let chord):
                let modifiers = chord.modifiers.subtracting(stuck)
                if masked, modifiers != chord.modifiers, let textClass = TextKeyClass(chord.usage) {
                    return .masked(modifiers, textClass.name)
                }
                return .chord(Chord(modifiers: modifiers, usage: chord.usage))
            default: return key
            }
        }
    }

    package struct Finding: Hashable, Sendable {
        package enum Kind: String, Sendable {
            /// It was typed, and is not there.
            case lost
            /// It is there once more, right behind itself.
            case doubled
            /// It came at another place.
            case swapped
            /// It was released, and is down at the end.
            case stuck
            /// It is there, and was not typed.
            case unexpected
        }

        package var kind: Kind
        package var key: String
        /// Place among the typed keys, from 1, and the press of the trace.
        package var typed: Int?
        package var press: UInt32?
        /// The last key before it that arrived as typed.
        package var after: Press?
        /// The number of arrived keys that it came behind, of a swapped one; negative for those that it came before.
        package var moved: Int?
        fileprivate var arrivedBefore = 0
    }

    package private(set) var findings: [Finding] = []
    package private(set) var arrived = 0
    /// Arrived keys that are masked, and so compared by their class alone.
    package private(set) var masked = 0
    /// Typed keys that are not there where a secure entry was.
    package private(set) var unrecorded = 0
    package let typed: Int
    package let found: Int
    package let lost: UInt64

    package init(typed: Keys, found: Keys) {
        var (typed, found) = (typed, found)
        found.endWithApp()
        let extra = found.held.filter { typed.held[$0.key] == nil }.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { (modifiers: $0.key.modifierKey?.modifiers ?? [], after: found.presses.prefix($0.value).last) }
        // Where none was typed alone, one that came alone did nothing.
        if !typed.presses.contains(where: \.isModifier) { found.leaveOutModifiers() }
        (self.typed, self.found, lost) = (typed.presses.count, found.presses.count, found.lost)
        // A modifier that stays down is with every key after it, which is one finding.
        let stuck = extra.reduce(into: KeyModifiers()) { $0.formUnion($1.modifiers) }
        let isMasked = (typed.presses + found.presses).contains { KeyDelivery.isMasked($0.key) }
        let keys = [typed, found].map { $0.presses.map { $0.key(without: stuck, masked: isMasked) } }
        let steps = SequenceAlignment(keys[0], keys[1]).steps
        var last: Press?
        var next = 0
        for step in steps {
            switch step {
            case .both(let old, let new):
                arrived += 1
                next = new + 1
                let press = found.presses[new]
                if KeyDelivery.isMasked(keys[1][new]) { masked += 1 }
                defer { last = press }
                // The release after a key that led into a secure entry is not recorded either.
                guard typed.presses[old].isReleased, !press.isReleased, !found.secureEntries.contains(next) else {
                    continue
                }
                findings.append(
                    Finding(kind: .stuck, key: press.glyphs, typed: old + 1, press: press.press, after: last))
            case .onlyFirst where found.secureEntries.contains(next): unrecorded += 1
            case .onlyFirst(let old):
                let key = typed.presses[old]
                findings.append(
                    Finding(
                        kind: .lost, key: key.glyphs, typed: old + 1, press: nil, after: last, arrivedBefore: arrived))
                swap(key.glyphs, .unexpected, .doubled)
            case .onlySecond(let new):
                next = new + 1
                let key = found.presses[new]
                let isAgain = new > 0 && found.presses[new - 1].key == key.key
                let kind: Finding.Kind = isAgain ? .doubled : .unexpected
                findings.append(
                    Finding(
                        kind: kind, key: key.glyphs, typed: nil, press: key.press, after: last, arrivedBefore: arrived))
                swap(key.glyphs, .lost)
            }
        }
        findings += extra.map { modifiers, after in
            Finding(kind: .stuck, key: Chord.glyphs(modifiers), typed: nil, press: nil, after: after)
        }
    }

    /// Makes one finding of the last and of one of these kinds just before it about the same key.
    private mutating func swap(_ key: String, _ kinds: Finding.Kind...) {
        guard let other = findings.dropLast().suffix(2).lastIndex(where: { $0.key == key && kinds.contains($0.kind) })
        else { return }
        let (first, second) = (findings[other], findings.removeLast())
        findings[other].kind = .swapped
        findings[other].typed = first.typed ?? second.typed
        findings[other].press = first.press ?? second.press
        let distance = second.arrivedBefore - first.arrivedBefore
        findings[other].moved = first.kind == .lost ? distance : -distance
    }

    private static func isMasked(_ key: PressResult.Input.Key) -> Bool {
        switch key {
        case .masked, .text(nil): true
        default: false
        }
    }

    /// One object.
    package var json: String {
        let object: JSONObject = [
            "schema": "keyflight.delivery/1", "identical": findings.isEmpty, "typed": typed, "found": found,
            "arrived": arrived, "lost_records": lost, "not_recorded": unrecorded, "masked": masked,
            "findings": findings.objects {
                [
                    "kind": $0.kind.rawValue, "key": $0.key, "typed": $0.typed, "press": $0.press,
                    "after": $0.after?.glyphs, "after_press": $0.after?.press,
                    "after_t_ns": $0.after?.time.nanoseconds, "moved": $0.moved,
                ]
            },
        ]
        return object.text
    }

    /// The same for people. Ends with a line break.
    package func text(trace: String, script: String) -> String {
        let keys = HumanNumbers.counted(typed, "key", "keys")
        var lines = [
            "\(DiffFormatter.safe(trace)): \(arrived) of \(keys) of \(DiffFormatter.safe(script)) arrived"
                + (findings.isEmpty && unrecorded == 0 ? ", each once, in order and released" : "")
                + (masked > 0 ? "; \(masked) masked, compared by class alone" : "")
        ]
        if unrecorded > 0 {
            let some = HumanNumbers.counted(unrecorded, "key", "keys")
            lines.append("  \(some) of a secure entry, which is not recorded")
        }
        for finding in findings {
            let place = [
                finding.typed.map { "key \($0)" }, finding.press.map { "press \($0)" },
                finding.moved.map {
                    HumanNumbers.counted(abs($0), "key", "keys") + ($0 > 0 ? " later" : " earlier")
                },
                finding.after.map { after in
                    "last good \(after.glyphs)" + (after.press.map { ", press \($0)" } ?? "")
                        + " at \(HumanNumbers.time(after.time))"
                } ?? "before any that arrived",
            ]
            let words = place.compactMap(\.self).joined(separator: " · ")
            lines.append("  \(finding.kind.rawValue)  \(finding.key)  \(words)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
