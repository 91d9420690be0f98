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
        _ inputs: [[UInt8]], _ lines: [[String]], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(inputs.count == 2 && inputs[0] != inputs[1], sourceLocation: sourceLocation)
        for line in lines {
            let runs = inputs.map { CommandRun(line, stdin: $0) }
            #expect([0, 1].contains(runs[0].status), "\(line): \(runs[0].notes)", sourceLocation: sourceLocation)
            #expect(!runs[0].output.isEmpty, "\(line)", sourceLocation: sourceLocation)
            let isSame = runs[0].output == runs[1].output && runs[0].notes == runs[1].notes
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
