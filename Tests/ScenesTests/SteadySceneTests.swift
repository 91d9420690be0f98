#if os(Linux)
import KeyLayout
import KeyModel
import Testing

@testable import ResponderEngine
@testable import Scenes

/// Where a scene says nothing of a method, its responders answer as their kind does, and presses under policy `chain`
/// need not ask them.
@Suite("Scenes with a steady chain")
struct SteadySceneTests {
    @Test("presses are steady as long as no responder of the chain swallows any")
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
        #expect(live.engine.steadyChain() != nil)
        try live.apply(.setSwallowsPresses("a", true), at: .zero)
        #expect(live.engine.steadyChain() == nil)
        for _ in 1...3 { #expect(press() == .swallowedByPresses) }
        try live.apply(.setSwallowsPresses("a", false), at: .zero)
        for _ in 1...3 { #expect(press() == .performed) }
        #expect(live.engine.steadyChain() != nil)
        try live.apply(.setCanPerform("a", action: "go:", false), at: .zero)
        for _ in 1...3 { #expect(press() == .blockedUnperformable) }
    }

    @Test("what the scene declares counts as overridden, and so does what the kind overrides")
    func declared() throws {
        let live = try SceneInstanceTests().instance(
            """
            - {id: plain, kind: view}
            - {id: acts, kind: view, actions: ["go:"]}
            - {id: says, kind: view, canPerform: {"go:": true}}
            - {id: swallows, kind: view, swallowsPresses: true}
            - {id: text, kind: textView, text: ""}
            """)
        func methods(_ id: String) throws -> OverriddenMethods {
            OverriddenMethods(of: try #require(live.responder(id)))
        }
        #expect(try methods("plain") == [])
        #expect(try methods("acts") == [.responds, .perform])
        #expect(try methods("says") == .canPerformAction)
        #expect(try methods("swallows") == .pressesBegan)
        #expect(try methods("text").isSuperset(of: [.responds, .perform, .textInput]))
    }
}
#endif
