import KeyModel
import Testing
import TraceFormat

@testable import TraceExport

@Suite struct XCUITestExportTests {
    private static func export(_ recording: Recording) throws -> (text: String, omissions: KeyExport.Omissions) {
        var survey = ExportSurvey()
        for record in recording.records { try survey.consume(record, definitions: recording.definitions) }
        var bytes: [UInt8] = []
        var export = try KeyExport(.xcuitest, survey) { bytes += $0 }
        for record in recording.records { try export.consume(record) }
        try export.finish()
        return (String(decoding: bytes, as: UTF8.self), export.omissions)
    }

    private static func press(_ usage: KeyUsage, _ modifiers: KeyModifiers = [], in recording: inout Recording) {
        for phase in [KeyPhase.down, .up] {
            let key = KeyRecord(
                device: 1, key: .clear(usage), phase: phase, modifiers: modifiers, press: 1, isSynthetic: false)
            recording.append(.key(key), at: .zero)
        }
    }

    @Test func `a press is a call of typeKey with the key's plain character, and its modifiers`() throws {
        var recording = Recording()
        Self.press(.keyboard(0x1A), [.shift, .command], in: &recording)
        Self.press(.downArrow, in: &recording)
        let text = try Self.export(recording).text
        #expect(text.contains("        app.typeKey(\"w\", modifierFlags: [.shift, .command])\n"))
        #expect(text.contains("        app.typeKey(.downArrow, modifierFlags: [])\n"))
        #expect(text.hasSuffix("// Not in it: when keys came and how long they were held.\n"))
    }

    @Test func `the layout of the trace names a key, and nothing of it is code`() throws {
        var recording = Recording()
        let layout = Layout(
            name: "own",
            keys: [
                0x04: .init(symbols: [.text("é")]), 0x05: .init(symbols: [.text("\\(exit(1))")]),
                0x06: .init(symbols: [.text("\"\n\u{202E}")]),
            ])
        recording.append(
            .layout(LayoutRecord(name: "own", hash: layout.hash, table: recording.definitions.intern(layout.text))),
            at: .zero)
        for usage in 0x04...0x07 as ClosedRange<UInt16> { Self.press(.keyboard(usage), in: &recording) }
        let (text, omissions) = try Self.export(recording)
        let calls = text.split(separator: "\n").filter { $0.contains("typeKey(") }
        #expect(calls.first == "        app.typeKey(\"é\", modifierFlags: [])")
        #expect(calls.contains("        app.typeKey(\"\\\\(exit(1))\", modifierFlags: [])"), "\(calls)")
        #expect(calls.last == "        app.typeKey(\"\\\"\\u{A}\\u{202E}\", modifierFlags: [])", "\(calls)")
        #expect(omissions.unnamed == 1 && text.contains("// d: XCUITest has no such key"))
    }

    @Test func `what it cannot express is said: modifiers alone, repeats, texts and steps`() throws {
        var recording = Recording()
        Self.press(.leftGUI, in: &recording)
        let text = recording.definitions.intern("x")
        recording.append(.text(TextRecord(text: text)), at: .zero)
        recording.append(.step(StepRecord(step: text)), at: .zero)
        Self.press(.keyboard(0xA4), in: &recording)
        let exported = try Self.export(recording)
        #expect(
            exported.text.hasSuffix(
                "; modifiers pressed alone (1); keys that XCUITest has no name for (1); texts without a key (1); "
                    + "context steps (1).\n"))
    }

    @Test func `a thousand presses are in functions that a compiler takes at once`() throws {
        var recording = Recording()
        for _ in 0..<401 { Self.press(.spacebar, in: &recording) }
        let text = try Self.export(recording).text
        let lines = text.split(separator: "\n")
        #expect(lines.count { $0.contains("app.typeKey(") } == 401)
        #expect(lines.count { $0.contains("private func typeKeys") } == 3)
        #expect(lines.count { $0.hasSuffix("(app)") } == 3)
    }
}
