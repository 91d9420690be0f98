// seeds: Traces/captures
import HIDCapture
import KeyModel

/// The first byte chooses a kind of recording, whose beginning is put before the rest, so that each parser gets all
/// bytes. A key never goes up before it is down, and repeats only while it is.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRecording(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: data, count: count)
    guard let choice = input.first else { return 0 }
    let beginnings = [
        "# EVEMU 1.3\n", "version: 1\ndevices:\n- node: /dev/input/event0\n  events:\n  - evdev:\n", "R: 1 05\n",
        "ffff8800 1 C Ii:1:005:1 0:8 8 = 00000400 00000000\n", "",
    ]
    let file = Array(beginnings[Int(choice) % beginnings.count].utf8) + input.dropFirst()
    guard let capture = try? Capture(bytes: file) else { return 0 }
    var down: [UInt16: Set<KeyUsage>] = [:]
    var last: Int64 = 0
    capture.forEachBatch { events in
        for event in events {
            precondition(event.time.nanoseconds >= last, "time runs backwards")
            last = event.time.nanoseconds
            guard let usage = event.key.usage else { continue }
            switch event.phase {
            case .down: down[event.device, default: []].insert(usage)
            case .up: precondition(down[event.device, default: []].remove(usage) != nil, "\(usage) was not down")
            case .repeat: precondition(down[event.device, default: []].contains(usage), "\(usage) is not down")
            case .cancel: break
            }
        }
    }
    precondition(down.values.allSatisfy(\.isEmpty), "a key was never released")
    return 0
}
