import Foundation
import GeneratedTraces
import KeyModel
import LatencyAnalysis
import Testing
import TraceFormat
import TraceReports

/// The stages of a press sum to its total, wherever they are told; a stage that was not seen is nowhere.
@Suite struct StageSumTests {
    private typealias Split = [LatencyStage: Int64]

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `stages of each press sum to its total in explain, in stats and in flights; absent ones are null`(
        seed: UInt64
    ) throws {
        let property = RecordingProperty { recording in
            let splits = Self.splits(recording)
            return try Self.explained(recording, splits) ?? Self.counted(recording, splits)
                ?? Self.flown(recording, splits)
        }
        let recording = OverlappingPresses.recording(seed: seed, presses: 12)
        #expect(Self.splits(recording).count > 8)
        if let failure = property.counterexample(recording) { Issue.record("seed \(seed): \(failure)") }
    }

    /// From the records alone.
    private static func splits(_ recording: Recording) -> [PressTick: Split] {
        var splits: [PressTick: Split] = [:]
        for case .stage(let stage) in recording.records.map(\.body) {
            splits[stage.at, default: [:]][stage.stage, default: 0] += stage.duration.nanoseconds
        }
        return splits
    }

    private static func object(_ json: String) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] ?? [:]
    }

    /// What is wrong with a member for each stage and one for the total.
    private static func wrong(_ members: [String: Any]?, _ split: Split?, _ value: (Any?) -> Int64?) -> String? {
        guard let members else { return "no stages" }
        for stage in LatencyStage.allCases {
            guard let member = members[stage.name] else { return "\(stage.name): no member" }
            let found = member is NSNull ? nil : value(member)
            let wanted = split?[stage]
            if found != wanted { return "\(stage.name): \(found.map(String.init) ?? "–"), not \(wanted ?? -1)" }
        }
        let total = members["total"].flatMap { $0 is NSNull ? nil : value($0) }
        let sum = split.map { $0.values.reduce(0, +) }
        return total == sum ? nil : "total: \(String(describing: total)), not \(String(describing: sum))"
    }

    private static func explained(_ recording: Recording, _ splits: [PressTick: Split]) throws -> String? {
        for at in splits.keys.sorted() where at.tick == 0 {
            var explainer = PressExplainer(.press(at.press))
            explainer.consume(recording)
            guard let found = explainer.explanation(definitions: recording.definitions) else { continue }
            let report = ExplainReport(found, info: explainer.facts.info(), name: "t")
            let members = try object(report.json)["stages"] as? [String: Any]
            if let wrong = wrong(members, splits[at], { ($0 as? NSNumber)?.int64Value }) {
                return "explain of press \(at.press): \(wrong)"
            }
            let missing = LatencyStage.allCases.filter { splits[at]?[$0] == nil }
            for stage in missing where report.text().contains("\(stage.name)  0 ns") {
                return "explain of press \(at.press): \(stage.name) is told as nothing, though it is absent"
            }
        }
        return nil
    }

    private static func counted(_ recording: Recording, _ splits: [PressTick: Split]) throws -> String? {
        var builder = TraceStatisticsBuilder()
        builder.consume(recording)
        let json = try object(StatsReport(builder.statistics(), name: "t").json)
        for (isFirst, members) in [
            (true, json["stages"] as? [String: Any]),
            (false, (json["repeats"] as? [String: Any])?["stages"] as? [String: Any]),
        ] {
            var sum: Split?
            for (at, split) in splits where (at.tick == 0) == isFirst {
                sum = (sum ?? [:]).merging(split) { $0 + $1 }
            }
            let wrong = wrong(members, sum) { (($0 as? [String: Any])?["sum_ns"] as? NSNumber)?.int64Value }
            if let wrong { return "stats of \(isFirst ? "presses" : "repeats"): \(wrong)" }
        }
        return nil
    }

    private static func flown(_ recording: Recording, _ splits: [PressTick: Split]) throws -> String? {
        var reader = TimelineReader()
        var found: [PressTick: Split] = [:]
        var fault: String?
        let note: (TimelineEvent) -> Void = { event in
            guard case .press(let flight) = event else { return }
            for stage in flight.stages {
                found[flight.at, default: [:]][stage.stage, default: 0] += stage.duration.nanoseconds
                let lies = stage.end.since(stage.begin) == stage.duration && flight.begin <= stage.begin
                    && stage.end <= flight.end
                if !lies { fault = "\(flight.at): \(stage.stage.name) does not lie in its press" }
            }
            let sum = flight.stages.isEmpty ? nil : flight.stages.reduce(TraceDuration.zero) { $0 + $1.duration }
            if sum != flight.total { fault = "\(flight.at): total \(String(describing: flight.total))" }
        }
        for record in recording.records { reader.consume(record, definitions: recording.definitions, note) }
        reader.finish(definitions: recording.definitions, note)
        return fault ?? (found == splits ? nil : "flights have other stages than the records")
    }
}
