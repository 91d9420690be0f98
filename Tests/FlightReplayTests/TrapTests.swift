import Foundation
import ResponderEngine
import Testing

/// Replays every folder of `Traces/scenes/traps` under each profile that it has an `expected.PROFILE.txt` for: the
/// detectors of spec §11, each where the trap happens and where it does not.
@Suite struct TrapTests {
    @Test(arguments: Trap.all.flatMap(\.goldens)) func trapShowsAsCommitted(_ golden: Golden) throws {
        try golden.compare()
    }

    /// What the overlay shows when the scene begins, where that is part of the trap.
    @Test(arguments: Trap.all.flatMap(\.overlays)) func overlayShowsAsCommitted(_ golden: Golden) throws {
        let text = try golden.overlay()
        guard text != golden.expected else { return }
        golden.propose(text)
        let difference = Golden.firstDifference(golden.expected ?? "", text)
        Issue.record("\(golden.testDescription): \(difference); \(golden.remedy)")
    }

    /// Each folder has its scene, its keys and profiles to compare, and nothing that no replay reads.
    @Test(arguments: Trap.all) func folderHasNoOrphans(_ trap: Trap) throws {
        let profiles = trap.goldens.compactMap(\.profile)
        var expected: Set<String> = ["scene.yaml", "input.keys"]
        for golden in trap.goldens + trap.overlays {
            let profile = try #require(golden.profile)
            let isOwn = trap.files.contains("\(profile).profile")
            #expect(isOwn || Profile.named(profile) != nil, "\(trap.name): \(golden.expectedFile) has no profile")
            if isOwn {
                expected.insert("\(profile).profile")
                #expect(try golden.loadProfile()?.name == profile, "\(trap.name): \(profile).profile has another name")
            }
            expected.insert(golden.expectedFile)
        }
        let files = Set(trap.files.filter { !$0.hasSuffix(".new") })
        #expect(files == expected, "\(trap.name): \(files.symmetricDifference(expected).sorted())")
        #expect(profiles.count > 1, "\(trap.name): a trap is shown under at least two profiles")
    }

    /// A trap that comes with some versions only leaves different lines under different profiles, apart from what
    /// they cost and who got the presses.
    @Test(arguments: Trap.all.filter { !Trap.ofEveryVersion.contains($0.detector) && !Trap.repaired.contains($0.name) })
    func trapDependsOnTheProfile(_ trap: Trap) throws {
        let costs = ["calls ", "cache ", "receivers "]
        let lines = trap.goldens.compactMap(\.expected).map { text in
            text.split(separator: "\n").dropFirst().map { line in
                line.components(separatedBy: " | ").filter { column in !costs.contains { column.hasPrefix($0) } }
            }
        }
        let overlays = Set(trap.overlays.map(\.expected))
        let differs = Set(lines).count > 1 || overlays.count > 1
        #expect(differs || trap.isAboutCounts, "\(trap.name): the same lines under every profile")
    }

    /// Every detector of spec §11, T-1 to T-36, has a folder, or a line in `Traces/scenes/traps/README.md`
    /// with the reason why not.
    @Test(arguments: 1...36) func detectorIsShownOrExplained(_ number: Int) throws {
        let readme = try String(contentsOf: Golden.root.appending(path: "scenes/traps/README.md"), encoding: .utf8)
        let isShown = Trap.all.contains { $0.detector == number }
        let isExplained = readme.contains("\n| T-\(number) |")
        #expect(isShown != isExplained, "T-\(number): either a folder or a line with the reason")
    }
}

/// One folder of `Traces/scenes/traps`.
struct Trap: CustomTestStringConvertible, Sendable {
    let folder: String
    let files: [String]

    /// Detectors whose trap comes with every version: their scripts show the repaired case as well.
    static let ofEveryVersion = [16, 22, 28, 29, 32]

    /// Repaired scenes that are the same under every version.
    static let repaired: Set = ["option-letter-with-control"]

    static let all = Golden.folders(in: "scenes/traps").map { folder in
        let path = Golden.root.appending(path: folder).path(percentEncoded: false)
        let files = try? FileManager.default.contentsOfDirectory(atPath: path)
        return Trap(folder: folder, files: (files ?? []).sorted())
    }

    var name: String { String(folder.split(separator: "/").last ?? "") }
    var testDescription: String { name }
    /// 7 for `t07-…`.
    var detector: Int { Int(name.dropFirst().prefix { $0 != "-" }) ?? 0 }
    /// T-10 is about the numbers of reads, not about what happens.
    var isAboutCounts: Bool { detector == 10 }

    var goldens: [Golden] { profiles(of: "expected").map { Golden(folder: folder, profile: $0) } }

    var overlays: [Golden] {
        profiles(of: "overlay").map { Golden(folder: folder, profile: $0, subject: "overlay") }
    }

    /// `PROFILE` of the files `SUBJECT.PROFILE.txt`.
    private func profiles(of subject: String) -> [String] {
        files.compactMap { file in
            guard file.hasPrefix(subject + "."), file.hasSuffix(".txt") else { return nil }
            return String(file.dropFirst(subject.count + 1).dropLast(".txt".count))
        }
    }
}
