// seeds: Traces/hostile
import CaptureImport
import TraceFormat

/// Behind the head of a gzip file or a line of evtest, as the first byte chooses: whatever is unpacked is read, and
/// what was written is whole.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPacked(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    guard let choice = bytes.first else { return 0 }
    let text = "Input driver version is 1.0.1\nEvent: time 1700000000.000001, "
    let input = (choice & 1 == 0 ? [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] : Array(text.utf8)) + bytes.dropFirst()
    _ = CaptureImporter.foreignWords(bytes)
    var trace: [UInt8] = []
    _ = try? CaptureImporter().run([.init(name: "input", .bytes(input))], to: { trace += $0 })
    guard !trace.isEmpty else { return 0 }
    guard var reader = try? TraceReader(trace) else { preconditionFailure("a trace that cannot be read was written") }
    while reader.next() != nil {}
    precondition(reader.report.damages.isEmpty, "a damaged trace was written")
    return 0
}
