import GeneratedTraces
import KeyModel
import Testing

@testable import TraceFormat

@Suite struct KeyEncodingTests {
    private static func header(_ form: TraceForm = .canonical) -> TraceHeader {
        TraceHeader(form: form, level: .keys, isMasked: false)
    }

    /// Typing as it is: downs and ups overlap, Shift is held for some, one key repeats.
    private static func typing(_ count: Int) -> Recording {
        var random = SeededGenerator(seed: 5)
        var recording = Recording()
        var time: Int64 = 0
        func record(_ usage: KeyUsage, _ phase: KeyPhase, _ flags: KeyModifiers, _ press: UInt32?) {
            time += 20_000_000 + Int64(random.below(100_000_000))
            recording.append(
                .key(KeyRecord(device: 1, key: .clear(usage), phase: phase, modifiers: flags, press: press)),
                at: TraceTime(nanoseconds: time))
        }
        for number in 1...UInt32(count) {
            let usage = KeyUsage.keyboard(0x04 + UInt16(random.below(26)))
            let isShifted = random.chance(10)
            if isShifted { record(.leftShift, .down, .shift, nil) }
            record(usage, .down, isShifted ? .shift : [], number)
            if random.chance(2) { record(usage, .repeat, isShifted ? .shift : [], number) }
            record(usage, .up, isShifted ? .shift : [], number)
            if isShifted { record(.leftShift, .up, [], nil) }
        }
        return recording
    }

    @Test func `a plain key event takes at most eight bytes in a canonical file, all described`() throws {
        let recording = Self.typing(2000)
        let bytes = try recording.bytes(header: Self.header())
        let perEvent = Double(bytes.count) / Double(recording.records.count)
        #expect(perEvent <= 8)
        // Exact, so that a change of the format shows.
        #expect(recording.records.count == 4463)
        #expect(bytes.count == 26_912)
    }

    @Test func `masked keys take no more`() throws {
        var masked = Recording()
        for record in Self.typing(500).records {
            guard case .key(var key) = record.body, let usage = key.key.usage else { continue }
            if let textClass = TextKeyClass(usage) { key.key = .masked(textClass) }
            masked.append(.key(key), at: record.time)
        }
        let bytes = try masked.bytes(header: TraceHeader(level: .keys, isMasked: true))
        #expect(Double(bytes.count) / Double(masked.records.count) <= 8)
        let (back, _) = try Recording.read(bytes)
        #expect(back.records == masked.records)
    }

    @Test func `a packed key is written field by field and read back`() throws {
        var generator = RecordingGenerator(seed: 77)
        var state = KeyState()
        for _ in 0..<20_000 {
            let record = generator.key()
            let delta = min(generator.random.number(), PackedKey.largestDelta)
            var followed = state
            let packed = PackedKey(record, delta: delta, following: &followed)
            var fast = ByteBuffer()
            fast.append(packed)
            var described = ByteBuffer()
            described.append(fieldsOf: packed)
            #expect(fast.withBytes { Array($0) } == described.withBytes { Array($0) })
            let back: KeyRecord = try described.withBytes { bytes in
                var cursor = ByteCursor(bytes)
                var read = PackedKey()
                read.tag = try cursor.byte("tag")
                try read.read(&cursor)
                #expect(read == packed)
                #expect(cursor.isAtEnd)
                return try read.record(state)
            }
            #expect(back == record)
            state.apply(record)
            #expect(followed == state)
        }
    }

    @Test func `press ordinals and modifiers of any value come back exactly`() throws {
        for seed in 0..<20 as Range<UInt64> {
            var generator = RecordingGenerator(seed: seed)
            for index in 0..<300 {
                generator.recording.append(.key(generator.key()), at: TraceTime(nanoseconds: Int64(index)))
            }
            for form in TraceForm.allCases {
                let (back, _) = try Recording.read(generator.recording.bytes(header: Self.header(form)))
                #expect(back.records == generator.recording.records, "seed \(seed)")
            }
        }
    }

