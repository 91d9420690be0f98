import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@Suite("Delivery of key events")
struct DeliveryTests {
    @Test("EV-1 the key window's first responder gets the key")
    func ev1() throws {
        let bench = try Bench("ios15")
        let other = Window(id: "other")
        let otherVC = ProbeController(id: "otherVC")
        bench.scene.addWindow(other)
        other.rootViewController = otherVC
        bench.engine.focus(otherVC)
        #expect(try bench.press("k").receivers.first === bench.view)
        other.makeKeyAndVisible()
        #expect(try bench.press("k").receivers.first === otherVC)
    }

    @Test("EV-2 command-period is translated before matching; the parameter turns that off")
    func ev2() throws {
        let bench = try Bench("ios15")
        bench.vc.commands = [command(".", .command, "dot")]
        bench.vc.implemented = ["dot"]
        #expect(try bench.press("cmd+.").outcome == .unhandled)
        try bench.engine.profile.set("commandDotIsEscape", to: "false")
        #expect(try bench.press("cmd+.").outcome == .performed)
        #expect(try bench.press("shift+cmd+.").outcome == .unhandled)
    }

    @Test("EV-4 presses climb from the first responder to the end of the chain; modifiers too")
    func ev4() throws {
        let bench = try Bench("ios134")
        #expect(try bench.press("k").receivers.map(\.id) == ["view", "vc", "win", "scn", "app"])
        bench.engine.focus(bench.vc)
        #expect(bench.engine.keyDown(.clear(.leftShift), at: .zero) == nil)
        #expect(bench.vc.presses == ["began k", "ended", "began "])
        #expect(try Bench("ios13").press("k").receivers.isEmpty)
    }

    @Test("EV-5 a swallowed press reaches no later stage, unless the parameter says so")
    func ev5() throws {
        let bench = try Bench("ios15")
        bench.vc.swallows = true
        bench.vc.commands = [command("k", .command, "act")]
        bench.vc.implemented = ["act"]
        #expect(try bench.press("cmd+k").outcome == .swallowedByPresses)
        try bench.engine.profile.set("swallowBlocksSystem", to: "false")
        #expect(try bench.press("cmd+k").outcome == .performed)
    }

    @Test("EV-6 ends go to those who got the began, even when the first responder changed")
    func ev6() throws {
        let bench = try Bench("ios15")
        try bench.down("k")
        bench.engine.focus(bench.vc)
        #expect(try bench.up("k").receivers.first === bench.view)
    }

    @Test("EV-6 a view that leaves its window gets its press cancelled, once")
    func ev6leaving() throws {
        let bench = try Bench("ios15")
        let child = ProbeController(id: "child")
        bench.vc.present(child)
        bench.engine.focus(child)
        try bench.down("k")
        bench.vc.dismiss()
        #expect(child.presses == ["began k", "cancelled"])
        #expect(try bench.up("k").receivers.map(\.id) == ["vc", "win", "scn", "app"])
        #expect(child.presses == ["began k", "cancelled"])
    }

    @Test("EV-6 a view that leaves its window by the action of its own press gets it cancelled, once")
    func ev6leavingByOwnAction() throws {
        let bench = try Bench("ios15")
        let child = ProbeController(id: "child")
        child.commands = [command("k", .command, "close")]
        child.implemented = ["close"]
        child.onAction = { [vc = bench.vc] _ in vc.dismiss() }
        bench.vc.present(child)
        bench.engine.focus(child)
        _ = bench.engine.keyDown(.clear(.leftGUI), at: .zero)
        let resolution = try bench.down("k")
        #expect(resolution.receivers.first === child)
        #expect(child.presses.filter { $0 == "cancelled" }.count == 2)
        #expect(try bench.up("k").receivers.map(\.id) == ["vc", "win", "scn", "app"])
        #expect(!child.presses.contains { $0.hasPrefix("ended") })
    }

