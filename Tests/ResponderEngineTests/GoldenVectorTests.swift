import KeyModel
import ResponderEngine
import ResponderKit
import Testing

/// Those that hold under every profile, or have no folder in `Traces/golden`, which shows the others.
@Suite("Golden vectors of the behaviour specification, section 13")
struct GoldenVectorTests {
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
}
