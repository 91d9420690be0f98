/// `struct input_event` records as a program read them from /dev/input: 24 bytes each on 64-bit systems, 16 on
/// 32-bit ones, little-endian (spec §5).
enum InputEventFile {
    private static let sizes = [24, 16]

    /// Records that are looked at.
    private static let records = 2...4

    /// The size of the records, when the first ones are plausible and one is no mere separator.
    static func recordBytes(_ head: [UInt8]) -> Int? {
        head.withUnsafeBytes { bytes in
            sizes.first { size in
                let count = min(bytes.count / size, records.upperBound)
                guard count >= records.lowerBound, let base = bytes.baseAddress else { return false }
                var hasEvent = false
                for index in 0..<count {
                    guard let event = event(base + index * size, size), isPlausible(event) else { return false }
                    hasEvent = hasEvent || event.type != 0
                }
                return hasEvent
            }
        }
    }

    static func read(_ input: CaptureInput, record size: Int, into traffic: CaptureTraffic) throws(CaptureError) {
        var keys = EvdevKeys(StreamPlace(source: .evdev, address: 1))
        while let bytes = try input.peek(size), let base = bytes.baseAddress {
            if let event = event(base, size), isPlausible(event) {
                keys.add(event, to: traffic)
            } else {
                traffic.facts.skippedLines += 1
                traffic.noteDamage(
                    at: input.offset, "input event", "a time, type and code that exist", hexadecimal(bytes))
            }
            input.consume(size)
        }
        if input.remaining > 0 {
            traffic.noteDamage(at: input.offset, "input event", "\(size) bytes", "\(input.remaining)", lost: 1)
        }
        keys.finish(traffic)
    }

    /// The event of a record of 24 or 16 bytes; `nil` where its time is none.
    static func event(_ record: UnsafeRawPointer, _ size: Int) -> EvdevEvent? {
        let isWide = size == 24
        let seconds = isWide ? record.integer(0, as: Int64.self) : Int64(record.integer(0, as: UInt32.self))
        let micros = isWide ? record.integer(8, as: Int64.self) : Int64(record.integer(4, as: UInt32.self))
        guard (0..<1 << 33).contains(seconds), (0..<1_000_000).contains(micros) else { return nil }
        return EvdevEvent(
            stamp: seconds * 1_000_000_000 + micros * 1000, type: record.integer(size - 8, as: UInt16.self),
            code: record.integer(size - 6, as: UInt16.self), value: record.integer(size - 4, as: Int32.self))
    }

    private static func isPlausible(_ event: EvdevEvent) -> Bool {
        switch event.type {
        case 0: event.code <= 3
        case 1: event.code <= 0x2FF && (0...2).contains(event.value)
        case 2...5, 0x11, 0x12, 0x14...0x17: event.code <= 0x2FF
        default: false
        }
    }
}
