import GeneratedTraces
import Testing

@testable import keyflight

/// Letters are no part of what is masked: recordings that differ in them alone give the same bytes everywhere.
@Suite struct OtherLettersTests {
    private static let words = ["plinth", "gawkes"]

    private static let scene = """
        scene: 1
        name: letters
        responders:
          - {id: app, kind: application}
          - {id: win, kind: window, next: app, keyWindow: true}
          - id: vc
            kind: viewController
            next: win
            actions: ["open:"]
            keyCommands: [{input: o, modifiers: [command], action: "open:"}]
          - {id: field, kind: textField, next: vc, text: ""}
        firstResponder: field
        """

    private static func script(_ word: String) -> [UInt8] {
        Array("keys 1\ntype \(word)\npress cmd+o\ninsert \"\(word)\"\ndo marktext \(word)\npress escape\n".utf8)
    }

    /// What each of some runs gives, of two inputs that differ in letters alone.
    private static func expectSame(
        _ inputs: [[UInt8]], _ lines: [[String]], andNotes: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(inputs.count == 2 && inputs[0] != inputs[1], sourceLocation: sourceLocation)
        for line in lines {
            let runs = inputs.map { CommandRun(line, stdin: $0) }
            #expect([0, 1].contains(runs[0].status), "\(line): \(runs[0].notes)", sourceLocation: sourceLocation)
            #expect(!runs[0].output.isEmpty, "\(line)", sourceLocation: sourceLocation)
            let isSame = runs[0].output == runs[1].output && (!andNotes || runs[0].notes == runs[1].notes)
            #expect(isSame && runs[0].status == runs[1].status, "\(line)", sourceLocation: sourceLocation)
        }
    }

    @Test func verbsGiveTheSameBytesWhateverTheLettersAre() throws {
        try Files.withFolder { folder in
            let scene = folder + "/letters.scene.yaml"
            try Files.write(Array(Self.scene.utf8), to: scene)
            let clear = Self.words.map { word in
                CommandRun(
                    ["replay", "-", "--scene", scene, "--show-keys", "-o", "-"], stdin: Self.script(word)
                ).output
            }
            Self.expectSame(Self.words.map(Self.script), [["replay", "-", "--scene", scene, "-o", "-"]])
            Self.expectSame(
                clear, [["redact", "-", "-o", "-"], ["redact", "-", "--text", "-o", "-"], ["repair", "-", "-o", "-"]])
            let captures = clear.map { CommandRun(["export", "-", "--format", "pcapng", "-o", "-"], stdin: $0).output }
            Self.expectSame(captures, Self.readings(scene))
            Self.expectSame(
                captures.map { CommandRun(["import", "-", "--show-keys", "-o", "-"], stdin: $0).output },
                [
                    ["cut", "-", "--from", "0s", "-o", "-"], ["cut", "-", "--presses", "2-7", "-o", "-"],
                    ["merge", "-", Files.path("Traces/compatibility/v1/calls.keyflight"), "-o", "-"],
                    ["repair", "-", "-o", "-"], ["redact", "-", "--text", "-o", "-"], ["redact", "-", "-o", "-"],
                    ["redact", "-", "--runs", "--timing", "-o", "-"],
                ])
        }
    }

