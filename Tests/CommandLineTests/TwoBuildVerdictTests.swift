import Foundation
import TestRequirements
import Testing

/// `gate --base --head` where the two builds record different things, and budgets, as a shell sees them.
@Suite struct TwoBuildVerdictTests {
    func withTrace(_ body: (_ folder: String) throws -> Void) throws {
        try Files.withFolder { folder in
            try FailureModeTests.record(folder, folder + "/calls.keyflight")
            let text = CommandRun("show", folder + "/calls.keyflight").text
            // The same recording at a lower level, as an app records it.
            try assemble(text, without: ["call ", "stage ", "cache "], level: "resolutions", folder)
            try assemble(text, without: ["stage "], level: "calls", folder, name: "untimed")
            try body(folder)
        }
    }

    private func assemble(
        _ text: String, without kinds: [String], level: String, _ folder: String, name: String? = nil
    ) throws {
        var lines = text.split(separator: "\n").map(String.init)
        lines[0] = lines[0].replacing("level=calls", with: "level=\(level)")
        lines.removeAll { line in kinds.contains { line.contains(" \($0)") } }
        var number = 0
        for place in lines.indices where lines[place].first?.isNumber == true {
            let rest = lines[place].split(separator: " ", maxSplits: 1)[1]
            lines[place] = "\(number) \(rest)"
            number += 1
        }
        let path = "\(folder)/\(name ?? level).keyflight"
        let run = CommandRun(["assemble", "-", "-o", path], stdin: Array((lines.joined(separator: "\n") + "\n").utf8))
        try #require(run.status == 0, "\(run.notes)")
    }

    func gate(_ folder: String, _ base: String, _ head: String, _ more: String...) -> CommandRun {
        func copy(_ name: String) -> String { "cp '\(folder)/\(name).keyflight' \"$KEYFLIGHT_OUTPUT\"" }
        return CommandRun(["gate", "--base", copy(base), "--head", copy(head), "--runs", "12"] + more)
    }

    @Test func headAtALowerLevelThanBaseIsNotComparableInEveryFormat() throws {
        try withTrace { folder in
            let files = ["--junit", "--summary", "--code-quality"].flatMap { [$0, "\(folder)/\($0.dropFirst(2))"] }
            for format in ["text", "json", "github"] {
                func copy(_ name: String) -> String { "cp '\(folder)/\(name).keyflight' \"$KEYFLIGHT_OUTPUT\"" }
                let run = CommandRun(
                    ["gate", "--base", copy("calls"), "--head", copy("resolutions"), "--runs", "12", "--format", format]
                        + files)
                #expect(run.status == 4, "\(run.text)\(run.notes)")
                #expect(run.text.contains("level: expected calls, as in "), "\(format): \(run.text)")
            }
            for file in ["junit", "summary", "code-quality"] {
                #expect(Files.text("\(folder)/\(file)").contains("level: expected calls"), "\(file)")
            }
            #expect(Files.text(folder + "/junit").contains("<error type=\"notComparable\""))
            // Counts that neither has are no difference, and are said to be missing.
            for format in ["text", "json", "github"] {
                let both = gate(folder, "resolutions", "resolutions", "--format", format)
                #expect(both.status == 0 && both.text.contains("counts: not recorded in both builds"), "\(both.text)")
            }
            let diff = CommandRun("diff", folder + "/calls.keyflight", folder + "/resolutions.keyflight")
            #expect(diff.status == 4 && diff.text.contains("Left out      level: expected calls"), "\(diff.text)")
            let json = CommandRun(
                "diff", folder + "/calls.keyflight", folder + "/resolutions.keyflight", "--format", "json")
            #expect(json.status == 4 && json.text.contains("\"incomparable\":[\"level: expected calls"), "\(json.text)")
        }
    }

    @Test func aVerdictAboutTimeNeedsTimes() throws {
        try withTrace { folder in
            let run = gate(folder, "untimed", "untimed", "--time", "fail")
            #expect(run.status == 4, "\(run.text)")
            #expect(run.text.contains("time: expected stages with a time in every run"), "\(run.text)")
            #expect(gate(folder, "calls", "calls", "--time", "fail").status == 0)
        }
    }

