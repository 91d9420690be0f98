import Foundation
import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@Suite("Keys in AppKit apps")
struct AppKitTests {
    /// A view with key equivalents, which handles key-downs or passes them on.
    final class Canvas: View {
        var equivalents: [KeyCommand] = []
        var handles = false
        var implemented: Set<String> = []
        private(set) var performed: [String] = []

        override var keyEquivalents: [KeyCommand] { equivalents }
        override var canBecomeFirstResponder: Bool { true }
        override func responds(to action: Selector) -> Bool { implemented.contains(action.name) }
        override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) { performed.append(action.name) }
        override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
            if !handles { super.pressesBegan(presses, with: event) }
        }
    }

    private func bench(
        _ profile: String, menu: [KeyCommand] = []
    ) throws -> (bench: Bench, canvas: Canvas, other: Canvas) {
        let bench = try Bench(profile)
        let (canvas, other) = (Canvas(id: "canvas"), Canvas(id: "other"))
        bench.view.addSubview(canvas)
        bench.view.addSubview(other)
        bench.application.mainMenu = [Menu(title: "Go", identifier: "go", children: menu)]
        bench.engine.focus(canvas)
        return (bench, canvas, other)
    }

    @Test(
        "GNUstep asks for every key as a key equivalent, Apple for keys with Command (LA-9)",
        arguments: Profile.appKitNames)
    func keyEquivalents(profile: String) throws {
        let (bench, canvas, other) = try bench(profile)
        canvas.handles = true
        other.equivalents = [command("\r", [], "ok:"), command("k", .command, "find:")]
        canvas.implemented = ["ok:", "find:"]
        let plain = try bench.press("return")
        #expect(plain.takenBy == (profile == "gnustep" ? .keyEquivalent : .keyDown))
        #expect(plain.target === canvas && plain.supplier === (profile == "gnustep" ? other : nil))
        let chord = try bench.press("cmd+k")
        #expect(chord.takenBy == .keyEquivalent && chord.action == "find:" && chord.supplier === other)
    }

    @Test(
        "a disabled item keeps its key in GNUstep; with Apple the key goes on (LA-10)", arguments: Profile.appKitNames)
    func disabledItem(profile: String) throws {
        let menu = [
            command("d", .command, "draw:", attributes: .disabled), command("s", .command, "save:"),
            command("n", .command, "nobody:"),
        ]
        let (bench, canvas, _) = try bench(profile, menu: menu)
        canvas.handles = true
        canvas.implemented = ["draw:", "save:"]
        for (chord, action) in [("cmd+d", "draw:"), ("cmd+n", "nobody:")] {
            let press = try bench.press(chord)
            if profile == "gnustep" {
                #expect(press.outcome == .blockedUnperformable && press.takenBy == .mainMenu)
                #expect(press.action?.name == action && press.supplierID == "mainMenu" && press.target == nil)
            } else {
                #expect(press.outcome == .performed && press.takenBy == .keyDown && press.target === canvas)
            }
        }
        #expect(try bench.press("cmd+s").takenBy == .mainMenu)
        #expect(canvas.performed == ["save:"])
    }

    @Test("items may share an action; of those with one key the first answers", arguments: Profile.appKitNames)
    func sharedActionsAndKeys(profile: String) throws {
        let menu = [
            command("f", .command, "find:"), command("g", .command, "find:"), command("j", .command, "first:"),
            command("j", .command, "second:"),
        ]
        let (bench, canvas, _) = try bench(profile, menu: menu)
        canvas.implemented = ["find:", "first:", "second:"]
        for chord in ["cmd+f", "cmd+g", "cmd+j"] {
            let press = try bench.press(chord)
            #expect(press.takenBy == .mainMenu && press.effects.allSatisfy { $0.kind != .menuDropped }, "\(chord)")
        }
        #expect(canvas.performed == ["find:", "find:", "first:"])
    }

    @Test("an alternate sends its own action, of a menu and of a view", arguments: Profile.appKitNames)
    func alternates(profile: String) throws {
        func commandWithAlternate(_ input: String, _ action: Selector, _ alternate: Selector) -> KeyCommand {
            let command = command(input, .command, action)
            command.alternates = [CommandAlternate(action: alternate, modifierFlags: .option)]
            return command
        }
        let (bench, canvas, other) = try bench(profile, menu: [commandWithAlternate("a", "close:", "closeAll:")])
        other.equivalents = [commandWithAlternate("b", "back:", "start:")]
        canvas.implemented = ["close:", "closeAll:", "back:", "start:"]
        for (chord, action) in [
            ("cmd+a", "close:"), ("opt+cmd+a", "closeAll:"), ("cmd+b", "back:"), ("opt+cmd+b", "start:"),
        ] {
            #expect(try bench.press(chord).action?.name == action)
        }
        #expect(canvas.performed == ["close:", "closeAll:", "back:", "start:"])
        canvas.implemented = ["close:"]
        let unavailable = try bench.press("opt+cmd+a")
        #expect(unavailable.outcome == (profile == "gnustep" ? .blockedUnperformable : .unhandled))
        #expect(unavailable.action?.name == (profile == "gnustep" ? "closeAll:" : nil))
    }

    @Test("a capital letter is a key equivalent with Shift", arguments: Profile.appKitNames)
    func capitals(profile: String) throws {
        let menu = [
            command("U", .command, "upper:"), command("u", .command, "lower:"),
            command("K", [.shift, .command], "both:"),
        ]
        let (bench, canvas, _) = try bench(profile, menu: menu)
        canvas.implemented = ["upper:", "lower:", "both:"]
        for (chord, action) in [("cmd+u", "lower:"), ("shift+cmd+u", "upper:"), ("shift+cmd+k", "both:")] {
            #expect(try bench.press(chord).action?.name == action, "\(chord)")
        }
        #expect(try bench.press("cmd+k").action == nil)
    }

    @Test("key-down goes up the chain until somebody handles it (LA-15)", arguments: Profile.appKitNames)
    func keyDown(profile: String) throws {
        let (bench, canvas, other) = try bench(profile)
        #expect(try bench.press("x").outcome == .unhandled)
        bench.vc.swallows = true
        #expect(try bench.press("x").target === bench.vc)
        canvas.handles = true
        let press = try bench.press("x")
        #expect(press.outcome == .performed && press.takenBy == .keyDown && press.target === canvas)
        #expect(bench.engine.keyDown(.clear(.leftShift), at: .zero) == nil, "a modifier comes to nothing")
        _ = other
    }

    @Test("text: key bindings and typing; with Command only GNUstep types (LA-11)", arguments: Profile.appKitNames)
    func text(profile: String) throws {
        let bench = try Bench(profile)
        let field = bench.addTextView(text: "ab")
        #expect(try bench.press("c").outcome == .consumedByText)
        #expect(field.text == "abc")
        let chord = try bench.press("cmd+9")
        #expect(chord.outcome == (profile == "gnustep" ? .consumedByText : .unhandled))
        #expect(field.text == (profile == "gnustep" ? "abc9" : "abc"))
        #expect(try bench.press("left").target === field)
    }

    @Test("a disabled item or one without a target leaves Apple's key unhandled, and text as it is")
    func disabledItemBesideText() throws {
        let (bench, _, _) = try bench(
            "appkit",
            menu: [command("d", .command, "draw:", attributes: .disabled), command("n", .command, "nobody:")])
        let field = bench.addTextView(text: "ab")
        for chord in ["cmd+d", "cmd+n"] {
            #expect(try bench.press(chord).outcome == .unhandled && field.text == "ab", "\(chord)")
        }
    }

    @Test("an inactive application gets no keys", arguments: Profile.appKitNames)
    func inactive(profile: String) throws {
        let (bench, canvas, _) = try bench(profile, menu: [command("d", .command, "draw:")])
        canvas.implemented = ["draw:"]
        let field = bench.addTextView(text: "ab")
        bench.engine.deactivate()
        for chord in ["c", "cmd+d"] { #expect(try bench.press(chord).outcome == .noStart, "\(chord)") }
        #expect(canvas.performed.isEmpty && field.text == "ab")
        bench.engine.activate()
        #expect(try bench.press("c").takenBy == .text)
        bench.engine.focus(canvas)
        #expect(try bench.press("cmd+d").takenBy == .mainMenu)
    }

    @Test(
        "Tab moves the focus before a key-down with Apple, after it in GNUstep (LA-9)", arguments: Profile.appKitNames)
    func interfaceControl(profile: String) throws {
        let (bench, canvas, other) = try bench(profile)
        #expect(try bench.press("tab").outcome == .consumedByFocus)
        #expect(bench.engine.firstResponder === other)
        #expect(try bench.press("shift+tab").outcome == .consumedByFocus)
        #expect(bench.engine.firstResponder === canvas)
        canvas.handles = true
        #expect(try bench.press("tab").takenBy == (profile == "gnustep" ? .keyDown : .focus))
    }

    @Test("a held key goes its whole way at each repeat")
    func repeats() throws {
        let (bench, canvas, _) = try bench("gnustep")
        canvas.handles = true
        #expect(try bench.down("x").repeatsWhileHeld)
        let tick = bench.engine.repeatTick(.clear(.keyboard(0x1B)), at: .zero)
        #expect(tick?.takenBy == .keyDown && tick?.target === canvas)
    }

    @Test("the documentation has each difference with its parameter")
    func table() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let article = root.appending(path: "Sources/ResponderEngine/ResponderEngine.docc/Delivery.md")
        let lines = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
        let rows = lines.filter { $0.hasPrefix("| `") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        let (apple, gnustep) = try (#require(Profile.named("appkit")), #require(Profile.named("gnustep")))
        var named: [String] = []
        for row in rows {
            let name = row[0].trimmingCharacters(in: ["`"])
            named.append(name)
            #expect(row[1] == "`\(try #require(apple.value(of: name)))`", "\(name)")
            #expect(row[2] == "`\(try #require(gnustep.value(of: name)))`", "\(name)")
        }
        #expect(named == apple.parameters.map(\.name).filter { apple.value(of: $0) != gnustep.value(of: $0) })
    }

    @Test("a profile file of an AppKit app has its toolkit first, and no parameters of UIKit")
    func profileFile() throws {
        var profile = try #require(Profile.named("gnustep"))
        try profile.set("disabledItemsKeepKeys", to: "false")
        #expect(try Profile(text: profile.text) == profile)
        #expect(throws: ProfileError.unknownParameter("stageOrder")) { try profile.set("stageOrder", to: "textFirst") }
        #expect(throws: ProfileError.unknownParameter("keyEquivalents")) {
            var other = Profile()
            try other.set("keyEquivalents", to: "everyKey")
        }
    }
}
