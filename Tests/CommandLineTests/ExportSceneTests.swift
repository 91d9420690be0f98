import Foundation
import Testing

@testable import keyflight

/// `export --format scene`: a session as a folder for a golden.
@Suite struct ExportSceneTests {
    private static let session = Files.path("Traces/apps/textedit.keyflight")

    @Test func aSessionBecomesAGoldenThatIsAccepted() throws {
        try Files.withFolder { folder in
            let made = CommandRun("export", "--format", "scene", "-o", folder + "/goldens/textedit", Self.session)
            #expect(made.status == 0 && made.text.isEmpty, "\(made.notes)")
            #expect(made.notes.contains("the keys of 55 presses, which are masked"), "\(made.notes)")
            #expect(made.notes.contains("70 of 70 presses and repeats come to what was recorded"), "\(made.notes)")
            let (scene, script) = (folder + "/goldens/textedit/scene.yaml", folder + "/goldens/textedit/input.keys")
            let replayed = CommandRun("replay", script, "--scene", scene)
            #expect(replayed.status == 0 && replayed.text.contains("cmd+s | performed | mainMenu | saveDocument:"))
            // It asks for a person's yes first, and then it is a golden like any other.
            // Processes of their own: goldens are accepted outside CI alone.
            let goldens = folder + "/goldens"
            #expect(try ProgramRun(shell: "\"$keyflight\" gate '\(goldens)' --propose --allow-text").status == 4)
            #expect(try ProgramRun(shell: "\"$keyflight\" accept --goldens '\(goldens)' textedit").status == 0)
            #expect(CommandRun("gate", goldens).status == 0)
            let again = CommandRun("export", "--format", "scene", "-o", folder + "/goldens/textedit", Self.session)
            #expect(again.status == 64, "\(again.notes)")
        }
    }

    @Test func standardOutputGetsTheSceneAlone() throws {
        let made = CommandRun("export", "--format", "scene", "-o", "-", Self.session)
        #expect(made.status == 0)
        #expect(made.text.contains("\nscene: 1\nname: textedit\nprofile: gnustep\n"), "\(made.text)")
        #expect(made.text.hasPrefix("# "))
    }

    @Test func aTraceWithoutAnswersIsRefused() throws {
        try Files.withFolder { folder in
            let script = folder + "/a.keys"
            try "press a\n".write(toFile: script, atomically: true, encoding: .utf8)
            let refused = CommandRun("export", "--format", "scene", "-o", folder + "/made", script)
            #expect(refused.status == 64)
            #expect(refused.notes.contains("expected a trace at level calls"), "\(refused.notes)")
            #expect(!FileManager.default.fileExists(atPath: folder + "/made"))
            let other = CommandRun("export", "--format", "scene", "-o", "-", "--profile", "ios7", Self.session)
            #expect(other.status == 64)
        }
    }
}
