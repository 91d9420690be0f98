import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@Suite("Golden vectors of the behaviour specification, section 13")
struct GoldenVectorTests {
    @Test("G1 iOS 7 reads each getter three times and runs the action once")
    func g1() throws {
        let bench = try Bench("ios7")
        bench.vc.commands = [command("f", [], "act")]
        bench.vc.implemented = ["act"]
        let resolution = try bench.press("f")
        #expect(resolution.outcome == .performed && resolution.takenBy == .keyCommands)
        #expect(resolution.supplierID == "vc" && resolution.target === bench.vc)
        #expect(bench.vc.performed == ["act"] && bench.vc.reads == 3)
        #expect(resolution.calls.keyCommands == 12)
    }

    @Test("G2 iOS 7 without first responder does nothing")
    func g2() throws {
        let bench = try Bench("ios7")
        bench.vc.commands = [command("f", [], "act")]
        bench.vc.implemented = ["act"]
        bench.engine.focus(nil)
        let resolution = try bench.press("f")
        #expect(resolution.outcome == .noStart && bench.vc.performed.isEmpty && bench.vc.reads == 0)
    }

    @Test("G3 before iOS 15 a command wins over typing")
    func g3() throws {
        let bench = try Bench("ios134")
        bench.vc.commands = [command("f", [], "act")]
        bench.vc.implemented = ["act"]
        let field = bench.addTextField()
        let resolution = try bench.press("f")
        #expect(resolution.outcome == .performed && field.text.isEmpty && bench.vc.performed == ["act"])
    }

    @Test("G4 from iOS 15 typing wins, unless the command wants priority", arguments: [false, true])
    func g4(priority: Bool) throws {
        let bench = try Bench("ios15")
        bench.vc.commands = [command("f", [], "act", priority: priority)]
        bench.vc.implemented = ["act"]
        let field = bench.addTextField()
        let resolution = try bench.press("f")
        #expect(resolution.outcome == (priority ? .performed : .consumedByText))
        #expect(resolution.takenBy == (priority ? .priorityKeyCommands : .text))
        #expect(field.text == (priority ? "" : "f") && bench.vc.performed == (priority ? ["act"] : []))
        #expect(resolution.text == (priority ? nil : "f"))
        #expect(resolution.shadowed.map(\.supplierID) == (priority ? [] : ["vc"]))
    }

    @Test("G5 an uppercase input does not mean Shift", arguments: Profile.versionNames)
    func g5(profile: String) throws {
        let bench = try Bench(profile)
        bench.vc.commands = [command("W", .command, "act")]
        bench.vc.implemented = ["act"]
        #expect(try bench.press("cmd+w").outcome == .performed)
        #expect(try bench.press("shift+cmd+w").outcome == .unhandled)
    }

    @Test("G6 Shift is consumed by a symbol that needs it", arguments: Profile.versionNames)
    func g6(profile: String) throws {
        let bench = try Bench(profile)
        bench.vc.commands = [command("+", .command, "plus"), command("=", .command, "equals")]
        bench.vc.implemented = ["plus", "equals"]
        #expect(try bench.press("cmd+=").action == "equals")
        #expect(try bench.press("shift+cmd+=").action == "plus")
    }

    @Test("G7 command-period is Escape", arguments: Profile.versionNames)
    func g7(profile: String) throws {
        let bench = try Bench(profile)
        bench.vc.commands = [command(".", .command, "dot"), command(KeyCommand.inputEscape, [], "escape")]
        bench.vc.implemented = ["dot", "escape"]
        let resolution = try bench.press("cmd+.")
        #expect(resolution.action == "escape" && resolution.chord?.text == "cmd+period")
        #expect(resolution.character == KeyCommand.inputEscape)
    }

    @Test("G8 a match that nobody performs blocks from iOS 15 and falls through before")
    func g8() throws {
        for (profile, outcome) in [("ios134", Outcome.performed), ("ios15", .blockedUnperformable)] {
            let bench = try Bench(profile)
            let child = ProbeController(id: "child")
            child.nextOverride = bench.vc
            child.commands = [command("k", .command, "act1")]
            bench.vc.commands = [command("k", .command, "act2")]
            bench.vc.implemented = ["act2"]
            bench.engine.focus(child)
            let resolution = try bench.press("cmd+k")
            #expect(resolution.outcome == outcome)
            #expect(resolution.action == (profile == "ios134" ? "act2" : "act1"))
            #expect(resolution.shadowed.map(\.action) == (profile == "ios134" ? [] : ["act2"]))
        }
    }

    @Test("G9 a hidden command fires, a disabled one does not", arguments: Profile.versionNames)
    func g9(profile: String) throws {
        let bench = try Bench(profile)
        bench.vc.commands = [
            command("j", .command, "hidden", attributes: .hidden), command("l", .command, "off", attributes: .disabled),
        ]
        bench.vc.implemented = ["hidden", "off"]
        #expect(try bench.press("cmd+j").outcome == .performed)
        #expect(try bench.press("cmd+l").outcome == .unhandled)
        #expect(bench.vc.performed == ["hidden"])
    }

