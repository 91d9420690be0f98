import TraceFormat

/// Reads any bytes as a trace. What was delivered whole must be writable and readable again, record for record.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTraceReader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let (recording, report) = try? Recording.read(bytes) else { return 0 }
    precondition(report.complete == report.damages.isEmpty || !report.complete)
    precondition(UInt64(recording.records.count) == report.records)
    guard !recording.records.isEmpty else { return 0 }
    let header = report.header ?? TraceHeader(level: .keys, isMasked: false)
    // A text longer than a record may be can stand in a definition; such a recording is refused, not mangled.
    guard let canonical = try? recording.bytes(header: header) else { return 0 }
    guard let (again, second) = try? Recording.read(canonical) else { fatalError("a written trace is not read") }
    precondition(second.damages.isEmpty, "\(second.damages)")
    precondition(again.records.count == recording.records.count)
    return 0
}
