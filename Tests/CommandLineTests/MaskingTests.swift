import Foundation
import Testing

@testable import keyflight

/// A capture that types a canary word, as it is shown, masked. `CanaryTests` looks for the word in what is made of it.
@Suite struct MaskingTests {
    static let capture = Files.path("Traces/captures/usb-keyboard-typed-secret.pcap")
    static let scene = Files.path("Traces/scenes/pdf-viewer.scene.yaml")
    static let word = "zebraquilt"

    /// The word must be found where it was asked for, or `CanaryTests` prove nothing.
    @Test func withShowKeysTheWordIsThere() {
        let run = CommandRun("show", Self.capture, "--show-keys", "--format", "jsonl")
        let letters = run.lines.filter { $0.contains(#""phase":"down""#) }.compactMap { line -> Character? in
            guard let range = line.firstRange(of: #""key":""#) else { return nil }
            let name = line[range.upperBound...].prefix { $0 != "\"" }
            return name.count == 1 ? Character(name.lowercased()) : nil
        }
        #expect(String(letters).contains(Self.word))
    }

    @Test func maskedKeysSayTheirClassOnly() {
        let run = CommandRun("show", Self.capture, "--format", "jsonl", "--kind", "key")
        let masked = run.lines.filter { $0.contains(#""masked":true"#) }
        #expect(!masked.isEmpty)
        for line in masked {
            #expect(line.contains(#""usage":null"#) && line.contains(#""key":null"#))
            #expect(line.contains(#""class":""#))
        }
        #expect(run.lines.contains { $0.contains(#""key":"L""#) }, "the letter of a ⌘ chord stays")
        #expect(run.lines.contains { $0.contains(#""key":"ReturnOrEnter""#) }, "Return stays")
    }

    /// Typing two other words with the same rhythm gives the same trace: the keys leave nothing behind.
    @Test func aScriptIsMaskedInATraceThatReplayWrites() throws {
        try Files.withFolder { folder in
            for (name, word) in [("a", "zebraquilt"), ("b", "quiltzebra")] {
                let script = Array("do focus search\ntype \(word)\n".utf8)
                let arguments = ["replay", "-", "--scene", Self.scene, "-o", "\(folder)/\(name)"]
                #expect(CommandRun(arguments, stdin: script).status == 0)
            }
            #expect(!Self.contains(Array("zebra".utf8), in: Files.bytes(folder + "/a")))
            let shown = ["a", "b"].map { name in
                CommandRun("show", "\(folder)/\(name)", "--kind", "key", "--format", "jsonl").text
            }
            #expect(shown[0] == shown[1])
            #expect(!shown[0].isEmpty)
        }
    }

    private static let note = """
        scene: 1
        name: find
        profile: ios15
        responders:
          - {id: note, kind: keyboardTextView, next: vc, text: "the quick brown fox jumps over the lazy dog "}
          - {id: vc, kind: viewController, next: win}
          - {id: win, kind: window, next: scn, keyWindow: true}
          - {id: scn, kind: windowScene, next: app}
          - {id: app, kind: application}
        firstResponder: note

        """

    /// Where a text is searched for what was typed, and where its words begin, shows in the selection and in the state.
    @Test(arguments: [
        ("press q\npress shift+left\npress cmd+e\npress cmd+g\npress left\n", "q", "b"),
        ("press a\npress '\npress b\npress opt+left\npress cmd+w\n", "'", "-"),
    ])
    func aMaskedTextIsNotReadOffItsSelection(_ script: String, _ typed: String, _ other: String) throws {
        try expectSame(Self.note, script, script.replacing("press \(typed)\n", with: "press \(other)\n"))
    }

    /// A letter that a command takes shows in what it ran, in how long the next key waits, and in whether it repeats.
    @Test(arguments: [
        ("webView, editable: true", "ios15", "type bread\n"), ("textField", "ios134", "type bread\n"),
        ("textField", "ios7", "hold r 1500ms\ntype ab\n"), ("textField", "ios134", "hold r 1500ms\ntype ab\n"),
    ])
    func aMaskedLetterIsNotReadOffItsCommand(_ kind: String, _ profile: String, _ script: String) throws {
        let scene = """
            scene: 1
            name: letters
            profile: \(profile)
            responders:
              - {id: app, kind: application}
              - {id: scn, kind: windowScene}
              - {id: win, kind: window, keyWindow: true, rootViewController: vc}
              - id: vc
                kind: viewController
                view: v
                actions: ["act:"]
                keyCommands: [{input: r, action: "act:"}]
                cost: {"act:": 90ms}
              - {id: v, kind: view}
              - {id: field, superview: v, kind: \(kind)}
            firstResponder: field

            """
        try expectSame(scene, script, script.replacing("bread", with: "bzead").replacing("hold r", with: "hold z"))
    }

    /// Two scripts that type other letters give the same masked trace, and the same redacted one.
    private func expectSame(_ scene: String, _ scripts: String...) throws {
        try Files.withFolder { folder in
            try Files.write(Array(scene.utf8), to: folder + "/s.yaml")
            let shown = try scripts.map { keys in
                let replay = ["replay", "-", "--scene", folder + "/s.yaml", "--force", "-o"]
                let clear = CommandRun(replay + [folder + "/c", "--show-keys"], stdin: Array(keys.utf8))
                let masked = CommandRun(replay + [folder + "/m"], stdin: Array(keys.utf8))
                let redacted = CommandRun("redact", folder + "/c", "--force", "-o", folder + "/r")
                try #require(clear.status == 0 && masked.status == 0 && redacted.status == 0, "\(redacted.notes)")
                return ["m", "r"].map { CommandRun("show", "\(folder)/\($0)", "--format", "text").text }
            }
            #expect(shown[0] == shown[1])
            #expect(shown[0].allSatisfy { $0.contains(" resolution ") })
        }
    }

    /// The word as characters and as usages, plain and as capture and trace bytes would hold them.
    static let patterns: [(kind: String, pattern: [UInt8])] = {
        let letters = Array(word.utf8)
        let usages = letters.map { $0 - 0x61 + 0x04 }
        func digits(_ number: UInt8) -> String { (number < 16 ? "0" : "") + String(number, radix: 16) }
        return [
            ("text", letters), ("capital text", letters.map { $0 - 0x20 }),
            ("UTF-16", letters.flatMap { [$0, 0] }), ("usages", usages), ("16-bit usages", usages.flatMap { [$0, 0] }),
            ("hexadecimal usages", Array(usages.map(digits).joined().utf8)),
            ("spaced hexadecimal usages", Array(usages.map(digits).joined(separator: " ").utf8)),
            ("decimal usages", Array(usages.map { String($0) }.joined(separator: ",").utf8)),
            ("half the word", Array(letters.prefix(5))), ("the other half", Array(letters.suffix(5))),
        ]
    }()

    static func contains(_ pattern: [UInt8], in bytes: [UInt8]) -> Bool { Data(bytes).range(of: Data(pattern)) != nil }
}
