import Foundation
import RegressionGate
import Testing

@testable import keyflight

/// `keyflight fleet` before Python has work; Scripts/fleet has the rest.
@Suite struct FleetVerbTests {
    @Test(arguments: [
        ["fleet", "ingest", "Sessions"], ["fleet", "ingest", "Sessions", "-o", "-"],
        ["fleet", "ingest", "Sessions", "4.1", "-o", "Lake"],
        ["fleet", "ingest", "Sessions", "-o", "Lake", "--by", "layout"],
        ["fleet", "compare", "Lake"], ["fleet", "compare", "Lake", "4.1"], ["fleet", "compare", "Lake", "4.1", "4.1"],
        ["fleet", "compare", "Lake", "4.1", "4.2", "-o", "x"],
        ["fleet", "compare", "Lake", "4.1", "4.2", "--by", "none"],
        ["fleet", "compare", "Lake", "4.1", "4.2", "--by", "session_key"],
        ["fleet", "compare", "Lake", "4.1", "4.2", "--self-test", "0"], ["fleet", "report", "Lake"],
        ["fleet", "report", "Lake", "-o", "x", "--format", "json"], ["fleet", "shrink", "Lake"],
    ])
    func wrongUsage(_ arguments: [String]) {
        let run = CommandRun(arguments)
        #expect(run.status == 64 && run.output == [], "\(run.notes)")
        #expect(run.noteLines.count == 1 && run.notes.contains("[KF6400]"), "\(run.notes)")
    }

    /// What is wrong with the inputs is said where there is no Python at all.
    @Test func inputsAreLookedAtBeforePython() throws {
        try Files.withFolder { folder in
            for line in [
                ["compare", folder + "/none", "4.1", "4.2"], ["compare", folder, "4.1", "4.2"],
                ["report", folder, "-o", folder + "/page.html"], ["ingest", folder + "/none", "-o", folder + "/lake"],
                ["ingest", folder, "-o", folder + "/lake", "--allow-ids", folder + "/none"],
            ] {
                let run = CommandRun(["fleet"] + line)
                #expect(run.status == 2 && run.notes.contains("[KF0201]"), "\(line): \(run.notes)")
            }
            #expect(!FileManager.default.fileExists(atPath: folder + "/lake"))
            try Files.write([], to: folder + "/keyflight.lake")
            try Files.write([], to: folder + "/page.html")
            let run = CommandRun("fleet", "report", folder, "-o", folder + "/page.html")
            #expect(run.status == 64 && run.notes.contains("[KF6401]"), "\(run.notes)")
        }
    }

    /// A lake is recognised by its description; what cannot be asked of it is refused without Python.
    @Test func aLakeIsAskedInsteadOfReplayed() throws {
        try Files.withFolder { folder in
            #expect(!Query.isLake(folder))
            try Files.write([], to: folder + "/keyflight.lake")
            #expect(Query.isLake(folder))
            let long = "SELECT " + String(repeating: "1", count: 100_000)
            for words in [["SELECT 1", "--scene", folder + "/none"], [long]] {
                let run = CommandRun(["query", folder] + words)
                #expect(run.status == 64 && run.notes.contains("[KF6400]"), "\(run.notes)")
            }
        }
    }

    @Test func thePackageIsFoundBesideTheProgram() throws {
        try Files.withFolder { folder in
            func make(_ path: String) throws {
                let place = "\(folder)/\(path)/keyflight/fleet"
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
                try Files.write([], to: place + "/__main__.py")
            }
            #expect(throws: Failure.self) { try FleetPackage.beside(folder + "/bin/keyflight") }
            try make("share/keyflight/python")
            let installed = try FleetPackage.beside(folder + "/bin/keyflight")
            #expect(installed.folder.hasSuffix("/share/keyflight/python"))
            #expect(installed.environment.hasSuffix("/share/keyflight/venv"))
            try make("tree/Sources/PythonKeyflight")
            let built = try FleetPackage.beside(folder + "/tree/.build/x86_64/debug/keyflight")
            #expect(built.folder.hasSuffix("/tree/Sources/PythonKeyflight"))
            #expect(built.environment.hasSuffix("/tree/.build-fleet/venv"))
        }
    }

    /// The environment's Python comes first; without one the command that makes it is named.
    @Test func pythonIsFound() throws {
        try Files.withFolder { folder in
            let package = FleetPackage(folder: folder, environment: folder + "/a venv")
            let missing = #expect(throws: Failure.self) { try package.python(path: folder + "/none:" + folder) }
            #expect(missing?.status.rawValue == 5)
            let remedy = "-m venv '\(folder)/a venv' && '\(folder)/a venv/bin/pip' install duckdb"
            #expect(missing?.line.contains(remedy) == true)
            for place in [folder, folder + "/a venv/bin"] {
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
                try Files.write(Array("#!/bin/sh\nexit 69\n".utf8), to: place + "/python3")
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place + "/python3")
                #expect(try package.python(path: folder) == place + "/python3")
            }
        }
    }

    /// Lines of standard error are handed over while a command runs, and what it prints is kept whole.
    @Test func linesAreFollowed() throws {
        var lines: [String] = []
        let script = "echo one >&2; sleep 0.1; printf 'two\\nthree' >&2; head -c 100000 /dev/zero | tr '\\0' x"
        let child = try ChildProcess("/bin/sh", ["-c", script], limit: 1 << 20) { lines.append($0) }
        #expect(child.status == 0 && lines == ["one", "two", "three"] && child.output.utf8.count == 100_000)
        #expect(try ChildProcess(shell: "head -c 100000 /dev/zero").output.utf8.count == 64 << 10)
    }
}
