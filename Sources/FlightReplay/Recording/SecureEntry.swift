import KeyModel
import TraceFormat

/// Keeps typing in a secure text field out of a recording: its keys, their decisions, and their number. They are
/// replaced by one gap, its begin and end rounded to seconds (spec TX-10).
///
/// A key belongs to the gap when its down does, whatever has the focus at its up. Presses after a gap are numbered on
/// as if it had not been.
struct SecureEntry {
    private struct Key: Hashable {
        var device: UInt16
        var key: KeyIdentity
    }

    private var down: Set<Key> = []
    private var start: TraceTime?
    /// Records from within the gap: focus and steps, which wait until it is known how long it was.
    private var waiting: [(body: TraceRecord.Body, time: TraceTime)] = []
    private var skippedPresses: UInt32 = 0
    /// Recorded numbers of the presses that are down, where they differ from the replay's.
    private var numbers: [UInt32: UInt32] = [:]
    /// The current input belongs to the gap.
    private(set) var isSkipping = false

    var isOpen: Bool { start != nil }

    /// Decides about a key event. `isSecure`: a secure field has the keyboard.
    mutating func keyArrives(_ event: KeyEvent, press: UInt32?, isSecure: Bool) {
        let key = Key(device: event.device, key: event.key)
        switch event.phase {
        case .down:
            isSkipping = isSecure
            if isSecure {
                down.insert(key)
                if press != nil { skippedPresses &+= 1 }
                if start == nil { start = event.time }
            } else if let press, skippedPresses > 0 {
                numbers[press] = press &- skippedPresses
            }
        case .repeat: isSkipping = !down.isEmpty && down.contains(key)
        case .up, .cancel: isSkipping = !down.isEmpty && down.remove(key) != nil
        }
    }

    mutating func textArrives(at time: TraceTime, isSecure: Bool) {
        isSkipping = isSecure
        if isSecure, start == nil { start = time }
    }

    /// A step is recorded, secure field or not.
    mutating func stepBegins() { isSkipping = false }

    /// The number under which a press is recorded.
    func number(of press: UInt32) -> UInt32 { numbers.isEmpty ? press : numbers[press] ?? press }

    mutating func released(press: UInt32) { if !numbers.isEmpty { numbers[press] = nil } }

    mutating func wait(_ body: TraceRecord.Body, at time: TraceTime) { waiting.append((body, time)) }

    /// Ends the gap, if there is one: its record and what waited for it, in order. `last` is the time of the last
    /// record before it.
    mutating func close(at end: TraceTime, last: TraceTime) -> [(body: TraceRecord.Body, time: TraceTime)] {
        guard let start else { return [] }
        let gap = SecureGap.record(from: start, to: end, last: last)
        defer {
            self.start = nil
            waiting = []
        }
        return [(TraceRecord.Body.loss(gap.loss), gap.time)] + waiting
    }
}
