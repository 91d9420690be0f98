import CCRC32C
import KeyModel
import TraceFormat

/// Traces whose framing and checksums are right, and whose content is whatever the seed makes of it: ordinals used
/// twice, repeats that go back, times at the end of the range, counts and totals that lie, chains and lists of any
/// length, and payloads with bytes changed, left out and put in before they were sealed.
public struct LyingTrace {
    private var random: SeededGenerator

    /// The same bytes for the same seed and the same `samples`, which are sound traces to begin from.
    public static func bytes(seed: UInt64, samples: [[UInt8]] = []) throws -> [UInt8] {
        var trace = LyingTrace(random: SeededGenerator(seed: seed))
        return try trace.make(samples)
    }

    private mutating func make(_ samples: [[UInt8]]) throws -> [UInt8] {
        var recording = try base(samples)
        for _ in 0..<random.below(4) { lie(in: &recording) }
        var header = TraceHeader(
            form: random.chance(50) ? .canonical : .live, level: random.pick(TraceLevel.allCases),
            isMasked: random.chance(50))
        if random.chance(50) { header.level = .calls }
        let bytes = try written(recording, &header)
        return random.chance(40) ? bytes : reframed(bytes)
    }

    // MARK: Records

    private mutating func base(_ samples: [[UInt8]]) throws -> Recording {
        let seed = random.next()
        switch random.below(8) {
        case 0: return RecordingGenerator.recording(seed: seed, records: random.below(400))
        case 1: return OverlappingPresses.recording(seed: seed, presses: 1 + random.below(60))
        case 2:
            let kind = random.pick(OutsizedTrace.allCases)
            let output = Collector()
            let size = kind == .lists || kind == .manyLists ? 1 + random.below(3) : 1 + random.below(4000)
            try kind.write(size: size) { output.bytes.append(contentsOf: $0) }
            return try Recording.read(output.bytes).recording
        default:
            guard !samples.isEmpty else { return OverlappingPresses.recording(seed: seed, presses: 20) }
            return try Recording.read(random.pick(samples)).recording
        }
    }

    /// Writes the records with rising times; what the format refuses is left out.
    private mutating func written(_ recording: Recording, _ header: inout TraceHeader) throws -> [UInt8] {
        let room = UInt64(recording.records.count) + 1
        switch random.below(6) {
        case 0: header.firstSequence = UInt64.max - room
        case 1: header.firstSequence = random.number() % (UInt64.max - room)
        default: break
        }
        let output = Collector()
        let context = random.chance(80) ? TraceContext(recording.initialContext) : TraceContext()
        var writer = try TraceWriter(header: header, context: context) { output.bytes.append(contentsOf: $0) }
        // The last records at the end of all time, or all of them there.
        let last = recording.records.lazy.map(\.time.rawValue).max() ?? 0
        let shift = random.chance(15) ? Int64.max - last - Int64(random.below(2)) : 0
        let from = random.chance(50) ? 0 : random.below(recording.records.count + 1)
        var time: Int64 = 0
        for (place, record) in recording.records.enumerated() {
            time = max(time, record.time.rawValue + (place >= from ? shift : 0))
            try? writer.append(
                record.body, at: TraceTime(nanoseconds: time), definitions: recording.definitions)
            if random.chance(1), header.form == .live { try writer.flush() }
        }
        if random.chance(95) { try writer.finish() }
        return output.bytes
    }

    private mutating func lie(in recording: inout Recording) {
        var records = recording.records
        guard !records.isEmpty else { return }
        let place = random.below(records.count)
        let count = 1 + random.below(min(records.count - place, 30))
        switch random.below(8) {
        case 0: records.removeSubrange(place..<place + count)
        case 1:
            let times = 1 + random.below(20)
            records.insert(contentsOf: (0..<times).flatMap { _ in records[place..<place + count] }, at: place)
        case 2: records.swapAt(place, random.below(records.count))
        case 3: records[place..<place + count].reverse()
        case 4, 5:
            // What names one press names another.
            let from = UInt32(random.below(12))
            let to = random.chance(80) ? UInt32(random.below(12)) : random.number32()
            for index in records.indices { rename(&records[index].body, from, to) }
        case 6: for index in place..<place + count { retick(&records[index].body) }
        default:
            var generator = RecordingGenerator(seed: random.next())
            generator.recording.definitions = recording.definitions
            for index in place..<place + count {
                records[index].body = generator.body(generator.random.pick(RecordingGenerator.bodies))
            }
            recording.definitions = generator.recording.definitions
        }
        replaceRecords(&recording, records)
    }

    private func replaceRecords(_ recording: inout Recording, _ records: [TraceRecord]) {
        var changed = Recording()
        changed.definitions = recording.definitions
        changed.initialContext = recording.initialContext
        for record in records { changed.append(record.body, at: record.time) }
        recording = changed
    }

    private func rename(_ body: inout TraceRecord.Body, _ from: UInt32, _ to: UInt32) {
        if case .key(var key) = body, key.press == from {
            key.press = to
            body = .key(key)
        }
        change(&body) { if $0.press == from { $0.press = to } }
    }

