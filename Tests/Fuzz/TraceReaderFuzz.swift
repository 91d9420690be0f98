// seeds: Traces/hostile Traces/compatibility/v1 Traces/compatibility/v2
// longest: 4096
import TraceFormat

/// Reads bytes that begin like a trace as one. Of others the first byte says how: odd, the rest is the payload of a
/// block with a right checksum, for the decoder would not be reached otherwise, in version 2 where bit 1 is set; even,
/// the rest is the trace. What was delivered must be writable and readable again, record for record.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTraceReader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let mode = input.first else { return 0 }
    let rest = Array(input.dropFirst())
    let block = sealed(rest, count: UInt32(mode >> 2), version: mode & 2 == 0 ? 1 : 2)
    let bytes = mode == 0x89 ? input : mode & 1 == 0 ? rest : block
    guard let (recording, report) = try? Recording.read(bytes) else { return 0 }
    precondition(!report.complete || report.damages.isEmpty)
    precondition(UInt64(recording.records.count) == report.records)
    guard !recording.records.isEmpty else { return 0 }
    let header = report.header ?? TraceHeader(level: .keys, isMasked: false)
    let canonical: [UInt8]
    do {
        canonical = try recording.bytes(header: header)
    } catch {
        fatalError("a read trace is not written: \(error)")
    }
    guard let (again, second) = try? Recording.read(canonical) else { fatalError("a written trace is not read") }
    precondition(second.damages.isEmpty, "\(second.damages)")
    precondition(again.records.count == recording.records.count)
    precondition((try? again.bytes(header: header)) == canonical)
    return 0
}
