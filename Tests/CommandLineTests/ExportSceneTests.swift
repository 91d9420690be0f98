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
            #expect(made.notes.contains("the keys of 58 presses, which are masked"), "\(made.notes)")
            #expect(made.notes.contains("74 of 74 presses and repeats come to what was recorded"), "\(made.notes)")
            let (scene, script) = (folder + "/goldens/textedit/scene.yaml", folder + "/goldens/textedit/input.keys")
            let replayed = CommandRun("replay", script, "--scene", scene)
            #expect(replayed.status == 0 && replayed.text.contains("cmd+s | performed | mainMenu | saveDocument:"))
            // It asks for a person's yes first, and then it is a golden like any other.
            // Processes of their own: goldens are accepted outside CI alone.
            let goldens = folder + "/goldens"
            let proposed = try ProgramRun(shell: "\"$keyflight\" gate '\(goldens)' --propose --allow-text")
            #expect(proposed.status == 4, "\(proposed.notes)")
            let accepted = try ProgramRun(shell: "\"$keyflight\" accept --goldens '\(goldens)' textedit")
            #expect(accepted.status == 0, "\(accepted.notes)")
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
        }
    }

    /// A UIKit app does not say which version's rules it follows; GNUstep's are known.
    @Test func rulesAreNamedForATraceThatDoesNotNameThem() throws {
        let app = Files.path("Traces/apps/reader.keyflight")
        let usual = CommandRun("export", "--format", "scene", "-o", "-", app)
        #expect(usual.status == 0 && usual.notes.contains("no profile is recorded; replayed under ios15"))
        let named = CommandRun("export", "--format", "scene", "-o", "-", "--profile", "ios26", app)
        #expect(named.status == 0 && named.text.contains("\nprofile: ios26\n"), "\(named.notes)")
        #expect(!named.notes.contains("no profile") && named.notes.contains(": no layout is recorded; replayed on us"))
        let other = CommandRun("export", "--format", "scene", "-o", "-", "--profile", "ios7", Self.session)
        #expect(other.status == 64)
        #expect(other.notes.contains("expected a trace that names no profile of its own, found gnustep"))
        #expect(CommandRun("export", "--format", "scene", "-o", "-", "--cache", "chain", app).status == 64)
    }

    /// Its one block is torn: the header alone says that there were answers.
    @Test(arguments: [
        ["export", "--format", "scene", "-o", "-"], ["replay", "--what-if", "layout=fr"], ["replay"], ["verify"],
    ])
    func ofADamagedTraceTheDamageIsSaid(_ words: [String]) throws {
        try Files.withFolder { folder in
            let bytes = try Data(contentsOf: URL(fileURLWithPath: Self.session))
            try bytes.prefix(5_000).write(to: URL(fileURLWithPath: folder + "/torn.keyflight"))
            let run = CommandRun(words + [folder + "/torn.keyflight"])
            #expect(run.status == 2 && run.text.isEmpty, "\(run.notes)")
            #expect(run.notes.contains("no end marker"), "\(run.notes)")
            #expect(run.notes.contains("expected their answers, found none in what is whole"), "\(run.notes)")
        }
    }

    @Test func noRateChangesRecordedRepeats() throws {
        for app in [Self.session, Files.path("Traces/apps/reader.keyflight")] {
            let run = CommandRun("replay", "--what-if", "repeat=250ms/33ms", app)
            #expect(run.status == 64 && run.notes.contains("a live app, whose repeats are recorded"), "\(run.notes)")
        }
    }
}
