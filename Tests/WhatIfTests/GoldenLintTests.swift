import LatencyAnalysis
import Testing

/// Lint over every golden: it finds what a story was written to show, and is silent on all the others.
@Suite struct GoldenLintTests {
    /// Goldens that are named for something that goes wrong, and what.
    static let expected: [String: [String]] = [
        "about-window-closes-document": ["wrong-window"],
        "command-left-tab-or-back": ["blocked-by-unperformable"],
        "command-w-two-windows": ["wrong-window"],
        "dialog-loses-first-responder": ["nobody-listens"],
        "g02-no-first-responder-on-ios7": ["nobody-listens"],
        "g03-command-steals-text-on-ios134": ["text-stolen"],
        "g04-priority-command-on-ios15": ["text-stolen"],
        "g07-command-period-is-escape": ["reserved-chord"],
        "g08-unperformable-blocks-on-ios15": ["blocked-by-unperformable"],
        "g14-swallowed-presses": ["press-swallowed"],
        "g15-held-command-repeats-on-ios9": ["repeats-destructively"],
        "g24-main-menu-keeps-its-keys": ["menu-duplicate"],
        "g24-main-menu-replacement-raises": ["menu-duplicate"],
        "held-close-closes-everything": ["repeats-destructively"],
        "offered-and-done-by-nobody": ["blocked-by-unperformable"],
        "plain-letter-reloads": ["double-fire"],
        "return-sends-half-composed": ["composition-broken"],
        "stuck-command-after-app-switch": ["lost-release", "stuck-modifier"],
        "swiftui-shortcuts": ["unreachable-command"],
        "text-stolen-by-bare-letter": ["text-stolen"],
        "web-page-before-commands": ["press-swallowed", "priority-missing", "text-stolen"],
        "unavailable-back-blocks-rewind": ["blocked-by-unperformable", "unreachable-command"],
    ]

    @Test(arguments: RecordedStory.goldens)
    func lintFindsWhatTheStoryIsAboutAndNothingElse(_ story: RecordedStory) throws {
        let findings = try story.findings()
        let messages = findings.map { "\($0.rule.rawValue): \($0.message)" }.joined(separator: "\n")
        #expect(rules(findings) == Self.expected[story.name, default: []], "\(messages)")
    }

    @Test func everyNamedGoldenIsThere() {
        #expect(Set(Self.expected.keys).subtracting(RecordedStory.goldens.map(\.name)) == [])
    }
}
