import GeneratedTraces
import KeyModel
import Testing

@testable import TraceFormat

/// The text format of a trace.
func textFormat(of bytes: [UInt8]) throws -> String {
    var reader = try TraceReader(bytes)
    var writer = TraceTextWriter()
    if let header = reader.report.header {
        writer.begin(header, context: reader.initialContext, definitions: reader.definitions)
    }
    while let record = reader.next() { writer.append(record, definitions: reader.definitions) }
    if reader.report.complete { writer.end() }
    return writer.text
}

/// The canonical trace of a text.
func assembled(_ text: [UInt8]) throws -> [UInt8] {
    let output = ByteCollector()
    try TraceAssembly.assemble(TraceBytes(text)) { output.bytes.append(contentsOf: $0) }
    return output.bytes
}

@Suite struct TextFormatTests {
    @Test func `a trace that begins in the middle keeps its context and sequence numbers in text`() throws {
        let recording = RecordingGenerator.recording(seed: 7, records: 300)
        var context = TraceContext()
        for record in recording.records.prefix(150) { context.apply(record.body) }
        let output = ByteCollector()
        var writer = try TraceWriter(
            header: TraceHeader(level: .calls, isMasked: false, firstSequence: 150), context: context
        ) { output.bytes.append(contentsOf: $0) }
        for record in recording.records.dropFirst(150) {
            try writer.append(record.body, at: record.time, definitions: recording.definitions)
        }
        try writer.finish()
        let text = try textFormat(of: output.bytes)
        #expect(text.contains("\ncontext "))
        #expect(try assembled(Array(text.utf8)) == output.bytes)
    }

    @Test func `a context that no trace can hold is refused, not shortened`() throws {
        let recording = RecordingGenerator.recording(seed: 7, records: 3)
        var lines = try textFormat(of: recording.bytes(header: TraceHeader(level: .calls, isMasked: false)))
            .split(separator: "\n", omittingEmptySubsequences: false)
        for number in 0..<12 {
            let value = String(repeating: "v", count: 100_000)
            lines.insert("context environment name=\"n\(number)\" value=\"\(value)\"", at: 1)
        }
        let text = Array(lines.joined(separator: "\n").utf8)
        let error = try #require(throws: TraceError.self) { try assembled(text) }
        #expect(error.code == .limitExceeded && error.field == "context", "\(error)")
    }

    @Test func `sequence numbers left out on purpose stay left out and are no damage`() throws {
        var recording = Recording()
        for number in [0, 1, 5, 6, 40] as [UInt64] {
            recording.append(
                TraceRecord(
                    time: TraceTime(nanoseconds: Int64(number)), sequence: number,
                    body: .mark(MarkRecord(name: "m\(number)"))))
        }
        let bytes = try recording.bytes(header: TraceHeader(level: .keys, isMasked: true))
        let (back, report) = try Recording.read(bytes)
        #expect(report.complete)
        #expect(back.records == recording.records)
        #expect(try assembled(Array(textFormat(of: bytes).utf8)) == bytes)
    }

