import Foundation
import Testing

@testable import keyflight

/// Variables of the environment whose names begin with `KEYFLIGHT_`.
@Suite struct EnvironmentVariableTests {
    private static func run(_ arguments: [String], _ variables: [String: String]) -> CommandRun {
        CommandRun(arguments, environment: ProcessEnvironment(variables))
    }

    @Test func oneThatDoesNotExistIsRefusedWithTheNearest() {
        for (name, near) in [("PROFIL", "PROFILE"), ("GATE_MARGINS", "GATE_MARGIN"), ("CORPSU", "CORPUS")] {
            let variable = "KEYFLIGHT" + "_\(name)"
            for verb in [["demo"], ["gate", "nowhere"], ["info", "-"]] {
                let run = Self.run(verb, [variable: "x"])
                #expect(run.status == 64 && run.output.isEmpty)
                let line = "\(variable): there is no such environment variable; the nearest one is KEYFLIGHT_\(near)"
                #expect(run.notes == line + " [KF6410]\n")
            }
        }
        let far = Self.run(["demo"], ["KEYFLIGHT" + "_XYZZY": ""])
        #expect(far.status == 64 && far.notes.hasSuffix("variable; unset it [KF6410]\n"), "\(far.notes)")
        // Help helps out of it.
        #expect(Self.run(["help", "environment"], ["KEYFLIGHT" + "_XYZZY": ""]).status == 0)
        #expect(Self.run(["demo"], ["KEYFLIGHT": "/bin/keyflight", "KEYFLIGHT_CORPUS": "/captures"]).status == 0)
    }

    @Test func aProcessRefusesItsOwn() throws {
        let run = try ProgramRun(shell: "\("KEYFLIGHT" + "_PROFIL")=ios26 \"$keyflight\" demo")
        #expect(run.status == 64 && run.notes.contains("the nearest one is KEYFLIGHT_PROFILE"), "\(run.notes)")
    }

    @Test func aFileOfSettingsIsNamedAndNotPassedOver() throws {
        try Files.withFolder { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/App/.git", withIntermediateDirectories: true)
            try Data().write(to: URL(filePath: "\(folder)/.keyflight.toml"))
            let inside = try ProgramRun(shell: "cd '\(folder)/App' && \"$keyflight\" demo >/dev/null")
            #expect(inside.status == 0, "one above the repository: \(inside.notes)")
            let refused = try ProgramRun(shell: "cd '\(folder)/App' && mv .git .. && \"$keyflight\" demo")
            #expect(refused.status == 64 && refused.notes.hasPrefix("../.keyflight.toml: files of settings"))
        }
    }

    /// Each variable that a script, a test or the program reads or hands on is known, and no other one.
    @Test func whatIsReadIsKnown() throws {
        var found: Set<String> = []
        for folder in ["Scripts", ".ci", "Sources", "Tests"] {
            let files = FileManager.default.enumerator(atPath: Files.path(folder))?.compactMap { $0 as? String } ?? []
            #expect(!files.isEmpty, "\(folder)")
            for file in files where !["c", "h", "m", "cpp", "modulemap"].contains(where: { file.hasSuffix("." + $0) }) {
                let text = Files.text(Files.path("\(folder)/\(file)"))
                if file.hasSuffix(".swift") {
                    found.formUnion(text.matches(of: /"(KEYFLIGHT_[A-Z_]+)"/).map { String($0.1) })
                } else if folder != "Tests" {
                    found.formUnion(text.matches(of: /KEYFLIGHT_[A-Z_]+/).map { String($0.0) })
                }
            }
        }
        let settings = Set(Settings.Variable.allCases.map(\.rawValue))
        let compiled: Set = ["KEYFLIGHT_RECORDING"]
        #expect(found.subtracting(compiled).union(settings).symmetricDifference(ProcessEnvironment.knownNames) == [])
    }
}
