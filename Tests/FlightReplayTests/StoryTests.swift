import Foundation
import Testing

/// The stories of `Traces/golden/README.md`: each has a golden that shows it broken, and one that shows it repaired.
@Suite struct StoryTests {
    struct Story: CustomTestStringConvertible, Sendable {
        let described: String
        let broken: String
        let repaired: String

        var testDescription: String { described }
    }

    /// The rows of the table below the heading "Stories".
    static let stories: [Story] = {
        let text = (try? String(contentsOf: Golden.root.appending(path: "golden/README.md"), encoding: .utf8)) ?? ""
        let section = text.split(separator: "\n## ").first { $0.hasPrefix("Stories\n") } ?? ""
        return section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { row in
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let folders = cells.dropFirst().map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "`")) }
            return Story(
                described: cells.first ?? "", broken: folders.first ?? "", repaired: folders.dropFirst().first ?? "")
        }
    }()

    @Test func thereAreStories() {
        #expect(Self.stories.count >= 15)
    }

    /// A repaired golden repairs something: of a chord that both press, or of text that both get, the replays tell
    /// different things.
    @Test(arguments: stories) func theRepairedStoryEndsOtherwise(_ story: Story) throws {
        let broken = try Self.endings(of: story.broken)
        let repaired = try Self.endings(of: story.repaired)
        let shared = Set(broken.keys).intersection(repaired.keys)
        #expect(!shared.isEmpty, "\(story.broken) and \(story.repaired) press no chord in common")
        #expect(
            shared.contains { broken[$0] != repaired[$0] },
            "\(story.broken) and \(story.repaired) come to the same")
    }

    /// What the presses of each chord came to, in order: all of a line but its number.
    private static func endings(of folder: String) throws -> [String: [String]] {
        let golden = try #require(Golden.all.first { $0.name == folder }, "no golden \(folder)")
        let lines = try #require(golden.expected, "\(folder) has no expected.txt").split(separator: "\n").dropFirst()
        var endings: [String: [String]] = [:]
        for line in lines {
            let fields = line.components(separatedBy: " | ")
            guard fields.count > 2 else { continue }
            endings[fields[1], default: []].append(fields.dropFirst(2).joined(separator: " | "))
        }
        return endings
    }
}
