import Foundation
import GeneratedTraces
import Testing

/// No gate passes after something that it compared was taken away or changed. `KEYFLIGHT_SABOTAGES` is their number,
/// 200 unless set, and `KEYFLIGHT_SABOTAGE_SEED` where they begin; `Scripts/soak sabotage` does thousands.
@Suite struct SabotageTests {
    /// What a gate may pass although a file is another one, and why.
    private enum Harmless: String, CaseIterable {
        case same = "every file that is read has the bytes that it had, wherever they come from now"
        case sameReplay = "an input, scene or profile that gives the same replay to the byte: that is what is compared"
        case sameRules = "findings and budgets are sets: their order, their comments and what stands twice say nothing"
        case sentence = "the sentence of a finding, for readers: rule, chord and number of presses are compared"
        case lessRoom = "a budget taken out or made narrower, and kept: nothing but budgets.txt says that there is one"
        case sameTests = "Swift files that name the same goldens in tests that run"
        case noPart = "a file that is no part of a golden"
        case sameProfile = "an accepted text under the name of the profile that its golden has anyway: it is compared"
        case otherWaits = "waits of a script beside budgets, which leave states and arrival times out"
        case ofTest = "the input and the texts of a golden that a Swift test compares, as the gate says of it"
        case lineEnds = "lines of a command that end as on Windows, and a last one that does not end"
        case otherRecords = "records of two builds besides results of presses: context, lists, states, releases"
        case ruleOfOne = "a rule that one of two builds does not record, as versions before it: it cannot differ"
        case renamed = "a golden under another name where no test names it: its files are compared as they were"
        case faster = "times of head that are not above base's by more than the margin"
    }

    private static func setting(_ name: String, _ preset: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? preset
    }

    @Test func noGatePassesAfterWhatItComparedWasChanged() throws {
        let count = Self.setting("KEYFLIGHT_SABOTAGES", 200)
        var random = SeededGenerator(seed: UInt64(Self.setting("KEYFLIGHT_SABOTAGE_SEED", 1)))
        var passed: [Harmless: Int] = [:]
        var (refused, failures) = (0, 0)
        try Files.withFolder { folder in
            let worlds = try SabotageWorld.all(in: folder)
            var replays: [String: [String]] = [:]
            for world in worlds {
                try world.write(to: folder)
                let run = world.gate(folder)
                #expect(run.status == 0, "\(world.name): \(run.text)\(run.notes)")
                replays[world.name] = world.replays(folder)
            }
            for number in 1...count {
                let world = random.pick(worlds)
                try world.write(to: folder)
                let what = try Sabotage.apply(to: world, in: folder, &random)
                let run = world.gate(folder)
                guard run.status == 0 else {
                    refused += 1
                    #expect([1, 2, 4, 5, 6].contains(run.status), "\(world.name): \(what): \(run.status) \(run.notes)")
                    continue
                }
                for file in world.files.keys.sorted() where failures < 20 {
                    guard let reason = Self.reason(file, world, folder, replays[world.name] ?? []) else {
                        failures += 1
                        Issue.record("sabotage \(number), \(world.name): \(what): the gate passes:\n\(run.text)")
                        break
                    }
                    if reason != .same { passed[reason, default: 0] += 1 }
                }
            }
            try worlds[0].write(to: folder)
        }
        let harmless = Harmless.allCases.compactMap { reason in passed[reason].map { "\($0) × \(reason.rawValue)" } }
        print("sabotages: \(count), \(refused) refused, \(count - refused) passed: " + harmless.joined(separator: "; "))
    }

