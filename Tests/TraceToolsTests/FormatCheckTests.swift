import GeneratedTraces
import KeyModel
import Testing

@testable import TraceFormat
@testable import TraceTools

@Suite struct FormatCheckTests {
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    private func violations(_ bytes: [UInt8]) throws -> [FormatViolation] {
        try FormatCheck().run(TraceBytes(bytes)).violations
    }

    /// Apart from ordinals, which writers take as they come: those of generated recordings are any.
    private func violationsOfForm(_ bytes: [UInt8]) throws -> [FormatViolation] {
        try violations(bytes).filter { !$0.reason.hasPrefix("press: ") }
    }

    @Test func `what writers write passes, canonical and live`() throws {
        for seed in 0..<30 as Range<UInt64> {
            let recording = RecordingGenerator.recording(seed: seed, records: 60)
            for form in TraceForm.allCases {
                let bytes = try recording.bytes(header: TraceHeader(form: form, level: .calls, isMasked: false))
                #expect(try violationsOfForm(bytes) == [], "seed \(seed), \(form.name)")
            }
        }
    }

    @Test func `parts and repaired traces pass`() throws {
        let bytes = try RecordingGenerator.recording(seed: 4, records: 200)
            .bytes(header: TraceHeader(level: .calls, isMasked: false))
        let cut = try Output.of { try TraceCut(.presses(2...9)).run(TraceBytes(bytes), to: $0) }
        let repaired = try Output.of { try TraceRepair().run(TraceBytes(Array(bytes.dropLast(70))), to: $0) }
        #expect(try violationsOfForm(cut) == [])
        #expect(try violationsOfForm(repaired) == [])
    }

    @Test func `every hostile trace is refused or has violations`() throws {
        var count = 0
        for name in try Self.hostileNames() {
            let bytes = try TraceFile.read("\(Self.root)/Traces/hostile/\(name)")
            do {
                let found = try FormatCheck().run(bytes).violations
                #expect(!found.isEmpty, "\(name)")
                for violation in found {
                    let text = violation.description
                    #expect(text.contains("expected") && text.contains("found"), "\(name): \(text)")
                }
            } catch let error as TraceError {
                #expect(error.description.contains("expected"), "\(name)")
            }
            count += 1
        }
        #expect(count > 30)
    }

