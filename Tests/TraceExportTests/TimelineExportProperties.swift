import GeneratedTraces
import KeyModel
import LatencyAnalysis
import Testing
import TraceFormat

@testable import TraceExport

/// What holds for the export of any recording.
@Suite struct TimelineExportProperties {
    static let typed: Recording = {
        let parameters = try? FlightParameters(
            """
            seed 7
            presses 60
            words_per_minute 600
            presses_per_chord 4
            responders 5
            commands_per_responder 3
            passes 2
            getter_median_ns 4000
            getter_sigma_thousandths 300
            gap_median_ns 40
            calls_per_change 9
            """)
        return parameters.map { TypedFlight($0, showsSettle: true).recording } ?? Recording()
    }()

    /// Of first presses and repeats, by stage.
    private static func sums(_ recording: Recording) -> [LatencyStage: Int64] {
        var builder = TraceStatisticsBuilder()
        builder.consume(recording)
        let statistics = builder.statistics()
        var sums: [LatencyStage: Int64] = [:]
        for stage in LatencyStage.allCases {
            for part in [statistics.stages[stage], statistics.repeatStages[stage]] {
                if let part { sums[stage, default: 0] += part.sum.nanoseconds }
            }
        }
        return sums
    }

    @Test func `stages have the same sums in every form as in the statistics, and absent ones have no slice`() throws {
        let sums = Self.sums(Self.typed)
        let profile = try SpeedscopeReading(TimelineExportTests.export(Self.typed, .speedscope))
        #expect(profile.faults == [])
        for timeline in try TimelineExportTests.timelines(Self.typed) {
            #expect(timeline.faults == [])
            #expect(timeline.presses.count == 60)
            for stage in LatencyStage.allCases {
                let slices = timeline.slices.filter { $0.name == stage.name }
                #expect(slices.isEmpty == (sums[stage] == nil), "\(stage)")
                #expect(timeline.sum(stage.name) == sums[stage] ?? 0, "\(stage)")
                #expect(profile.total(of: stage.name) == sums[stage], "\(stage)")
            }
        }
    }

    @Test func `the stages of each press sum to its total in every form`() throws {
        let profile = try SpeedscopeReading(TimelineExportTests.export(Self.typed, .speedscope))
        for bottom in profile.bottoms {
            #expect(bottom.inside.reduce(0) { $0 + $1.length } == bottom.length, "\(bottom.name)")
        }
        // Between presses that came apart there is nothing.
        let ends = zip(profile.begins, profile.bottoms).map { $0 + $1.length }
        #expect(zip(ends, profile.begins.dropFirst()).contains { $0 < $1 })
        #expect(zip(ends, profile.begins.dropFirst()).allSatisfy { $0 <= $1 })
        for timeline in try TimelineExportTests.timelines(Self.typed) {
            for press in timeline.presses {
                let own = timeline.slices.filter {
                    $0.category == "stage" && $0.facts["press"] == press.facts["press"]
                        && $0.facts["tick"] == press.facts["tick"]
                }
                #expect(!own.isEmpty)
                #expect("\(own.reduce(0) { $0 + ($1.end - $1.begin) })" == press.facts["total_ns"])
                #expect(own.allSatisfy { press.begin <= $0.begin && $0.end <= press.end })
            }
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `stages of presses that overlap sum to their totals, on as many lanes as it takes`(seed: UInt64) throws {
        let recording = OverlappingPresses.recording(seed: seed, presses: 20)
        for timeline in try TimelineExportTests.timelines(recording) {
            #expect(timeline.faults == [])
            let own = Dictionary(grouping: timeline.slices.filter { $0.category == "stage" }) {
                "\($0.facts["press"] ?? "").\($0.facts["tick"] ?? "0")"
            }
            for press in timeline.presses {
                let id = "\(press.facts["press"] ?? "").\(press.facts["tick"] ?? "0")"
                let sum = own[id].map { $0.reduce(0) { $0 + ($1.end - $1.begin) } }
                #expect(press.facts["total_ns"] == sum.map(String.init), "seed \(seed), press \(id)")
            }
            #expect(own.count <= timeline.presses.count)
        }
        #expect(try SpeedscopeReading(TimelineExportTests.export(recording, .speedscope)).faults == [])
    }

    @Test func `own times of folded stacks are those that top names`() throws {
        for recording in [Self.typed, TimelineExportTests.recorded()] {
            var analyzer = TopAnalyzer()
            analyzer.consume(recording)
            let analysis = analyzer.analysis(definitions: recording.definitions)
            var sums: [String: Int64] = [:]
            for (frames, time) in try TimelineExportTests.folded(recording) where frames.last == "keyCommands" {
                sums[frames.dropLast().last ?? "", default: 0] += time
            }
            let own = analysis.responders.compactMap { costs in
                costs.calls.selfTime.map { (costs.calls.id, $0.nanoseconds) }
            }
            #expect(!own.isEmpty)
            #expect(sums == Dictionary(uniqueKeysWithValues: own))
        }
    }

    /// Records of any kind in any order, with any durations and names.
    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `whatever a recording holds, exports are whole, nest, and tell every name`(seed: UInt64) throws {
        let recording = RecordingGenerator.recording(seed: seed, records: 400)
        for timeline in try TimelineExportTests.timelines(recording) {
            // Chrome's microseconds are told as decimals, which a reader may round where no clock goes.
            let faults = timeline.faults.filter { !$0.contains(" ends at ") }
            #expect(faults == [])
            #expect(timeline.leaving.count == timeline.arriving.count)
            #expect(timeline.counts.values.joined().allSatisfy { $0.value >= 0 })
        }
        let perfetto = try TimelineReading(perfetto: TimelineExportTests.export(recording, .perfetto))
        #expect(perfetto.faults == [])
        #expect(try SpeedscopeReading(TimelineExportTests.export(recording, .speedscope)).faults == [])
        #expect(try TimelineExportTests.folded(recording).allSatisfy { $0.time >= 0 && $0.frames.count >= 2 })
    }

    @Test func `the same recording gives the same bytes`() throws {
        let recording = RecordingGenerator.recording(seed: 9, records: 300)
        for format in TimelineExport.Format.allCases {
            let first = try TimelineExportTests.export(recording, format)
            #expect(try first == TimelineExportTests.export(recording, format))
            #expect(try first == TimelineExportTests.export(Self.again(recording), format), "\(format)")
        }
    }

    /// The same records, from their bytes: with other handles.
    private static func again(_ recording: Recording) throws -> Recording {
        try Recording.read(try recording.bytes(header: TraceHeader(level: .calls, isMasked: false))).recording
    }
}