    /// The recording with other lines: `change` gets the lines without their numbers.
    func assemble(_ folder: String, _ name: String, _ change: (inout [String]) -> Void) throws {
        var lines = CommandRun("show", folder + "/calls.keyflight").text.split(separator: "\n").map(String.init)
        let numbered = lines.indices.filter { lines[$0].first?.isNumber == true }
        for place in numbered { lines[place] = String(lines[place].split(separator: " ", maxSplits: 1)[1]) }
        change(&lines)
        var number = 0
        for place in lines.indices where lines[place].first?.isNumber == true {
            lines[place] = "\(number) \(lines[place])"
            number += 1
        }
        let text = lines.joined(separator: "\n") + "\n"
        let run = CommandRun(["assemble", "-", "-o", "\(folder)/\(name).keyflight"], stdin: Array(text.utf8))
        try #require(run.status == 0, "\(run.notes)")
    }

    @Test func timesThatSomePressesLackAreNotComparable() throws {
        try withTrace { folder in
            try assemble(folder, "partial") { lines in
                let last = lines.lastIndex { $0.contains(" stage ") }
                let press = last.flatMap { lines[$0].firstMatch(of: /press=(\d+)/)?.1 } ?? ""
                lines.removeAll { $0.contains(" stage ") && $0.contains("press=\(press) ") }
            }
            for (base, head) in [("calls", "partial"), ("partial", "calls"), ("calls", "untimed")] {
                let run = gate(folder, base, head, "--time", "fail")
                #expect(run.status == 4, "\(base) \(head): \(run.text)")
                #expect(run.text.contains("total: presses with a time: "), "\(run.text)")
                let reported = gate(folder, base, head)
                #expect(reported.status == 0 && reported.text.contains("total: presses with a time: "))
            }
        }
    }

    @Test func aRunWithoutTimesIsNamed() throws {
        try withTrace { folder in
            let count = folder + "/count"
            let script = "echo >> '\(count)'; [ $(wc -l < '\(count)') = 3 ] && n=untimed || n=calls;"
                + " cp '\(folder)/'$n.keyflight \"$KEYFLIGHT_OUTPUT\""
            let run = CommandRun(
                "gate", "--base", "cp '\(folder)/calls.keyflight' \"$KEYFLIGHT_OUTPUT\"", "--head", script,
                "--runs", "12", "--time", "fail")
            #expect(run.status == 4, "\(run.text)")
            #expect(run.text.contains(" in base, 0 in head"), "\(run.text)")
        }
    }

    @Test func pressesWithoutAnOutcomeAreNamed() throws {
        try withTrace { folder in
            func leaveOpen(_ lines: inout [String]) {
                let last = lines.last { $0.contains(" resolution ") } ?? ""
                let press = last.firstMatch(of: /press=(\d+)/)?.1 ?? ""
                lines.removeAll {
                    $0.contains("press=\(press) ") && !$0.contains(" key ") || $0.hasSuffix("press=\(press)")
                }
            }
            try assemble(folder, "open", leaveOpen)
            let run = gate(folder, "open", "open")
            #expect(run.status == 4 && run.text.contains("1 press that a masked key, or something"), "\(run.text)")
            let diff = CommandRun("diff", folder + "/open.keyflight", folder + "/open.keyflight")
            #expect(diff.text.contains("Left out      1 press that a masked key, or something"), "\(diff.text)")
            // Its key is recorded, and is compared.
            try assemble(folder, "other") { lines in
                leaveOpen(&lines)
                for place in lines.indices.filter({ lines[$0].contains("press=") }).suffix(2) {
                    lines[place] = lines[place].replacing(/(key|class)=\S+/, with: "key=F9")
                }
            }
            let changed = CommandRun("diff", folder + "/open.keyflight", folder + "/other.keyflight")
            #expect(changed.status == 1 && changed.text.contains("1 added · 1 removed"), "\(changed.text)")
            #expect(gate(folder, "open", "other").status == 1)
        }
    }

