import Foundation
import Testing

@testable import keyflight

/// Traces of keys alone, and captures: what can be said of them without any resolution.
@Suite struct KeysAloneTests {
    private static let capture = Files.path("Traces/captures/usb-keyboard-viewer.pcap")

    /// The capture as a trace, in clear.
    private static func withTrace(_ body: (String) throws -> Void) throws {
        try Files.withFolder { folder in
            let path = folder + "/keys.keyflight"
            try #require(CommandRun("import", capture, "-o", path, "--show-keys").status == 0)
            try body(path)
        }
    }

    @Test func aDifferenceIsThatOfTheKeys() throws {
        try Self.withTrace { path in
            let same = CommandRun("diff", path, path)
            #expect(same.status == 0 && same.lines.first?.contains("0 changed · 0 added · 0 removed") == true)
            #expect(same.lines.first?.hasPrefix("Keys  ") == true)
            #expect(same.text.contains("\nResolutions   not recorded in both: only keys were compared\n"))
            let part = path + ".part"
            try #require(CommandRun("cut", path, "--presses", "2-", "-o", part, "--show-keys").status == 0)
            let shorter = CommandRun("diff", path, part)
            #expect(shorter.status == 1 && shorter.lines.first?.contains("1 removed") == true)
            #expect(shorter.text.contains(" - pressed (no longer there)"))
            #expect(!shorter.text.contains("unhandled"), "nothing is said of what they came to")
            #expect(CommandRun("diff", path, part, "--format", "json").text.contains(#""outcome":null"#))
        }
    }

    @Test func keysThatWereResolvedAreComparedByWhatBothHave() throws {
        try Self.withTrace { path in
            let replay = path + ".replay"
            let scene = Files.path("Traces/scenes/pdf-viewer.scene.yaml")
            try #require(CommandRun("replay", path, "--scene", scene, "-o", replay, "--show-keys").status == 0)
            let diff = CommandRun("diff", path, replay)
            // All that both have is the same, and one of them has more.
            #expect(diff.status == 4 && diff.text.contains("0 changed · 0 added · 0 removed"), "\(diff.text)")
            #expect(diff.lines.contains { $0.hasPrefix("Left out      level: expected keys, as in ") }, "\(diff.text)")
            #expect(diff.lines.contains { $0.hasPrefix("Left out      outcome, ") }, "\(diff.text)")
        }
    }

    @Test func lintSaysWhatItCouldNotLookFor() throws {
        try Self.withTrace { path in
            let run = CommandRun("lint", path)
            #expect(run.status == 0)
            #expect(run.text.contains("Not looked for: all but stuck-modifier, lost-release. No resolutions recorded"))
            #expect(CommandRun("lint", Self.capture).status == 0)
            let held = path + ".held.keys"
            // ⌘ whose release never comes.
            try Files.write(Array("down LeftGUI\nwait 4s\npress w\nwait 4s\npress t\n".utf8), to: held)
            let trace = path + ".held"
            let text = CommandRun("show", held)
            try #require(CommandRun(["assemble", "-", "-o", trace], stdin: text.output).status == 0, "\(text.notes)")
            let stuck = CommandRun("lint", trace)
            #expect(stuck.status == 1 && stuck.text.contains("stuck-modifier"), "\(stuck.text)\(stuck.notes)")
        }
    }

    /// A trace of key records as text: seconds, key, phase and press.
    private static func traceText(_ keys: [(Int, String, String, Int)]) -> String {
        var lines = [
            "keyflight-text 1 form=canonical level=keys first_sequence=0",
            #"0 0 device device=1 name="keyboard" source="recorder""#,
        ]
        for (index, (seconds, key, phase, press)) in keys.enumerated() {
            lines.append("\(index + 1) \(seconds)000000000 key device=1 press=\(press) phase=\(phase) key=\(key)")
        }
        return (lines + ["end"]).joined(separator: "\n") + "\n"
    }

    private func lint(_ keys: [(Int, String, String, Int)]) throws -> CommandRun {
        try Files.withFolder { folder in
            let path = folder + "/keys.keyflight"
            let made = CommandRun(["assemble", "-", "-o", path], stdin: Array(Self.traceText(keys).utf8))
            try #require(made.status == 0, "\(made.notes)")
            return CommandRun("lint", path)
        }
    }

