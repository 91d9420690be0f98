package import KeyModel

/// The keys that are down on one keyboard, and the changes of the next report.
///
/// A report lists every key that is down, so a change is the difference of two sets, never the bytes of one report.
///
/// Cases of one report:
/// 1. A key in the report that was up: pressed. A key that was down and is not in the report: released. A key in
///    both: nothing, wherever in the report it is.
/// 2. Several changes at once are ordered: released keys ascending, released modifiers ascending, pressed modifiers
///    ascending, pressed keys ascending. So a chord's modifiers are down before its key, and up after it.
/// 3. Left and right modifiers are keys of their own: both Shifts down and one up is one release.
/// 4. A key that slides from one slot to another, or is in two slots, is one key.
/// 5. Rollover (more keys than a report can hold): keys stay as they were, modifiers change as in the report.
/// 6. Rollover as the first report: no key is known to be down; its modifiers are pressed.
/// 7. After rollover the next plain report is compared with the keys from before it.
/// 8. The same report again: nothing.
/// Cases of the end (the capture stops, the transfer is cancelled, the device is gone):
/// 9. Every key still down is released, in the order of case 2, and the release is marked as sent by no source.
/// 10. Nothing is down: nothing.
/// 11. A report after the end starts from nothing held: a key still in it is pressed anew.
package struct ReportChanges: Hashable, Sendable {
    package private(set) var keys = PressedKeys()

    package init() {}

    /// Applies one report. `isRollover`: its key part is ErrorRollOver, so only its modifiers count.
    @inline(__always)
    package mutating func apply(
        _ report: borrowing PressedKeys, isRollover: Bool, _ emit: (KeyUsage, KeyPhase) -> Void
    ) {
        if isRollover {
            var kept = keys
            kept.high = kept.high & ~PressedKeys.modifierBits | report.high & PressedKeys.modifierBits
            change(to: kept, emit)
        } else {
            change(to: report, emit)
        }
    }

    /// The end of the source: releases everything.
    package mutating func releaseAll(_ emit: (KeyUsage, KeyPhase) -> Void) {
        change(to: PressedKeys(), emit)
    }

    /// Follows a key event of a source that reports events in place of states.
    mutating func note(_ usage: KeyUsage, _ phase: KeyPhase) {
        switch phase {
        case .down: keys.insert(usage)
        case .up, .cancel: keys.remove(usage)
        case .repeat: break
        }
    }

    @inline(__always)
    private mutating func change(to next: borrowing PressedKeys, _ emit: (KeyUsage, KeyPhase) -> Void) {
        let low = keys.low ^ next.low
        guard (keys.second ^ next.second) | (keys.third ^ next.third) | (keys.high ^ next.high) == 0,
            low & (low &- 1) == 0, next.others.isEmpty, keys.others.isEmpty
        else { return changeMany(to: next, emit) }
        // Most reports change one of the first keys, and the rest is as it was.
        if low != 0 {
            let usage = UInt16(truncatingIfNeeded: low.trailingZeroBitCount)
            emit(.keyboard(usage), keys.low & low != 0 ? .up : .down)
            keys.low = next.low
        }
    }

    @inline(never)
    private mutating func changeMany(to next: borrowing PressedKeys, _ emit: (KeyUsage, KeyPhase) -> Void) {
        let (low, second) = (keys.low ^ next.low, keys.second ^ next.second)
        let (third, high) = (keys.third ^ next.third, keys.high ^ next.high)
        if next.others.isEmpty && keys.others.isEmpty {
            ReportChanges.each(low & keys.low, from: 0, .up, emit)
            ReportChanges.each(second & keys.second, from: 64, .up, emit)
            ReportChanges.each(third & keys.third, from: 128, .up, emit)
            ReportChanges.each(high & keys.high, from: 192, .up, emit)  // Modifiers have the highest usages.
            ReportChanges.each(high & next.high & PressedKeys.modifierBits, from: 192, .down, emit)
            ReportChanges.each(low & next.low, from: 0, .down, emit)
            ReportChanges.each(second & next.second, from: 64, .down, emit)
            ReportChanges.each(third & next.third, from: 128, .down, emit)
            ReportChanges.each(high & next.high & ~PressedKeys.modifierBits, from: 192, .down, emit)
        } else {
            changeAcrossPages(to: next, emit)
        }
        (keys.low, keys.second, keys.third, keys.high) = (next.low, next.second, next.third, next.high)
        if !(keys.others.isEmpty && next.others.isEmpty) { keys.others = next.others }
    }

    @inline(__always)
    private static func each(
        _ word: UInt64, from first: UInt16, _ phase: KeyPhase, _ emit: (KeyUsage, KeyPhase) -> Void
    ) {
        var bits = word
        while bits != 0 {
            emit(.keyboard(first + UInt16(truncatingIfNeeded: bits.trailingZeroBitCount)), phase)
            bits &= bits - 1
        }
    }

    private func changeAcrossPages(to next: borrowing PressedKeys, _ emit: (KeyUsage, KeyPhase) -> Void) {
        let (before, after) = (keys.usages, next.usages)
        let released = before.filter { !next.contains($0) }
        let pressed = after.filter { !keys.contains($0) }
        for usage in released where !usage.isModifier { emit(usage, .up) }
        for usage in released where usage.isModifier { emit(usage, .up) }
        for usage in pressed where usage.isModifier { emit(usage, .down) }
        for usage in pressed where !usage.isModifier { emit(usage, .down) }
    }
}
