import KeyModel
import TraceFormat

/// Removes input during secure text entry from the records of a trace (`SecureEntry` has the rules): later sequence
/// numbers move up, and so do texts.
struct SecureTyping {
    var isSecure = false
    /// Records that were taken out.
    private(set) var dropped: UInt64 = 0
    private var entry = SecureEntry()
    private var texts: UInt32 = 0
    /// Offset added to sequence numbers, modulo 2^64.
    private var shift: UInt64 = 0
    /// Sequence number of the open gap's record.
    private var sequence: UInt64 = 0
    /// Time of the last record that was written.
    private var emitted = TraceTime.zero
    /// Time of the last record that was read.
    private var latest = TraceTime.zero

    /// Removes a record that is no secure typing.
    mutating func drop() { shift &-= 1 }

    mutating func apply(_ record: TraceRecord, _ out: inout [TraceRecord]) {
        latest = record.time
        switch record.body {
        case .key(let key):
            let isLeftOut = entry.leavesOut(
                key.key, key.phase, device: key.device, press: key.press, isSecure: isSecure)
            if isLeftOut { return takeOut(record) }
            if key.phase == .down { close(at: record.time, &out) }
        case .text:
            if isSecure {
                texts &+= 1
                return takeOut(record)
            }
            close(at: record.time, &out)
        default:
            if let at = record.body.decided, at.press > 0 ? entry.leavesOut(press: at.press) : isSecure {
                return takeOut(record)
            }
        }
        var kept = record
        kept.sequence = record.sequence &+ shift
        kept.body = renumbered(record.body)
        if entry.isOpen {
            entry.wait(kept)
        } else {
            emitted = record.time
            out.append(kept)
        }
        if case .textInput(let input) = record.body {
            isSecure = input.isSecure
            if !isSecure { close(at: record.time, &out) }
        }
    }

    mutating func finish(_ out: inout [TraceRecord]) { close(at: latest, &out) }

    private mutating func takeOut(_ record: TraceRecord) {
        dropped &+= 1
        if isSecure, !entry.isOpen {
            // The gap's record takes the number of the first that it replaces.
            entry.begin(at: record.time)
            sequence = record.sequence &+ shift
        } else {
            shift &-= 1
        }
    }

    private func renumbered(_ body: TraceRecord.Body) -> TraceRecord.Body {
        if case .key(var key) = body {
            key.press = key.press.map { entry.number(of: $0) }
            return .key(key)
        }
        guard var at = body.decided else { return body }
        if at.press > 0 {
            at.press = entry.number(of: at.press)
        } else if at.tick >= texts {
            at.tick -= texts
        }
        return body.decided(at: at)
    }

    private mutating func close(at end: TraceTime, _ out: inout [TraceRecord]) {
        guard let (gap, time, waiting) = entry.close(at: end, last: emitted) else { return }
        out.append(TraceRecord(time: time, sequence: sequence, body: .loss(gap)))
        out += waiting
        emitted = waiting.last?.time ?? time
    }
}
