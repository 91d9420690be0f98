import Foundation
import GeneratedTraces
import KeyModel
import LatencyAnalysis
import Testing
import TraceFormat

/// What `info` takes from an index is what decoding every record gives.
@Suite struct InfoByIndexTests {
    private static func decoded(_ bytes: TraceBytes) throws -> TraceInfo {
        var reader = try TraceReader(bytes)
        var builder = TraceInfoBuilder()
        builder.begin(reader.initialContext)
        while let record = reader.next() { builder.consume(record, definitions: reader.definitions) }
        var info = builder.info(of: TraceFileFacts(reader.report))
        // An index has no counts by press.
        info.commandsWithoutCandidates = nil
        return info
    }

    /// The same where ordinals do not follow each other, which an index takes for granted.
    private static func decoded(_ bytes: TraceBytes, ordinalsOf other: TraceInfo) throws -> TraceInfo {
        var info = try decoded(bytes)
        info.numberedPresses = other.numberedPresses
        return info
    }

    private static func byIndex(_ bytes: TraceBytes) throws -> TraceInfo? {
        try TraceInfoBuilder.byIndex(of: TraceReader(bytes)).map { $0.facts.info(of: TraceFileFacts($0.report)) }
    }

    @Test(arguments: 1...(isOptimisedBuild ? 60 : 30) as ClosedRange<UInt64>)
    func `generated traces, in both forms and at every level`(seed: UInt64) throws {
        let recording = RecordingGenerator.recording(seed: seed, records: seed.isMultiple(of: 30) ? 9000 : 50)
        for form in TraceForm.allCases {
            for level in TraceLevel.allCases {
                let header = TraceHeader(form: form, level: level, isMasked: false)
                let bytes = TraceBytes(try recording.bytes(header: header))
                let found = try #require(try Self.byIndex(bytes))
                #expect(try found == Self.decoded(bytes, ordinalsOf: found))
            }
        }
        let empty = TraceBytes(try Recording().bytes(header: TraceHeader(level: .keys, isMasked: true)))
        #expect(try Self.byIndex(empty) == Self.decoded(empty))
    }

    @Test func `every trace of the repository, hostile ones included`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Traces")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var byIndex = 0
        for case let file as URL in files where file.pathExtension == "keyflight" {
            let bytes = TraceBytes([UInt8](try Data(contentsOf: file)))
            guard (try? TraceReader(bytes)) != nil, let found = try Self.byIndex(bytes) else { continue }
            byIndex += 1
            var decoded = try Self.decoded(bytes)
            if file.lastPathComponent == "every-kind.keyflight" || file.path.contains("/hostile/presses-") {
                decoded = try Self.decoded(bytes, ordinalsOf: found)
            }
            if decoded.file.isComplete { #expect(found == decoded, "\(file.lastPathComponent)") }
            // Records that break a rule behind right checksums show only when they are decoded.
            if !decoded.file.isComplete { #expect(file.path.contains("/hostile/"), "\(file.lastPathComponent)") }
        }
        #expect(byIndex >= 9)
    }

    @Test func `what was true before the first record is described, and not counted`() throws {
        var recording = Recording()
        let facts: [TraceRecord.Body] = [
            .environment(EnvironmentRecord(name: "profile", value: "ios15")),
            .environment(EnvironmentRecord(name: "cache", value: "chain")),
            .device(DeviceRecord(device: 3, name: "left", source: "usbmon")),
            .clock(ClockRecord(source: "usbmon", unixTime: nil, granularity: 1, backwardSteps: 0)),
            .clockRelation(ClockRelationRecord(source: "usbmon", reference: "app", offset: 5, matches: 7)),
            .layout(LayoutRecord(name: "us", hash: 9, table: nil)),
        ]
        recording.initialContext = facts.map { .record($0) }
        recording.append(.environment(EnvironmentRecord(name: "cache", value: "none")), at: .zero)
        let bytes = TraceBytes(try recording.bytes(header: TraceHeader(level: .keys, isMasked: true)))
        let info = try #require(try Self.byIndex(bytes))
        #expect(try info == Self.decoded(bytes))
        #expect(info.records == 1)
        #expect(info.devices.map(\.device) == [3])
        #expect(info.clocks.map(\.source) == ["usbmon"])
        #expect(info.clockRelations.map(\.matches) == [7])
        #expect(info.layouts.map(\.name) == ["us"])
        #expect(info.environment.map(\.value) == ["ios15", "none"])
    }

    @Test func `a changed byte is never taken for a whole trace`() throws {
        let bytes = try RecordingGenerator.recording(seed: 3, records: 40)
            .bytes(header: TraceHeader(form: .live, level: .calls, isMasked: false))
        for at in bytes.indices {
            var changed = bytes
            changed[at] ^= 0x04
            guard (try? TraceReader(changed)) != nil else { continue }
            #expect(try Self.byIndex(TraceBytes(changed)) == nil, "byte \(at)")
        }
        for length in stride(from: 28, to: bytes.count, by: 3) {
            #expect(try Self.byIndex(TraceBytes(Array(bytes[..<length]))) == nil, "prefix \(length)")
        }
    }
}
