import KeyModel
import ResponderEngine
import Testing

@Suite("Matching")
struct MatchingTests {
    private func action(
        _ commands: [KeyCommand], _ chord: String, profile: String = "ios15", layout: String = "us",
        set: [String: String] = [:]
    ) throws -> String? {
        let bench = try Bench(profile, layout: layout)
        for (name, value) in set { try bench.engine.profile.set(name, to: value) }
        bench.vc.commands = commands
        bench.vc.implemented = Set(commands.map(\.action.name)).union(["alternate"])
        return try bench.press(chord).action?.name
    }

    @Test("MT-1 modifiers match exactly")
    func mt1() throws {
        let save = [command("s", .command, "save")]
        #expect(try action(save, "cmd+s") == "save")
        #expect(try action(save, "ctrl+cmd+s") == nil)
        #expect(try action(save, "opt+cmd+s") == nil)
        #expect(try action(save, "s") == nil)
    }

    @Test("MT-1 Caps Lock takes part until iOS 12")
    func mt1capsLock() throws {
        for (profile, performs) in [("ios7", false), ("ios9", false), ("ios13", true), ("ios15", true)] {
            let bench = try Bench(profile)
            bench.vc.commands = [command("s", .command, "save")]
            bench.vc.implemented = ["save"]
            try bench.press("capslock")
            #expect(try (bench.press("cmd+s").outcome == .performed) == performs)
        }
    }

    @Test("MT-1 a command for the numeric pad wants a key of it; the others do not care")
    func mt1keypad() throws {
        let pad = [command("1", [.command, .numericPad], "pad")]
        #expect(try action(pad, "cmd+keypad1") == "pad")
        #expect(try action(pad, "cmd+1") == nil)
        #expect(try action([command("1", .command, "one")], "cmd+keypad1") == "one")
    }

    @Test("MT-2 letters fold, constants do not")
    func mt2() throws {
        #expect(try action([command("W", .command, "close")], "cmd+w") == "close")
        #expect(try action([command("É", .command, "e")], "cmd+2", layout: "fr") == "e")
        #expect(try action([command("uikeyinputescape", [], "no")], "esc") == nil)
        #expect(try action([command(KeyCommand.f5, [], "five")], "f5") == "five")
    }

    @Test("MT-3 symbols match on either level, the base level first")
    func mt3() throws {
        #expect(try action([command("+", .command, "zoom")], "shift+cmd+=") == "zoom")
        #expect(try action([command("?", .command, "help")], "shift+cmd+/") == "help")
        #expect(try action([command("_", .command, "out")], "shift+cmd+-") == "out")
        #expect(try action([command("=", .command, "no")], "shift+cmd+=") == nil)
        let both = [command("+", .command, "consumed"), command("=", [.command, .shift], "base")]
        #expect(try action(both, "shift+cmd+=") == "base")
        let kept = [command("?", [.command, .shift], "kept")]
        #expect(try action(kept, "shift+cmd+/") == "kept")
        #expect(try action(kept, "shift+cmd+/", set: ["shiftedWithShift": "false"]) == nil)
    }

    @Test("MT-4 Option does not change the input")
    func mt4() throws {
        #expect(try action([command("n", [.command, .option], "new")], "opt+cmd+n", layout: "fr") == "new")
    }

    @Test("MT-4 a command is found by the layout's character, not by position")
    func mt4layout() throws {
        #expect(try action([command("a", .command, "all")], "cmd+q", layout: "fr") == "all")
    }