    @Test func `a visitor gets the records and the report that reading one by one gives, whatever the bytes`() throws {
        var sources = [try Self.typing(2000).bytes(header: Self.header())]
        for seed in 0..<12 as Range<UInt64> {
            var generator = RecordingGenerator(seed: seed)
            for index in 0..<200 {
                generator.recording.append(.key(generator.key()), at: TraceTime(nanoseconds: Int64(index) << 20))
            }
            sources.append(try generator.recording.bytes(header: Self.header()))
            let flight = FlightGenerator.recording(seed: seed, presses: 20)
            sources.append(try flight.bytes(header: RecordPropertyTests.header))
        }
        for bytes in sources {
            for damage in [nil, bytes.count / 2, bytes.count - 60] as [Int?] {
                var bytes = bytes
                if let damage { bytes[damage] ^= 0x55 }
                let (recording, report) = try Recording.read(bytes)
                var reader = try TraceReader(bytes)
                var collector = CollectedRecords()
                reader.feed(&collector)
                #expect(collector.records == recording.records)
                #expect(reader.report == report)
            }
        }
    }

    @Test func `a pause of years is written and read`() throws {
        var recording = Recording()
        let key = KeyRecord(device: 3, key: .clear(.escape), phase: .down, modifiers: .shift, press: 1)
        recording.append(.key(key), at: .zero)
        recording.append(.key(key), at: TraceTime(nanoseconds: Int64(PackedKey.largestDelta)))
        recording.append(.key(key), at: TraceTime(nanoseconds: Int64.max))
        let (back, report) = try Recording.read(recording.bytes(header: Self.header()))
        #expect(report.complete)
        #expect(back.records == recording.records)
    }

    @Test func `times that run backwards, negative times and unknown handles are refused and change nothing`() throws {
        let output = ByteCollector()
        var writer = try TraceWriter(header: Self.header()) { output.bytes.append(contentsOf: $0) }
        let none = TraceDefinitions()
        let later = TraceTime(nanoseconds: 9)
        func code(_ body: () throws -> Void) -> TraceError.Code? {
            do {
                try body()
                return nil
            } catch { return (error as? TraceError)?.code }
        }
        let negative = TraceTime(nanoseconds: -1)
        let mark = TraceRecord.Body.mark(MarkRecord(name: "a"))
        #expect(code { try writer.append(mark, at: negative, definitions: none) } == .timeOrder)
        try writer.append(.mark(MarkRecord(name: "b")), at: later, definitions: none)
        #expect(code { try writer.append(mark, at: .zero, definitions: none) } == .timeOrder)
        let step = TraceRecord.Body.step(StepRecord(step: StringRef(rawValue: 4)))
        #expect(code { try writer.append(step, at: later, definitions: none) } == .unknownReference)
        let idle = TraceRecord.Body.idle(IdleRecord(device: 1, reports: 0))
        #expect(code { try writer.append(idle, at: later, definitions: none) } == .outOfRange)
        try writer.append(.mark(MarkRecord(name: "d")), at: later, definitions: none)
        try writer.finish()
        #expect(code { try writer.append(mark, at: later, definitions: none) } == .file)
        let (back, report) = try Recording.read(output.bytes)
        #expect(report.complete)
        #expect(back.records.map(\.body) == [.mark(MarkRecord(name: "b")), .mark(MarkRecord(name: "d"))])
    }
}

extension ByteBuffer {
    /// The fields of a packed key one by one, as the specification lists them.
    fileprivate mutating func append(fieldsOf packed: PackedKey) {
        append(byte: packed.tag)
        append(littleEndian: packed.delta, length: Int(packed.tag & 7))
        append(byte: packed.code)
        guard packed.tag & PackedKey.hasExtra != 0 else { return }
        append(byte: packed.extra)
        if packed.extra & PackedKey.wideUsage != 0 { append(varint: UInt64(packed.wide)) }
        if packed.extra & PackedKey.otherDevice != 0 { append(varint: UInt64(packed.device)) }
        if packed.extra & PackedKey.otherPress != 0 { append(varint: packed.press) }
        if packed.extra & PackedKey.otherModifiers != 0 { append(varint: UInt64(packed.modifiers)) }
    }
}
