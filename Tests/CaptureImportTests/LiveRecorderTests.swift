import Foundation
import KeyModel
import Testing
@testable import TraceFormat

@testable import CaptureImport
@testable import HIDCapture

/// Live inputs that become traces. Sources of the tests' own stand in for devices; a pseudo terminal is a real one.
@Suite(.serialized) struct LiveRecorderTests {
    /// Events that are there from the beginning, or come at a later read.
    final class MadeUpSource: LiveSource {
        let name: String
        let kind = CaptureSource.evdev
        /// Always readable.
        let descriptor = open("/dev/zero", O_RDONLY)
        var devices: [CaptureDevice]
        let notes: [String] = []
        let isCapsLockOn: Bool? = nil
        let granularity: UInt64? = 1000
        let backwardSteps: UInt64 = 0
        let packets: UInt64 = 7
        var batches: [[KeyEvent]]
        var losses: [LiveLoss] = []
        var isGoneAfterwards = false

        init(_ name: String, _ batches: [[KeyEvent]]) {
            self.name = name
            self.batches = batches
            devices = [
                CaptureDevice(id: 1, name: name, source: .evdev, layout: .keyEvents, reports: 0, idleReports: 0)
            ]
        }

        func begin(at start: LiveMoment) {}
        func read(_ emit: (KeyEvent) -> Void) throws(LiveFailure) {
            if batches.isEmpty {
                if isGoneAfterwards { throw LiveFailure(source: name, reason: .gone) }
                return
            }
            for event in batches.removeFirst() { emit(event) }
        }
        func finish(_ emit: (KeyEvent) -> Void) {}
        func takeLosses() -> [LiveLoss] {
            defer { losses = [] }
            return losses
        }
        func idleReports(of id: UInt16) -> UInt64 { 0 }
        func close() { Foundation.close(descriptor) }
    }

    static func event(_ usage: UInt16, _ phase: KeyPhase, at microseconds: Int64) -> KeyEvent {
        KeyEvent(
            time: TraceTime(nanoseconds: microseconds * 1000), device: 1, key: .clear(.keyboard(usage)), phase: phase)
    }