    @Test func aReleaseThatIsMissingIsFound() throws {
        let again = try lint([
            (1, "A", "down", 1), (2, "A", "down", 2), (3, "A", "up", 2), (4, "B", "down", 3), (5, "B", "up", 3),
        ])
        #expect(again.status == 1 && again.text.contains("lost-release"), "\(again.text)")
        #expect(again.text.contains("#1 ") && again.text.contains("went down again"), "\(again.text)")
        let never = try lint([(1, "A", "down", 1), (2, "B", "down", 2), (3, "B", "up", 2), (5, "C", "down", 3)])
        #expect(never.status == 1 && never.text.contains("other keys were pressed for more than 3 s"))
        // A key that is held, one that repeats, the last one, and a source without releases.
        for fine in [
            [(1, "A", "down", 1), (2, "B", "down", 2), (3, "B", "up", 2), (4, "A", "up", 1)],
            [(1, "A", "down", 1), (2, "B", "down", 2), (3, "B", "up", 2), (4, "A", "repeat", 1), (5, "C", "down", 3)],
            [(1, "B", "down", 1), (2, "B", "up", 1), (9, "A", "down", 2)],
        ] { #expect(try lint(fine).status == 0) }
        // It may be among what was lost.
        for loss in [#"loss cause=dropped count=9 detail="""#, #"mark name="here""#] {
            var lines = Self.traceText([(1, "A", "down", 1), (2, "A", "up", 1), (3, "B", "down", 2)])
                .split(separator: "\n").dropLast().map(String.init)
            lines += ["4 3000000000 \(loss)", "5 9000000000 key device=1 press=9 phase=down key=C", "end"]
            let found = try Files.withFolder { folder in
                let path = folder + "/lost.keyflight"
                let text = lines.joined(separator: "\n") + "\n"
                let made = CommandRun(["assemble", "-", "-o", path], stdin: Array(text.utf8))
                try #require(made.status == 0, "\(made.notes)")
                return CommandRun("lint", path)
            }
            #expect(found.status == (loss.hasPrefix("mark") ? 1 : 0), "\(found.text)\(found.notes)")
        }
        let silent = try lint([(1, "A", "down", 1), (2, "A", "down", 2), (8, "B", "down", 3)])
        #expect(silent.status == 0 && silent.text.contains("No releases recorded"), "\(silent.text)")
    }

    @Test func statisticsAndAPageAreOfTheKeys() throws {
        try Self.withTrace { path in
            let stats = CommandRun("stats", path)
            #expect(stats.status == 0 && stats.text.contains("no stage was recorded"))
            let page = CommandRun("report", path, "-o", "-")
            #expect(page.status == 0 && page.text.contains(#""level":"keys""#))
        }
    }

    @Test func whatWasTypedStandsInOneLine() throws {
        try Files.withFolder { folder in
            let script = folder + "/typed.keys"
            try Files.write(Array("type Hi you\npress delete\npress cmd+w\npress return\n".utf8), to: script)
            #expect(CommandRun("show", script, "--typed").text == "Hi you⌫[⌘W]⏎\n")
            let masked = CommandRun("show", Self.capture, "--typed")
            #expect(masked.status == 0 && masked.lines.count == 1 && masked.notes.contains("--show-keys"))
            #expect(masked.text.contains("◻"))
            let clear = CommandRun("show", Self.capture, "--typed", "--show-keys")
            #expect(clear.status == 0 && !clear.text.contains("◻"))
        }
    }

    @Test(arguments: [
        ["merge", "CAPTURE", "CAPTURE", "-o", "OUT"], ["cut", "CAPTURE", "--press", "1", "-o", "OUT"],
        ["redact", "CAPTURE", "--check"], ["repair", "CAPTURE", "-o", "OUT"],
        ["minimise", "CAPTURE", "--test", "true", "-o", "OUT"],
    ]) func aCaptureIsToBeImportedFirst(_ words: [String]) throws {
        try Files.withFolder { folder in
            let run = CommandRun(words.map { $0 == "CAPTURE" ? Self.capture : $0 == "OUT" ? folder + "/out" : $0 })
            #expect(run.status == 64 && run.notes.contains("import it first: keyflight import"), "\(run.notes)")
            #expect(Files.names(folder).isEmpty)
        }
    }
}
