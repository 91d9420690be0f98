import KeyLayout
import KeyModel
import ResponderKit
import Testing

@testable import ResponderEngine

@Suite("Chains between presses") struct CachedChainTests {
    @Test("a responder that begins to swallow presses gets them", arguments: policies)
    func beginsToSwallow(policy: CachePolicy) throws {
        let app = try NestedApp("ios15", policy)
        for time in 1...3 { app.press(.keyboard(0x08), Int64(time)) }
        #expect(app.came == Array(repeating: .performed, count: 3))
        let listening = Listening()
        app.views[5].addSubview(listening)
        app.engine.focus(listening)
        app.press(.keyboard(0x08), 9)
        // The modifier's press goes to it too.
        #expect(listening.began == 2 && app.came.last == .swallowedByPresses)
        app.press(.keyboard(0x08), 11)
        #expect(listening.began == 4 && app.came.last == .swallowedByPresses)
        app.engine.focus(app.views[5])
        app.press(.keyboard(0x08), 12)
        #expect(listening.began == 4 && app.came.last == .performed)
    }

    @Test("an added action is found from the next press on", arguments: policies)
    func addedAction(policy: CachePolicy) throws {
        let app = try NestedApp("ios15", policy)
        app.views[2].addKeyCommand(KeyCommand(input: "q", modifierFlags: .control, action: "later:"))
        for time in 1...3 { app.press(.keyboard(0x14), Int64(time), .leftControl) }
        #expect(app.came == Array(repeating: .blockedUnperformable, count: 3))
        var done = 0
        app.views[1].addAction(Action("later:") { (_: DataView) in { (_: Any?) in done += 1 } })
        for time in 6...7 { app.press(.keyboard(0x14), Int64(time), .leftControl) }
        #expect(done == 2 && app.came.suffix(2) == [.performed, .performed])
    }

    @Test("what is answered for a responder counts from when it answers presses")
    func declaredAnswers() throws {
        let app = try NestedApp("ios15", .chain)
        let view = View(id: "declared")
        let answers = Swallowing()
        app.views[5].addSubview(view)
        view.declared = answers
        app.engine.focus(view)
        for time in 1...3 { app.press(.keyboard(0x08), Int64(time)) }
        answers.swallows = true
        app.press(.keyboard(0x08), 4)
        #expect(answers.began == 2 && app.came == [.performed, .performed, .performed, .swallowedByPresses])
    }

    @Test("commands that changed are those of the next press")
    func commandsChange() throws {
        let app = try NestedApp("ios15", .chain)
        for time in 1...3 { app.press(.keyboard(0x08), Int64(time)) }
        app.views[5].addKeyCommand(KeyCommand(input: "e", modifierFlags: [.command, .shift], action: "f:"))
        app.views[5].added.removeFirst()
        app.views[5].setNeedsKeyCommandsUpdate()
        for time in 6...8 { app.press(.keyboard(0x08), Int64(time)) }
        #expect(app.suppliers.suffix(3) == ["v3", "v3", "v3"] && app.suppliers.prefix(3) == ["v5", "v5", "v5"])
    }

    @Test(
        "presses come to the same under policy none and chain, whatever changes between them",
        arguments: Profile.uiKitNames)
    func policiesAgree(profile: String) throws {
        for seed in 1...6 {
            let none = try NestedApp(profile, .none)
            let chain = try NestedApp(profile, .chain)
            for app in [none, chain] { app.play(seed: UInt64(seed), steps: 250) }
            for (a, b) in zip(none.log, chain.log) where a != b {
                Issue.record("seed \(seed): \(a) with policy none, \(b) with policy chain")
                break
            }
            #expect(none.log.count == chain.log.count && none.log.count > 200)
        }
    }
}

private let policies = [CachePolicy.none, .chain]

private final class Listening: View {
    var began = 0
    var swallows = true
    override var canBecomeFirstResponder: Bool { true }
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        if swallows { began += 1 } else { super.pressesBegan(presses, with: event) }
    }
}

private final class Swallowing: DeclaredAnswers {
    var began = 0
    var swallows = false
    func swallows(_ presses: Set<Press>) -> Bool {
        if swallows { began += 1 }
        return swallows
    }
}

/// A view whose commands and actions are data.
private class DataView: View {
    var added: [KeyCommand] = []
    override var canBecomeFirstResponder: Bool { true }
    override var keyCommands: [KeyCommand]? { added.isEmpty ? nil : added }
    func addKeyCommand(_ command: KeyCommand) {
        added.append(command)
        setNeedsKeyCommandsUpdate()
    }
}