    @Test("G10 an alternate fires with its modifiers added", arguments: Profile.versionNames)
    func g10(profile: String) throws {
        let bench = try Bench(profile)
        let reload = command("r", .command, "reload")
        reload.alternates = [CommandAlternate(action: "reloadAll", modifierFlags: .alternate)]
        bench.vc.commands = [reload]
        bench.vc.implemented = ["reload", "reloadAll"]
        #expect(try bench.press("opt+cmd+r").action == "reloadAll")
        #expect(try bench.press("cmd+r").action == "reload")
    }

    @Test("G11 MT-8 a right-to-left interface mirrors brackets")
    func g11() throws {
        let bench = try Bench("ios15")
        bench.engine.layoutDirection = .rtl
        bench.vc.commands = [command("[", .command, "back")]
        bench.vc.implemented = ["back"]
        #expect(try bench.press("cmd+]").outcome == .performed)
        #expect(try bench.press("cmd+[").outcome == .unhandled)
    }

    @Test("G12 MT-8 no localisation means no mirroring")
    func g12() throws {
        let bench = try Bench("ios15")
        bench.engine.layoutDirection = .rtl
        let back = command("[", .command, "back")
        back.allowsAutomaticLocalization = false
        bench.vc.commands = [back]
        bench.vc.implemented = ["back"]
        #expect(try bench.press("cmd+[").outcome == .performed)
    }

    @Test("G13 Return commits marked text", arguments: Profile.versionNames)
    func g13(profile: String) throws {
        let bench = try Bench(profile)
        bench.vc.commands = [command("\r", [], "send")]
        bench.vc.implemented = ["send"]
        let text = bench.addTextView()
        text.setMarkedText("に")
        let resolution = try bench.press("return")
        #expect(resolution.outcome == .consumedByInputMethod && resolution.takenBy == .inputMethod)
        #expect(text.markedText == nil && text.text == "に" && bench.vc.performed.isEmpty)
        #expect(resolution.effects == [Effect(id: "text", kind: .marked, value: .flag(false))])
    }

    @Test("G14 a swallowed press types nothing and is ended where it began", arguments: ["ios134", "ios15", "ios26"])
    func g14(profile: String) throws {
        let bench = try Bench(profile)
        bench.vc.swallows = true
        let field = bench.addTextField()
        let resolution = try bench.down("a")
        let release = try bench.up("a")
        #expect(resolution.outcome == .swallowedByPresses && resolution.takenBy == .presses)
        #expect(field.text.isEmpty && resolution.calls.keyCommands == 0)
        #expect(resolution.receivers.map(\.id) == ["field", "view", "vc"])
        #expect(release.receivers.map(\.id) == ["field", "view", "vc"])
        #expect(bench.vc.presses == ["began a", "ended"])
    }

    private func hold(_ bench: Bench) throws -> Int {
        bench.vc.commands = [command("w", .command, "close")]
        bench.vc.implemented = ["close"]
        try bench.down("cmd+w")
        var time = TraceTime.zero.advanced(by: bench.engine.profile.repeatDelay)
        while time <= TraceTime(nanoseconds: 1_000_000_000) {
            _ = bench.engine.repeatTick(.clear(.keyboard(0x1A)), at: time)
            time = time.advanced(by: bench.engine.profile.repeatInterval)
        }
        try bench.up("cmd+w")
        return bench.vc.performed.count
    }

    @Test("G15 a command held for a second on iOS 9 runs eight times") func g15() throws {
        #expect(try hold(try Bench("ios9")) == 8)
    }

    @Test("G16 on iOS 7 it runs once") func g16() throws {
        #expect(try hold(try Bench("ios7")) == 1)
    }

    @Test("G17 a presenter that performs nothing meanwhile is skipped")
    func g17() throws {
        let bench = try Bench("ios15")
        let child = ProbeController(id: "child")
        child.commands = [command("k", .command, "act")]
        bench.vc.implemented = ["act"]
        bench.vc.performsActionsWhilePresentingModally = false
        bench.vc.present(child)
        bench.engine.focus(child)
        #expect(try bench.press("cmd+k").outcome == .blockedUnperformable)
        bench.vc.performsActionsWhilePresentingModally = true
        let resolution = try bench.press("cmd+k")
        #expect(resolution.target === bench.vc && resolution.supplierID == "child")
    }

    @Test("G25 deactivation cancels a held key once and forgets modifiers")
    func g25() throws {
        let bench = try Bench("ios15")
        bench.engine.focus(bench.vc)
        try bench.down("cmd+k")
        let releases = bench.engine.deactivate()
        #expect(releases.count == 2 && releases.allSatisfy(\.isCancelled))
        #expect(bench.vc.presses.filter { $0 == "cancelled" }.count == 2)
        #expect(bench.engine.modifiers.isEmpty)
        #expect(bench.engine.keyUp(.clear(.keyboard(0x0E)), at: .zero) == nil)
        #expect(bench.engine.keyDown(.clear(.keyboard(0x0E)), at: .zero)?.outcome == .noStart)
    }
}