    /// The reason for which a gate may pass with this file as it is now; `nil` where there is none.
    private static func reason(
        _ file: String, _ world: SabotageWorld, _ folder: String, _ replays: [String]
    ) -> Harmless? {
        let before = world.files[file] ?? []
        let path = "\(folder)/\(file)"
        if file.hasSuffix(".swift") { return isNamedAlike(file, before, folder) }
        let now = FileManager.default.contents(atPath: path).map { [UInt8]($0) }
        if now == before { return .same }
        let name = file.split(separator: "/").last.map(String.init) ?? file
        if world.name == "builds" { return SabotagedTraces(folder).flatMap(reason) }
        if name == "notes.md" { return .noPart }
        let (old, new) = (String(decoding: before, as: UTF8.self), String(decoding: now ?? [], as: UTF8.self))
        if name == "budgets.txt" {
            return rows(old).sorted() == rows(new).sorted() ? .sameRules : isNarrower(old, new) ? .lessRoom : nil
        }
        if now == nil, !world.arguments.contains("--tests"), isElsewhere(file, world, folder) { return .renamed }
        if name == "expected.txt", now == nil {
            let named = path.replacing("expected.txt", with: "expected.ios15.txt")
            return Files.bytes(named) == before ? .sameProfile : nil
        }
        guard now != nil else { return nil }
        switch name {
        case "launch.txt":
            let lines = new.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
            return lines.joined(separator: "\n") + (lines.last == "" ? "" : "\n") == old ? .lineEnds : nil
        case "input.keys" where world.name == "live" && file.contains("/subject/"): return nil
        case "input.keys" where world.name == "budgets" && withoutWaits(old) == withoutWaits(new): return .otherWaits
        case "findings.txt":
            let isSame = rows(old).sorted() == rows(new).sorted()
            return isSame ? .sameRules : findings(old) == findings(new) ? .sentence : nil
        case _ where world.name == "swift" && file.contains("/subject/"): return .ofTest
        case "expected.txt":
            let budgets = new.split(separator: "\n").filter { $0.hasPrefix("# latency") }.joined()
            return withoutBudgets(old) == withoutBudgets(new) && budgets.isEmpty ? .lessRoom : nil
        case _ where name.hasPrefix("expected."): return nil
        default: return world.replays(folder) == replays ? .sameReplay : nil
        }
    }

    /// Every file of its golden is in a folder that no golden had before.
    private static func isElsewhere(_ file: String, _ world: SabotageWorld, _ folder: String) -> Bool {
        let golden = file.split(separator: "/").dropLast().joined(separator: "/") + "/"
        let files = world.files.filter { $0.key.hasPrefix(golden) }
        let known = Set(world.files.keys.map { file in
            "\(folder)/" + file.split(separator: "/").dropLast().joined(separator: "/")
        })
        let places = FileManager.default.subpaths(atPath: folder + "/Goldens") ?? []
        return places.map { "\(folder)/Goldens/\($0)" }.contains { place in
            !known.contains(place) && files.allSatisfy { file, bytes in
                Files.bytes("\(place)/\(file.dropFirst(golden.count))") == bytes
            }
        }
    }

    private static func reason(_ traces: SabotagedTraces) -> Harmless? {
        guard traces.areAlike, traces.headIsNoSlower else { return nil }
        return traces.recordSameRules ? traces.haveSameTimes ? .otherRecords : .faster : .ruleOfOne
    }

    /// Lines that say something.
    private static func rows(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }

    /// Rules, chords and numbers of presses.
    private static func findings(_ text: String) -> [[String]] {
        rows(text).map { Array($0.components(separatedBy: " | ").prefix(3)) }.sorted { $0.joined() < $1.joined() }
    }

    private static func withoutWaits(_ script: String) -> [Substring] {
        script.split(separator: "\n").filter { !$0.hasPrefix("wait ") }
    }

    private static func withoutBudgets(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("# latency") }
    }

    /// Each line that is left is one from before, with the same number or a smaller one.
    private static func isNarrower(_ old: String, _ new: String) -> Bool {
        let olds = rows(old).map { $0.split(separator: " ") }
        return rows(new).map { $0.split { $0 == " " || $0 == "\t" } }.allSatisfy { words in
            words.isEmpty || words[0].hasPrefix("#") || olds.contains { other in
                guard words.count == other.count, words.dropLast() == other.dropLast() else { return false }
                if words.last == other.last { return true }
                guard let number = words.last.flatMap({ UInt64($0) }) else { return false }
                return other.last.flatMap { UInt64($0) }.map { number <= $0 } ?? false
            }
        }
    }

    /// The Swift files that are below the folder of tests now, wherever, name the goldens that the one named before.
    private static func isNamedAlike(_ file: String, _ before: [UInt8], _ folder: String) -> Harmless? {
        let tests = folder + "/Tests"
        let paths = (FileManager.default.subpaths(atPath: tests) ?? []).filter { $0.hasSuffix(".swift") }
        let found = paths.map { names(Files.bytes("\(tests)/\($0)")) }.reduce(into: Set()) { $0.formUnion($1) }
        return found == names(before) ? (Files.bytes("\(folder)/\(file)") == before ? .same : .sameTests) : nil
    }

    /// Names in lines that are no comment.
    private static func names(_ source: [UInt8]) -> Set<String> {
        let text = String(decoding: source.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        let lines = text.split(separator: "\n").filter { line in
            !line.drop { $0 == " " }.hasPrefix("//")
        }
        return Set(lines.flatMap { line in
            ["\"subject\"", "\"deeper/subject\"", "\"other\""].filter { line.contains($0) }
        })
    }
}