    @Test func `a line says its record in the names of the schema`() throws {
        var recording = Recording()
        let tabs = recording.definitions.intern(ResponderDefinition(id: "tabs", kind: "tabBarController"))
        let command = recording.definitions.intern(
            CommandDefinition(input: "w", modifiers: .command, action: "closeTab:", title: "Close"))
        let key = KeyRecord(
            device: 1, key: .clear(.keyboard(0x1A)), phase: .down, modifiers: .command, press: 1)
        recording.append(.key(key), at: TraceTime(nanoseconds: 5))
        recording.append(
            .call(
                CallRecord(
                    at: PressTick(press: 1, tick: 0), kind: .keyCommands, occasion: .down, responder: tabs, pass: 1,
                    depth: 0, duration: TraceDuration(nanoseconds: 900), action: nil,
                    answer: .commands(recording.definitions.intern([command])))),
            at: TraceTime(nanoseconds: 6))
        let text = try textFormat(of: recording.bytes(header: TraceHeader(level: .calls, isMasked: true)))
        let call =
            #"1 6 call press=1 call=keyCommands occasion=down responder={"id":"tabs","kind":"tabBarController"} "#
            + #"pass=1 depth=0 duration_ns=900 answer=commands "#
            + #"list=[{"input":"w","modifiers":"command","action":"closeTab:","title":"Close"}]"#
        #expect(
            text == """
                keyflight-text 1 form=canonical level=calls masked=true first_sequence=0
                0 5 key device=1 press=1 phase=down key=W modifiers=command
                \(call)
                end

                """)
    }

    @Test func `errors name line, column and field`() throws {
        let head = "keyflight-text 1 form=canonical level=keys first_sequence=0\n"
        let wrong: [(String, Int, Int, String?, TraceError.Code)] = [
            ("0 0 key device=1 phase=sideways key=W\nend\n", 2, 24, "phase", .outOfRange),
            ("0 0 key phase=down key=W\nend\n", 2, 8, "device", .field),
            ("0 0 key device=70000 phase=down key=W\nend\n", 2, 16, "device", .outOfRange),
            ("0 0 mark name=\"x\nend\n", 2, 17, "name", .truncated),
            ("0 0 mark name=\"x\" more=1\nend\n", 2, 18, nil, .leftover),
            ("0 5 mark name=\"x\"\n1 4 mark name=\"y\"\nend\n", 3, 3, "t_ns", .timeOrder),
            ("0 9223372036854775808 mark name=\"x\"\nend\n", 2, 3, "t_ns", .outOfRange),
            ("0 -1 mark name=\"x\"\nend\n", 2, 3, "t_ns", .outOfRange),
            ("3 5 mark name=\"x\"\n3 5 mark name=\"y\"\nend\n", 3, 1, "seq", .sequenceOrder),
            ("0 0 nothing\nend\n", 2, 5, "kind", .outOfRange),
        ]
        for (lines, line, column, field, code) in wrong {
            let error = #expect(throws: TraceError.self) { try assembled(Array((head + lines).utf8)) }
            #expect(error?.code == code, "\(lines)")
            #expect(error?.line == line, "\(lines)")
            #expect(error?.column == column, "\(lines)")
            #expect(error?.field == field, "\(lines)")
        }
    }

    @Test func `what no trace can hold is described with file and line`() throws {
        let head = "keyflight-text 1 form=canonical level=keys first_sequence=0\n\n0 0 mark name=\"x\"\n"
        let text = head + "18446744073709551615 0 mark name=\"y\"\nend\n"
        let error = #expect(throws: TraceError.self) {
            try TraceAssembly.assemble(TraceBytes(Array(text.utf8), file: "a.txt")) { _ in }
        }
        #expect(error?.file == "a.txt" && error?.line == 4, "\(error?.description ?? "")")
        // What the sink says of its own file stays.
        var full = TraceError(.file, expected: "room", found: "none")
        full.file = "b.keyflight"
        let other = #expect(throws: TraceError.self) {
            try TraceAssembly.assemble(TraceBytes(Array((head + "end\n").utf8), file: "a.txt")) { _ in throw full }
        }
        #expect(other == full)
    }

    @Test func `a byte order mark is refused by its name`() throws {
        let text = "\u{FEFF}keyflight-text 1 form=canonical level=keys first_sequence=0\nend\n"
        let bytes = TraceBytes(Array(text.utf8))
        #expect(bytes.isTextFormat)
        let error = #expect(throws: TraceError.self) { try TraceTextReader(bytes) }
        #expect(error?.code == .notATrace)
        #expect(error?.found == "a byte order mark (EF BB BF), which must go")
    }

    @Test func `a text without its last line is cut short`() {
        let head = "keyflight-text 1 form=canonical level=keys first_sequence=0\n"
        let error = #expect(throws: TraceError.self) { try assembled(Array(head.utf8)) }
        #expect(error?.code == .truncated)
    }

    @Test func `every prefix and every changed byte of a trace as text is read without a trap`() throws {
        let recording = RecordingGenerator.recording(seed: 3, records: 25)
        let text = Array(try textFormat(of: recording.bytes(header: TraceHeader(level: .calls, isMasked: false))).utf8)
        for length in 0..<text.count - 1 {
            #expect(throws: TraceError.self, "prefix \(length)") { try assembled(Array(text[..<length])) }
        }
        for index in text.indices {
            for mask in [0x01, 0x20, 0x80, 0xFF] as [UInt8] {
                var changed = text
                changed[index] ^= mask
                do {
                    let bytes = try assembled(changed)
                    #expect(try Recording.read(bytes).report.complete, "byte \(index)")
                } catch {
                    #expect(error is TraceError, "byte \(index)")
                }
            }
        }
    }

    @Test func `key records as JSON lines`() throws {
        var recording = Recording()
        let down = KeyRecord(device: 1, key: .clear(.keyboard(26)), phase: .down, modifiers: .command, press: 1)
        recording.append(.key(down), at: .zero)
        let hidden = KeyRecord(
            device: 2, key: .masked(.letter), phase: .up, modifiers: [], press: nil, isSynthetic: true)
        recording.append(.key(hidden), at: TraceTime(nanoseconds: 12))
        let shift = KeyRecord(device: 1, key: .clear(.leftShift), phase: .down, modifiers: .shift, press: nil)
        recording.append(.key(shift), at: TraceTime(nanoseconds: 13))
        recording.append(.level(LevelRecord(level: .stages)), at: TraceTime(nanoseconds: 14))
        var json = JSONText()
        for record in recording.records { json.appendLine(record, definitions: recording.definitions) }
        #expect(
            json.text == """
                {"seq":0,"t_ns":0,"kind":"key","device":1,"press":1,"phase":"down","page":7,"usage":26,"key":"W",\
                "modifiers":["command"],"masked":false}
                {"seq":1,"t_ns":12,"kind":"key","device":2,"press":null,"phase":"up","page":7,"usage":null,"key":null,\
                "modifiers":[],"masked":true,"class":"letter","synthetic":true}
                {"seq":2,"t_ns":13,"kind":"key","device":1,"press":null,"phase":"down","page":7,"usage":225,\
                "key":"LeftShift","modifiers":["shift"],"masked":false}
                {"seq":3,"t_ns":14,"kind":"level","level":"stages"}

                """)
    }
}
