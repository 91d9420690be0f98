import KeyLayout
import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@Suite("The chain and the first responder")
struct ChainTests {
    private func path(from responder: Responder) -> [String] {
        var path: [String] = []
        var next: Responder? = responder
        while let current = next, path.count < 50 {
            path.append(current.id)
            next = current.next
        }
        return path
    }

    private final class Delegate: Responder, ApplicationDelegate {}

    @Test("§6.1 next follows views, controllers, window, scene, application and delegate")
    func nextRules() throws {
        let bench = try Bench("ios15")
        let inner = View(id: "inner")
        bench.view.addSubview(inner)
        bench.application.delegate = Delegate(id: "delegate")
        #expect(path(from: inner) == ["inner", "view", "vc", "win", "scn", "app", "delegate"])
        bench.engine.profile = try #require(Profile.named("ios9"))
        #expect(path(from: inner) == ["inner", "view", "vc", "win", "app", "delegate"])
    }

    @Test("§6.1 a contained controller goes on to the superview of its view, a presented one to its presenter")
    func controllers() throws {
        let bench = try Bench("ios15")
        let (child, childView) = (ViewController(id: "child"), View(id: "childView"))
        child.view = childView
        bench.vc.addChild(child)
        bench.view.addSubview(childView)
        #expect(path(from: childView).prefix(4) == ["childView", "child", "view", "vc"])
        let sheet = ViewController(id: "sheet")
        child.present(sheet)
        #expect(child.presentedViewController === sheet)
        #expect(path(from: sheet).prefix(2) == ["sheet", "child"])
        child.present(ViewController())
        #expect(child.presentedViewController === sheet)
        sheet.dismiss()
        #expect(child.presentedViewController == nil && path(from: sheet) == ["sheet"])
        child.dismiss()
        #expect(child.presentedViewController == nil)
    }

    @Test("FR-1 an overridden or explicit next wins everywhere", arguments: CachePolicy.allCases)
    func fr1(policy: CachePolicy) throws {
        let bench = try Bench("ios15", cache: policy)
        let injected = ProbeController(id: "injected")
        injected.commands = [command("k", .command, "act")]
        injected.implemented = ["act"]
        injected.nextOverride = bench.vc
        bench.view.explicitNext = injected
        let resolution = try bench.press("cmd+k")
        #expect(resolution.receivers.map(\.id) == ["view", "injected", "vc", "win", "scn", "app"])
        #expect(resolution.target === injected)
    }

    @Test("FR-1 a circle is named and followed once", arguments: CachePolicy.allCases)
    func cycle(policy: CachePolicy) throws {
        for length in 1...6 {
            let bench = try Bench("ios15", cache: policy)
            let ring = (0..<length).map { ProbeController(id: "r\($0)") }
            for index in ring.indices { ring[index].nextOverride = ring[(index + 1) % length] }
            bench.view.explicitNext = ring[0]
            let resolution = try bench.press("cmd+k")
            #expect(resolution.outcome == .unhandled && resolution.calls.keyCommands == length + 1)
            #expect(resolution.receivers.map(\.id) == ["view"] + ring.map(\.id))
            let cycle = try #require(resolution.cycle)
            #expect(cycle.description == (ring.map(\.id) + ["r0"]).joined(separator: " → "))
            #expect(ring[0].target(forAction: "nobody", withSender: nil) == nil)
            #expect(ring[0].windowOfChain == nil)
        }
    }

    @Test("FR-1 a view that takes in its own ancestor, or a controller its presenter, is refused")
    func refusedCycles() {
        let (outer, inner) = (View(id: "outer"), View(id: "inner"))
        outer.addSubview(inner)
        inner.addSubview(outer)
        #expect(outer.superview == nil && inner.superview === outer)
        let (a, b) = (ViewController(id: "a"), ViewController(id: "b"))
        a.addChild(b)
        b.addChild(a)
        b.present(a)
        #expect(a.parent == nil && b.presentedViewController == nil)
    }