    @Test("EV-17 a press whose action deactivates the app is not held afterwards")
    func ev17byOwnAction() throws {
        let bench = try Bench("ios15")
        bench.vc.commands = [command("k", [], "leave")]
        bench.vc.implemented = ["leave"]
        bench.vc.onAction = { [engine = bench.engine] _ in engine.deactivate() }
        #expect(try bench.down("k").repeatsWhileHeld == false)
        bench.engine.activate()
        #expect(bench.engine.repeatTick(.clear(.keyboard(0x0E)), at: .zero) == nil)
        #expect(bench.engine.keyUp(.clear(.keyboard(0x0E)), at: .zero) == nil)
    }

    @Test("EV-7 repeats send no presses")
    func ev7() throws {
        let bench = try Bench("ios15")
        let field = bench.addTextField()
        try bench.down("a")
        let tick = try #require(bench.engine.repeatTick(.clear(.keyboard(0x04)), at: .zero))
        #expect(tick.isRepeat && tick.receivers.isEmpty && tick.text == "a" && field.text == "aa")
    }

    @Test("EV-8 copy and paste go to whoever can, before an app's command", arguments: Profile.versionNames)
    func ev8(profile: String) throws {
        let bench = try Bench(profile)
        bench.vc.commands = [command("c", .command, "mine")]
        bench.vc.implemented = ["mine"]
        #expect(try bench.press("cmd+c").action == "mine")
        bench.vc.implemented = ["mine", "copy:"]
        let resolution = try bench.press("cmd+c")
        #expect(resolution.takenBy == .standardEdit && resolution.action == "copy:" && resolution.supplierID == nil)
    }

    @Test("EV-8 text styles are taken before commands from iOS 9")
    func ev8styles() throws {
        for (profile, takenBy) in [("ios7", TakenBy.keyCommands), ("ios9", .builtinText), ("ios15", .builtinText)] {
            let bench = try Bench(profile)
            bench.vc.commands = [command("b", .command, "mine")]
            bench.vc.implemented = ["mine"]
            let text = bench.addTextView()
            text.allowsEditingTextAttributes = true
            #expect(try bench.press("cmd+b").takenBy == takenBy)
            text.allowsEditingTextAttributes = false
            #expect(try bench.press("cmd+b").takenBy == .keyCommands)
        }
    }

    @Test(
        "EV-9 an unhandled key with command never inserts; hardware Return is a newline",
        arguments: Profile.versionNames)
    func ev9(profile: String) throws {
        let bench = try Bench(profile)
        let text = bench.addTextView()
        #expect(try bench.press("cmd+k").outcome == .unhandled)
        #expect(try bench.press("return").text == "\n")
        #expect(try bench.press("keypadenter").text == "\n")
        #expect(text.text == "\n\n")
    }

    @Test("EV-10 marked text takes its keys before commands, not before priority ones")
    func ev10() throws {
        for key in ["return", "esc", "space", "tab", "left", "3", "delete", "x"] {
            let bench = try Bench("ios15")
            let text = bench.addTextView()
            text.setMarkedText("にほ")
            #expect(try bench.press(key).takenBy == .inputMethod)
        }
        let bench = try Bench("ios15")
        bench.vc.commands = [command(KeyCommand.inputEscape, [], "close", priority: true)]
        bench.vc.implemented = ["close"]
        let text = bench.addTextView()
        text.setMarkedText("に")
        #expect(try bench.press("esc").takenBy == .priorityKeyCommands)
        try bench.engine.profile.set("priorityBeforeIME", to: "false")
        #expect(try bench.press("esc").takenBy == .inputMethod && text.markedText == nil && text.text.isEmpty)
    }

