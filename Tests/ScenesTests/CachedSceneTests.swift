import KeyLayout
import KeyModel
import ResponderEngine
import Testing

@testable import Scenes

@Suite("Scenes under policy chain")
struct CachedSceneTests {
    @Test("a responder that begins to swallow presses, or refuses an action, is asked at the next press")
    func swallowing() throws {
        let live = try SceneInstanceTests().instance(
            """
            - {id: win, kind: window, next: app}
            - {id: app, kind: application}
            - {id: a, kind: view, superview: win, actions: ["go:"]}
            - {id: b, kind: view, superview: a, keyCommands: [{input: w, modifiers: [command], action: "go:"}]}
            """, "firstResponder: b")
        live.engine.cachePolicy = .chain
        func press() -> Outcome? {
            _ = live.engine.keyDown(.clear(.leftGUI), at: .zero)
            let outcome = live.engine.keyDown(.clear(.keyboard(0x1A)), at: .zero)?.outcome
            _ = live.engine.keyUp(.clear(.keyboard(0x1A)), at: .zero)
            _ = live.engine.keyUp(.clear(.leftGUI), at: .zero)
            return outcome
        }
        for _ in 1...3 { #expect(press() == .performed) }
        try live.apply(.setSwallowsPresses("a", true), at: .zero)
        for _ in 1...3 { #expect(press() == .swallowedByPresses) }
        try live.apply(.setSwallowsPresses("a", false), at: .zero)
        for _ in 1...3 { #expect(press() == .performed) }
        try live.apply(.setCanPerform("a", action: "go:", false), at: .zero)
        for _ in 1...3 { #expect(press() == .blockedUnperformable) }
    }
}