    private static let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)

    /// Commands on bare keys above a text field, some of them with priority, and perhaps one in the menu.
    private static func bareKeys(_ random: inout SeededGenerator, hasMenu: Bool) -> String {
        let commands = (0...random.below(3)).map { _ in
            let modifiers = random.pick(["", ", modifiers: [shift]", ", modifiers: [option]", ""])
            let priority = random.chance(25) ? ", wantsPriority: true" : ""
            let action = random.pick(["open:", "other:"])
            return "{input: \(random.pick(letters))\(modifiers), action: \"\(action)\"\(priority)}"
        }
        let item = "{input: \(random.pick(letters)), action: \"open:\", title: X}"
        let menu = "mainMenu:\n  - {menu: edit, children: [\(item)]}\n"
        let answered = "{input: o, modifiers: [command], action: \"open:\"}"
        var list = "\(answered), \(commands.joined(separator: ", "))]\n    cost: {keyCommands: 20us, \"open:\": 2ms}"
        if random.chance(25) { list += "\n    swallowsPresses: [\(random.pick(letters)), \(random.pick(letters))]" }
        return scene.replacing("\(answered)]", with: list) + "\n" + (hasMenu ? menu : "")
    }

    /// Some letters of one word are commands, and others of the other one: nothing recorded tells them apart.
    @Test(arguments: UInt64(1)...24)
    func whatALetterCameToDoesNotNameIt(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try Files.withFolder { folder in
            let scene = folder + "/letters.scene.yaml"
            let hasMenu = random.chance(30)
            try Files.write(Array(Self.bareKeys(&random, hasMenu: hasMenu).utf8), to: scene)
            let places = (0..<6).map { _ in random.chance(20) }
            let words = (0..<2).map { _ in
                places.map { let letter = random.pick(Self.letters); return $0 ? letter.uppercased() : letter }.joined()
            }
            // The first press builds the menu and fills the caches.
            let opening = random.chance(50) ? "press cmd+o\n" : ""
            let scripts = words.map {
                Array("keys 1\n\(opening)type \($0)\npress delete\npress cmd+o\n".utf8)
            }
            let profile = random.pick(["ios9", "ios13", "ios134", "ios134", "ios15", "ios26", "catalyst"])
            let cache = random.pick(["none", "responder", "press", "chain"])
            let replay = ["replay", "-", "--scene", scene, "--profile", profile, "--cache", cache, "-o", "-"]
            Self.expectSame(scripts, [replay])
            let masked = CommandRun(replay, stdin: scripts[0]).output
            #expect(CommandRun(["verify-format", "-"], stdin: masked).status == 0)
            #expect(CommandRun(["redact", "-", "--check"], stdin: masked).text.contains("characters:") == false)
            #expect(CommandRun(["redact", "-", "--text", "-o", "-"], stdin: masked).output == masked)
            #expect([0, 4].contains(CommandRun(["verify", "-", "--scene", scene], stdin: masked).status))
            // How much was taken out is for those who have it.
            let clear = scripts.map { CommandRun(replay + ["--show-keys"], stdin: $0).output }
            Self.expectSame(
                clear,
                [
                    ["redact", "-", "-o", "-"], ["redact", "-", "--text", "-o", "-"], ["repair", "-", "-o", "-"],
                    ["cut", "-", "--presses", "2-5", "-o", "-"], ["cut", "-", "--presses", "4-8", "-o", "-"],
                ], andNotes: false)
        }
    }

    /// Outcomes are recorded where text takes every letter first, and where there is no text; those with ⌘ everywhere.
    @Test(arguments: [
        ("ios15", "field", ["consumedByText", "consumedByText"]), ("ios134", "field", ["undetermined", "undetermined"]),
        ("ios134", "view", ["unhandled", "performed"]),
    ])
    func onlyTextThatACommandMayTakeIsHidden(_ profile: String, _ first: String, _ typed: [String]) throws {
        try Files.withFolder { folder in
            let scene = folder + "/letters.scene.yaml"
            let command = "action: \"open:\"}]"
            let bare = Self.scene.replacing(command, with: command.dropLast() + ", {input: r, \(command)")
            #expect(bare != Self.scene)
            let view = "  - {id: view, kind: view, next: vc, canBecomeFirstResponder: true}\n"
            let focused = bare.replacing("firstResponder: field", with: view + "firstResponder: \(first)")
            try Files.write(Array(focused.utf8), to: scene)
            let script = Array("keys 1\npress cmd+o\ntype br\npress cmd+o\n".utf8)
            let trace = CommandRun(
                ["replay", "-", "--scene", scene, "--profile", profile, "-o", "-"], stdin: script
            ).output
            let lines = CommandRun(["show", "-", "--kind", "resolution"], stdin: trace).lines
            let shown = lines.filter { $0.contains("outcome=") }
            let outcomes = shown.map { String($0.split(separator: "outcome=")[1].prefix { $0 != " " }) }
            #expect(outcomes == ["performed"] + typed + ["performed"], "\(shown)")
            #expect(shown.count { $0.contains("open:") } == 2)
        }
    }

    private static func readings(_ scene: String) -> [[String]] {
        let ofKeys = [
            ["import", "-", "-o", "-"], ["info", "-"], ["info", "-", "--format", "json"], ["show", "-"],
            ["show", "-", "--format", "jsonl"], ["show", "-", "--delta"], ["show", "-", "--typed"],
            ["export", "-", "--format", "jsonl", "-o", "-"],
            ["query", "-", "select * from keys"],
        ]
        let ofReplays = [
            ["replay", "-"], ["replay", "-", "--format", "jsonl"], ["replay", "-", "-o", "-"], ["stats", "-"],
            ["stats", "-", "--format", "json"], ["explain", "-", "--press", "2"],
            ["explain", "-", "--press", "2", "--format", "json"], ["lint", "-"], ["lint", "-", "--format", "sarif"],
            ["top", "-"], ["report", "-", "-o", "-"], ["verify", "-"],
            ["export", "-", "--format", "chrome", "-o", "-"], ["export", "-", "--format", "perfetto", "-o", "-"],
        ]
        return ofKeys + ofReplays.map { $0 + ["--scene", scene] }
    }
}