/// Answers by itself whether it performs an action, and changes its mind when asked to.
private final class MoodyView: DataView {
    var refuses = false
    override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        !refuses && super.canPerformAction(action, withSender: sender)
    }
}

/// Nested views in a window, some of which answer for themselves.
private final class NestedApp {
    let engine: KeyboardEngine
    let application = Application(id: "app")
    let window = Window(id: "window")
    var views: [DataView] = []
    var log: [String] = []
    /// What presses came to, and whose commands they met.
    var came: [Outcome] = []
    var suppliers: [String] = []

    init(_ profile: String, _ policy: CachePolicy) throws {
        engine = KeyboardEngine(
            application: application, profile: try #require(Profile.named(profile)),
            layout: try #require(ShippedLayouts.named("us")), cachePolicy: policy)
        application.addWindow(window)
        application.makeKey(window)
        var outer: View = window
        for number in 0..<6 {
            let view = number == 3 ? MoodyView(id: "v3") : DataView(id: "v\(number)")
            outer.addSubview(view)
            views.append(view)
            outer = view
            for letter in ["e", "f", "g"] where number % 3 != 1 || letter == "f" {
                view.added.append(KeyCommand(input: letter, modifierFlags: .command, action: Selector("\(letter):")))
            }
            for name in number == 4 ? ["e:"] : number == 2 ? ["f:", "odd:"] : number == 3 ? ["g:"] : [] {
                add(name, to: view)
            }
        }
        engine.focus(views[5])
    }

    private func add(_ name: String, to view: DataView) {
        view.addAction(
            Action(Selector(name)) { (view: DataView) in { [unowned self] (_: Any?) in log.append(view.id) } })
    }

    func press(_ usage: KeyUsage, _ at: Int64, _ modifier: KeyUsage = .leftGUI) {
        let time = TraceTime(nanoseconds: at * 1_000_000)
        _ = engine.keyDown(.clear(modifier), at: time)
        let resolution = engine.keyDown(.clear(usage), at: time)
        note(resolution)
        if let resolution {
            came.append(resolution.outcome)
            suppliers.append(resolution.supplierID ?? "")
        }
        if at % 5 == 0 { note(engine.repeatTick(.clear(usage), at: time)) }
        if let release = engine.keyUp(.clear(usage), at: time) { log.append(release.receivers.map(\.id).joined()) }
        _ = engine.keyUp(.clear(modifier), at: time)
    }

    private func note(_ resolution: Resolution?) {
        guard let resolution else { return log.append("nothing") }
        log.append(
            "\(resolution.outcome.name) \(resolution.takenBy?.name ?? "") \(resolution.action?.name ?? "")"
                + " \(resolution.supplierID ?? "") \(resolution.target?.id ?? "") \(resolution.character)"
                + " \(resolution.receivers.map(\.id)) \(resolution.calls.canPerformAction)"
                + " \(resolution.shadowed.map { "\($0.supplierID) \($0.action)" }) \(resolution.repeatsWhileHeld)"
                + " \(resolution.effects.map(\.kind.rawValue))")
    }

    func play(seed: UInt64, steps: Int) {
        var random = Numbers(state: seed)
        let keys: [UInt16] = [0x08, 0x09, 0x0A, 0x1D, 0x04, 0x50, 0x2B, 0x1A, 0x2C]
        for step in 0..<steps {
            let view = views[random.below(6)]
            switch random.below(24) {
            case 0: engine.focus(view)
            case 1:
                let action = Selector("late\(step % 3):")
                view.addKeyCommand(KeyCommand(input: "g", modifierFlags: .command, action: action))
            case 2: add("late\(random.below(3)):", to: view)
            case 3:
                (views[3] as? MoodyView)?.refuses.toggle()
            case 4:
                view.added.removeAll { $0.action == "late1:" }
                view.setNeedsKeyCommandsUpdate()
            case 5:
                engine.deactivate(at: .zero)
                engine.activate()
            case 6:
                views[5].removeFromSuperview()
                views[random.below(5)].addSubview(views[5])
                engine.focus(views[5])
            case 7: engine.setNeedsRebuild()
            default: break
            }
            press(.keyboard(keys[random.below(keys.count)]), Int64(step), random.below(4) == 0 ? .leftShift : .leftGUI)
        }
    }
}

private struct Numbers {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(truncatingIfNeeded: (state >> 33) % UInt64(bound))
    }
}
