import KeyModel

/// Binds key events in order: usage, direction and time since the event before. `Scripts/floors/boot_report.h` computes
/// the same number from the reports of a capture, so that both are known to have decoded the same.
struct EventOrder {
    private(set) var events: UInt64 = 0
    private(set) var downs: UInt64 = 0
    private(set) var checksum: UInt64 = 0
    private var last: TraceTime?

    mutating func add(usage: KeyUsage, isUp: Bool, time: TraceTime) {
        let delta = UInt64(bitPattern: last.map { time.since($0).nanoseconds } ?? 0)
        last = time
        checksum = (checksum ^ (delta << 17 | (isUp ? 1 << 16 : 0) | UInt64(usage.usage))) &* 0x9E37_79B9_7F4A_7C15
        checksum ^= checksum >> 29
        events += 1
        if !isUp { downs += 1 }
    }

    var text: String { "events \(events) downs \(downs) checksum \(checksum.hexadecimal(16))" }
}