    @Test("EV-10 Delete shortens marked text by a whole character, printables extend it")
    func ev10editing() throws {
        let bench = try Bench("ios15")
        let text = bench.addTextView(text: "a")
        text.setMarkedText("にほ")
        try bench.press("delete")
        #expect(text.markedText == "に" && text.text == "aに")
        try bench.press("n")
        #expect(text.markedText == "にn")
        try bench.press("return")
        #expect(text.text == "aにn" && text.markedText == nil)
    }

    @Test("EV-11 a lone modifier yields nothing and counts no reads")
    func ev11() throws {
        let bench = try Bench("ios15")
        bench.vc.commands = [KeyCommand(title: "", action: "act", input: nil, modifierFlags: .command)]
        #expect(bench.engine.keyDown(.clear(.leftGUI), at: .zero) == nil)
        #expect(try bench.down("k").calls.keyCommands == 5)
    }

    @Test(
        "EV-11 an empty input with one modifier hears that modifier's press and no other",
        arguments: CachePolicy.allCases)
    func modifierCommands(cache: CachePolicy) throws {
        for profile in Profile.versionNames {
            let bench = try Bench(profile, cache: cache)
            bench.vc.commands = [
                command("", .control, "hear:"), command("", .capsLock, "caps:"), command("", [], "none:"),
                command("", [.shift, .option], "two:"), command("k", .control, "k:"),
            ]
            bench.vc.implemented = ["hear:", "caps:", "none:", "two:", "k:"]
            try bench.press("f5")
            let heard = try #require(bench.engine.keyDown(.clear(.rightControl), at: .zero))
            #expect(heard.outcome == .performed && heard.action == "hear:" && heard.supplierID == "vc")
            #expect(!heard.repeatsWhileHeld && heard.calls.canPerformAction > 0)
            #expect(bench.engine.keyDown(.clear(.keyboard(0x0E)), at: .zero)?.action == "k:")
            _ = bench.engine.keyUp(.clear(.keyboard(0x0E)), at: .zero)
            #expect(bench.engine.keyDown(.clear(.leftShift), at: .zero) == nil, "two modifiers are held")
            _ = bench.engine.keyUp(.clear(.leftShift), at: .zero)
            _ = bench.engine.keyUp(.clear(.rightControl), at: .zero)
            for key in [KeyUsage.leftShift, .leftAlt, .leftGUI] {
                #expect(bench.engine.keyDown(.clear(key), at: .zero) == nil)
                _ = bench.engine.keyUp(.clear(key), at: .zero)
            }
            for _ in 0..<2 {
                let locked = try #require(bench.engine.keyDown(.clear(.capsLock), at: .zero))
                #expect(locked.action == "caps:", "\(profile)")
                _ = bench.engine.keyUp(.clear(.capsLock), at: .zero)
            }
            try bench.engine.profile.set("emptyInputMatchesModifier", to: "false")
            #expect(bench.engine.keyDown(.clear(.leftControl), at: .zero) == nil)
            #expect(bench.engine.keyDown(.clear(.capsLock), at: .zero)?.outcome == .unhandled)
            #expect(bench.vc.performed == ["hear:", "k:", "caps:", "caps:"], "\(profile)")
        }
    }

    @Test("§12 on the Mac a chord with ⌃ or ⌘ goes to its command past a responder that swallows presses")
    func macChordsPassPresses() throws {
        let bench = try Bench("catalyst")
        bench.vc.swallows = true
        bench.vc.commands = [command("k", .command, "k:"), command("l", .control, "l:"), command("j", .option, "j:")]
        bench.vc.implemented = ["k:", "l:", "j:"]
        for (chord, action) in [("cmd+k", "k:"), ("ctrl+l", "l:")] {
            let resolution = try bench.press(chord)
            #expect(resolution.action == Selector(action) && resolution.receivers.isEmpty)
        }
        #expect(try bench.press("opt+j").outcome == .swallowedByPresses)
        #expect(try bench.press("cmd+j").outcome == .swallowedByPresses, "no command matches")
        let touch = try Bench("ios15")
        touch.vc.swallows = true
        touch.vc.commands = [command("k", .command, "k:")]
        touch.vc.implemented = ["k:"]
        #expect(try touch.press("cmd+k").outcome == .swallowedByPresses)
    }

