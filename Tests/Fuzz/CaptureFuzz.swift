// seeds: Traces/hostile Traces/captures
import CaptureImport
import KeyModel
import TraceFormat

/// Any bytes as a capture, the whole way: container, link layer, descriptors, key state, masked trace, and the trace
/// read back. Whatever was written must be whole, with times that do not decrease.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCapture(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    var intake = CaptureImporter()
    intake.showsKeys = count % 2 == 0
    var trace: [UInt8] = []
    guard let result = try? intake.run([.init(name: "input", .bytes(bytes))], to: { trace += $0 }) else { return 0 }
    guard case .imported(let summary) = result else {
        precondition(trace.isEmpty, "no keyboard, yet something was written")
        return 0
    }
    guard var reader = try? TraceReader(trace) else { preconditionFailure("a trace that cannot be read was written") }
    var keyEvents: UInt64 = 0
    while let record = reader.next() {
        // Repeats of a kernel's recording are counted apart.
        if case .key(let key) = record.body, !key.isSynthetic, key.phase != .repeat { keyEvents += 1 }
    }
    precondition(reader.report.damages.isEmpty, "a damaged trace was written")
    precondition(keyEvents == summary.keyEvents, "\(keyEvents) key events in the trace of \(summary.keyEvents)")
    return 0
}
