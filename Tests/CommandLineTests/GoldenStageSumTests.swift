import Foundation
import GeneratedTraces
import Testing

@testable import keyflight

/// Over all goldens, as the program tells them.
@Suite struct GoldenStageSumTests {
    static let goldens = Files.names(Files.path("Traces/golden")).filter { name in
        let folder = Files.path("Traces/golden/\(name)")
        return Files.names(folder).contains("input.keys") && Files.names(folder).contains("scene.yaml")
    }

    private static func object(_ run: CommandRun) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any] ?? [:]
    }

    private static func number(_ value: Any?) -> Int64? { (value as? NSNumber)?.int64Value }

    /// Of presses and of repeats, from `stats`: by stage, with `total`.
    private static func sums(_ stats: [String: Any]) -> [String: Int64] {
        var sums: [String: Int64] = [:]
        let splits = [stats["stages"], (stats["repeats"] as? [String: Any])?["stages"]]
        for case let split as [String: Any] in splits {
            for (stage, found) in split {
                if let sum = number((found as? [String: Any])?["sum_ns"]) { sums[stage, default: 0] += sum }
            }
        }
        return sums
    }

    @Test func `stages sum to totals in explain, stats and exports, and are absent in all of them alike`() throws {
        #expect(Self.goldens.count > 40)
        // Every third one without optimisation.
        for place in stride(from: 0, to: Self.goldens.count, by: isOptimisedBuild ? 1 : 3) {
            let golden = Self.goldens[place]
            try Files.withFolder { folder in
                let (story, trace) = (Files.path("Traces/golden/\(golden)"), "\(folder)/t.keyflight")
                let recorded = CommandRun(
                    "replay", story + "/input.keys", "--scene", story + "/scene.yaml", "--show-keys", "-o", trace)
                #expect(recorded.status == 0, "\(golden): \(recorded.notes)")
                let stats = try Self.object(CommandRun("stats", trace, "--format", "json"))
                var sums = Self.sums(stats)
                let presses = Self.number(stats["presses"]) ?? 0
                var firsts: [String: Int64] = [:]
                for press in 0..<presses {
                    let run = CommandRun("explain", trace, "--press", "\(press + 1)", "--format", "json")
                    guard run.status == 0 else { continue }
                    let stages = try Self.object(run)["stages"] as? [String: Any] ?? [:]
                    let known = stages.compactMapValues(Self.number)
                    let parts = known.filter { $0.key != "total" }
                    #expect(stages.count == 11, "\(golden): a member for each stage and the total")
                    let sum = parts.isEmpty ? nil : parts.values.reduce(0, +)
                    #expect(known["total"] == sum, "\(golden) \(press + 1)")
                    firsts.merge(known) { $0 + $1 }
                }
                let split = stats["stages"] as? [String: Any] ?? [:]
                for (stage, found) in split {
                    #expect(Self.number((found as? [String: Any])?["sum_ns"]) == firsts[stage], "\(golden): \(stage)")
                }
                let total = sums.removeValue(forKey: "total")
                #expect(total == (sums.isEmpty ? nil : sums.values.reduce(0, +)), "\(golden)")
                let chrome = try Self.object(CommandRun("export", trace, "--format", "chrome", "-o", "-"))
                var slices: [String: Int64] = [:]
                for event in chrome["traceEvents"] as? [[String: Any]] ?? [] where event["cat"] as? String == "stage" {
                    guard event["ph"] as? String == "X", let name = event["name"] as? String else { continue }
                    slices[name, default: 0] += Self.number((event["args"] as? [String: Any])?["duration_ns"]) ?? -1
                }
                #expect(slices == sums, "\(golden)")
            }
        }
    }
}
