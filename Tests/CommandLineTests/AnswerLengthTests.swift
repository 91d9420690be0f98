import Foundation
import Testing

/// Answers that a program with a small memory reads whole: at most 4 kB of text unless more is asked for.
@Suite struct AnswerLengthTests {
    private static let limit = 4096

    @Test(arguments: [
        ["info"], ["stats"], ["lint"], ["explain", "--press", "5"], ["top"], ["tail"],
    ], ["apps/textedit.keyflight", "apps/reader.keyflight", "compatibility/v1/calls.keyflight"])
    func ofOneTrace(_ words: [String], _ trace: String) {
        let run = CommandRun([words[0], Files.path("Traces/" + trace)] + words.dropFirst())
        #expect(run.output.count <= Self.limit, "\(words) \(trace): \(run.output.count) bytes")
    }

    /// Each of 54 goldens differs: the first ones are shown with their commands, others are named.
    @Test func ofAGateThatFailsEverywhere() throws {
        try Files.withFolder { folder in
            let names = Files.names(Files.path("Traces/golden")).filter { name in
                FileManager.default.fileExists(atPath: Files.path("Traces/golden/\(name)/scene.yaml"))
            }
            #expect(names.count > 40)
            for name in names {
                let copy = "\(folder)/\(name)"
                try FileManager.default.copyItem(atPath: Files.path("Traces/golden/\(name)"), toPath: copy)
                guard let text = try? String(contentsOfFile: copy + "/expected.txt", encoding: .utf8) else { continue }
                let shorter = text.split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
                try Files.write(Array(shorter.utf8), to: copy + "/expected.txt")
            }
            let run = CommandRun("gate", folder)
            #expect(run.status == 1 && run.lines.last == "gate: FAILED", "\(run.text)")
            // Paths of a temporary folder are longer than those of a package.
            let text = run.text.replacing(folder, with: "Goldens")
            #expect(text.utf8.count <= Self.limit, "\(text.utf8.count) bytes: \(text)")
            #expect(text.contains(/✘ [0-9]+ more/) && text.contains("--format json"), "\(text)")
            let all = CommandRun("gate", folder, "--format", "json").text
            for name in names { #expect(all.contains("\"golden\":\"\(name)\""), "\(name)") }
        }
    }
}
