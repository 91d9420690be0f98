// seeds: Traces/hostile
import CaptureImport
import TraceFormat

/// Any bytes as the log of a switch: what is written is a whole trace, whose edges alternate and whose times do not
/// decrease.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStimulus(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    var log = StimulusLog()
    if let first = bytes.first {
        log.timeColumn = 1 + Int(first & 3)
        log.edgeColumn = 1 + Int(first >> 2 & 3)
        log.isActiveLow = first & 0x10 != 0
    }
    var trace: [UInt8] = []
    guard let summary = try? log.run(Array(bytes.dropFirst()), name: "input", to: { trace += $0 }) else { return 0 }
    guard var reader = try? TraceReader(trace) else { preconditionFailure("a trace that cannot be read was written") }
    var (isClosed, edges) = (false, 0)
    while let record = reader.next() {
        guard case .key(let key) = record.body else { continue }
        precondition((key.phase == .down) != isClosed, "an edge that changes nothing")
        isClosed.toggle()
        edges += 1
    }
    precondition(reader.report.damages.isEmpty, "a damaged trace was written")
    precondition(edges == summary.closures + summary.openings, "\(edges) edges of \(summary)")
    return 0
}
