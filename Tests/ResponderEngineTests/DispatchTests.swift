import KeyModel
import ResponderEngine
import Testing

@Suite("Dispatch")
struct DispatchTests {
    private func bench(_ profile: String = "ios134") throws -> (Bench, ProbeController) {
        let bench = try Bench(profile)
        let near = ProbeController(id: "near")
        near.nextOverride = bench.vc
        near.commands = [command("k", .command, "act:")]
        bench.engine.focus(near)
        return (bench, near)
    }

    @Test("DS-1 the first responder up the chain that can performs, and nobody else")
    func ds1() throws {
        let (bench, near) = try bench()
        near.implemented = ["act:"]
        bench.vc.implemented = ["act:"]
        let resolution = try bench.press("cmd+k")
        #expect(resolution.target === near && bench.vc.performed.isEmpty && resolution.calls.canPerformAction == 1)
    }

    @Test("DS-1 the search starts at the first responder, not at the supplier")
    func ds1supplier() throws {
        let (bench, near) = try bench()
        near.commands = []
        near.implemented = ["act:"]
        bench.vc.commands = [command("k", .command, "act:")]
        bench.vc.implemented = ["act:"]
        let resolution = try bench.press("cmd+k")
        #expect(resolution.supplierID == "vc" && resolution.target === near)
    }

    @Test("DS-2 the default answers for itself; the search of app code climbs")
    func ds2() throws {
        let (bench, near) = try bench()
        bench.vc.implemented = ["act:"]
        #expect(!near.canPerformAction("act:", withSender: nil))
        #expect(near.target(forAction: "act:", withSender: nil) as? Responder === bench.vc)
        #expect(near.target(forAction: "nobody", withSender: nil) == nil)
    }

    @Test("DS-3 a refusal does not stop the search")
    func ds3() throws {
        let (bench, near) = try bench()
        near.implemented = ["act:"]
        near.refused = ["act:"]
        bench.vc.implemented = ["act:"]
        let resolution = try bench.press("cmd+k")
        #expect(resolution.target === bench.vc && resolution.calls.canPerformAction == 2)
    }

    @Test("DS-4 a redirection is honoured, to an object outside the chain or to nobody")
    func ds4() throws {
        let (bench, near) = try bench()
        let outside = ProbeController(id: "outside")
        outside.implemented = ["act:"]
        bench.vc.implemented = ["act:"]
        near.redirect = ["act:": outside]
        #expect(try bench.press("cmd+k").target === outside)
        #expect(outside.performed == ["act:"])
        near.redirect = ["act:": Optional<Responder>.none]
        #expect(try bench.press("cmd+k").outcome == .unhandled)
        #expect(bench.vc.performed.isEmpty)
    }

    @Test("DS-5, DS-6 the sender is the key command; arity 0, 1 and 2")
    func ds5() throws {
        final class Receiver: ViewController {
            var log: [String] = []
            override class var actions: [Action] {
                super.actions + [Action("zero", zero), Action("one:", one), Action("two:event:", two)]
            }
            func zero() { log.append("zero") }
            func one(_ sender: Any?) { log.append("one \((sender as? KeyCommand)?.input ?? "-")") }
            func two(_ sender: Any?, _ event: PressesEvent?) {
                log.append("two \((sender as? KeyCommand)?.input ?? "-") \(event?.modifierFlags.names ?? [])")
            }
            override var keyCommands: [KeyCommand]? {
                [
                    KeyCommand(input: "0", modifierFlags: .command, action: "zero"),
                    KeyCommand(input: "1", modifierFlags: .command, action: "one:"),
                    KeyCommand(input: "2", modifierFlags: .command, action: "two:event:"),
                ]
            }
        }
        let bench = try Bench("ios15")
        let receiver = Receiver()
        receiver.explicitNext = bench.window
        bench.engine.focus(receiver)
        for key in 0...2 { try bench.press("cmd+\(key)") }
        #expect(receiver.log == ["zero", "one 1", "two 2 [\"command\"]"])
        #expect(receiver.id == "Receiver")
    }