    @Test("a chain of 10,000 responders resolves", arguments: CachePolicy.allCases)
    func deepChain(policy: CachePolicy) throws {
        let bench = try Bench("ios15", cache: policy)
        bench.vc.commands = [command("k", .command, "act")]
        bench.vc.implemented = ["act"]
        var link: Responder = bench.vc
        for index in 0..<10_000 {
            let responder = Responder(id: "r\(index)")
            responder.explicitNext = link
            link = responder
        }
        bench.engine.focus(link)
        let resolution = try bench.press("cmd+k")
        #expect(resolution.target === bench.vc && resolution.receivers.count == 10_004)
        #expect(link.target(forAction: "act", withSender: nil) as? Responder === bench.vc)
    }

    @Test("a chain of 100,000 responders resolves", arguments: [CachePolicy.none, .chain])
    func deepestChain(policy: CachePolicy) throws {
        let bench = try Bench("ios15", cache: policy)
        bench.vc.commands = [command("k", .command, "act")]
        bench.vc.implemented = ["act"]
        var link: Responder = bench.vc
        for index in 0..<100_000 {
            let responder = Responder(id: "r\(index)")
            responder.explicitNext = link
            link = responder
        }
        bench.engine.focus(link)
        #expect(try bench.press("cmd+k").target === bench.vc)
    }

    @Test("FR-2 from iOS 15 a window may decline to become key")
    func decliningWindow() throws {
        for (profile, declines) in [("ios134", false), ("ios15", true)] {
            let bench = try Bench(profile)
            let palette = PaletteWindow(id: "palette")
            bench.scene.addWindow(palette)
            bench.engine.activate(palette)
            #expect((bench.application.keyWindow === bench.window) == declines)
        }
    }

    @Test("deep chains and deep trees of views are let go without a deep stack")
    func deepRelease() {
        var link = Responder(id: "end")
        for _ in 0..<200_000 {
            let responder = Responder(id: "r")
            responder.explicitNext = link
            link = responder
        }
        var view = View(id: "innermost")
        for _ in 0..<200_000 {
            let outer = View(id: "v")
            // Without the check for circles, which climbs: these have no superview.
            outer.addSubview(view)
            view = outer
        }
        #expect(view.superview == nil)
    }

    @Test("FR-2 becoming first responder needs a window and the responder's consent")
    func fr2() throws {
        let bench = try Bench("ios15")
        #expect(!ProbeController(id: "nowhere").becomeFirstResponder())
        #expect(!bench.view.becomeFirstResponder() || bench.view.isFirstResponder)
        bench.vc.firstAllowed = false
        #expect(!bench.vc.becomeFirstResponder() && bench.engine.firstResponder === bench.view)
        bench.vc.firstAllowed = true
        #expect(bench.vc.becomeFirstResponder() && bench.vc.isFirstResponder && !bench.view.isFirstResponder)
        #expect(bench.vc.resignFirstResponder() && bench.engine.firstResponder == nil)
    }

    @Test("FR-2 each window keeps its own first responder; isKeyWindow is per scene from iOS 15")
    func fr2windows() throws {
        let bench = try Bench("ios15")
        let (scene, window) = (WindowScene(id: "scene2"), Window(id: "win2"))
        bench.application.connect(scene)
        scene.addWindow(window)
        let field = TextField(id: "field")
        window.addSubview(field)
        #expect(field.becomeFirstResponder() && bench.engine.firstResponder === bench.view)
        bench.engine.activate(window)
        #expect(bench.engine.firstResponder === field)
        #expect(window.isKeyWindow && bench.window.isKeyWindow)
        bench.engine.profile = try #require(Profile.named("ios134"))
        #expect(window.isKeyWindow && !bench.window.isKeyWindow)
    }

    @Test("FR-3 the new one is asked first, then the old one; a refusal changes nothing")
    func fr3() throws {
        final class Asked: ViewController {
            nonisolated(unsafe) static var log: [String] = []
            var resigns = true
            override var canBecomeFirstResponder: Bool { Asked.log.append("\(id) can become"); return true }
            override var canResignFirstResponder: Bool { Asked.log.append("\(id) can resign"); return resigns }
            override func resignFirstResponder() -> Bool {
                Asked.log.append("\(id) resigns")
                return super.resignFirstResponder()
            }
        }
        let bench = try Bench("ios15")
        let (old, new) = (Asked(id: "old"), Asked(id: "new"))
        bench.vc.addChild(old)
        bench.vc.addChild(new)
        #expect(old.becomeFirstResponder())
        Asked.log = []
        old.resigns = false
        #expect(!new.becomeFirstResponder() && bench.engine.firstResponder === old)
        #expect(Asked.log == ["new can become", "old can resign"])
        old.resigns = true
        #expect(new.becomeFirstResponder())
        #expect(Asked.log.suffix(4).prefix(3) == ["new can become", "old can resign", "old resigns"])
    }

