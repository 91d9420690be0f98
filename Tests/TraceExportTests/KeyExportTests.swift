import CaptureImport
import GeneratedTraces
import KeyModel
import Testing
import TraceFormat

@testable import TraceExport

/// Someone types with many fingers, on keys of every page.
enum MadeUpKeys {
    static func usages(isPlain: Bool) -> [KeyUsage] {
        var usages = (4..<0x66).map { KeyUsage.keyboard($0) } + (0xE0..<0xE8).map { KeyUsage.keyboard($0) }
        guard !isPlain else { return usages }
        usages += [0xE9, 0xEA, 0xE2, 0xCD, 0x223].map { KeyUsage(page: KeyUsage.consumerPage, usage: $0) }
        usages += [KeyUsage(page: 1, usage: 0x82), .appleFn, .keyboard(0x32), .keyboard(0x87), .keyboard(0xB0)]
        return usages
    }

    /// `most`: so many keys at once. Times are whole microseconds unless said otherwise.
    static func recording(seed: UInt64, presses: Int, most: Int, isPlain: Bool, step: Int64 = 1000) -> Recording {
        var random = SeededGenerator(seed: seed)
        let usages = usages(isPlain: isPlain)
        var (recording, recorder) = (Recording(), MaskedKeyRecorder(showsKeys: true))
        let clock = ClockRecord(
            source: "test", unixTime: 1_700_000_000_123_456_000, granularity: nil, backwardSteps: 0)
        recording.append(.clock(clock), at: .zero)
        recording.append(.device(DeviceRecord(device: 1, name: "made-up \"board\"", source: "test")), at: .zero)
        var held: [KeyUsage] = []
        var (time, left) = (Int64(0), presses)
        func add(_ usage: KeyUsage, _ phase: KeyPhase) {
            let event = KeyEvent(
                time: TraceTime(nanoseconds: time), device: 1, key: .clear(usage), phase: phase)
            recording.append(.key(recorder.record(event)), at: event.time)
        }
        while left > 0 || !held.isEmpty {
            time += Int64(random.next() % 40_000) * step
            let goesUp = left == 0 || held.count >= most || (!held.isEmpty && random.next() % 2 == 0)
            if goesUp {
                add(held.remove(at: Int(random.next() % UInt64(held.count))), .up)
            } else if let usage = usages.randomElement(using: &random), !held.contains(usage) {
                held.append(usage)
                left -= 1
                add(usage, .down)
            }
        }
        return recording
    }
}

@Suite struct KeyExportTests {
    static func export(_ recording: Recording, _ format: KeyExport.Format) throws -> [UInt8] {
        var survey = ExportSurvey(wantsComments: true)
        for record in recording.records { try survey.consume(record, definitions: recording.definitions) }
        var bytes: [UInt8] = []
        var export = try KeyExport(format, survey) { bytes += $0 }
        for record in recording.records { try export.consume(record) }
        try export.finish()
        #expect(export.omissions == KeyExport.Omissions())
        return bytes
    }

    /// Time since the first change, key and phase of what an import reads.
    static func changes(_ bytes: [UInt8]) throws -> [String] {
        var job = CaptureImporter()
        job.showsKeys = true
        var trace: [UInt8] = []
        let result = try job.run([.init(name: "exported", .bytes(bytes))]) { trace += $0 }
        guard case .imported(let summary) = result else { return ["\(result)"] }
        #expect(summary.damage.isEmpty && summary.syntheticReleases == 0 && summary.notes == [])
        var reader = try TraceReader(trace)
        var recording = Recording()
        while let record = reader.next() { recording.append(record.body, at: record.time) }
        return changes(recording)
    }

    static func changes(_ recording: Recording) -> [String] {
        var first: TraceTime?
        return recording.records.compactMap { record in
            guard case .key(let key) = record.body, key.phase != .repeat else { return nil }
            let begin = first ?? record.time
            first = begin
            return "\(record.time.since(begin).nanoseconds) \(key.key.usage?.name ?? "masked") \(key.phase.name)"
        }
    }

