// seeds: Traces/scenes Traces/golden
import KeyLayout
import KeyModel
import ResponderEngine
import Scenes

/// A scene that can be read comes alive, takes a press, and goes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    guard let layout = ShippedLayouts.named("us") else { fatalError("us is shipped") }
    guard let scene = try? Scene(input, file: "fuzz.scene.yaml") else { return 0 }
    let resources = SceneResources(layoutNamed: { _ in layout })
    guard let live = try? scene.instantiate(layout: layout, resources: resources) else { return 0 }
    _ = live.engine.keyDown(.clear(.leftGUI), at: .zero)
    _ = live.engine.keyDown(.clear(.keyboard(0x1A)), at: .zero)
    _ = live.engine.keyUp(.clear(.keyboard(0x1A)), at: .zero)
    _ = live.engine.stateHash()
    return 0
}