    @Test("FR-4 a window that can be first responder becomes it; leaving the window resigns")
    func fr4() throws {
        final class KeyboardlikeWindow: Window {
            override var canBecomeFirstResponder: Bool { true }
        }
        let bench = try Bench("ios15")
        let window = KeyboardlikeWindow(id: "first")
        bench.scene.addWindow(window)
        window.makeKeyAndVisible()
        #expect(bench.engine.firstResponder === window)
        bench.engine.activate(bench.window)
        let field = bench.addTextField()
        #expect(bench.engine.firstResponder === field)
        bench.view.removeFromSuperview()
        #expect(bench.engine.firstResponder == nil)
    }

    @Test("FR-6 a controller that returns true and becomes first gets keys")
    func fr6() throws {
        let bench = try Bench("ios15")
        #expect(bench.engine.focus(bench.vc, asking: true))
        #expect(try bench.press("k").receivers.first === bench.vc)
        #expect(bench.engine.resign() && bench.engine.firstResponder == nil)
    }

    @Test("FR-7 iOS 7: a dialog takes the first responder; the application hands it back to the root")
    func fr7() throws {
        final class App: Application {
            var canBecome = true
            override var canBecomeFirstResponder: Bool { canBecome }
        }
        for (profile, canBecome, expected) in [
            ("ios7", true, "root"), ("ios7", false, nil), ("ios15", true, nil),
        ] as [(String, Bool, String?)] {
            let app = App(id: "app")
            app.canBecome = canBecome
            let window = Window(id: "win")
            let (root, dialog) = (ProbeController(id: "root"), ViewController(id: "dialog"))
            let field = TextField(id: "field")
            let engine = KeyboardEngine(
                application: app, profile: try #require(Profile.named(profile)),
                layout: try #require(ShippedLayouts.named("us")))
            app.addWindow(window)
            window.rootViewController = root
            app.makeKey(window)
            root.becomeFirstResponder()
            let dialogView = View(id: "dialogView")
            dialogView.addSubview(field)
            dialog.view = dialogView
            root.present(dialog)
            #expect(field.becomeFirstResponder() && engine.firstResponder === field)
            root.dismiss()
            #expect(engine.firstResponder?.id == expected)
        }
    }

    @Test("FR-8 §6.3 the start descends: presented first, then what each container shows")
    func descent() throws {
        let bench = try Bench("ios15")
        let tabs = TabBarController(id: "tabs", viewControllers: [
            NavigationController(id: "nav", rootViewController: ViewController(id: "list")),
            SplitViewController(id: "split", columns: [ViewController(id: "a"), ViewController(id: "b")]),
        ])
        bench.window.rootViewController = tabs
        bench.engine.focus(nil)
        func start() throws -> String? { try bench.press("k").receivers.first?.id }
        #expect(try start() == "list")
        (tabs.children[0] as? NavigationController)?.pushViewController(ViewController(id: "detail"))
        #expect(try start() == "detail")
        (tabs.children[0] as? NavigationController)?.popViewController()
        #expect(try start() == "list")
        tabs.selectedIndex = 1
        #expect(try start() == "split")
        try bench.engine.profile.set("deepestResponderChildChoice", to: "last")
        #expect(try start() == "b")
        tabs.present(ViewController(id: "sheet"))
        #expect(try start() == "sheet")
        bench.window.rootViewController = nil
        #expect(try start() == "win")
    }

    @Test("§6.3 the descent is part of what the chain policy watches")
    func descentInvalidates() throws {
        let bench = try Bench("ios15", cache: .chain)
        bench.engine.focus(nil)
        let child = ProbeController(id: "child")
        child.commands = [command("k", .command, "act")]
        child.implemented = ["act"]
        #expect(try bench.press("cmd+k").outcome == .unhandled)
        bench.vc.addChild(child)
        #expect(try bench.press("cmd+k").target === child)
        child.removeFromParent()
        #expect(try bench.press("cmd+k").outcome == .unhandled)
    }
}

@Suite("Masked presses")
struct MaskedPressTests {
    @Test("a masked key types one unknown character and tells nothing")
    func types() throws {
        for profile in Profile.versionNames {
            let bench = try Bench(profile)
            let field = bench.addTextField()
            let resolution = try #require(bench.engine.keyDown(.masked(.letter), at: .zero))
            #expect(resolution.outcome == .consumedByText && resolution.takenBy == .text)
            #expect(resolution.text == nil && resolution.chord == nil && resolution.character.isEmpty)
            #expect(field.text == "\u{FFFD}")
            #expect(bench.engine.keyUp(.masked(.letter), at: .zero) != nil)
        }
    }