    @Test("EV-12 key-up triggers nothing; some profiles read the commands again")
    func ev12() throws {
        for (profile, reads) in [("ios7", 0), ("ios9", 4), ("ios13", 5), ("ios134", 5), ("ios15", 0), ("ios26", 0)] {
            let bench = try Bench(profile)
            let field = bench.addTextField()
            try bench.down("a")
            let text = field.text
            let release = try bench.up("a")
            #expect(field.text == text)
            #expect(release.calls.keyCommands == (reads == 0 ? 0 : reads + 1), "\(profile)")
        }
    }

    @Test("EV-13 commands repeat from iOS 9; text repeats everywhere; a later key ends the repeat")
    func ev13() throws {
        for profile in Profile.versionNames {
            let bench = try Bench(profile)
            bench.vc.commands = [command("k", .command, "act")]
            bench.vc.implemented = ["act"]
            #expect(try bench.press("cmd+k").repeatsWhileHeld == (profile != "ios7"))
            let field = bench.addTextField()
            #expect(try bench.down("a").repeatsWhileHeld)
            try bench.down("b")
            #expect(bench.engine.repeatTick(.clear(.keyboard(0x04)), at: .zero) == nil)
            #expect(bench.engine.repeatTick(.clear(.keyboard(0x05)), at: .zero) != nil)
            #expect(field.text == "abb")
        }
    }

    @Test("EV-13 a command that opted out does not repeat where opting out exists")
    func ev13optOut() throws {
        for (profile, repeats) in [("ios134", true), ("ios15", true), ("catalyst", true), ("ios26", false)] {
            let bench = try Bench(profile)
            let once = command("k", .command, "act")
            once.repeatBehavior = .nonRepeatable
            bench.vc.commands = [once]
            bench.vc.implemented = ["act"]
            #expect(try bench.press("cmd+k").repeatsWhileHeld == repeats)
        }
    }

    @Test("EV-13 an unhandled or swallowed press does not repeat")
    func ev13unhandled() throws {
        let bench = try Bench("ios15")
        #expect(try !bench.press("k").repeatsWhileHeld)
        bench.vc.swallows = true
        #expect(try !bench.press("k").repeatsWhileHeld)
    }

    @Test("EV-14 with a focus system Tab, arrows and Return belong to it, outside text")
    func ev14() throws {
        let bench = try Bench("ios15")
        bench.engine.hasFocusSystem = true
        for key in ["tab", "shift+tab", "ctrl+tab", "up", "return"] {
            #expect(try bench.press(key).takenBy == .focus)
        }
        #expect(try bench.press("cmd+up").outcome == .unhandled)
        #expect(try Bench("ios134").press("tab").outcome == .unhandled)
        let field = bench.addTextField()
        #expect(try bench.press("left").takenBy == .text)
        #expect(try bench.press("tab").takenBy == .focus)
        #expect(field.text.isEmpty)
    }

    @Test("EV-15 a scroll view scrolls by keys where the parameter says so, and leaves a key that moves nothing")
    func ev15() throws {
        let bench = try Bench("ios26")
        let scroll = ScrollView(id: "scroll")
        scroll.contentSize = Extent(width: 100, height: 300)
        scroll.viewport = Extent(width: 100, height: 200)
        bench.view.addSubview(scroll)
        bench.engine.focus(scroll)
        let resolution = try bench.press("down")
        #expect(resolution.outcome == .consumedByScroll)
        #expect(resolution.effects == [Effect(id: "scroll", kind: .offset, value: .numbers([0, 51]))])
        #expect(try bench.press("pagedown").outcome == .consumedByScroll)
        #expect(try bench.press("down").outcome == .unhandled)
        bench.engine.profile = try #require(Profile.named("ios15"))
        #expect(try bench.press("up").outcome == .unhandled)
    }

