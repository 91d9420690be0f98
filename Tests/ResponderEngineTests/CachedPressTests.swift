import KeyLayout
import KeyModel
import ResponderKit
import Testing

@testable import ResponderEngine

@Suite("Presses of a cached chain") struct CachedPressTests {
    @Test("an action that ends its own press leaves nothing that repeats, and the next press is its own")
    func actionEndsPress() throws {
        let app = try ActingApp()
        #expect(app.press(1)?.repeatsWhileHeld == true)
        #expect(app.press(2)?.repeatsWhileHeld == true)
        app.act = { [engine = app.engine] in
            engine.deactivate(at: .zero)
            engine.activate()
        }
        let ended = app.down(3)
        #expect(ended?.outcome == .performed && ended?.repeatsWhileHeld == false)
        #expect(app.engine.heldKeys.presses.isEmpty && app.up(3) == nil)
        app.act = {}
        let next = app.press(4)
        #expect(next?.repeatsWhileHeld == true && next?.receivers.map(\.id) == ["view", "window", "app"])
    }

    @Test("a key held while commands change comes up where it went down")
    func heldOverChange() throws {
        let app = try ActingApp()
        for time in 1...3 { app.press(Int64(time)) }
        _ = app.down(4)
        app.view.setNeedsKeyCommandsUpdate()
        #expect(app.press(5, .keyboard(0x09))?.outcome == .performed)
        #expect(app.up(6)?.receivers.map(\.id) == ["view", "window", "app"])
        let again = app.press(7)
        #expect(again?.receivers.map(\.id) == ["view", "window", "app"] && again?.outcome == .performed)
    }

    @Test("one chord on two keyboards at a time is two presses")
    func twoKeyboards() throws {
        let app = try ActingApp()
        for time in 1...3 { app.press(Int64(time)) }
        let key = KeyIdentity.clear(.keyboard(0x08))
        #expect(app.engine.keyDown(key, device: 1, at: .zero)?.device == 1)
        #expect(app.engine.keyDown(key, device: 2, at: .zero)?.device == 2)
        #expect(app.engine.heldKeys.presses.map(\.device) == [1, 2])
        #expect(app.engine.keyUp(key, device: 1, at: .zero)?.receivers.count == 3)
        #expect(app.engine.heldKeys.presses.map(\.device) == [2])
        #expect(app.engine.keyUp(key, device: 2, at: .zero)?.receivers.count == 3)
        #expect(app.engine.keyUp(key, device: 2, at: .zero) == nil)
    }

    @Test("an index that is made anew has what is answered then: more, fewer, in another order, with alternates")
    func madeAnew() throws {
        let (chain, none) = (try ActingApp(.chain), try ActingApp(.none))
        let letters = ["e", "f", "g", "h"]
        for round in 0..<24 {
            for app in [chain, none] {
                var commands = letters.prefix(round % 5).map {
                    KeyCommand(input: $0, modifierFlags: round % 3 == 0 ? .shift : [], action: Selector("act:"))
                }
                if round % 4 == 1 {
                    let alternate = CommandAlternate(action: "act:", modifierFlags: .control)
                    commands.first?.alternates = [alternate]
                }
                if round % 2 == 1 { commands.reverse() }
                app.view.answer = commands
                app.view.setNeedsKeyCommandsUpdate()
                app.came = []
                for usage in [0x08, 0x09, 0x0A, 0x0B] {
                    for modifier in [nil, KeyUsage.leftShift, .leftControl] {
                        if let modifier { _ = app.engine.keyDown(.clear(modifier), at: .zero) }
                        app.press(0, .keyboard(UInt16(usage)))
                        if let modifier { _ = app.engine.keyUp(.clear(modifier), at: .zero) }
                    }
                }
            }
            #expect(chain.came == none.came, "round \(round)")
        }
    }
}

/// A view in a window that performs what is pressed.
private final class ActingApp {
    let engine: KeyboardEngine
    let application = Application(id: "app")
    let window = Window(id: "window")
    let view = AnsweringView(id: "view")
    var act: () -> Void = {}
    var came: [String] = []

    init(_ policy: CachePolicy = .chain) throws {
        engine = KeyboardEngine(
            application: application, profile: try #require(Profile.named("ios15")),
            layout: try #require(ShippedLayouts.named("us")), cachePolicy: policy)
        application.addWindow(window)
        application.makeKey(window)
        window.addSubview(view)
        view.answer = ["e", "f"].map { KeyCommand(input: $0, modifierFlags: [], action: "act:") }
        view.addAction(Action("act:") { (_: AnsweringView) in { [unowned self] (_: Any?) in act() } })
        engine.focus(view)
    }

    func down(_ at: Int64, _ usage: KeyUsage = .keyboard(0x08)) -> Resolution? {
        engine.keyDown(.clear(usage), at: TraceTime(nanoseconds: at))
    }

    func up(_ at: Int64, _ usage: KeyUsage = .keyboard(0x08)) -> Release? {
        engine.keyUp(.clear(usage), at: TraceTime(nanoseconds: at))
    }

    @discardableResult
    func press(_ at: Int64, _ usage: KeyUsage = .keyboard(0x08)) -> Resolution? {
        let resolution = down(at, usage)
        came.append("\(resolution?.outcome.name ?? "") \(resolution?.shadowed.count ?? -1)")
        _ = up(at, usage)
        return resolution
    }
}

private final class AnsweringView: View {
    var answer: [KeyCommand] = []
    override var canBecomeFirstResponder: Bool { true }
    override var keyCommands: [KeyCommand]? { answer }
}