    @Test("a repeat of a masked press that text took has no other possible outcome")
    func repeatsOfMaskedPress() throws {
        let bench = try Bench("ios15")
        bench.vc.commands = [command("j", [], "act")]
        bench.vc.implemented = ["act"]
        _ = bench.addTextField()
        #expect(bench.engine.keyDown(.masked(.letter), at: .zero)?.possible.isEmpty == true)
        let tick = try #require(bench.engine.repeatTick(.masked(.letter), at: .zero))
        #expect(tick.outcome == .consumedByText && tick.possible.isEmpty)
    }

    @Test("a command that some key of the class could match makes the outcome undetermined")
    func undetermined() throws {
        let bench = try Bench("ios134")
        bench.vc.commands = [command("f", [], "act"), command("1", [], "one"), command("g", .command, "cmd")]
        bench.vc.implemented = ["act", "one"]
        let field = bench.addTextField()
        let resolution = try #require(bench.engine.keyDown(.masked(.letter), at: .zero))
        #expect(resolution.outcome == .undetermined && resolution.takenBy == nil && resolution.target == nil)
        #expect(resolution.possible.map(\.action) == ["act"] && bench.vc.performed.isEmpty)
        #expect(field.text == "\u{FFFD}" && !resolution.repeatsWhileHeld)
        #expect(bench.engine.keyDown(.masked(.digit), at: .zero)?.possible.map(\.action) == ["one"])
        #expect(bench.engine.keyDown(.masked(.space), at: .zero)?.outcome == .consumedByText)
    }

    @Test("from iOS 15 text takes it first; only a priority command could come before")
    func textFirst() throws {
        let bench = try Bench("ios15")
        bench.vc.commands = [command("f", [], "act")]
        _ = bench.addTextField()
        #expect(bench.engine.keyDown(.masked(.letter), at: .zero)?.outcome == .consumedByText)
        bench.vc.commands = [command("f", [], "act", priority: true)]
        #expect(bench.engine.keyDown(.masked(.letter), at: .zero)?.outcome == .undetermined)
        bench.engine.focus(bench.view)
        bench.vc.commands = [command("f", [], "act")]
        #expect(bench.engine.keyDown(.masked(.letter), at: .zero)?.outcome == .undetermined)
    }

    @Test("Shift is taken into account, and every cache policy agrees", arguments: CachePolicy.allCases)
    func shifted(policy: CachePolicy) throws {
        let bench = try Bench("ios134", cache: policy)
        bench.vc.commands = [command("?", [], "help")]
        bench.vc.implemented = ["help"]
        #expect(bench.engine.keyDown(.masked(.punctuation), at: .zero)?.outcome == .unhandled)
        _ = bench.engine.keyDown(.clear(.leftShift), at: .zero)
        #expect(bench.engine.keyDown(.masked(.punctuation), at: .zero)?.outcome == .undetermined)
    }

    @Test("marked text and swallowing take it as any key")
    func otherStages() throws {
        let bench = try Bench("ios15")
        let field = bench.addTextField()
        field.setMarkedText("に")
        #expect(bench.engine.keyDown(.masked(.letter), at: .zero)?.outcome == .consumedByInputMethod)
        bench.vc.swallows = true
        #expect(bench.engine.keyDown(.masked(.letter), at: .zero)?.outcome == .swallowedByPresses)
    }
}

private final class PaletteWindow: Window {
    override var canBecomeKey: Bool { false }
}
