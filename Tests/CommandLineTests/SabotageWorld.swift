import Foundation
import Testing

@testable import keyflight

/// A folder of goldens with the tests that name them, or of traces that two builds write, and a gate that passes. Each
/// is small and has one file of a kind that may be broken; beside a golden is another one, so that what is gone leaves
/// something to compare.
struct SabotageWorld {
    var name: String
    /// Bytes by path below the folder.
    var files: [String: [UInt8]] = [:]
    /// Files that are there and stay as they are.
    var kept: [String: [UInt8]] = [:]
    /// Of the gate, in which `FOLDER` is the world's and `COUNT` the number of its accepted texts.
    var arguments = ["gate", "FOLDER/Goldens", "--run-apps", "--tests", "FOLDER/Tests", "--expect", "COUNT"]

    /// Every kind of golden that a gate judges by itself, and two builds.
    static func all(in folder: String) throws -> [SabotageWorld] {
        let script = "keys 1  # two tabs\npress cmd+w\nwait 20ms\npress cmd+t\n"
        let profile = Files.text(Files.path("Sources/ResponderEngine/Profiles/ios26.profile"))
        let budgets = "calls.keyCommands press 9\nbytes total 9999\n"
        let dead = "{input: t, modifiers: [command], action: \"newTab:\"}\n      - {input: k, modifiers: [command], "
        let withDead = TabsApp.scene().replacing(
            "{input: t, modifiers: [command], action: \"newTab:\"}", with: dead + "action: \"nobody:\"}")
        var worlds = [
            try world("plain", ["subject/notes.md": "About this one.\n"], script: script, in: folder),
            try world(
                "budgets", ["subject/budgets.txt": "# room\nreceivers ignore\n\(budgets)"],
                script: script, in: folder, latency: "# latency total 16ms · action 10ms"),
            try world(
                "findings", ["subject/scene.yaml": withDead], script: script + "press cmd+k\npress cmd+k\n",
                in: folder),
            try world(
                "profile", [
                    "subject/mine.profile": profile.replacing("profile: ios26", with: "profile: mine"),
                    "subject/expected.txt.new": "", "subject/expected.mine.txt.new": "",
                ], script: script, in: folder),
            try world("deeper", [:], subject: "deeper/subject", script: script, in: folder),
        ]
        worlds += try [true, false].map { try traced(script, keepsScene: $0, folder) }
        var swift = worlds[0]
        swift.name = "swift"
        swift.files["Goldens/subject/scene.yaml"] = nil
        let text = String(decoding: swift.files["Goldens/subject/expected.txt"] ?? [], as: UTF8.self)
        swift.files["Goldens/subject/expected.txt"] = Array(
            text.replacing(" · stream ", with: " · responders swift · stream ").utf8)
        return worlds + [swift, try live(script, folder), try builds(script, folder)]
    }

    /// A world whose `subject` has these files besides a scene and a script, accepted as a gate proposes it.
    private static func world(
        _ name: String, _ files: [String: String], subject: String = "subject", script: String, in folder: String,
        latency: String? = nil
    ) throws -> SabotageWorld {
        var world = SabotageWorld(name: name)
        let own = [
            "\(subject)/scene.yaml": TabsApp.scene(), "\(subject)/input.keys": script,
            "other/scene.yaml": TabsApp.scene(), "other/input.keys": "keys 1\npress cmd+t\n",
        ].merging(files) { $1 }
        for (file, text) in own { world.files["Goldens/\(file)"] = Array(text.utf8) }
        world.files["Tests/App/Tests.swift"] = Array(
            """
            // Tests of the app.
            @Suite struct AppTests {
                @Test(.golden("\(subject)")) func subject() {}
                @Test func other() { expectGolden("other") }
            }

            """.utf8)
        try world.accept(in: folder)
        if let latency {
            let path = "Goldens/\(subject)/expected.txt"
            let text = String(decoding: world.files[path] ?? [], as: UTF8.self)
            world.files[path] = Array(text.replacing("\n1 |", with: "\n\(latency)\n1 |").utf8)
        }
        return world
    }

    /// The script as a trace with calls, replayed through the scene beside it or by itself.
    private static func traced(_ script: String, keepsScene: Bool, _ folder: String) throws -> SabotageWorld {
        var world = try world(keepsScene ? "trace" : "recorded", [:], script: script, in: folder)
        try world.write(to: folder)
        let golden = folder + "/Goldens/subject"
        let run = CommandRun(
            "replay", golden + "/input.keys", "--scene", golden + "/scene.yaml", "--show-keys", "-o", folder + "/t")
        #expect(run.status == 0, "\(run.notes)")
        world.files["Goldens/subject/input.keys"] = nil
        world.files["Goldens/subject/input.keyflight"] = Files.bytes(folder + "/t")
        if !keepsScene { world.files["Goldens/subject/scene.yaml"] = nil }
        world.files["Goldens/subject/expected.txt"] = nil
        try world.accept(in: folder)
        return world
    }

