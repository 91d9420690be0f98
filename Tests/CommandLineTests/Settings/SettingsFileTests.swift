import Foundation
import Testing

@testable import keyflight

/// `.keyflight.toml` and `keyflight config`.
@Suite struct SettingsFileTests {
    /// A run that works in a folder with such an environment.
    private func run(_ folder: String, _ arguments: [String], _ environment: [String: String] = [:]) -> CommandRun {
        CommandRun(arguments, environment: ProcessEnvironment(environment: environment, folder: folder))
    }

    private func repository(_ text: String, _ body: (String) throws -> Void) throws {
        try Files.withFolder { folder in
            try FileManager.default.createDirectory(
                atPath: folder + "/.git", withIntermediateDirectories: false)
            try FileManager.default.createDirectory(
                atPath: folder + "/App/Tests", withIntermediateDirectories: true)
            try Files.write(Array(text.utf8), to: folder + "/.keyflight.toml")
            try body(folder)
        }
    }

    private static let scene = Files.path("Traces/scenes/pdf-viewer.scene.yaml")
    private static let script = Files.path("Traces/golden/pdf-viewer/input.keys")

    @Test func nothingNeedsToBeSet() {
        let run = CommandRun("config")
        #expect(run.status == 0 && run.lines.dropFirst().allSatisfy { $0.hasSuffix("default") }, "\(run.text)")
    }

    @Test(arguments: ["profile", "scene"])
    func nothingOfAFileThatSettingsNameIsTold(_ setting: String) throws {
        for content in ["sesame\n", "sesame: open\n", "- sesame\n"] {
            try repository("") { folder in
                try Files.write(Array(content.utf8), to: folder + "/secret.txt")
                let settings = "\(setting) = \"\(folder)/secret.txt\"\n"
                try Files.write(Array(settings.utf8), to: folder + "/.keyflight.toml")
                let scene = setting == "scene" ? [] : ["--scene", SettingsFileTests.scene]
                let run = run(folder, ["replay", SettingsFileTests.script] + scene)
                #expect(run.status == 2 && run.notes.contains("secret.txt: expected a \(setting)"), "\(run.notes)")
                #expect(!(run.text + run.notes).contains("sesame"), "\(run.notes)")
            }
        }
    }

    @Test func theSampleHasEveryKey() throws {
        try repository(Files.text(Files.path("Traces/settings/all-keys.toml"))) { folder in
            let run = run(folder, ["config"])
            #expect(run.status == 0 && !run.text.contains("default"), "\(run.text)\(run.notes)")
            #expect(run.lines.count == Setting.allCases.count + 1)
        }
    }

    @Test func theFileIsFoundUpToTheRootOfTheRepository() throws {
        try repository("profile = 'ios13'\n") { folder in
            for below in ["", "/App", "/App/Tests"] {
                let run = run(folder + below, ["config"])
                #expect(run.text.contains("ios13"), "\(below): \(run.text)\(run.notes)")
            }
            // The nearest one counts.
            try Files.write(Array("profile = 'ios9'\n".utf8), to: folder + "/App/.keyflight.toml")
            #expect(self.run(folder + "/App/Tests", ["config"]).text.contains("ios9"))
            // A repository inside another one is its own.
            try FileManager.default.createDirectory(
                atPath: folder + "/App/Tests/.git", withIntermediateDirectories: false)
            #expect(!self.run(folder + "/App/Tests", ["config"]).text.contains("ios9"))
        }
    }

    @Test func outsideOfARepositoryOnlyTheWorkingFolderIsLookedAt() throws {
        try repository("profile = 'ios13'\n") { folder in
            try FileManager.default.removeItem(atPath: folder + "/.git")
            #expect(run(folder, ["config"]).text.contains("ios13"))
            #expect(!run(folder + "/App", ["config"]).text.contains("ios13"))
        }
    }

    @Test func configTellsWhereEachValueComesFrom() throws {
        try repository("# ours\nprofile = 'ios13'\nlayout = 'fr'\n[gate]\nmargin = 3\n") { folder in
            let environment = ["KEYFLIGHT_LAYOUT": "de", "KEYFLIGHT_GATE_RUNS": "24"]
            let text = run(folder, ["config", "--explain", "--profile", "ios26"], environment).text
            for line in [
                "profile ios26 --profile", "layout de KEYFLIGHT_LAYOUT", "gate.runs 24 KEYFLIGHT_GATE_RUNS",
            ] {
                let words = line.split(separator: " ").map(String.init)
                let found = text.split(separator: "\n").contains { row in
                    Array(row.split(separator: " ").map(String.init).prefix(3)) == words
                }
                #expect(found, "\(line)\n\(text)")
            }
            #expect(text.contains("\(folder)/.keyflight.toml:5"))
            let json = run(folder, ["config", "--format", "json"], environment).text
            #expect(json.contains(#""schema":"keyflight.config/1""#))
            let margin = #"{"name":"gate.margin","value":3,"from":"file","file":"\#(folder)/.keyflight.toml","line":5"#
            #expect(json.contains(margin))
            #expect(json.contains(#"{"name":"layout","value":"de","from":"environment","variable":"KEYFLIGHT_LAYOUT""#))
            #expect(json.contains(#"{"name":"cache","value":null,"from":"default""#))
        }
    }

