import Foundation
import Testing

@testable import keyflight

/// The questions that developers ask, as `Traces/golden/reports/questions/README.md` answers them: each command there
/// runs as it is written, its output is a golden, and the lines that the document shows are lines of that golden.
@Suite struct QuestionsTests {
    /// A question of the document, with its commands and its answer.
    struct Question: CustomTestStringConvertible, Sendable {
        var number: Int
        var title: String
        /// Lines of shell; the last one's output is the answer.
        var commands: [String] = []
        /// The lines of the answer that the document shows.
        var shown: [String] = []

        var testDescription: String { "\(number). \(title)" }

        /// `01-what-happened-on-this-press.txt`
        var golden: String {
            let letters = title.lowercased().replacingOccurrences(of: "⌘", with: "cmd-")
                .replacingOccurrences(of: "←", with: "left").replacingOccurrences(of: "↓", with: "down")
            let words = letters.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
            let number = number < 10 ? "0\(number)" : "\(number)"
            return "reports/questions/\(number)-\(words.joined(separator: "-")).txt"
        }
    }

    static let folder = "Traces/golden/reports/questions"

    /// The status with which a verb says that it found something, or that something is missing.
    static let statuses = [4: 1, 11: 1, 16: 1]

    static let questions: [Question] = {
        var found: [Question] = []
        var isFenced = false
        let document = Files.text(Files.path(folder + "/README.md"))
        for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isFenced.toggle()
            } else if isFenced {
                if line.hasPrefix("$ ") {
                    found[found.count - 1].commands.append(String(line.dropFirst(2)))
                } else {
                    found[found.count - 1].shown.append(String(line))
                }
            } else if line.hasPrefix("## "), let dot = line.firstIndex(of: "."),
                let number = Int(line[..<dot].dropFirst(3))
            {
                let title = line[line.index(after: dot)...].trimmingCharacters(in: .whitespaces)
                found.append(Question(number: number, title: title))
            }
        }
        return found
    }()

    @Test func thereAreSixteenQuestionsWithACommandEach() {
        #expect(Self.questions.map(\.number) == Array(1...16))
        for question in Self.questions {
            #expect(!question.commands.isEmpty && !question.shown.isEmpty, "\(question.title)")
        }
    }

    @Test(arguments: questions) func theCommandGivesTheAnswer(_ question: Question) throws {
        try Files.withFolder { folder in
            var run: CommandRun?
            for command in question.commands {
                let words = try #require(Self.words(command, in: folder), "cannot read: \(command)")
                run = CommandRun(words)
                if command != question.commands.last { #expect(run?.status == 0, "\(command): \(run?.notes ?? "")") }
            }
            let last = try #require(run)
            #expect(Int(last.status) == Self.statuses[question.number] ?? 0, "\(last.notes)")
            let answer = last.withoutFolders.replacingOccurrences(of: folder + "/", with: "")
            GoldenFile.expect(answer, question.golden)
        }
    }

    /// `…` on a line of its own stands for lines that are left out.
    @Test(arguments: questions) func theDocumentShowsLinesOfTheAnswer(_ question: Question) {
        var rest = Files.text(Files.path("Traces/golden/" + question.golden))
            .split(separator: "\n", omittingEmptySubsequences: false)[...]
        for line in question.shown where line != "…" && !line.isEmpty {
            guard let place = rest.firstIndex(where: { $0 == line }) else {
                Issue.record("\(question.title): not in the answer, or not in this order: \(line)")
                return
            }
            rest = rest[(place + 1)...]
        }
    }

    /// No golden is left over from a question that has another title now.
    @Test func everyGoldenHasItsQuestion() {
        let names = Files.names(Files.path(Self.folder)).filter { $0.hasSuffix(".txt") }
        #expect(names == Self.questions.map { String($0.golden.split(separator: "/").last ?? "") }.sorted())
    }

    /// The words of a command after `keyflight`, with single quotes as a shell reads them. Files of this package keep
    /// their place; traces that the commands write lie in the folder.
    private static func words(_ command: String, in folder: String) -> [String]? {
        var words: [String] = []
        var word = ""
        var isQuoted = false
        var isWord = false
        for character in command + " " {
            if character == "'" {
                isQuoted.toggle()
                isWord = true
            } else if character == " ", !isQuoted {
                if isWord { words.append(word) }
                word = ""
                isWord = false
            } else {
                word.append(character)
                isWord = true
            }
        }
        guard !isQuoted, words.first == "keyflight" else { return nil }
        return words.dropFirst().map { word in
            if word.hasPrefix("Traces/") { return Files.path(word) }
            return word.split(separator: " ", omittingEmptySubsequences: false).map { part in
                part.hasSuffix(".keyflight") && !part.contains("/") ? "\(folder)/\(part)" : String(part)
            }.joined(separator: " ")
        }
    }
}
