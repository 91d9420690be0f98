// seeds: Traces/hostile Traces/captures
import HIDCapture
import KeyModel

/// The first byte says how long the report at the end of the input is; the rest is a report descriptor. Each key that
/// the report holds down must be one that the descriptor can name.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDescriptor(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: data, count: count)
    guard let first = input.first else { return 0 }
    let rest = Array(input.dropFirst())
    let reportLength = min(Int(first), rest.count)
    guard let descriptor = try? ReportDescriptor(Array(rest.dropLast(reportLength))) else { return 0 }
    var keys = PressedKeys()
    let read = rest.suffix(reportLength).withUnsafeBytes { descriptor.read($0, into: &keys) }
    guard read != nil else { return 0 }
    for key in keys.usages {
        // Apple's Fn stands on two vendor pages and is one key.
        let names = key.rawValue == 0x00FF_0003 ? [key.rawValue, 0xFF00_0003] : [key.rawValue]
        let isNamed = descriptor.fields.contains { $0.usages.contains { names.contains(where: $0.contains) } }
        precondition(isNamed, "\(key) is none of the descriptor's usages")
    }
    return 0
}