    static func withFolder<R>(_ body: (String) throws -> R) throws -> R {
        let folder = FileManager.default.temporaryDirectory.appending(path: "keyflight-live-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try body(folder)
    }

    /// The records of a file, which must be complete.
    static func records(_ path: String) throws -> [TraceRecord] {
        var reader = try TraceReader([UInt8](Data(contentsOf: URL(filePath: path))))
        var records: [TraceRecord] = []
        while let record = reader.next() { records.append(record) }
        #expect(reader.report.damages.isEmpty, "\(reader.report.damages)")
        return records
    }

    static func lines(_ records: [TraceRecord]) -> [String] {
        records.compactMap { record in
            guard case .key(let key) = record.body else { return nil }
            let name = key.key.usage?.name ?? key.key.maskedClass.map { "\($0)" } ?? "?"
            return "\(key.device) \(name)\(key.isSynthetic ? "!" : key.phase == .down ? "+" : "-")"
        }
    }

    /// Records until all batches are read.
    static func record(
        _ sources: [MadeUpSource], to output: LiveOutput, showsKeys: Bool = true, stop: LiveStop = .terminate,
        selection: [DeviceSelector] = []
    ) -> LiveSummary {
        var options = LiveRecorder.Options()
        options.showsKeys = showsKeys
        options.selection = selection
        var rounds = 0
        return LiveRecorder(LiveInputs(sources), to: output, options).run(
            stop: {
                rounds += 1
                return rounds > 3 && sources.allSatisfy(\.batches.isEmpty) ? stop : nil
            }, report: { _ in })
    }

    @Test("events of two inputs are in the order of their stamps, each keyboard lines before its first")
    func order() throws {
        try Self.withFolder { folder in
            let path = folder + "/a.keyflight"
            let first = MadeUpSource("one", [[Self.event(4, .down, at: 10), Self.event(4, .up, at: 900)]])
            let second = MadeUpSource("two", [[Self.event(5, .down, at: 500), Self.event(5, .up, at: 1000)]])
            let summary = Self.record([second, first], to: try LiveOutput(path: path, isMasked: false))
            #expect(summary.end == .stopped)
            #expect(summary.keyEvents == 4)
            let records = try Self.records(path)
            #expect(Self.lines(records) == ["1 A+", "2 B+", "1 A-", "2 B-"])
            let names = records.compactMap { if case .device(let device) = $0.body { device.name } else { nil } }
            #expect(names == ["one", "two"])
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test("text is masked unless asked for, and chords of Control keep their letter")
    func masked() throws {
        try Self.withFolder { folder in
            let events = [
                Self.event(4, .down, at: 1), Self.event(4, .up, at: 2), Self.event(0xE0, .down, at: 3),
                Self.event(0x1B, .down, at: 4), Self.event(0x1B, .up, at: 5), Self.event(0xE0, .up, at: 6),
            ]
            let path = folder + "/a.keyflight"
            let output = try LiveOutput(path: path, isMasked: true)
            _ = Self.record([MadeUpSource("k", [events])], to: output, showsKeys: false)
            #expect(
                Self.lines(try Self.records(path)) == [
                    "1 letter+", "1 letter-", "1 LeftControl+", "1 X+", "1 X-", "1 LeftControl-",
                ])
        }
    }

    @Test("the chord that ends the recording is not in it, and keys that are down get synthetic releases")
    func chord() throws {
        try Self.withFolder { folder in
            let events = [
                Self.event(0xE1, .down, at: 1), Self.event(4, .down, at: 2), Self.event(0xE1, .up, at: 3),
                Self.event(0xE0, .down, at: 4), Self.event(6, .down, at: 5),
            ]
            let path = folder + "/a.keyflight"
            let output = try LiveOutput(path: path, isMasked: false)
            _ = Self.record([MadeUpSource("k", [events])], to: output, stop: .interrupt)
            #expect(Self.lines(try Self.records(path)) == ["1 LeftShift+", "1 A+", "1 LeftShift-", "1 A!"])
        }
    }

    @Test("losses are records with their count, at the time at which they were noticed")
    func losses() throws {
        try Self.withFolder { folder in
            let source = MadeUpSource("k", [[Self.event(4, .down, at: 1)], [Self.event(4, .up, at: 2)]])
            source.losses = [LiveLoss(count: 12, detail: "ring of k"), LiveLoss(count: nil, detail: "unknown")]
            let path = folder + "/a.keyflight"
            let summary = Self.record([source], to: try LiveOutput(path: path, isMasked: false))
            #expect(summary.progress.dropped == 12)
            #expect(summary.progress.uncountedLosses == 1)
            let losses = try Self.records(path).compactMap { if case .loss(let loss) = $0.body { loss } else { nil } }
            #expect(losses.map(\.count) == [12, nil])
            #expect(losses.map(\.detail) == ["ring of k", "unknown"])
            #expect(losses.allSatisfy { $0.cause == .dropped })
        }
    }

    @Test("inputs that go away end the recording when none is left, and the file is complete")
    func gone() throws {
        try Self.withFolder { folder in
            let source = MadeUpSource("k", [[Self.event(4, .down, at: 1), Self.event(4, .up, at: 2)]])
            source.isGoneAfterwards = true
            let path = folder + "/a.keyflight"
            let summary = LiveRecorder(LiveInputs([source]), to: try LiveOutput(path: path, isMasked: true))
                .run(stop: { nil }, report: { _ in })
            guard case .inputsGone = summary.end else {
                Issue.record("\(summary.end)")
                return
            }
            #expect(Self.lines(try Self.records(path)).count == 2)
        }
    }

    @Test("a keyboard that goes away is detached, its keys are released then, and the others go on")
    func unplugged() throws {
        try Self.withFolder { folder in
            let leaving = MadeUpSource("one", [[Self.event(4, .down, at: 1)]])
            leaving.isGoneAfterwards = true
            let staying = MadeUpSource("two", [[], [], [], [Self.event(5, .down, at: 2), Self.event(5, .up, at: 3)]])
            let path = folder + "/a.keyflight"
            let summary = Self.record([leaving, staying], to: try LiveOutput(path: path, isMasked: false))
            #expect(summary.end == .stopped)
            let records = try Self.records(path)
            #expect(Self.lines(records) == ["1 A+", "1 A!", "2 B+", "2 B-"])
            let detached = records.compactMap { if case .hardware(let hardware) = $0.body { hardware } else { nil } }
            #expect(detached == [HardwareRecord(device: 1, isAttached: false)])
            #expect(summary.notes.contains { $0.hasPrefix("one: read: ") })
        }
    }

    @Test("the clock of an input that is set forward moves no event into the future")
    func clockSetForward() throws {
        try Self.withFolder { folder in
            let hour: Int64 = 3_600_000_000
            let source = MadeUpSource(
                "k",
                [
                    [Self.event(4, .down, at: 1)],
                    [Self.event(4, .up, at: hour), Self.event(5, .down, at: hour + 100)],
                ])
            let path = folder + "/a.keyflight"
            _ = Self.record([source], to: try LiveOutput(path: path, isMasked: false))
            let records = try Self.records(path)
            #expect(Self.lines(records) == ["1 A+", "1 A-", "1 B+", "1 B!"])
            #expect(records.allSatisfy { $0.time.nanoseconds < 60_000_000_000 })
            let steps = records.compactMap { record -> UInt64? in
                if case .loss(let loss) = record.body, loss.cause == .clockStep { loss.count } else { nil }
            }
            #expect(steps == [1])
        }
    }

    @Test("keyboards that nobody asked for are left out")
    func selection() throws {
        try Self.withFolder { folder in
            let path = folder + "/a.keyflight"
            let source = MadeUpSource("k", [[Self.event(4, .down, at: 1)]])
            let output = try LiveOutput(path: path, isMasked: false)
            let summary = Self.record([source], to: output, selection: [.id(9)])
            #expect(summary.devices == 0)
            #expect(Self.lines(try Self.records(path)) == [])
        }
    }

    /// Presses of 16 ms, by their stamps.
    static func manyPresses() -> [[KeyEvent]] {
        (0..<80).map { batch in
            (0..<100).flatMap { number -> [KeyEvent] in
                let at = Int64(batch * 100 + number) * 2
                let usage = UInt16(4 + (number * 7 + batch) % 26)
                return [event(usage, .down, at: at), event(usage, .up, at: at + 1)]
            }
        }
    }

    @Test("rotation: each file is a whole trace that goes on where the one before ended")
    func rotation() throws {
        try Self.withFolder { folder in
            let bounds = RecordingBounds.length(TraceDuration(nanoseconds: 5_000_000))
            let output = try LiveOutput(path: folder + "/a.keyflight", storage: .rotating(bounds), isMasked: false)
            let summary = Self.record([MadeUpSource("k", Self.manyPresses())], to: output)
            #expect(summary.paths.count >= 3)
            #expect(summary.paths.prefix(2) == [folder + "/a.keyflight", folder + "/a-2.keyflight"])
            var sequences: [UInt64] = []
            var keys = 0
            for path in summary.paths {
                let records = try Self.records(path)
                sequences += records.map(\.sequence)
                keys += Self.lines(records).count
            }
            #expect(keys == 16_000)
            #expect(sequences == Array(0..<UInt64(sequences.count)))
        }
    }

    @Test("a ring keeps the last part in two files and forgets what was before")
    func ring() throws {
        try Self.withFolder { folder in
            let path = folder + "/a.keyflight"
            let bounds = RecordingBounds.length(TraceDuration(nanoseconds: 4_000_000))
            let output = try LiveOutput(path: path, storage: .ring(bounds), isMasked: false)
            let summary = Self.record([MadeUpSource("k", Self.manyPresses())], to: output)
            #expect(summary.paths == [path + ".previous", path])
            let (older, latest) = (try Self.records(summary.paths[0]), try Self.records(path))
            #expect(older.last.map { $0.sequence + 1 } == latest.first?.sequence)
            #expect(Self.lines(older + latest).count < 16_000)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
        }
    }

    @Test("a ring whose second name is taken does not begin")
    func ringWithoutRoom() throws {
        try Self.withFolder { folder in
            let path = folder + "/a.keyflight"
            try Data("mine".utf8).write(to: URL(filePath: path + ".previous"))
            let error = #expect(throws: TraceError.self) {
                try LiveOutput(path: path, storage: .ring(.bytes(1 << 20)), isMasked: true)
            }
            #expect(error?.file == path + ".previous")
            #expect(!FileManager.default.fileExists(atPath: path))
            _ = try LiveOutput(path: path, isMasked: true)
        }
    }

    @Test("a size is of what was written; files are never so small that they are mostly context")
    func sizes() {
        let nothing = TraceDuration.zero
        #expect(!RecordingBounds.bytes(1).areReached(16_383, nothing, share: 2))
        #expect(RecordingBounds.bytes(1).areReached(16_384, nothing, share: 2))
        #expect(!RecordingBounds.bytes(1 << 20).areReached((1 << 19) - 1, nothing, share: 2))
        #expect(RecordingBounds.bytes(1 << 20).areReached(1 << 19, nothing, share: 2))
    }

    @Test("names of files that follow")
    func names() {
        #expect(LiveOutput.numbered("/x.y/lab.keyflight", 2) == "/x.y/lab-2.keyflight")
        #expect(LiveOutput.numbered("/x.y/lab", 3) == "/x.y/lab-3")
        #expect(LiveOutput.numbered(".lab", 4) == ".lab-4")
    }

    @Test("a file that exists, a link and a folder that everybody may write to are refused")
    func refusedFiles() throws {
        try Self.withFolder { folder in
            let path = folder + "/a.keyflight"
            try Data().write(to: URL(filePath: path))
            #expect(throws: TraceError.self) { try LiveOutput(path: path, isMasked: true) }
            try FileManager.default.createSymbolicLink(atPath: folder + "/b", withDestinationPath: folder + "/c")
            #expect(throws: TraceError.self) { try LiveOutput(path: folder + "/b", isMasked: true) }
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
            #expect(throws: TraceError.self) { try LiveOutput(path: folder + "/d", isMasked: true) }
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        }
    }

    @Test("an output that is full ends the recording with its reason")
    func full() throws {
        var written = 0
        struct Full: Error, CustomStringConvertible { let description = "no room" }
        let output = try LiveOutput(isMasked: false) { bytes in
            written += bytes.count
            if written > 1000 { throw Full() }
        }
        let summary = Self.record([MadeUpSource("k", Self.manyPresses())], to: output)
        #expect(summary.end == .outputFailed("no room"))
    }
}
