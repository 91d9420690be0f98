import FlightReplay
import LatencyAnalysis
import ResponderEngine
import Testing
import TraceFormat

/// Every rule of lint: a trace or scene that it speaks up at, and one beside it that it passes by.
@Suite struct LintRuleTests {
    struct Proof: CustomTestStringConvertible, Sendable {
        var rule: LintRule
        var broken: RecordedStory
        var nearMiss: RecordedStory
        var testDescription: String { rule.rawValue }

        init(_ rule: LintRule, _ broken: RecordedStory, _ nearMiss: RecordedStory) {
            self.rule = rule
            self.broken = broken
            self.nearMiss = nearMiss
        }
    }

    static func golden(_ name: String) -> RecordedStory { RecordedStory("golden/" + name) }
    static func trap(_ name: String, _ profile: String) -> RecordedStory {
        RecordedStory("scenes/traps/" + name, profile)
    }
    static func lint(_ name: String, _ script: String = "input") -> RecordedStory {
        var story = RecordedStory("scenes/lint/" + name)
        story.script = script
        return story
    }
    static func scene(_ story: RecordedStory) -> RecordedStory {
        var story = story
        story.isSceneAlone = true
        return story
    }
    static func cached(_ script: String) -> RecordedStory {
        var story = lint("stale-answer", script)
        story.isCached = true
        return story
    }

    static let proofs: [Proof] = [
        Proof(.textStolen, golden("text-stolen-by-bare-letter"), golden("text-kept-with-command")),
        Proof(.compositionBroken, golden("return-sends-half-composed"), golden("return-ends-composition")),
        Proof(
            .pressSwallowed, trap("t06-swallowed-presses-kill-typing", "ios134"),
            trap("t06-swallowed-presses-kill-typing", "ios9")),
        Proof(
            .blockedByUnperformable, trap("t01-unperformable-command-blocks", "ios15"),
            trap("t01-unperformable-command-blocks", "ios134")),
        Proof(
            .unreachableCommand, golden("unavailable-back-blocks-rewind"), golden("unavailable-back-frees-rewind")),
        Proof(
            .priorityMissing, trap("t03-text-styles-dead-in-text-view", "ios15"),
            trap("t03-text-styles-dead-in-text-view", "ios7")),
        Proof(
            .outerPerforms, trap("t19-back-pops-outer-stack", "ios15b4"), trap("t19-back-pops-outer-stack", "ios15")),
        Proof(.doubleFire, golden("plain-letter-reloads"), golden("plain-letter-typed")),
        Proof(.repeatsDestructively, golden("held-close-closes-everything"), golden("held-close-closes-one")),
        Proof(.repeatOverrun, lint("repeat-overrun"), lint("repeat-overrun", "near-miss")),
        Proof(
            .stuckModifier, golden("stuck-command-after-app-switch"), golden("command-forgotten-at-app-switch")),
        Proof(
            .stuckModifier, trap("t08-release-lost-at-app-switch", "ios134-lost-release"),
            trap("t08-release-lost-at-app-switch", "ios134")),
        Proof(.lostRelease, golden("stuck-command-after-app-switch"), golden("command-forgotten-at-app-switch")),
        Proof(.capsLock, trap("t34-caps-lock-breaks-matching", "ios9"), trap("t34-caps-lock-breaks-matching", "ios13")),
        Proof(.wrongWindow, golden("command-w-two-windows"), golden("command-w-window-of-its-own")),
        Proof(.noFirstResponder, golden("dialog-loses-first-responder"), golden("dialog-first-responder-restored")),
        Proof(
            .windowListens, trap("t16-window-is-first-responder", "ios15"),
            trap("t17-no-first-responder-after-dialog", "ios15")),
        Proof(
            .supplierOffChain, trap("t18-split-view-asks-primary", "ios142"),
            trap("t18-split-view-asks-primary", "ios15")),
        Proof(
            .nonDeterministic, trap("t26-application-commands-need-second-press", "ios81"),
            trap("t26-application-commands-need-second-press", "ios7")),
        Proof(
            .unstableKeyCommands, trap("t11-getter-answers-differently", "ios7"),
            trap("t11-getter-answers-differently", "ios9")),
        Proof(.staleAnswer, cached("input"), cached("near-miss")),
        Proof(.staleMenu, trap("t12-stale-main-menu", "ios15"), trap("t12-stale-main-menu", "ios9")),
        Proof(
            .menuDuplicate, trap("t13-duplicate-in-main-menu", "ios15"), trap("t13-duplicate-in-main-menu", "ios9")),
        Proof(.listedTwice, trap("t14-command-listed-twice", "ios15"), trap("t14-command-listed-twice", "ios134")),
        Proof(
            .reservedChord, trap("t05-command-period-is-escape", "ios15"),
            trap("t05-command-period-is-escape", "ios26-period")),
        Proof(
            .reservedChord, trap("system-key-dead", "ios15"), trap("system-key-moved", "ios15")),
        Proof(
            .untypeableInput, trap("t33-bracket-unreachable-on-german", "ios134"),
            lint("matched-by-position", "near-miss")),
        Proof(.matchedByPosition, lint("matched-by-position"), lint("matched-by-position", "near-miss")),
        Proof(
            .mirroredLabel, trap("t20-overlay-mirrors-arrows", "ios134"), trap("t20-overlay-mirrors-arrows", "ios15")),
        Proof(
            .deadArrow, trap("t27-vertical-arrows-dead-in-text-view", "ios70"),
            trap("t27-vertical-arrows-dead-in-text-view", "ios7")),
        Proof(
            .focusTooEarly, trap("t28-first-responder-during-transition", "ios15"), lint("focus-after-transition")),
        Proof(.pressCancelled, lint("press-cancelled"), golden("g25-deactivation-cancels")),
        Proof(
            .menuOfController, scene(trap("t29-menu-of-a-controller", "ios15")),
            scene(trap("t14-command-listed-twice", "ios15"))),
        Proof(
            .senderCast, scene(trap("t21-sender-is-cast", "ios15")),
            scene(trap("t14-command-listed-twice", "ios15"))),
        Proof(.neverAsked, scene(lint("never-asked")), scene(lint("acts-behind"))),
        Proof(.alwaysTaken, scene(lint("always-taken")), scene(golden("text-kept-with-command"))),
        Proof(.neverPerformed, lint("never-performed"), lint("never-performed", "near-miss")),
        Proof(.firstResponderLost, lint("first-responder-lost"), lint("first-responder-lost", "near-miss")),
        Proof(.actsBehind, lint("acts-behind"), lint("acts-behind", "near-miss")),
        Proof(
            .menuPickLost, scene(RecordedStory("scenes/lint/menu-pick-lost", "ios27")),
            scene(RecordedStory("scenes/lint/menu-pick-lost", "ios26"))),
    ]