    @Test("DS-6 a selector is valid with at most two arguments")
    func ds6() {
        let valid: [Selector] = ["go", "go:", "go:event:", "_x1:"]
        let invalid: [Selector] = ["", ":", "1go:", "go:event", "a:b:c:", "go back:"]
        for selector in valid { #expect(selector.isValid, "\(selector)") }
        for selector in invalid { #expect(!selector.isValid, "\(selector)") }
        #expect(Selector("a:b:").arity == 2 && Selector("x") == "x" && Selector("x") != "x:")
    }

    @Test("DS-7 the filter exists from iOS 13 and does not touch collection")
    func ds7() throws {
        for (profile, performs) in [("ios9", true), ("ios13", false), ("ios15", false)] {
            let bench = try Bench(profile)
            bench.vc.commands = [command("k", .command, "act:")]
            bench.vc.implemented = ["act:"]
            bench.vc.performsActionsWhilePresentingModally = false
            let sheet = ProbeController(id: "sheet")
            bench.vc.present(sheet)
            bench.engine.focus(sheet)
            let resolution = try bench.press("cmd+k")
            #expect((resolution.outcome == .performed) == performs)
            if profile == "ios15" { #expect(resolution.outcome == .blockedUnperformable) }
            try bench.engine.profile.set("modalFilterAffectsCollection", to: "true")
            if profile == "ios15" { #expect(try bench.press("cmd+k").outcome == .unhandled) }
        }
    }

    @Test("DS-10 application commands need a second press where the parameter says so")
    func ds10() throws {
        final class App: Application {
            override var keyCommands: [KeyCommand]? { [command("k", .command, "act:")] }
            override func responds(to action: Selector) -> Bool { action == "act:" }
        }
        let app = App(id: "app")
        let window = Window(id: "win")
        app.addWindow(window)
        app.makeKey(window)
        var profile = try #require(Profile.named("ios7"))
        try profile.set("applicationCommandsNeedSecondPress", to: "true")
        let engine = KeyboardEngine(application: app, profile: profile, layout: try Bench("ios7").engine.layout)
        engine.focus(window)
        func press() -> Outcome? {
            _ = engine.keyDown(.clear(.leftGUI), at: .zero)
            let outcome = engine.keyDown(.clear(.keyboard(0x0E)), at: .zero)?.outcome
            engine.deactivate()
            engine.activate()
            return outcome
        }
        #expect(press() == .unhandled)
        #expect(press() == .performed)
    }

    @Test("DS-9 the probe is reported every candidate with its verdict, every question, the target and the action")
    func ds9() throws {
        let (bench, near) = try bench()
        near.commands = [
            command("k", .command, "nobody:"), command("k", [.command, .shift], "shifted:"),
            command("k", .command, "off:", attributes: .disabled), command("j", .command, "unrelated:"),
        ]
        bench.vc.commands = [command("K", .command, "act:"), command("k", [.command, .numericPad], "pad:")]
        bench.vc.implemented = ["act:"]
        bench.application.mainMenu = [Menu(identifier: .edit, children: [command("k", .command, "menu:")])]
        let probe = ProbeLog()
        bench.engine.probe = probe
        let resolution = try bench.press("cmd+k")
        #expect(
            Set(probe.verdicts) == [
                "near nobody: not performable", "near off: disabled", "vc act: performed",
                "mainMenu menu: shadowed by vc act:", "near shifted: wrong modifiers", "vc pad: wants keypad",
            ])
        let asked = probe.reports.compactMap { report -> String? in
            if case .canPerform(let responder, let action, let answer) = report {
                "\(responder.id) \(action) \(answer)"
            } else {
                nil
            }
        }
        #expect(asked.count == resolution.calls.canPerformAction)
        #expect(asked.suffix(2) == ["near act: false", "vc act: true"])
        #expect(resolution.shadowed.map(\.supplierID) == ["mainMenu"])
    }

    @Test("DS-9 a stage that took the press before commands is named")
    func ds9text() throws {
        let bench = try Bench("ios15")
        bench.vc.commands = [command("k", [], "act:")]
        _ = bench.addTextField()
        let probe = ProbeLog()
        bench.engine.probe = probe
        try bench.press("k")
        #expect(probe.verdicts == ["vc act: taken before by text"])
    }
}

@Suite("Main menu")
struct MainMenuTests {
    private func bench() throws -> Bench {
        let bench = try Bench("ios15")
        bench.application.mainMenu = [
            Menu(title: "Edit", identifier: .edit, children: [command("d", .command, "duplicate:")])
        ]
        bench.vc.implemented = ["duplicate:", "own:"]
        return bench
    }

    @Test("MM-9 menu commands come after the chain's, or before where the parameter says so")
    func mm9() throws {
        let bench = try bench()
        let resolution = try bench.press("cmd+d")
        #expect(resolution.takenBy == .mainMenu && resolution.supplierID == "mainMenu" && resolution.supplier == nil)
        bench.vc.commands = [command("d", .command, "own:")]
        let own = try bench.press("cmd+d")
        #expect(own.action == "own:" && own.shadowed.map(\.supplierID) == ["mainMenu"])
        try bench.engine.profile.set("mainMenuPosition", to: "beforeChain")
        #expect(try bench.press("cmd+d").action == "duplicate:")
    }

    @Test("MM-1 there is no main menu before iOS 13")
    func mm1() throws {
        let bench = try bench()
        bench.engine.profile = try #require(Profile.named("ios9"))
        #expect(try bench.press("cmd+d").outcome == .unhandled)
    }

    @Test("MM-2 the menu is built once and again only when asked", arguments: CachePolicy.allCases)
    func mm2(policy: CachePolicy) throws {
        let bench = try bench()
        bench.engine.cachePolicy = policy
        #expect(try bench.press("cmd+d").calls.buildMenu == 0)
        bench.application.mainMenu = []
        #expect(try bench.press("cmd+d").outcome == .performed)
        bench.application.setNeedsRebuild()
        let rebuilt = try bench.press("cmd+d")
        #expect(rebuilt.outcome == .unhandled && rebuilt.calls.buildMenu == 1)
    }

    @Test("DS-8 validation may disable a menu command")
    func ds8() throws {
        final class Validating: ViewController {
            override func responds(to action: Selector) -> Bool { action == "duplicate:" }
            override func validate(_ command: Command) { command.attributes.insert(.disabled) }
        }
        let bench = try bench()
        let near = Validating()
        near.explicitNext = bench.vc
        bench.engine.focus(near)
        #expect(try bench.press("cmd+d").calls.validate == 0)
        bench.engine.setNeedsRevalidate()
        let resolution = try bench.press("cmd+d")
        #expect(resolution.calls.validate == 1 && resolution.outcome == .unhandled)
    }
}