    private func loses(_ format: KeyExport.Format, seeds: Range<UInt64>, most: Int, isPlain: Bool) throws {
        for seed in seeds {
            var (few, many) = (0, 60)
            // The smallest number of presses that shows a difference is told.
            func differs(_ presses: Int) throws -> String? {
                let recording = MadeUpKeys.recording(seed: seed, presses: presses, most: most, isPlain: isPlain)
                let (expected, found) = (Self.changes(recording), try Self.changes(Self.export(recording, format)))
                guard expected != found else { return nil }
                let at = zip(expected, found).enumerated().first { $1.0 != $1.1 }?.offset
                    ?? min(expected.count, found.count)
                return "change \(at): \(expected.dropFirst(at).prefix(2)) became \(found.dropFirst(at).prefix(2))"
            }
            guard var difference = try differs(many) else { continue }
            while few + 1 < many {
                let middle = (few + many) / 2
                if let smaller = try differs(middle) { (many, difference) = (middle, smaller) } else { few = middle }
            }
            Issue.record("\(format), seed \(seed), \(many) presses: \(difference)")
            return
        }
    }

    @Test(arguments: [KeyExport.Format.evemu, .libinput, .pcapng])
    func `a trace that is exported and imported again has the same keys in the same order`(
        format: KeyExport.Format
    ) throws {
        try loses(format, seeds: 0..<12, most: 6, isPlain: true)
        try loses(format, seeds: 20..<32, most: 14, isPlain: false)
    }

    @Test func `pcapng to trace to evemu to trace loses no key, no order and no microsecond`() throws {
        for seed in 40..<48 as Range<UInt64> {
            let recording = MadeUpKeys.recording(seed: seed, presses: 80, most: 6, isPlain: false)
            var job = CaptureImporter()
            job.showsKeys = true
            var trace: [UInt8] = []
            _ = try job.run([.init(name: "a", .bytes(try Self.export(recording, .pcapng)))]) { trace += $0 }
            var reader = try TraceReader(trace)
            var second = Recording()
            // Keys of the second interface are a keyboard of their own there.
            while let record = reader.next() {
                guard case .key(var key) = record.body else { continue }
                key.device = 1
                second.append(.key(key), at: record.time)
            }
            #expect(Self.changes(try Recording(reading: Self.export(second, .evemu))) == Self.changes(recording))
        }
    }

    @Test func `nanoseconds stay in a pcapng`() throws {
        let recording = MadeUpKeys.recording(seed: 3, presses: 20, most: 4, isPlain: true, step: 7)
        #expect(try Self.changes(Self.export(recording, .pcapng)) == Self.changes(recording))
    }

    @Test(arguments: KeyExport.Format.allCases)
    func `a masked key is refused with the press and the remedy`(format: KeyExport.Format) {
        var recording = Recording()
        recording.append(
            .key(KeyRecord(device: 1, key: .masked(.letter), phase: .down, modifiers: [], press: 7)), at: .zero)
        #expect {
            try Self.export(recording, format)
        } throws: { error in
            "\(error)".hasPrefix("press 7: key: expected keys in clear, found only the class letter of a masked one")
                && "\(error)".contains("--show-keys")
        }
    }

    @Test func `evemu describes one keyboard, others any number`() throws {
        var recording = Recording()
        for device in 1...2 as ClosedRange<UInt16> {
            for phase in [KeyPhase.down, .up] {
                let key = KeyRecord(
                    device: device, key: .clear(.tab), phase: phase, modifiers: [], press: UInt32(device))
                recording.append(.key(key), at: TraceTime(nanoseconds: Int64(device) * 1_000_000))
            }
        }
        #expect(throws: ExportRefusal.self) { try Self.export(recording, .evemu) }
        for format in [KeyExport.Format.libinput, .pcapng] {
            #expect(try Self.changes(Self.export(recording, format)).count == 4)
        }
    }

    @Test func `each line of a playback has its time, and reads back as the same keys`() throws {
        let recording = MadeUpKeys.recording(seed: 9, presses: 40, most: 8, isPlain: false)
        for form in KeyPlayback.Form.allCases {
            var survey = ExportSurvey()
            for record in recording.records { try survey.consume(record, definitions: recording.definitions) }
            var playback = try KeyPlayback(form, survey)
            var text = playback.head
            for record in recording.records {
                if let lines = try playback.lines(record) { text += lines + "# error_ns 0\n" }
            }
            #expect(try Self.changes(Array(text.utf8)) == Self.changes(recording), "\(form)")
        }
    }
}

extension Recording {
    /// What an import makes of a capture.
    init(reading capture: [UInt8]) throws {
        self.init()
        var job = CaptureImporter()
        job.showsKeys = true
        var trace: [UInt8] = []
        _ = try job.run([.init(name: "capture", .bytes(capture))]) { trace += $0 }
        var reader = try TraceReader(trace)
        while let record = reader.next() { append(record.body, at: record.time) }
    }
}