    @Test(arguments: proofs) func ruleSpeaksUpAndPassesByTheNearMiss(_ proof: Proof) throws {
        let found = try proof.broken.findings()
        #expect(found.contains { $0.rule == proof.rule }, "\(proof.broken): \(rules(found))")
        let passed = try proof.nearMiss.findings().filter { $0.rule == proof.rule }
        #expect(passed == [], "\(proof.nearMiss): \(passed.map(\.message))")
    }

    @Test func everyRuleHasItsProof() {
        #expect(Set(Self.proofs.map(\.rule)) == Set(LintRule.allCases))
    }

    @Test func everyFindingHasEvidenceAndAHint() throws {
        for proof in Self.proofs {
            let findings = try proof.broken.findings()
            #expect(!findings.isEmpty, "\(proof.broken)")
            for finding in findings {
                #expect(finding.evidence.isEmpty == (finding.presses == 0), "\(finding.message)")
                #expect(!finding.message.isEmpty && !finding.rule.hint.isEmpty && !finding.rule.title.isEmpty)
            }
        }
    }

    @Test("A finding of a scene alone names the context in which it was pressed")
    func scenesAlone() throws {
        let found = try Self.golden("text-stolen-by-bare-letter").sceneFindings()
        #expect(rules(found) == ["text-stolen"])
        #expect(found.allSatisfy { $0.evidence.allSatisfy { $0.place == "focus name" } })
        #expect(try Self.golden("text-kept-with-command").sceneFindings() == [])
    }
}
