import FlightReplay
import Testing
import TraceReports

@testable import RegressionGate

/// What `lint` finds in a golden is exact, too.
@Suite struct GoldenFindingsTests {
    private static let commands = "\(GoldenTesting.close), \(GoldenTesting.new)"
    private static let script = "press cmd+w\npress cmd+t\n"

    private func compare(
        _ commands: String, _ change: (GoldenCase) throws -> Void
    ) throws -> GoldenComparison {
        try GoldenTesting.withFolder { folder in
            let golden = try GoldenTesting.make(
                "\(folder)/tabs", scene: GoldenTesting.scene(commands), script: Self.script)
            try change(golden)
            return GoldenComparison(golden, resources: GoldenTesting.resources)
        }
    }

    /// A command that nobody performs takes a key that was free.
    private static let dead = "{input: k, modifiers: [command], action: \"nobody:\"}"
    private static let withDead = "\(commands), \(dead)"
    private static let pressed = script + "press cmd+k\n"

    @Test func aFindingThatWasNotAcceptedFailsThoughEveryLineIsTheSame() throws {
        try GoldenTesting.withFolder { folder in
            try GoldenTesting.write(GoldenTesting.scene(Self.withDead), "\(folder)/tabs/scene.yaml")
            try GoldenTesting.write(Self.pressed, "\(folder)/tabs/input.keys")
            let golden = GoldenCase(folder: "\(folder)/tabs")
            try golden.propose(golden.replay(GoldenTesting.resources).text)
            try golden.accept()
            let comparison = GoldenComparison(golden, resources: GoldenTesting.resources)
            guard case .findingsChanged(let new, let gone) = comparison.verdict else { throw Unexpected(comparison) }
            #expect(new.count == 1 && gone.isEmpty)
            #expect(new.first?.hasPrefix("blocked-by-unperformable | cmd+k | presses 1 | ") == true)
            let difference = "every line is the same, but lint is not:\n  + blocked-by-unperformable"
            #expect(comparison.message.contains(difference))
            // Accepted on purpose it passes; gone again it fails, until that is accepted.
            try comparison.propose()
            #expect(try golden.pending() == nil && golden.pendingFindings() != nil)
            #expect(try GoldenStore(folder).pending() == [golden])
            try golden.accept()
            guard case .same = GoldenComparison(golden, resources: GoldenTesting.resources).verdict else {
                throw Unexpected(comparison)
            }
        }
    }

    @Test func aFindingThatIsGoneFailsToo() throws {
        let comparison = try compare(Self.commands) { golden in
            let text = "\(GoldenFindings.heading)\ntext-stolen | w | presses 1 | gone\n"
            try GoldenTesting.write(text, golden.findingsPath)
        }
        guard case .findingsChanged(let new, let gone) = comparison.verdict else { throw Unexpected(comparison) }
        #expect(new.isEmpty && gone == ["text-stolen | w | presses 1 | gone"])
    }

    @Test func aTornTextOfFindingsIsNoBaseline() throws {
        for text in ["\(GoldenFindings.heading)\ntext-sto", "", "nonsense\n", "\(GoldenFindings.heading)\nx\n"] {
            let comparison = try compare(Self.commands) { try GoldenTesting.write(text, $0.findingsPath) }
            guard case .notComparable(let line) = comparison.verdict else { throw Unexpected(comparison) }
            #expect(line.contains("findings.txt: line ") && !line.contains("\n"))
        }
    }

    @Test func aBudgetLeavesRoomForFindings() throws {
        try GoldenTesting.withFolder { folder in
            let golden = try GoldenTesting.make(
                "\(folder)/tabs", scene: GoldenTesting.scene(Self.withDead), script: Self.pressed)
            let budgets = [("findings total 1", true), ("findings total 0", false), ("findings ignore", true)]
            for (budget, passes) in budgets {
                try GoldenTesting.write(budget + "\n", "\(golden.folder)/budgets.txt")
                let comparison = GoldenComparison(golden, resources: GoldenTesting.resources)
                switch comparison.verdict {
                case .same: #expect(passes, "\(budget)")
                case .changed(_, let excesses): #expect(!passes && excesses.map(\.found) == [1], "\(budget)")
                default: throw Unexpected(comparison)
                }
            }
        }
    }

