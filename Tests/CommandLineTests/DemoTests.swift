import Testing

@testable import keyflight

/// `demo` and the transcript of the README.
@Suite struct DemoTests {
    @Test func theDemoIsTheGolden() {
        let run = CommandRun("demo")
        #expect(run.status == 0)
        #expect(run.notes == "")
        GoldenFile.expect(run.text, "reports/demo.txt")
    }

    /// The stage table of a scene that declares costs.
    @Test func itsStageTableIsInTheGolden() {
        let text = Files.text(Files.path("Traces/golden/reports/demo.txt"))
        for stage in ["collect", "validate", "action", "total"] { #expect(text.contains("  \(stage) "), "\(stage)") }
    }

    @Test func whatIsInsideTheProgramIsWhatLiesInTraces() {
        #expect(DemoRun.capture == Files.bytes(Files.path("Traces/captures/\(DemoRun.captureName)")))
        #expect(DemoRun.scene == Files.bytes(Files.path("Traces/scenes/\(DemoRun.sceneName)")))
    }

    /// The demo ends with commands to try next. They must work.
    @Test func itsNextCommandsWork() throws {
        try Files.withFolder { folder in
            let viewer = folder + "/viewer"
            #expect(CommandRun("demo", "--save", viewer).status == 0)
            let next = CommandRun("demo").lines.drop { $0 != "Next:" }.dropFirst()
            #expect(next.count == 3)
            for line in next.dropFirst() {
                let words = line.split(separator: " ").dropFirst().map { word in
                    word.filter { $0 != "'" }.replacing("viewer/", with: viewer + "/")
                }
                let run = CommandRun(words)
                #expect(run.status == 0, "\(words): \(run.notes)")
                #expect(!run.output.isEmpty)
            }
            #expect(CommandRun("demo", "--save", viewer).status == 64, "nothing is replaced")
            #expect(CommandRun("demo", "--save", viewer, "--force").status == 0)
            #expect(CommandRun("demo", "--force").status == 64)
        }
    }

    /// Every block of the README that begins with `$ keyflight` is what the program prints. `…` on a line of its own
    /// marks lines that are left out.
    @Test func theReadmesTranscriptIsWhatIsPrinted() throws {
        let readme = Files.text(Files.path("README.md"))
        var checked = 0
        for block in readme.split(separator: "```console\n").dropFirst() {
            guard let end = block.firstRange(of: "```") else { continue }
            let lines = block[..<end.lowerBound].split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            guard let command = lines.first, command.hasPrefix("$ keyflight "),
                lines.count(where: { $0.hasPrefix("$ ") }) == 1
            else { continue }
            let words = command.split(separator: " ").dropFirst(2).map { word -> String in
                let word = word.filter { $0 != "'" }
                return word.hasPrefix("Traces/") ? Files.path(word) : word
            }
            let printed = CommandRun(words).text.replacing(Files.path("Traces"), with: "Traces")
            var rest = printed.split(separator: "\n", omittingEmptySubsequences: false).dropLast()[...]
            var mayPass = false
            for line in lines.dropFirst() {
                if line == "…" { mayPass = true; continue }
                let place = mayPass ? rest.firstIndex(of: line) : (rest.first == line ? rest.startIndex : nil)
                guard let place else {
                    Issue.record("README.md: \(command): not in the output, or not here: \(line)")
                    break
                }
                rest = rest[(place + 1)...]
                mayPass = false
            }
            #expect(mayPass || rest.isEmpty, "README.md: \(command): the output goes on")
            checked += 1
        }
        #expect(checked > 1)
    }
}
