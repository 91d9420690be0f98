import GeneratedTraces
import KeyModel
import Testing

@testable import TraceFormat

/// Going to a place of a trace, and passing over what cannot hold what is wanted.
@Suite struct TraceIndexTests {
    private static func lines(_ reader: inout TraceReader, limit: Int = .max) -> [String] {
        var lines: [String] = []
        while lines.count < limit, let record = reader.next() {
            var writer = TraceTextWriter()
            writer.append(record, definitions: reader.definitions)
            lines.append(writer.text)
        }
        return lines
    }

    @Test func `the index names every block as reading from the front finds it`() throws {
        for form in TraceForm.allCases {
            let bytes = TraceBytes(try DamageTests.sample(form, blocks: 9).bytes)
            let entries = try #require(TraceIndex(stored: bytes)).blocks
            var walk = try BlockWalk(bytes)
            for entry in entries {
                let next = walk.next()
                let block = try #require(next)
                #expect(entry.offset == UInt64(block.offset))
                #expect(entry.firstTime.rawValue == block.header.firstTime)
                #expect(entry.firstSequence == block.header.firstSequence)
                #expect(entry.kinds == block.header.kinds)
                var reader = try TraceReader(bytes)
                let isThere = reader.seek(to: entry)
                #expect(isThere && entry.firstPress == reader.keys.keyboard.pressCount &+ 1)
            }
            let end = walk.next()
            #expect(end == nil && entries.count >= 9)
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `totals of the index are what decoding counts`(seed: UInt64) throws {
        let recording = RecordingGenerator.recording(seed: seed, records: 60)
        for form in TraceForm.allCases {
            let header = TraceHeader(form: form, level: .calls, isMasked: false)
            let bytes = TraceBytes(try recording.bytes(header: header))
            let totals = try #require(TraceIndex(stored: bytes)).totals
            #expect(totals.records == UInt64(recording.records.count))
            for kind in RecordKind.allCases {
                #expect(totals.count(of: kind) == UInt64(recording.records.count { $0.body.kind == kind }))
            }
            var keys = 0, masked = 0, synthetic = 0
            for case .key(let key) in recording.records.map(\.body) {
                keys += 1
                masked += key.key.maskedClass == nil ? 0 : 1
                synthetic += key.isSynthetic ? 1 : 0
            }
            #expect(totals.masked == UInt64(masked) && totals.synthetic == UInt64(synthetic))
            #expect(totals.count(of: .key) == UInt64(keys))
            var selected = try TraceReader(bytes)
            selected.select(BlockSelection(from: .max))
            while selected.next() != nil {}
            let summary = try #require(selected.summary)
            #expect(summary.totals == totals)
            #expect(summary.first?.sequence == recording.records.first?.sequence)
            #expect(summary.lastTime == recording.records.last?.time)
        }
    }

    @Test func `a reader goes to any block, forwards and backwards, and reads on from there`() throws {
        let (bytes, _) = try DamageTests.sample(.canonical, blocks: 9)
        let whole = try DamageTests.lines(bytes).lines
        let index = try #require(TraceIndex(stored: TraceBytes(bytes)))
        var reader = try TraceReader(TraceInFile().open(bytes))
        for number in [4, 8, 0, 7, 1] {
            let block = index.blocks[number]
            let isThere = reader.seek(to: block)
            let lines = Self.lines(&reader)
            #expect(isThere)
            #expect(lines == Array(whole[(number * 8)...]), "block \(number)")
            #expect(reader.report.damages.isEmpty, "block \(number): \(reader.report.damages)")
        }
    }

    @Test func `times and presses are found in their block`() throws {
        let recording = RecordingGenerator.recording(seed: 90, records: 14_000)
        let bytes = TraceBytes(try recording.bytes(header: TraceHeader(level: .calls, isMasked: false)))
        let index = try #require(TraceIndex(stored: bytes))
        #expect(index.blocks.count > 3)
        for record in stride(from: 0, to: recording.records.count, by: 97).map({ recording.records[$0] }) {
            let byTime = try #require(index.number(ofTime: record.time))
            let last = index.blocks.last { $0.firstSequence <= record.sequence }
            #expect(index.blocks[byTime].firstSequence <= last?.firstSequence ?? 0)
            #expect(byTime == 0 || index.blocks[byTime].firstTime < record.time)
        }
        #expect(index.number(ofTime: .zero) == 0)
        for (number, block) in index.blocks.enumerated() where number + 1 < index.blocks.count {
            let isAlone = index.blocks[number + 1].firstPress > block.firstPress
            #expect(!isAlone || index.number(ofPress: block.firstPress) == number)
        }
    }

    @Test func `an index that is damaged, cut or missing is none`() throws {
        let (bytes, _) = try DamageTests.sample(.live)
        let start = try #require(bytes.indices.last { bytes[$0...].starts(with: [0xF5, 0x4B, 0x46, 0x42, 2]) })
        for at in start..<bytes.count {
            var changed = bytes
            changed[at] ^= 0x10
            #expect(TraceIndex(stored: TraceBytes(changed)) == nil, "byte \(at)")
            #expect(TraceIndex(stored: TraceBytes(Array(bytes[..<at]))) == nil, "prefix \(at)")
        }
        #expect(TraceIndex(stored: TraceBytes([])) == nil)
    }

    /// Its checksum is right, and its entries or its totals are of other kinds than its header says.
    @Test func `an index whose parts contradict each other is none, for those that read all as well`() throws {
        let (bytes, _) = try DamageTests.sample(.canonical)
        let start = try #require(bytes.indices.last { bytes[$0...].starts(with: [0xF5, 0x4B, 0x46, 0x42, 2]) })
        let kinds = RecordKinds(rawValue: UInt16(bytes[start + 6]) | UInt16(bytes[start + 7]) << 8)
        for (flag, _) in RecordKinds.named where flag != .unknown {
            let other = kinds.symmetricDifference(flag)
            var changed = bytes
            changed[start + 6] = UInt8(truncatingIfNeeded: other.rawValue)
            changed[start + 7] = UInt8(truncatingIfNeeded: other.rawValue >> 8)
            let end = changed.count - TraceFrame.endLength
            let checksum = changed.withUnsafeBytes { all in
                TraceFrame.checksum(
                    UnsafeRawBufferPointer(rebasing: all[start + 36..<end]),
                    from: TraceFrame.checksum(UnsafeRawBufferPointer(rebasing: all[start..<start + 32])))
            }
            for place in 0..<4 { changed[start + 32 + place] = UInt8(truncatingIfNeeded: checksum >> (8 * place)) }
            #expect(TraceIndex(stored: TraceBytes(changed)) == nil, "\(flag.text)")
            let (_, report) = try Recording.read(TraceBytes(changed))
            #expect(!report.damages.isEmpty, "\(flag.text)")
        }
    }

    @Test func `a place where the block is another one is not gone to`() throws {
        let (bytes, _) = try DamageTests.sample(.live)
        let whole = try DamageTests.lines(bytes).lines
        let index = try #require(TraceIndex(stored: TraceBytes(bytes)))
        var reader = try TraceReader(bytes)
        for change in [
            { $0.offset += 1 }, { $0.firstSequence += 1 }, { $0.offset = UInt64.max }, { $0.offset = 28 },
        ] as [(inout TraceIndex.Block) -> Void] {
            var block = index.blocks[2]
            change(&block)
            let isThere = reader.seek(to: block)
            #expect(!isThere)
        }
        let lines = Self.lines(&reader)
        #expect(lines == whole)
        #expect(reader.report.complete)
    }

    @Test func `selected blocks give the records that a filter of all gives`() throws {
        let (bytes, recording) = try DamageTests.sample(.canonical, blocks: 40, records: 3)
        let middle = recording.records[60].time
        for kinds in [.key, .call, [.loss, .facts], .unknown, .all] as [RecordKinds] {
            for to in [nil, middle] {
                var reader = try TraceReader(TraceInFile().open(bytes))
                reader.select(BlockSelection(kinds: kinds, to: to))
                var found: [UInt64] = []
                while let record = reader.next() {
                    if !record.body.kinds.isDisjoint(with: kinds), to.map({ record.time <= $0 }) ?? true {
                        found.append(record.sequence)
                    }
                }
                let expected = recording.records.filter {
                    !$0.body.kinds.isDisjoint(with: kinds) && ($0.time <= to ?? $0.time)
                }
                #expect(found == expected.map(\.sequence), "\(kinds.text)")
                #expect(reader.report.complete)
                #expect(reader.report.blocks == 40)
                #expect(kinds == .all || reader.report.records < 120)
            }
        }
    }

    @Test func `damage in blocks that are passed over is still described`() throws {
        let (bytes, _) = try DamageTests.sample(.canonical)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x10
            var reader = try TraceReader(changed)
            reader.select(BlockSelection(from: .max))
            while reader.next() != nil {}
            #expect(!reader.report.complete, "byte \(index)")
        }
    }

    @Test func `definitions that live as long as a block give the same lines`() throws {
        let bytes = try RecordingGenerator.recording(seed: 90, records: 14_000)
            .bytes(header: TraceHeader(level: .calls, isMasked: false))
        var reader = try TraceReader(bytes)
        reader.definitionLifetime = .block
        let lines = Self.lines(&reader)
        #expect(try lines == DamageTests.lines(bytes).lines)
        let kept = try Recording.read(bytes).recording.definitions
        #expect(reader.definitions.strings.count < kept.strings.count)
    }

    @Test(arguments: TraceForm.allCases)
    func `a file that grows is followed, and partial blocks are never shown`(form: TraceForm) throws {
        let (bytes, _) = try DamageTests.sample(form)
        let whole = try DamageTests.lines(bytes).lines
        for step in [1, 7, 100, 1000] {
            let file = TraceInFile()
            var length = TraceFrame.fileHeaderLength
            var reader = try TraceReader(file.open(Array(bytes[..<length])))
            var lines: [String] = []
            while length < bytes.count {
                let before = reader.resume()
                #expect(before == .nothingYet)
                let next = min(bytes.count, length + step)
                try file.append(Array(bytes[length..<next]))
                length = next
                let after = reader.resume()
                #expect(after == .more)
                lines += Self.lines(&reader)
                #expect(lines == Array(whole.prefix(lines.count)))
            }
            #expect(lines == whole, "\(step)")
            #expect(reader.report.complete, "\(reader.report.damages)")
            let end = reader.resume()
            #expect(end == .never)
        }
    }

    @Test func `a file that was cut is not followed any more`() throws {
        let (bytes, _) = try DamageTests.sample(.live)
        let file = TraceInFile()
        var reader = try TraceReader(file.open(Array(bytes.dropLast(40))))
        _ = Self.lines(&reader)
        try file.cut(to: 100)
        let cut = reader.resume()
        #expect(cut == .never)
        var inMemory = try TraceReader(Array(bytes.dropLast(40)))
        _ = Self.lines(&inMemory)
        let never = inMemory.resume()
        #expect(never == .never)
    }
}