    @Test func bytesOfTheTraceHaveABudget() throws {
        for (most, passes) in [(UInt64(1 << 20), true), (100, false)] {
            let comparison = try compare(Self.commands) {
                try GoldenTesting.write("bytes total \(most)\n", "\($0.folder)/budgets.txt")
            }
            switch comparison.verdict {
            case .same: #expect(passes)
            case .changed(let diff, let excesses):
                #expect(!passes && diff.changes.isEmpty && (excesses.first?.found ?? 0) > 100)
            default: throw Unexpected(comparison)
            }
        }
    }

    @Test func aStaleAnswerMoreIsAChangeOfCounts() throws {
        try GoldenTesting.withFolder { folder in
            let scene = GoldenTesting.scene(Self.commands).replacing(
                "    keyCommands: [", with: "    variants: {less: [\(GoldenTesting.new)]}\n    keyCommands: [")
            try GoldenTesting.write(scene, "\(folder)/tabs/scene.yaml")
            try GoldenTesting.write(Self.script, "\(folder)/tabs/input.keys")
            let golden = GoldenCase(folder: "\(folder)/tabs")
            // The accepted text says under which policy, and by its shadow reads that answers were checked.
            let text = try golden.replay(GoldenTesting.resources).text
            let cached = text.replacing(" · cache none ", with: " · cache responder ").dropLast()
            try golden.propose("\(cached) | shadow reads 1\n")
            try golden.accept()
            try golden.propose(golden.replay(GoldenTesting.resources).text)
            try golden.accept()
            #expect(try golden.expected()?.contains(" | shadow reads ") == true)
            let same = GoldenComparison(golden, resources: GoldenTesting.resources)
            guard case .same = same.verdict else { throw Unexpected(same) }
            // A list changes and nobody says so: the kept one is served.
            try GoldenTesting.write(
                "press cmd+w\ndo set tabs keyCommands less\npress cmd+t\n", "\(folder)/tabs/input.keys")
            let comparison = GoldenComparison(golden, resources: GoldenTesting.resources)
            guard case .changed(let diff, _) = comparison.verdict else { throw Unexpected(comparison) }
            let stale = diff.counts?.first { $0.name == "cache.stale" }
            #expect(stale?.base == 0 && (stale?.head ?? 0) > 0)
        }
    }

    struct Unexpected: Error {
        init(_ comparison: GoldenComparison) { Issue.record("unexpected: \(comparison.message)") }
    }
}

/// Fields that are compared otherwise than for equality, and what is taken out beforehand.
@Suite struct GoldenRulesTests {
    private static let script = "press cmd+w\npress cmd+t\n"

    /// Compares a golden after its scene became another.
    private func compare(_ rules: GoldenRules, _ change: (String) -> String) throws -> GoldenComparison {
        try GoldenTesting.withFolder { folder in
            let scene = GoldenTesting.scene("\(GoldenTesting.close), \(GoldenTesting.new)")
            let golden = try GoldenTesting.make("\(folder)/tabs", scene: scene, script: Self.script)
            try GoldenTesting.write(change(scene), "\(folder)/tabs/scene.yaml")
            return GoldenComparison(golden, resources: GoldenTesting.resources, rules: rules)
        }
    }

    /// One responder more is asked, and hears of the press.
    private func longer(_ scene: String) -> String {
        scene.replacing("next: win\n", with: "next: extra\n")
            .replacing("  - {id: win,", with: "  - {id: extra, kind: responder, next: win}\n  - {id: win,")
    }

