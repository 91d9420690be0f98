import KeyLayout
import KeyModel
import Scenes
import Testing

/// A key script as it is typed into a live app.
@Suite struct TypedStepsTests {
    private func steps(_ text: String, _ layout: String = "us") throws -> [TypedStep] {
        try KeyScript(text: text, file: "s.keys").typedSteps(layout: try #require(ShippedLayouts.named(layout)))
    }

    /// Without the last, and as words: `1a down w`.
    private func words(_ text: String, _ layout: String = "us") throws -> [String] {
        try steps(text, layout).dropLast().map { step in
            switch step.action {
            case .key(let usage, let phase, let characters, let unmodified):
                let texts = characters == unmodified ? [characters] : [characters, unmodified]
                return ([String(usage.usage, radix: 16), phase.name] + texts).joined(separator: " ")
            case .role(let role, let isDown): return role.names.joined() + (isDown ? " down" : " up")
            case .activate(let window): return "activate \(window)"
            case .end: return "end"
            }
        }
    }

    @Test func modifiersOfChordsGoByRoleAndSingleOnesByPosition() throws {
        let chord = try words("press cmd+w")
        #expect(chord == ["command down", "1a down w", "1a up w", "command up"])
        let single = try words("down LeftGUI\npress w\nup LeftGUI")
        #expect(single == ["e3 down ", "1a down w", "1a up w", "e3 up "])
        let own = try words("press cmd+LeftShift")
        #expect(own == ["command down", "e1 down ", "e1 up ", "command up"])
    }

    @Test func textHasCharacters() throws {
        let text = try words("type A;")
        #expect(text == ["shift down", "4 down A", "4 up A", "shift up", "33 down ;", "33 up ;"])
        let control = try words("press ctrl+shift+a")
        #expect(control[2] == "4 down A")
        let keys = try words("press up\npress F2\npress delete\npress shift+tab\npress return")
        #expect(keys.filter { $0.contains("down") && !$0.contains("shift") } == [
            "52 down \u{F700}", "3b down \u{F705}", "2a down \u{7F}", "2b down \u{19}", "28 down \r",
        ])
        let option = try words("press opt+w")
        #expect(option[1] == "1a down ∑ w")
        let caps = try words("press capslock\npress a")
        #expect(caps[2] == "4 down A")
    }

    /// An input method takes the dead key.
    @Test func aDeadKeyComesWithTheKeyAfterIt() throws {
        let level3 = try words("type ê", "fr")
        #expect(level3 == ["option down", "8 down ê e", "8 up ê e", "option up"])
        let dead = try words("type Ä", "us")
        #expect(dead == ["option down", "option up", "shift down", "4 down Ä A", "4 up Ä A", "shift up"])
    }

    @Test func heldKeysRepeatUntilTheyComeUp() throws {
        let held = try steps("hold down 1s\npress a")
        let repeats = held.filter { if case .key(_, .repeat, _, _) = $0.action { true } else { false } }
        #expect(repeats.map(\.time.nanoseconds) == (4...10).map { $0 * 100_000_000 })
        #expect(held.filter(\.isPress).count == 2)
        let forever = try steps("down a\nwait 500ms\npress LeftShift\nwait 1s\npress b\nwait 2s\nup a")
        #expect(forever.count { if case .key(_, .repeat, _, _) = $0.action { true } else { false } } == 12)
    }

    @Test func onlyWaitsOfTheScriptAreKept() throws {
        let steps = try steps("wait 1s\npress a\nwait 1s\nwait 2s\nhold b 300ms\npress c\nwait 5s")
        let waits = steps.map(\.wait.nanoseconds)
        #expect(waits == [1, 0, 3, 0, 0, 0, 5].map { $0 * 1_000_000_000 })
    }

    @Test func windowsAreNamed() throws {
        let steps = try words("do activate \"Two words\"\npress a")
        #expect(steps.first == "activate Two words")
    }

    @Test(arguments: [
        ("press a\ninsert x", 2, "insert"), ("do focus field", 1, "do focus field"),
        ("do layout fr", 1, "do layout fr"), ("press a\n\ndo mark m", 3, "do mark m"), ("type ш", 1, "type"),
        ("press 07:00a5", 1, "07:00a5"), ("hold a 2000000s", 1, "steps"),
    ])
    func whatNoAppFollowsIsNamed(_ text: String, _ line: Int, _ subject: String) throws {
        let error = try #require(throws: SourceTextError.self) { try steps(text) }
        #expect(error.line == line)
        #expect(error.subject == subject)
    }
}