    /// A golden of a live app. A script stands for `keyflight launch`: the app that it knows does something else with
    /// another argument and with other keys.
    private static func live(_ script: String, _ folder: String) throws -> SabotageWorld {
        var world = SabotageWorld(name: "live")
        world.files = [
            "Goldens/subject/launch.txt": Array("TextEdit\na file.txt\n".utf8),
            "Goldens/subject/input.keys": Array(script.utf8), "Goldens/other/scene.yaml": Array(TabsApp.scene().utf8),
            "Goldens/other/input.keys": Array("keys 1\npress cmd+t\n".utf8),
        ]
        let launcher = """
            #!/bin/sh
            apps=${0%/*} trace=$3 keys=$5
            shift 8
            [ "$1" = TextEdit ] || { echo "$1: no such program" >&2; exit 5; }
            app=reader
            if [ "$#$2" = "2a file.txt" ] && cmp -s "$keys" "$apps/input.keys"; then app=textedit; fi
            cp "$apps/$app" "$trace"

            """
        world.kept = ["Apps/keyflight": Array(launcher.utf8), "Apps/input.keys": Array(script.utf8)]
        for app in ["reader", "textedit"] {
            world.kept["Apps/\(app)"] = Files.bytes(Files.path("Traces/apps/\(app).keyflight"))
        }
        world.arguments = ["gate", "FOLDER/Goldens", "--run-apps", "--expect", "COUNT"]
        try world.accept(in: folder)
        return world
    }

    /// Traces that two builds write, those of odd and of even runs, head's commands slower by less than the margin.
    private static func builds(_ script: String, _ folder: String) throws -> SabotageWorld {
        var world = SabotageWorld(name: "builds")
        world.arguments = ["gate", "--runs", "12", "--time", "fail", "--strict"]
        for (side, cost) in [("base", "100us"), ("head", "101us")] {
            try Files.write(Array(TabsApp.scene().replacing("100us", with: cost).utf8), to: folder + "/s.yaml")
            let run = CommandRun(
                ["replay", "-", "--scene", folder + "/s.yaml", "-o", "-"], stdin: Array(script.utf8))
            #expect(run.status == 0, "\(run.notes)")
            for number in 0...1 { world.files["Builds/\(side)-\(number).keyflight"] = run.output }
            // No more than this of a file without end.
            world.arguments += [
                "--\(side)",
                """
                n=$(cat 'FOLDER/\(side)' 2>/dev/null || echo 0); echo $((n + 1)) >'FOLDER/\(side)'
                head -c 100000 "FOLDER/Builds/\(side)-$((n % 2)).keyflight" >"$KEYFLIGHT_OUTPUT"
                """,
            ]
        }
        return world
    }

    /// Accepts what the gate finds.
    private mutating func accept(in folder: String) throws {
        try write(to: folder)
        let goldens = folder + "/Goldens"
        let run = launching(["gate", goldens, "--run-apps", "--propose"], folder)
        #expect(run.status == 4, "\(run.text)\(run.notes)")
        #expect(CommandRun("accept", "--goldens", goldens, "*").status == 0)
        for path in FileManager.default.subpaths(atPath: goldens) ?? [] {
            let file = "\(goldens)/\(path)"
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
            if !isFolder.boolValue { files["Goldens/\(path)"] = Files.bytes(file) }
        }
        files = files.filter { !$0.key.hasSuffix(".new") }
    }

    /// Nothing else is in the folder afterwards.
    func write(to folder: String) throws {
        for name in Files.names(folder) {
            // What was made unreadable is made readable first, to be removed.
            chmod("\(folder)/\(name)", 0o700)
            for path in FileManager.default.subpaths(atPath: "\(folder)/\(name)") ?? [] {
                chmod("\(folder)/\(name)/\(path)", 0o700)
            }
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        for (path, bytes) in files.merging(kept, uniquingKeysWith: { $1 }) {
            let url = URL(filePath: "\(folder)/\(path)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: url)
            if bytes.starts(with: Array("#!".utf8)) { chmod(url.path, 0o700) }
        }
    }

    func gate(_ folder: String) -> CommandRun {
        let count = files.keys.count { $0.contains("/expected.") }
        return launching(
            arguments.map { $0.replacing("FOLDER", with: folder).replacing("COUNT", with: "\(count)") }, folder)
    }

    /// A run whose live apps a program of the world launches.
    private func launching(_ arguments: [String], _ folder: String) -> CommandRun {
        CommandRun(arguments, environment: ProcessEnvironment(["KEYFLIGHT": folder + "/Apps/keyflight"]))
    }

    /// The replay of each input by the verb, under each of its profiles: what an accepted text is about.
    func replays(_ folder: String) -> [String] {
        files.keys.filter { $0.contains("/input.") }.sorted().flatMap { input in
            let golden = folder + "/" + input.split(separator: "/").dropLast().joined(separator: "/")
            let scene = Files.names(golden).contains("scene.yaml") ? ["--scene", golden + "/scene.yaml"] : []
            let hasProfile = name == "profile" && input.contains("subject/")
            let profiles = hasProfile ? [[], ["--profile", golden + "/mine.profile"]] : [[]]
            return profiles.map { profile in
                let run = CommandRun(["replay", "\(folder)/\(input)", "--format", "text"] + scene + profile)
                return "\(run.status)\n\(run.text)"
            }
        }
    }
}