    @Test func aFieldThatIsIgnoredMayBeAnythingAndNoOtherOne() throws {
        let counts: [GoldenField: FieldClass] = [
            .keyCommandsCalls: .ignore, .cacheMisses: .ignore, .receivers: .ignore,
        ]
        let free = try compare(GoldenRules(classes: counts), longer)
        guard case .same = free.verdict else { throw GoldenFindingsTests.Unexpected(free) }
        for field in counts.keys {
            let strict = try compare(GoldenRules(classes: counts.merging([field: .mustMatch]) { $1 }), longer)
            guard case .changed = strict.verdict else { throw GoldenFindingsTests.Unexpected(strict) }
        }
        let other = try compare(GoldenRules(classes: counts)) { $0.replacing("\"closeTab:\"}", with: "\"newTab:\"}") }
        guard case .changed(let diff, _) = other.verdict else { throw GoldenFindingsTests.Unexpected(other) }
        #expect(diff.changes.count == 1)
    }

    @Test func aBudgetOfATestIsKept() throws {
        let rules = GoldenRules(classes: [
            .keyCommandsCalls: .budget(press: 4), .cacheMisses: .total(8), .receivers: .ignore,
        ])
        let kept = try compare(rules, longer)
        guard case .same = kept.verdict else { throw GoldenFindingsTests.Unexpected(kept) }
        let exceeded = try compare(rules) { scene in
            longer(scene).replacing("responder, next: win}", with: "responder, next: more}")
                .replacing("  - {id: win,", with: "  - {id: more, kind: responder, next: win}\n  - {id: win,")
        }
        guard case .changed(_, let excesses) = exceeded.verdict else { throw GoldenFindingsTests.Unexpected(exceeded) }
        #expect(excesses.map(\.budget.count) == ["calls.keyCommands", "cache.misses"])
        let floor = GoldenRules(classes: [.cacheMisses: .atLeast(100), .keyCommandsCalls: .ignore, .receivers: .ignore])
        let scarce = try compare(floor, longer)
        guard case .changed(_, let few) = scarce.verdict else { throw GoldenFindingsTests.Unexpected(scarce) }
        #expect(few.map(\.budget.words) == ["at least 100"])
    }

    @Test func aBudgetThatAFieldCannotHaveIsAnError() throws {
        for (field, kind) in [(GoldenField.outcome, FieldClass.budget(press: 1)), (.bytes, .budget(press: 1))] {
            let wrong = try compare(GoldenRules(classes: [field: kind])) { $0 }
            guard case .notComparable(let line) = wrong.verdict else { throw GoldenFindingsTests.Unexpected(wrong) }
            #expect(line.contains("\(field.rawValue): expected a "))
        }
    }

    @Test func whatIsRedactedIsNeitherComparedNorWritten() throws {
        try GoldenTesting.withFolder { folder in
            func scene(_ number: Int) -> String {
                GoldenTesting.scene("\(GoldenTesting.close), \(GoldenTesting.new)", controller: "tabs-\(number)")
            }
            let rules = GoldenRules(redactions: [.number(after: "tabs-"), .text("closeTab:", as: "close:")])
            try GoldenTesting.write(scene(17), "\(folder)/tabs/scene.yaml")
            try GoldenTesting.write(Self.script, "\(folder)/tabs/input.keys")
            let golden = GoldenCase(folder: "\(folder)/tabs")
            try GoldenComparison(golden, resources: GoldenTesting.resources, rules: rules).propose()
            try golden.accept()
            let text = try #require(try golden.expected())
            #expect(text.contains("| close: | tabs-# > tabs-# |"))
            #expect(!text.contains("tabs-17") && !text.contains("stream") && !text.contains("closeTab:"))
            try GoldenTesting.write(scene(4), "\(folder)/tabs/scene.yaml")
            let other = GoldenComparison(golden, resources: GoldenTesting.resources, rules: rules)
            guard case .same = other.verdict else { throw GoldenFindingsTests.Unexpected(other) }
            let strict = GoldenComparison(golden, resources: GoldenTesting.resources)
            guard case .changed = strict.verdict else { throw GoldenFindingsTests.Unexpected(strict) }
        }
    }
}
