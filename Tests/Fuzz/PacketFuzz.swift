// seeds: Traces/hostile Traces/captures
import HIDCapture

/// The first byte chooses a link type, the rest is packets: a byte for the length, then that many bytes (in units of
/// four from 0x80 on). Each packet reaches its link layer and protocol, whatever the container thinks of lengths.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPackets(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: data, count: count)
    guard let choice = input.first else { return 0 }
    let links: [UInt32] = [187, 189, 201, 220, 249, 254, 266]
    var file: [UInt8] = [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]
    file += number(links[Int(choice) % links.count])
    var at = 1
    var packets: UInt32 = 0
    while at < input.count {
        let length = input[at] < 0x80 ? Int(input[at]) : (Int(input[at]) - 0x80) * 4
        at += 1
        let packet = input[at..<min(at + length, input.count)]
        file += number(packets) + number(0) + number(UInt32(packet.count)) + number(UInt32(packet.count)) + packet
        at += packet.count
        packets += 1
    }
    guard let capture = try? Capture(bytes: file) else { return 0 }
    precondition(capture.facts.packets == UInt64(packets), "\(capture.facts.packets) packets of \(packets)")
    var last: Int64 = 0
    capture.forEachBatch { events in
        for event in events {
            precondition(event.time.nanoseconds >= last, "time runs backwards")
            last = event.time.nanoseconds
        }
    }
    return 0
}

private func number(_ value: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
}