    @Test func lossesAreNotComparable() throws {
        try withTrace { folder in
            try assemble(folder, "lossy") { lines in
                let time = lines.last { $0.first?.isNumber == true }?.prefix { $0 != " " } ?? "0"
                lines.insert("\(time) loss cause=dropped count=9 detail=\"\"", at: lines.count - 1)
            }
            let run = gate(folder, "calls", "lossy")
            #expect(run.status == 4, "\(run.text)")
            #expect(run.text.contains("losses: expected none, found 9 records lost in"), "\(run.text)")
            let diff = CommandRun("diff", folder + "/lossy.keyflight", folder + "/lossy.keyflight")
            #expect(diff.status == 4, "\(diff.text)")
            let verify = CommandRun("verify", folder + "/lossy.keyflight")
            #expect(verify.status == 4, "\(verify.text)")
            #expect(verify.text.hasSuffix("; 9 records of it lost, which cannot be compared\n"), "\(verify.text)")
        }
    }

    @Test func keysAloneAreNoVerdict() throws {
        try withTrace { folder in
            try assemble(folder, "keys") { lines in
                lines.removeAll { $0.first?.isNumber == true && $0.contains("press=") && !$0.contains(" key ") }
            }
            let run = gate(folder, "keys", "keys")
            #expect(run.status == 4, "\(run.text)")
            #expect(run.text.contains("resolutions: expected some, found keys alone in both builds"), "\(run.text)")
            try Data("keys 1\n".utf8).write(to: URL(filePath: folder + "/no.keys"))
            try Data(TabsApp.scene().utf8).write(to: URL(filePath: folder + "/s.yaml"))
            let verify = CommandRun("verify", folder + "/no.keys", "--scene", folder + "/s.yaml")
            #expect(verify.status == 4 && verify.notes.contains("expected one to compare"), "\(verify.notes)")
        }
    }

    @Test func respondersWithOtherNamesAreNamed() throws {
        try withTrace { folder in
            try assemble(folder, "renamed") { lines in
                for place in lines.indices { lines[place] = lines[place].replacing("tabs", with: "pages") }
            }
            let run = gate(folder, "calls", "renamed")
            #expect(run.text.contains("responder renamed: tabs → pages"), "\(run.text)")
        }
    }

    // MARK: What one trace lacks

    /// Copies base in each run, and head, or its own trace in odd runs, in those of the other build.
    func gate(_ base: [String], _ head: [String], odd: [String]? = nil, _ more: [String]) throws -> CommandRun {
        try Files.withFolder { folder in
            for (name, lines) in [("base", base), ("head", head), ("odd", odd ?? head)] {
                let numbered = lines.enumerated().map { place, line in
                    line.first?.isNumber != true
                        ? line : "\(place - 1) " + line.drop { $0 != " " }.dropFirst()
                }
                let run = CommandRun(
                    ["assemble", "-", "-o", "\(folder)/\(name)"],
                    stdin: Array((numbered.joined(separator: "\n") + "\n").utf8))
                try #require(run.status == 0, "\(run.notes)")
            }
            let turns = """
                if rmdir '\(folder)/turn' 2>/dev/null; then cp '\(folder)/head' "$KEYFLIGHT_OUTPUT"
                else mkdir '\(folder)/turn'; cp '\(folder)/odd' "$KEYFLIGHT_OUTPUT"; fi
                """
            let copy = "cp '\(folder)/base' \"$KEYFLIGHT_OUTPUT\""
            return CommandRun(["gate", "--base", copy, "--head", turns, "--runs", "12"] + more)
        }
    }

    func recorded(_ scene: String = TabsApp.scene()) throws -> [String] {
        try Files.withFolder { folder in
            try FailureModeTests.record(folder, folder + "/a", scene: scene)
            return CommandRun("show", folder + "/a").lines
        }
    }