    @Test("EV-17 left and right are counted apart; Caps Lock toggles; deactivation clears")
    func ev17() throws {
        let engine = try Bench("ios15").engine
        _ = engine.keyDown(.clear(.leftShift), at: .zero)
        _ = engine.keyDown(.clear(.rightShift), at: .zero)
        _ = engine.keyUp(.clear(.leftShift), at: .zero)
        #expect(engine.modifiers == .shift)
        _ = engine.keyUp(.clear(.rightShift), at: .zero)
        #expect(engine.modifiers.isEmpty)
        _ = engine.keyDown(.clear(.capsLock), at: .zero)
        _ = engine.keyUp(.clear(.capsLock), at: .zero)
        #expect(engine.modifiers == .capsLock)
        engine.deactivate()
        #expect(engine.modifiers.isEmpty)
    }

    @Test("EV-17 a profile may leave keys down at deactivation, as when their release goes elsewhere (T-8)")
    func ev17lostReleases() throws {
        let engine = try Bench("ios15").engine
        engine.profile.deactivationCancelsKeys = false
        _ = engine.keyDown(.clear(.leftGUI), at: .zero)
        #expect(engine.deactivate().isEmpty)
        engine.activate()
        #expect(engine.modifiers == .command)
        _ = engine.keyUp(.clear(.leftGUI), at: .zero)
        #expect(engine.modifiers.isEmpty)
    }

    @Test("EV-17 keyboards share their modifiers")
    func ev17keyboards() throws {
        let bench = try Bench("ios15")
        bench.vc.commands = [command("k", .command, "act")]
        bench.vc.implemented = ["act"]
        _ = bench.engine.keyDown(.clear(.leftGUI), device: 1, at: .zero)
        #expect(bench.engine.keyDown(.clear(.keyboard(0x0E)), device: 2, at: .zero)?.outcome == .performed)
    }

    @Test("text from no key goes to the first responder, whole")
    func insertText() throws {
        let bench = try Bench("ios15")
        #expect(bench.engine.insertText("x", at: .zero) == nil)
        let field = bench.addTextField()
        let resolution = try #require(bench.engine.insertText("naïve 👩‍👩‍👧", at: .zero))
        #expect(resolution.outcome == .consumedByText && resolution.key == nil && resolution.chord == nil)
        #expect(resolution.effects == [Effect(id: "field", kind: .text, value: .number(7))])
        try bench.press("delete")
        #expect(field.text == "naïve ")
        for _ in 0..<4 { try bench.press("delete") }
        #expect(field.text == "na")
    }

    @Test("presses that match a command are not offered where the parameter says so")
    func pressesSeen() throws {
        let bench = try Bench("ios15")
        bench.vc.commands = [command("k", .command, "act")]
        bench.vc.implemented = ["act"]
        try bench.engine.profile.set("pressesSeenForMatchedCommands", to: "false")
        let resolution = try bench.press("cmd+k")
        #expect(resolution.outcome == .performed && resolution.receivers.isEmpty && resolution.calls.keyCommands == 5)
        #expect(try bench.press("cmd+j").receivers.count == 5)
    }

    @Test("a key event inside an action is not delivered")
    func reentrancy() throws {
        let bench = try Bench("ios15")
        bench.vc.commands = [command("k", .command, "act")]
        bench.vc.implemented = ["act"]
        bench.vc.onAction = { _ in
            #expect(bench.engine.keyDown(.clear(.keyboard(0x04)), at: .zero) == nil)
            bench.engine.focus(bench.vc)
        }
        let resolution = try bench.press("cmd+k")
        #expect(resolution.effects == [Effect(id: "vc", kind: .firstResponder, value: .flag(true))])
        #expect(bench.engine.firstResponder === bench.vc)
    }
}
