// seeds: Traces/compatibility/v1 Traces/compatibility/v2
// longest: 8192
import TraceFormat

/// Reads any bytes as the text format of a trace. What is accepted must be a complete trace whose own text gives
/// the same bytes again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTraceText(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = Array(UnsafeBufferPointer(start: start, count: count))
    guard let bytes = assembled(text) else { return 0 }
    guard var reader = try? TraceReader(bytes) else { fatalError("an assembled trace is not read") }
    var writer = TraceTextWriter()
    if let header = reader.report.header {
        writer.begin(header, context: reader.initialContext, definitions: reader.definitions)
    }
    while let record = reader.next() { writer.append(record, definitions: reader.definitions) }
    precondition(reader.report.complete, "\(reader.report.damages)")
    writer.end()
    precondition(assembled(writer.bytes) == bytes)
    return 0
}

private func assembled(_ text: [UInt8]) -> [UInt8]? {
    final class Output { var bytes: [UInt8] = [] }
    let output = Output()
    do {
        try TraceAssembly.assemble(TraceBytes(text)) { output.bytes.append(contentsOf: $0) }
    } catch {
        return nil
    }
    return output.bytes
}