    @Test func headThatLacksAStageOfAPressIsUndecided() throws {
        let base = try recorded()
        var head = base
        head.remove(at: try #require(base.firstIndex { $0.contains(" stage=action ") }))
        for (head, odd) in [(head, head), (base, head)] {
            let run = try gate(base, head, odd: odd, ["--time", "fail", "--strict"])
            // The median of the others may be worse, which is then said first.
            #expect([1, 6].contains(run.status) && run.text.contains("action: presses with a time: "), "\(run.text)")
        }
        #expect(try gate(base, head, ["--strict"]).text.contains("action: presses with a time: "))
        #expect(try gate(base, base, ["--time", "fail", "--strict"]).status == 0)
    }

    /// As many presses have a time in both, but not the same.
    @Test func timesOfOtherPressesAreNotComparable() throws {
        let base = try recorded()
        func without(_ press: Int) -> [String] {
            base.filter { !($0.contains(" stage ") && $0.contains("press=\(press) ")) }
        }
        let run = try gate(without(1), without(2), ["--time", "fail"])
        #expect(run.status == 4, "\(run.text)")
        #expect(run.text.contains("1 in base, 1 in head, 2 presses with one in one build alone"), "\(run.text)")
    }

    /// Under iOS 13.4 keyCommands are asked again as the key comes up.
    @Test func whatKeyCommandsTakeOnReleaseIsCompared() throws {
        let base = try recorded(TabsApp.scene(profile: "ios134"))
        func head(_ time: String) -> [String] {
            base.map { $0.contains("occasion=release") ? $0.replacing(" duration_ns=100000", with: time) : $0 }
        }
        let slower = try gate(base, head(" duration_ns=900000"), ["--time", "fail"])
        #expect(slower.status == 1 && slower.text.contains("✘ releases  sum 200 µs → 1.80 ms"), "\(slower.text)")
        let untimed = try gate(base, head(""), ["--time", "fail"])
        let line = "releases: presses with a time above 0: 2 in base, 0 in head"
        #expect(untimed.status == 4 && untimed.text.contains(line), "\(untimed.text)")
        #expect(try gate(base, base, ["--time", "fail", "--strict"]).status == 0)
        // One call more of the same press has a time.
        let more = base.map {
            $0.contains("press=1 call=keyCommands occasion=release responder={\"id\":\"view\"")
                ? $0.replacing(" answer=", with: " duration_ns=1 answer=") : $0
        }
        #expect(more != base)
        let other = try gate(more, base, ["--time", "fail"])
        #expect(other.status == 4 && other.text.contains("releases: presses with a time"), "\(other.text)")
    }

    /// Stages that neither build records have the times of their calls.
    @Test func callsOutsideOfStagesAreCompared() throws {
        let base = try recorded().filter { !$0.contains(" stage=collect ") }
        let head = base.map { line in
            line.contains("call=keyCommands occasion=down")
                ? line.replacing("duration_ns=100000", with: "duration_ns=90000000") : line
        }
        #expect(base != head)
        let run = try gate(base, head, ["--time", "fail"])
        #expect(run.status == 1 && run.text.contains("✘ collect  p50 100 µs → 90.0 ms"), "\(run.text)")
    }

    /// A harness may read the traces that an earlier gate kept.
    @Test func tracesThatAreKeptReplaceThoseOfBeforeAtTheEnd() throws {
        try withTrace { folder in
            let kept = folder + "/kept"
            for side in ["base", "head"] {
                try TabsApp.put("", "\(kept)/\(side).keyflight")
                try Files.write(Files.bytes(folder + "/calls.keyflight"), to: "\(kept)/\(side).keyflight")
            }
            func copy(_ side: String) -> String { "cp '\(kept)/\(side).keyflight' \"$KEYFLIGHT_OUTPUT\"" }
            let run = CommandRun(
                "gate", "--base", copy("base"), "--head", copy("head"), "--runs", "12", "--keep", kept)
            #expect(run.status == 0, "\(run.text)\(run.notes)")
            let files = try FileManager.default.contentsOfDirectory(atPath: kept).sorted()
            #expect(files == ["base.keyflight", "diff.html", "head.keyflight"])
        }
    }

    /// é in one code point and in two are two names.
    @Test func namesOfOtherBytesAreOtherNames() throws {
        let lines = try recorded()
        func named(_ name: String) -> [String] {
            lines.map { $0.replacing("newTab:", with: "\(name):").replacing("\"tabs\"", with: "\"\(name)\"") }
        }
        let run = try gate(named("caf\u{E9}"), named("cafe\u{301}"), [])
        #expect(run.status == 1 && run.text.contains("action: caf\\u{e9}: → cafe\\u{301}:"), "\(run.text)")
        #expect(run.text.contains("responder renamed: caf\\u{e9} → cafe\\u{301}"), "\(run.text)")
    }

    @Test func countsOfOneTraceAloneAreNamed() throws {
        let base = try recorded()
        var head = base
        head.remove(at: try #require(base.firstIndex { $0.contains(" cache press=1 ") }))
        for (old, new, side) in [(base, head, "/odd"), (head, base, "/base")] {
            let run = try gate(old, new, [])
            #expect(run.status == 4 && run.text.contains("cache of press 1: not recorded in "), "\(side): \(run.text)")
        }
        let fickle = try gate(base, base, odd: head, [])
        #expect(fickle.status == 1 && fickle.notes.contains("cache of press 1: not recorded in "), "\(fickle.notes)")
    }

    @Test func aPressThatOneBuildLeavesOpenIsNotComparable() throws {
        let base = try recorded()
        let place = try #require(base.firstIndex { $0.contains(" resolution press=1 ") })
        var head = base
        head[place] = base[place].replacing("outcome=performed", with: "outcome=unrecorded")
        for (old, new) in [(base, head), (head, base)] {
            let run = try gate(old, new, [])
            #expect(run.status == 4 && run.text.contains("1 press that a masked key"), "\(run.text)")
        }
        #expect(try gate(base, base, odd: head, []).status == 1)
        // What neither knows is not the same: two keys that are masked may be two.
        let both = try gate(head, head, [])
        #expect(both.status == 4 && both.text.contains("1 press that a masked key"), "\(both.text)")
    }

    /// A rule, the level and findings of the second run are those of the first.
    @Test func eachRunOfABuildIsComparedWithItsFirst() throws {
        let base = try recorded()
        let rule = base.map { $0.contains("parameter.mirrors") ? $0.replacing("\"true\"", with: "\"false\"") : $0 }
        #expect(rule != base)
        let level = base.map { $0.replacing("level=calls", with: "level=resolutions") }.filter { line in
            ![" call ", " stage ", " cache "].contains { line.contains($0) }
        }
        for (other, what) in [(rule, "parameter.mirrors: expected "), (level, "level: expected ")] {
            let run = try gate(base, base, odd: other, [])
            #expect(run.status == 1 && run.notes.contains(what), "\(what): \(run.text)\(run.notes)")
        }
    }

    /// Where a build fails under valgrind alone, and its shell does not, its few instructions are no gain.
    @Test(.needs("valgrind")) func aBuildThatWritesNothingUnderValgrindIsNotComparable() throws {
        try withTrace { folder in
            let copy = "cp '\(folder)/calls.keyflight' \"$KEYFLIGHT_OUTPUT\""
            let run = CommandRun([
                "gate", "--runs", "12", "--instructions", "--base", copy, "--head",
                "[ -n \"$KEYFLIGHT_COMMAND\" ] || \(copy)",
            ])
            #expect(run.status == 4 && run.notes.contains("expected a trace in the file"), "\(run.text)\(run.notes)")
        }
    }

    // MARK: Budgets

    @Test(arguments: [
        ("cache.misses total min 1", 0, nil),
        ("cache.hits total min 100", 1, "cache.hits total 0, budget at least 100"),
        ("calls.keyCommands press min 4", 1, "calls.keyCommands press 3 (press 1), budget at least 4"),
        ("calls.buildMenu press 0", 0, nil), ("cache.stale total 0", 4, "take the line out"),
        ("calls.keyCommands press 2", 1, "calls.keyCommands press 3 (press 1), budget 2"),
    ] as [(String, Int, String?)])
    func aBudgetHasAFloorAsWellAsACeiling(_ budget: String, _ status: Int, _ line: String?) throws {
        try FailureModeTests.withGolden { _, goldens in
            try TabsApp.put(budget + "\n", goldens + "/tabs/budgets.txt")
            let run = CommandRun("gate", goldens)
            #expect(run.status == status, "\(run.text)")
            if let line {
                #expect(run.text.contains(line), "\(run.text)")
                guard status == 1 else { return }
                // Where it goes, and no way to accept it in passing.
                #expect(run.text.contains("    keyflight ") && !run.text.contains("--propose"), "\(run.text)")
                #expect(!run.text.contains("keyflight accept"), "\(run.text)")
            }
        }
    }

    @Test(arguments: ["cache.hits total min", "cache.hits total least 3", "cache.hits min 3", "bytes press min 3"])
    func aBudgetThatCannotBeReadIsNamed(_ budget: String) throws {
        try FailureModeTests.withGolden { _, goldens in
            try TabsApp.put(budget + "\n", goldens + "/tabs/budgets.txt")
            let run = CommandRun("gate", goldens)
            #expect(run.status == 4 && run.text.contains("expected COUNT press|total [min] NUMBER"), "\(run.text)")
        }
    }
}
