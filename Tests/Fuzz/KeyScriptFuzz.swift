// seeds: Traces/golden
import KeyLayout
import KeyModel
import Scenes

/// A key script on the virtual clock, with a layout that has dead keys; each of its context steps must read back
/// from its own text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    _ = KeyScript.isDeclared(input)
    guard let script = try? KeyScript(input, file: "fuzz.keys"), let layout = ShippedLayouts.named("fr") else {
        return 0
    }
    for line in script.steps {
        guard case .context(let step) = line.step else { continue }
        guard let again = try? ContextStep(text: step.text) else { fatalError("unreadable: \(step.text)") }
        guard again == step else { fatalError("another step: \(step.text)") }
    }
    let named: (String) -> Layout = { ShippedLayouts.named($0) ?? layout }
    guard let timeline = try? script.timeline(layout: layout, layoutNamed: named) else { return 0 }
    var last = TraceTime.zero
    for input in timeline.inputs {
        guard input.time >= last else { fatalError("time runs backwards") }
        last = input.time
    }
    guard timeline.end >= last else { fatalError("the end is before the last input") }
    return 0
}
