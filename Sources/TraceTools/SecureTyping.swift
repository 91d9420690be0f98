import KeyModel
import TraceFormat

/// Removes input during secure text entry: keys, text, their decisions, and how many there were. One gap replaces them,
/// its begin and end rounded to seconds (spec TX-10).
///
/// A key belongs to the gap when its down does, whatever has the keyboard at its up. Presses and records after it are
/// numbered as if it had not been.
struct SecureTyping {
    var isSecure = false
    /// Records that were taken out.
    private(set) var dropped: UInt64 = 0
    private var keys: Set<KeyOfDevice> = []
    private var presses = PressRenumbering()
    private var texts: UInt32 = 0
    /// Offset added to sequence numbers, modulo 2^64.
    private var shift: UInt64 = 0
    private var gap: (start: TraceTime, sequence: UInt64)?
    /// Records from within the gap, until it is known how long it was.
    private var waiting: [TraceRecord] = []
    /// Time of the last record that was written.
    private var emitted = TraceTime.zero
    /// Time of the last record that was read.
    private var latest = TraceTime.zero

    /// Removes a record that is no secure typing: later sequence numbers move up.
    mutating func drop() { shift &-= 1 }

    mutating func apply(_ record: TraceRecord, _ out: inout [TraceRecord]) {
        latest = record.time
        switch record.body {
        case .key(let key):
            if takes(key) { return takeOut(record) }
            if key.phase == .down { close(at: record.time, &out) }
        case .text:
            if isSecure {
                texts &+= 1
                return takeOut(record)
            }
            close(at: record.time, &out)
        default:
            if let at = record.body.decided, at.press > 0 ? presses.isDropped(at.press) : isSecure {
                return takeOut(record)
            }
        }
        var kept = record
        kept.sequence = record.sequence &+ shift
        kept.body = renumbered(record.body)
        if gap == nil {
            emitted = record.time
            out.append(kept)
        } else {
            waiting.append(kept)
        }
        if case .textInput(let input) = record.body {
            isSecure = input.isSecure
            if !isSecure { close(at: record.time, &out) }
        }
    }

    mutating func finish(_ out: inout [TraceRecord]) { close(at: latest, &out) }

    private mutating func takes(_ key: KeyRecord) -> Bool {
        switch key.phase {
        case .repeat: return key.press.map(presses.isDropped) ?? keys.contains(KeyOfDevice(key))
        case .up, .cancel:
            let isTaken = keys.remove(KeyOfDevice(key)) != nil
            // Two threads may hold one key of a device: a press is known by its number, where it has one.
            return key.press.map(presses.isDropped) ?? isTaken
        case .down:
            guard isSecure else {
                keys.remove(KeyOfDevice(key))
                if let press = key.press { presses.keep(press) }
                return false
            }
            keys.insert(KeyOfDevice(key))
            if let press = key.press { presses.drop(press) }
            return true
        }
    }

    private mutating func takeOut(_ record: TraceRecord) {
        dropped &+= 1
        if gap == nil, isSecure {
            // The gap's record takes the number of the first that it replaces.
            gap = (record.time, record.sequence &+ shift)
        } else {
            shift &-= 1
        }
    }

    private func renumbered(_ body: TraceRecord.Body) -> TraceRecord.Body {
        if case .key(var key) = body {
            key.press = key.press.map { presses.new($0) }
            return .key(key)
        }
        guard var at = body.decided else { return body }
        if at.press > 0 {
            at.press = presses.new(at.press)
        } else if at.tick >= texts {
            at.tick -= texts
        }
        return body.decided(at: at)
    }

    private mutating func close(at end: TraceTime, _ out: inout [TraceRecord]) {
        guard let gap else { return }
        self.gap = nil
        let (loss, time) = SecureGap.record(from: gap.start, to: end, last: emitted)
        out.append(TraceRecord(time: time, sequence: gap.sequence, body: .loss(loss)))
        out.append(contentsOf: waiting)
        emitted = waiting.last?.time ?? time
        waiting = []
    }
}
