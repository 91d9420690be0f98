import Foundation
import TestRequirements
import Testing

@testable import keyflight

/// `keyflight man`: pages out of the description that `--help` prints.
@Suite struct ManualTests {
    @Test func eachVerbHasAPageWithEachOfItsOptions() throws {
        let pages = try ManualPage.all()
        #expect(pages.map(\.name) == ["keyflight"] + Keyflight.verbs.map { "keyflight-\($0)" })
        #expect(CommandRun("man", "--list").lines == pages.map(\.name))
        for page in pages.dropFirst() {
            let found = CommandRun("man", page.command.commandName).text
            #expect(found == page.text)
            let verb = page.command.commandName.replacing("-", with: "\\-")
            #expect(found.contains("keyflight\\-\(verb) \\- "), "\(page.name)")
            for argument in page.command.arguments ?? [] where argument.shouldDisplay {
                for name in argument.names ?? [] {
                    let written = name.written.replacing("-", with: "\\-")
                    #expect(found.contains("\\fB\(written)\\fR"), "\(page.name): \(name.written)")
                }
            }
        }
    }

    @Test func thePageOfTheProgramListsVerbsAndEachExitStatus() {
        let page = CommandRun("man").text
        for verb in Keyflight.verbs {
            #expect(page.contains("keyflight\\-\(verb.replacing("-", with: "\\-")) (1)"), "\(verb)")
        }
        for status in ExitStatus.allCases { #expect(page.contains(".B \(status.rawValue)\n"), "\(status)") }
    }

    @Test func noLineIsARequestThatWasNotMeant() throws {
        let pages = try ManualPage.all()
        #expect(pages.count > Keyflight.verbs.count)
        let requests = [".TH", ".SH", ".TP", ".IP", ".PP", ".nf", ".fi", ".B", ".BR", ".I", ".\\\""]
        for page in pages {
            for line in page.text.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
                let request = line.prefix { $0 != " " }
                #expect(requests.contains(String(request)), "\(page.name): \(line)")
            }
        }
    }

    @Test func aVerbThatIsNoneIsToldInOneLine() {
        let run = CommandRun("man", "nothing")
        #expect(run.status == 64 && run.notes.contains("found nothing") && run.text.isEmpty)
        #expect(CommandRun("man", "stats", "--list").status == 64)
    }

    /// Groff warns of requests and escapes that it does not know.
    @Test(.needs("groff")) func groffHasNothingToSay() throws {
        let pages = try ManualPage.all()
        #expect(pages.count > Keyflight.verbs.count)
        for page in pages {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["groff", "-man", "-Tutf8", "-ww", "-z", "-K", "utf8"]
            let (input, errors) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardError = errors
            try process.run()
            try input.fileHandleForWriting.write(contentsOf: Data(page.text.utf8))
            try input.fileHandleForWriting.close()
            let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0 && said.isEmpty, "\(page.name): \(said)")
        }
    }
}
