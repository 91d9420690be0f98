// seeds: Traces/hostile Traces/compatibility/v1 Traces/compatibility/v2
// longest: 4096
import TraceFormat
import TraceTools

/// Runs a tool on any bytes. The first byte says which, and how its parts lie; of bytes that begin like a trace their
/// number says it. What a tool writes must be a complete trace, and of the tools that must change nothing the second
/// time, the same bytes again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTraceTools(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let first = input.first else { return 0 }
    let isTrace = first == 0x89
    let mode = isTrace ? UInt8(truncatingIfNeeded: input.count) : first
    let rest = isTrace ? input : Array(input.dropFirst())
    // With an odd number the bytes are the payload of a block with a right checksum: tools would not be reached else.
    let bytes = TraceBytes(isTrace || mode & 1 == 0 ? rest : sealed(rest, count: UInt32(mode >> 4)))
    let showsKeys = mode & 2 != 0
    guard (try? TraceReader(bytes)) != nil else { return 0 }
    switch mode >> 2 & 3 {
    case 0:
        guard let whole = written({ try TraceRepair(showsKeys: showsKeys).run(bytes, to: $0) }) else { return 0 }
        let again = written { try TraceRepair(showsKeys: showsKeys).run(TraceBytes(whole), to: $0) }
        precondition(again == whole, "a repaired trace is repaired to another")
    case 1:
        let redaction = Redaction(showsKeys: showsKeys)
        guard let once = written({ try redaction.run(bytes, to: $0) }) else { return 0 }
        let again = written { try redaction.run(TraceBytes(once), to: $0) }
        precondition(again == once, "redacted twice it is another trace")
        precondition((try? redaction.check(TraceBytes(once)))?.counts.isEmpty == true)
    case 2:
        guard let whole = written({ try TraceRepair(showsKeys: true).run(bytes, to: $0) }) else { return 0 }
        let ranges: [TraceCut.Range] = [.presses(1...2), .presses(3...UInt32.max)]
        let parts = ranges.compactMap { range in
            written { try TraceCut(range, showsKeys: true).run(TraceBytes(whole), to: $0) }
        }.filter { !$0.isEmpty }
        guard parts.count == 2 else { return 0 }
        let merge = TraceMerge(parts.map { TraceBytes($0) }, showsKeys: true)
        precondition(written { try merge.run(to: $0) } == whole, "cut and merged it is another trace")
    default:
        _ = try? FormatCheck().run(bytes)
        let merge = TraceMerge([bytes, bytes], showsKeys: showsKeys)
        _ = written { try merge.run(to: $0) }
    }
    return 0
}

private final class Output { var bytes: [UInt8] = [] }

/// The bytes of a tool, which must be a complete trace; `nil` when it refused.
private func written(_ run: (@escaping TraceWriter.Sink) throws -> some Any) -> [UInt8]? {
    let output = Output()
    do {
        _ = try run { output.bytes.append(contentsOf: $0) }
    } catch {
        return nil
    }
    if output.bytes.isEmpty { return [] }
    guard let (_, report) = try? Recording.read(output.bytes) else { fatalError("a tool's trace is not read") }
    precondition(report.complete, "\(report.damages)")
    return output.bytes
}