    /// The names of the hostile traces, from the list that explains them.
    private static func hostileNames() throws -> [String] {
        let path = "\(root)/Traces/hostile/README.md"
        let list = try TraceFile.read(path).withBytes { String(decoding: $0, as: UTF8.self) }
        return list.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("| `trace-"), let end = line.firstRange(of: ".keyflight`") else { return nil }
            return String(line[line.index(line.startIndex, offsetBy: 3)..<end.lowerBound]) + ".keyflight"
        }
    }

    // MARK: Every "must" of the specification

    /// A sentence of the specification and a trace that breaks it; without one, why no trace can.
    struct Rule: CustomTestStringConvertible {
        var sentence: String
        var trace: [UInt8]?
        var found = ""
        var reason: String?
        var testDescription: String { sentence }
    }

    static let rules: [Rule] = [
        Rule(
            sentence: "*Must* marks what a reader may rely on and a checker can check",
            reason: "says what the word means"),
        Rule(sentence: "with the text that they must give", reason: "about the files of that folder, which tests read"),
        Rule(
            sentence: "must be in the shortest form", trace: file([0] + [18, 0x80, 0x00, 2, 1, 0x61], count: 1),
            found: "overlong number"),
        Rule(
            sentence: "Writers must refuse what is beyond (`limitExceeded`), readers must report it.",
            trace: file([0] + [18, 0, 6, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0x61], count: 1), found: "limit exceeded"),
        Rule(
            sentence: "must not be less than any time before",
            trace: end(
                after: header + block([0] + mark, count: 1, time: 9) + block([0] + mark, count: 1, sequence: 1),
                records: 2, time: 9),
            found: "out of order"),
        Rule(
            sentence: "The first sequence must be that of the block before plus its count, unless flag bit 0 is set;",
            trace: end(
                after: header + block([0] + mark, count: 1) + block([0] + mark, count: 1, sequence: 5), records: 6),
            found: "records missing"),
        Rule(
            sentence: "then it must be more.",
            trace: end(
                after: header + block([0] + mark, count: 1) + block([0] + mark, count: 1, sequence: 1, flags: 3),
                records: 2),
            found: "canonical form"),
        Rule(
            sentence: "First sequence plus count must not be beyond 2^64 − 1",
            trace: header + block([0] + mark, count: 1, sequence: .max, flags: 3), found: "out of order"),
        Rule(
            sentence: "Writers must use this form unless the time takes more than 7 bytes",
            trace: file(
                [0] + [1, 0, 9, 1, 0, 0, 0, 0xD0, 0x80, 0x1C, 0, 0], count: 1, kinds: .key), found: "canonical form"),
        Rule(
            sentence: "The press of a down must be that of no other down of the trace",
            trace: file(
                [0] + [0xC0, 0x04, 2, 2] + [0xC0, 0x04, 2, 2], count: 2, kinds: .key), found: "press: expected"),
        Rule(
            sentence: "Records of kinds that readers may not know must not define anything",
            reason: "binds later versions: what their records hold is not known to this one"),
    ]

    /// The other rules are of no trace, with a reason each.
    @Test(arguments: rules.indices.filter { rules[$0].trace != nil })
    func `a trace that breaks a rule is described`(index: Int) throws {
        let rule = Self.rules[index]
        let trace = try #require(rule.trace)
        let found = try violations(trace)
        #expect(found.contains { $0.description.contains(rule.found) }, "\(rule.sentence): \(found.map(\.description))")
    }

    @Test func `each must of the specification has its rule`() throws {
        let text = try TraceFile.read("\(Self.root)/Traces/FORMAT.md").withBytes { String(decoding: $0, as: UTF8.self) }
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        var rest = text
        for rule in Self.rules {
            let range = try #require(rest.firstRange(of: rule.sentence), "no longer there: \(rule.sentence)")
            rest.replaceSubrange(range, with: "")
        }
        for word in ["must ", "Must ", "*Must*"] {
            let place = rest.firstRange(of: word)
            let words = place.map { rest[$0.lowerBound...].prefix(80) } ?? ""
            #expect(place == nil, "no rule here: \(words)")
        }
    }

    @Test func `what filters and indexes go by is checked`() throws {
        let kinds = Self.file([0] + Self.mark, count: 1, kinds: .key)
        #expect(try violations(kinds).contains { $0.description.contains("record_kinds") })
        let good = Self.file([0] + Self.mark, count: 1)
        #expect(try violations(good) == [])
        // The index says another first press.
        let body = Self.header + Self.block([0] + Self.mark, count: 1)
        let index = Self.block(
            [28, 0, 0, 2, 16] + Self.totals(of: body), count: 1, sequence: 1, kind: 2, flags: 0, kinds: .moments)
        let lies = body + index + TraceFrame.end(indexOffset: UInt64(body.count)).withBytes { Array($0) }
        #expect(try violations(lies).contains { $0.description.contains("canonical form: expected") })
    }

    @Test func `one missing record is one record`() throws {
        func found(missing: UInt64) throws -> String {
            let blocks = Self.block([0] + Self.mark, count: 1)
                + Self.block([0] + Self.mark, count: 1, sequence: 1 + missing)
            return try violations(Self.end(after: Self.header + blocks, records: 2 + missing)).first?.reason ?? ""
        }
        #expect(try found(missing: 1).hasSuffix(", 1 record missing"))
        #expect(try found(missing: 2).hasSuffix(", 2 records missing"))
    }

    @Test func `a live block holds no more than its time`() throws {
        let live = TraceFrame.header(TraceHeader(form: .live, level: .calls, isMasked: false)).withBytes { Array($0) }
        let late: [UInt8] = [18, 0x80, 0x84, 0xAF, 0x5F, 2, 1, 0x61]
        let long = Self.end(
            after: live + Self.block([0] + Self.mark + late, count: 2, flags: 0), records: 2, time: 200_000_000)
        #expect(try violations(long).contains { $0.description.contains("live form") })
    }

    @Test func `text in a trace that says it is masked is described`() throws {
        var trace = KeyTrace()
        trace.header.isMasked = true
        trace.type(.letterA, at: 0, character: "a")
        trace.append(.text(TextRecord(text: trace.recording.definitions.intern("pasted"))), 100)
        let found = try violations(trace.bytes()).map(\.description)
        #expect(found.filter { $0.contains("masked key") }.count == 2, "\(found)")
        #expect(found.filter { $0.contains("masked text") }.count == 2, "\(found)")
        var chord = KeyTrace()
        chord.header.isMasked = true
        chord.key(.leftGUI, .down, 0, press: nil)
        chord.key(.letterW, .down, 0, press: 1)
        chord.key(.leftGUI, .up, 20, press: nil)
        chord.key(.letterW, .up, 30, press: 1)
        #expect(try violations(chord.bytes()) == [])
    }

    // MARK: Bytes by hand

    static let header = TraceFrame.header(TraceHeader(level: .calls, isMasked: false)).withBytes { Array($0) }
    /// A mark named "a".
    static let mark: [UInt8] = [18, 0, 2, 1, 0x61]

    static func block(
        _ payload: [UInt8], count: UInt32, sequence: UInt64 = 0, time: Int64 = 0, kind: UInt8 = 1, flags: UInt8 = 2,
        kinds: RecordKinds = .moments
    ) -> [UInt8] {
        var buffer = ByteBuffer()
        payload.withUnsafeBytes { buffer.append(contentsOf: $0) }
        let header = BlockHeader(
            kind: kind, flags: flags, kinds: kinds, count: count, firstTime: time, firstSequence: sequence)
        return TraceFrame.block(header, buffer).withBytes { Array($0) }
    }

    /// The index, whose records are of `kinds`, and the end marker.
    static func end(
        after bytes: [UInt8], records: UInt64, time: Int64 = 0, kinds: RecordKinds = .moments
    ) -> [UInt8] {
        var entries = ByteBuffer()
        var last = TraceIndex.Block.none
        var count: UInt32 = 0
        var walk = try? BlockWalk(TraceBytes(bytes))
        while let next = walk?.next() {
            var block = TraceIndex.Block(
                offset: UInt64(next.offset), firstTime: TraceTime(rawValue: next.header.firstTime),
                firstSequence: next.header.firstSequence, firstPress: 0, kinds: next.header.kinds)
            var reader = try? TraceReader(bytes)
            if reader?.seek(to: block) == true { block.firstPress = (reader?.keys.keyboard.pressCount ?? 0) &+ 1 }
            block.append(to: &entries, after: last)
            last = block
            count += 1
        }
        let index = block(
            entries.withBytes { Array($0) } + totals(of: bytes), count: count, sequence: records,
            time: time, kind: 2, flags: 0, kinds: kinds)
        return bytes + index + TraceFrame.end(indexOffset: UInt64(bytes.count)).withBytes { Array($0) }
    }

    /// What an index says after its entries, of the records that stand before it.
    static func totals(of bytes: [UInt8]) -> [UInt8] {
        var out = ByteBuffer()
        var totals = TraceTotals()
        if var reader = try? TraceReader(bytes) {
            while let record = reader.next() { totals.note(record.body) }
        }
        totals.append(to: &out)
        return out.withBytes { Array($0) }
    }

    static func file(_ payload: [UInt8], count: UInt32, kinds: RecordKinds = .moments) -> [UInt8] {
        end(after: header + block(payload, count: count, kinds: kinds), records: UInt64(count), kinds: kinds)
    }
}