    private mutating func retick(_ body: inout TraceRecord.Body) {
        let tick = random.chance(70) ? UInt32(random.below(5)) : random.number32()
        change(&body) { $0.tick = tick }
    }

    private func change(_ body: inout TraceRecord.Body, _ change: (inout PressTick) -> Void) {
        switch body {
        case .receiver(var record): change(&record.at); body = .receiver(record)
        case .gesture(var record): change(&record.at); body = .gesture(record)
        case .candidate(var record): change(&record.at); body = .candidate(record)
        case .effect(var record): change(&record.at); body = .effect(record)
        case .resolution(var record): change(&record.at); body = .resolution(record)
        case .stage(var record): change(&record.at); body = .stage(record)
        case .call(var record): change(&record.at); body = .call(record)
        case .cache(var record): change(&record.at); body = .cache(record)
        default: break
        }
    }

    // MARK: Frames

    /// Blocks as they stand in the file: 36 bytes of header, then the payload.
    private mutating func reframed(_ bytes: [UInt8]) -> [UInt8] {
        var blocks: [[UInt8]] = []
        var at = 28
        while at + 36 <= bytes.count, bytes[at + 3] == 0x42 {
            let length = 36 + Int(number(bytes, at + 8, 4))
            guard at + length <= bytes.count else { break }
            blocks.append(Array(bytes[at..<at + length]))
            at += length
        }
        let end = Array(bytes[at...])
        guard !blocks.isEmpty else { return bytes }
        for _ in 0..<1 + random.below(3) {
            let place = random.below(blocks.count)
            switch random.below(10) {
            case 0, 1: changeHeader(&blocks[place])
            case 2: blocks.swapAt(place, random.below(blocks.count))
            case 3: blocks.insert(blocks[place], at: place)
            case 4: if blocks.count > 1 { blocks.remove(at: place) }
            case 5: changePayload(&blocks[blocks.count - 1])
            default: changePayload(&blocks[place])
            }
        }
        var head = Array(bytes[..<28])
        if random.chance(10) { change(&head, random.pick([10, 11, 12, 16, 23])) }
        seal(&head, 24)
        let index = blocks.dropLast().reduce(28) { $0 + $1.count }
        var tail = end
        if tail.count == 16, random.chance(90) {
            put(&tail, UInt64(index), at: 4, 8)
            seal(&tail, 12)
        }
        return head + blocks.flatMap { $0 } + tail
    }

    private mutating func changeHeader(_ block: inout [UInt8]) {
        switch random.below(6) {
        case 0: put(&block, number(block, 12, 4) &+ UInt64(random.below(5)) &- 2, at: 12, 4)
        case 1: put(&block, random.number(), at: 12, 4)
        case 2: put(&block, random.chance(50) ? random.number() >> 1 : UInt64(Int64.max), at: 16, 8)
        case 3: put(&block, random.chance(50) ? random.number() : UInt64.max - UInt64(random.below(3)), at: 24, 8)
        case 4: change(&block, 5)
        default: change(&block, random.pick([4, 6, 7]))
        }
        sealBlock(&block)
    }

    private mutating func changePayload(_ block: inout [UInt8]) {
        for _ in 0..<1 + random.below(3) where block.count > 36 {
            let place = 36 + random.below(block.count - 36)
            switch random.below(6) {
            case 0: block.remove(at: place)
            case 1: block.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
            case 2: block.replaceSubrange(place..<place, with: [0xFF, 0xFF, 0xFF, 0xFF, 0x0F])
            case 3: block[place] = random.pick([0, 1, 0x7F, 0x80, 0xFF])
            default: change(&block, place)
            }
        }
        put(&block, UInt64(block.count - 36), at: 8, 4)
        sealBlock(&block)
    }

    private mutating func change(_ bytes: inout [UInt8], _ place: Int) {
        bytes[place] ^= 1 << UInt8(random.below(8))
    }

    private func number(_ bytes: [UInt8], _ place: Int, _ length: Int) -> UInt64 {
        (0..<length).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
    }

    private func put(_ bytes: inout [UInt8], _ number: UInt64, at place: Int, _ length: Int) {
        for byte in 0..<length { bytes[place + byte] = UInt8(truncatingIfNeeded: number >> UInt64(8 * byte)) }
    }

    /// Puts the checksum of all that stands before it at this place.
    private func seal(_ bytes: inout [UInt8], _ place: Int) {
        put(&bytes, UInt64(keyflight_crc32c(0, bytes, place)), at: place, 4)
    }

    private func sealBlock(_ block: inout [UInt8]) {
        let head = keyflight_crc32c(0, block, 32)
        let crc = Array(block[36...]).withUnsafeBytes { keyflight_crc32c(head, $0.baseAddress, $0.count) }
        put(&block, UInt64(crc), at: 32, 4)
    }
}

private final class Collector {
    var bytes: [UInt8] = []
}