    @Test func aSceneAndAProfileAreTakenWhereTheInputHasNone() throws {
        try repository("scene = 'App/app.scene.yaml'\nprofile = 'ios13'\n") { folder in
            try Files.write(Files.bytes(Self.scene), to: folder + "/App/app.scene.yaml")
            let found = run(folder + "/App", ["replay", Self.script])
            #expect(found.status == 0 && found.text.contains("ios13"), "\(found.notes)\(found.text)")
            #expect(found.text == CommandRun("replay", Self.script, "--scene", Self.scene, "--profile", "ios13").text)
            let stronger = run(folder, ["replay", Self.script, "--profile", "ios15"], ["KEYFLIGHT_PROFILE": "ios9"])
            #expect(stronger.text.contains("ios15"))
            // A recording keeps the rules that it was made under.
            let trace = folder + "/t.keyflight"
            #expect(
                CommandRun("replay", Self.script, "--scene", Self.scene, "--profile", "ios26", "-o", trace).status == 0)
            for verb in [["stats", trace], ["verify", trace], ["explain", trace, "--press", "1"], ["replay", trace]] {
                let settled = run(folder, verb)
                let plain = CommandRun(verb)
                #expect(settled.status == plain.status && settled.text == plain.text, "\(verb): \(settled.notes)")
            }
        }
    }

    @Test func aLayoutIsTakenForScriptsAndCaptures() throws {
        try repository("layout = 'fr'\n") { folder in
            let show = run(folder, ["show", Self.script])
            #expect(show.text == CommandRun("show", Self.script, "--layout", "fr").text)
            #expect(show.text != CommandRun("show", Self.script).text)
        }
    }

    @Test func theGateAndReviewTakeTheirsFromIt() throws {
        try repository("goldens = 'goldens'\n") { folder in
            #expect(run(folder, ["review"]).notes.contains("\(folder)/goldens"))
            #expect(run(folder, ["gate"]).notes.contains("\(folder)/goldens"))
            // Nothing is accepted where CI is set.
            let isCI = ProcessInfo.processInfo.environment["CI"] != nil
            #expect(run(folder, ["accept", "x"]).notes.contains(isCI ? "found CI set" : "\(folder)/goldens"))
            #expect(CommandRun("gate").status == 64)
        }
    }

    @Test func redactionIsNarrowedOnlyAloudAndNeverToLeaveText() throws {
        try repository("[redact]\nremove = ['text', 'titles']\n") { folder in
            let trace = folder + "/t.keyflight"
            #expect(CommandRun("replay", Self.script, "--scene", Self.scene, "-o", trace).status == 0)
            let run = run(folder, ["redact", trace, "-o", folder + "/r.keyflight"])
            #expect(run.status == 0)
            #expect(run.notes.hasPrefix("runs, timing: left in, as \(folder)/.keyflight.toml:2 says\n"), "\(run.notes)")
            try Files.write(Array("show-keys = true\n".utf8), to: folder + "/.keyflight.toml")
            let refused = self.run(folder, ["import", "-", "-o", "-"])
            #expect(refused.status == 64 && refused.notes.contains("a file cannot turn masking off"))
            #expect(refused.noteLines.last?.hasSuffix("[KF6410]") == true)
        }
    }

    @Test func aWrongFileStopsEveryVerbInOneLineAndHelpStillWorks() throws {
        try repository("profil = 'ios13'\n") { folder in
            let run = run(folder, ["info", Self.script])
            #expect(run.status == 64 && run.noteLines.count == 1 && run.text == "")
            let place = "\(folder)/.keyflight.toml: line 1, column 1: profil: "
            #expect(run.notes.hasPrefix(place + "expected a known key such as"))
            #expect(self.run(folder, ["help", "KF6410"]).status == 0)
            #expect(self.run(folder, ["info", Self.script], ["KEYFLIGHT_CONFIG": ""]).status == 0)
        }
    }

    @Test func anotherFileCanBeNamed() throws {
        try repository("profile = 'ios13'\n") { folder in
            let other = folder + "/App/other.toml"
            try Files.write(Array("profile = 'ios9'\nscene = 'a.yaml'\n".utf8), to: other)
            let run = run(folder, ["config"], ["KEYFLIGHT_CONFIG": other])
            #expect(run.text.contains("ios9") && run.text.contains(folder + "/App/a.yaml"))
            let missing = self.run(folder, ["config"], ["KEYFLIGHT_CONFIG": folder + "/none"])
            #expect(missing.status == 64 && missing.notes.contains("[KF6410]"))
        }
    }

    @Test func whatIsNoRegularFileIsRefusedWithoutWaiting() throws {
        try repository("") { folder in
            let path = folder + "/.keyflight.toml"
            try FileManager.default.removeItem(atPath: path)
            #expect(mkfifo(path, 0o600) == 0)
            #expect(run(folder, ["config"]).notes.contains("expected a regular file"))
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            #expect(run(folder, ["config"]).status == 64)
        }
    }

    /// It may lead to any file of the user, whose words an error would quote.
    @Test func aLinkIsNotFollowedUnlessItIsNamed() throws {
        try repository("") { folder in
            let path = folder + "/.keyflight.toml"
            try FileManager.default.removeItem(atPath: path)
            try Files.write(Array("machine example.com login me password secret\n".utf8), to: folder + "/netrc")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "netrc")
            let run = run(folder, ["config"])
            #expect(run.status == 64 && run.notes.contains("found a link"), "\(run.notes)")
            #expect(!run.notes.contains("machine") && !run.notes.contains("secret"))
        }
    }

    @Test func wrongNamesSayWhereTheyStand() throws {
        try repository("profile = 'ios99'\nlayout = 'bogus'\n") { folder in
            let replay = run(folder, ["replay", Self.script, "--scene", Self.scene])
            #expect(replay.status == 64)
            #expect(replay.notes.contains("\(folder)/.keyflight.toml:1: profile: "), "\(replay.notes)")
            let show = run(folder, ["show", Self.script])
            #expect(show.notes.contains("\(folder)/.keyflight.toml:2: layout: ") && show.notes.contains("[KF6406]"))
        }
    }
}