    @Test("MT-6 the minus sign is not the hyphen")
    func mt6() throws { #expect(try action([command("−", .command, "out")], "cmd+-") == nil) }

    @Test("MT-7 a bracket that a German layout hides is on ö")
    func mt7() throws {
        let back = [command("[", .command, "back")]
        #expect(try action(back, "cmd+;", layout: "de") == "back")
        #expect(try action(back, "cmd+;", profile: "ios134", layout: "de") == nil)
        #expect(try action(back, "cmd+[", layout: "us") == "back")
    }

    @Test("MT-7 a delegate may decline localisation for all commands, and is asked once")
    func mt7declined() throws {
        let bench = try Bench("ios15", layout: "de")
        let delegate = DecliningDelegate(id: "delegate")
        bench.application.delegate = delegate
        bench.vc.commands = [command("[", .command, "back")]
        bench.vc.implemented = ["back"]
        #expect(try bench.press("cmd+;").outcome == .unhandled)
        #expect(try bench.press("cmd+;").outcome == .unhandled && delegate.questions == 1)
    }

    @Test("MT-9 earlier wins in a list, nearer wins on the chain, priority wins over both")
    func mt9() throws {
        #expect(try action([command("k", .command, "a"), command("k", .command, "b")], "cmd+k") == "a")
        let bench = try Bench("ios15")
        let near = ProbeController(id: "near")
        near.nextOverride = bench.vc
        near.commands = [command("k", .command, "near")]
        bench.vc.commands = [command("k", .command, "far")]
        bench.vc.implemented = ["near", "far"]
        bench.engine.focus(near)
        let resolution = try bench.press("cmd+k")
        #expect(resolution.action == "near" && resolution.supplierID == "near")
        #expect(resolution.shadowed.map(\.action) == ["far"])
        try bench.engine.profile.set("precedence", to: "farthestFirst")
        #expect(try bench.press("cmd+k").action == "far")
        try bench.engine.profile.set("precedence", to: "nearestFirst")
        bench.vc.commands = [command("k", .command, "far", priority: true)]
        let priority = try bench.press("cmd+k")
        #expect(priority.action == "far" && priority.shadowed.map(\.action) == ["near"])
    }

    @Test("MT-10 the parameter decides whether an unperformable match blocks")
    func mt10() throws {
        let commands = [command("k", .command, "nobody"), command("k", .command, "act")]
        for (blocks, expected) in [("true", "nobody"), ("false", "act")] {
            let bench = try Bench("ios15")
            try bench.engine.profile.set("blocksUnperformable", to: blocks)
            bench.vc.commands = commands
            bench.vc.implemented = ["act"]
            #expect(try bench.press("cmd+k").action?.name == expected)
        }
    }

    @Test("MT-11 disabled is passed over, hidden is not")
    func mt11() throws {
        let commands = [
            command("k", .command, "off", attributes: .disabled), command("k", .command, "hidden", attributes: .hidden),
        ]
        #expect(try action(commands, "cmd+k") == "hidden")
    }

    @Test("MT-12 alternates come right after their parent, or before it")
    func mt12() throws {
        let parent = command("r", .command, "reload")
        parent.alternates = [CommandAlternate(action: "alternate", modifierFlags: [])]
        #expect(try action([parent], "cmd+r") == "reload")
        #expect(try action([parent], "cmd+r", set: ["alternatePrecedence": "beforeParent"]) == "alternate")
    }

    @Test("MT-13 keys of the system never reach the app")
    func mt13() throws {
        for (chord, input, flags) in Self.reserved {
            let bench = try Bench("ios15")
            bench.vc.commands = [command(input, flags, "act"), command(input, flags, "second")]
            bench.vc.implemented = ["act", "second"]
            let resolution = try bench.press(chord)
            #expect(resolution.outcome == .unhandled && resolution.takenBy == .system, "\(chord)")
            #expect(resolution.receivers.isEmpty && resolution.calls == CallCounts())
            #expect(resolution.shadowed.map(\.action) == ["act", "second"], "who wanted it is named")
            #expect(resolution.shadowReads == 5 && resolution.cache.lookups == 0)
            try bench.engine.profile.set("reservedChords", to: "cmd+y")
            #expect(try bench.press(chord).takenBy != .system)
        }
    }

    private static let reserved: [(chord: String, input: String, flags: KeyModifiers)] = [
        ("cmd+h", "h", .command), ("cmd+tab", "\t", .command), ("cmd+space", " ", .command),
        ("ctrl+space", " ", .control), ("ctrl+shift+space", " ", [.control, .shift]),
        ("shift+cmd+tab", "\t", [.command, .shift]),
        ("ctrl+opt+shift+cmd+tab", "\t", [.control, .option, .shift, .command]),
        ("shift+cmd+3", "3", [.command, .shift]), ("shift+cmd+4", "4", [.command, .shift]),
    ]

    @Test("§12 reservedChords: each profile keeps what its system has")
    func reservedByProfile() throws {
        func kept(_ profile: String) throws -> [String] {
            try Self.reserved.map(\.chord).filter { try Bench(profile).press($0).takenBy == .system }
        }
        let all = Self.reserved.map(\.chord)
        #expect(try kept("ios7") == ["cmd+h"], "no switcher, no input keys")
        for profile in ["ios9", "react-native-dev"] { #expect(try kept(profile) == Array(all.dropLast(2))) }
        for profile in ["ios13", "ios134", "ios15", "ios26"] { #expect(try kept(profile) == all) }
        #expect(try kept("catalyst") == all, "Hide is an item of the Mac's menu")
    }

    @Test("§12 reservedChords: a key goes by the character that the layout types, a special key by itself")
    func reservedByCharacter() throws {
        let bench = try Bench("ios15", layout: "us:dvorak")
        #expect(try bench.press("cmd+j").takenBy == .system)
        #expect(try bench.press("cmd+h").takenBy == nil)
        try bench.engine.profile.set("reservedChords", to: "ctrl+up f5")
        #expect(try bench.press("ctrl+up").takenBy == .system)
        #expect(try bench.press("f5").takenBy == .system)
        #expect(try bench.press("cmd+j").takenBy == nil)
        try bench.engine.profile.set("reservedChords", to: "none")
        #expect(bench.engine.profile.value(of: "reservedChords") == "none")
        #expect(throws: ProfileError.self) { try bench.engine.profile.set("reservedChords", to: "cmd+nokey") }
    }

    @Test("DT-5 special keys have constants, the others their character")
    func dt5() throws {
        let inputs: [(String, String)] = [
            ("up", KeyCommand.inputUpArrow), ("pagedown", KeyCommand.inputPageDown), ("home", KeyCommand.inputHome),
            ("delete", KeyCommand.inputDelete), ("return", "\r"), ("tab", "\t"), ("space", " "),
            ("f12", KeyCommand.f12),
        ]
        for (key, input) in inputs {
            #expect(try action([command(input, [.control, .option], "act")], "ctrl+opt+\(key)") == "act")
        }
    }

    @Test("DT-6 the two Return keys cannot be told apart by input")
    func dt6() throws {
        #expect(try action([command("\r", .command, "act")], "cmd+keypadenter") == "act")
        #expect(try action([command("\u{3}", .command, "act")], "cmd+keypadenter") == nil)
    }

    @Test("DT-7 no input and an empty input match no key")
    func dt7() throws {
        let none = KeyCommand(title: "", action: "none", input: nil, modifierFlags: [])
        for chord in ["k", "capslock", "printscreen"] {
            #expect(try action([none, command("", [], "empty")], chord) == nil)
        }
    }
}

private final class DecliningDelegate: Responder, ApplicationDelegate {
    var questions = 0
    func applicationShouldAutomaticallyLocalizeKeyCommands(_ application: Application) -> Bool {
        questions += 1
        return false
    }
}
