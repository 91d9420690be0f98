// seeds: Traces/golden
import Scenes

/// A key script and its steps on the virtual clock.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    _ = KeyScript.isDeclared(input)
    _ = try? KeyScript(input, file: "fuzz.keys")
    return 0
}
