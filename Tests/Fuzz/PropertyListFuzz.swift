// seeds: Traces/golden/key-bindings Traces/golden/key-bindings-emacs
import KeyLayout
import KeyModel
import ResponderEngine
import ResponderKit

/// Key bindings that can be read are listed, merged and pressed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    guard let layout = ShippedLayouts.named("us") else { fatalError("us is shipped") }
    guard let bindings = try? KeyBindings(input, file: "fuzz.dict") else { return 0 }
    var again = bindings
    again.merge(bindings)
    guard again.all.count == bindings.all.count else { fatalError("bindings merged with themselves are others") }
    var merged = KeyBindings.gnustep
    merged.merge(bindings)
    let text = TextView(id: "text", text: "some text")
    text.keyBindings = merged
    let controller = ViewController(id: "vc")
    controller.view = text
    let engine = KeyboardEngine(rootViewController: controller, layout: layout)
    engine.focus(text)
    for chord in ["ctrl+x", "ctrl+s", "a", "opt+[", "ctrl+q", "esc", "shift+tab", "f5", "ctrl+g", "keypad5"] {
        _ = try? engine.press(chord)
    }
    return 0
}
