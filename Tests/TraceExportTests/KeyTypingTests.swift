import KeyModel
import Testing
import TraceFormat

@testable import TraceExport

@Suite struct KeyTypingTests {
    private static func press(
        _ usage: KeyUsage, _ modifiers: KeyModifiers = [], device: UInt16 = 1, in recording: inout Recording
    ) {
        for phase in [KeyPhase.down, .repeat, .up] {
            let key = KeyRecord(
                device: device, key: .clear(usage), phase: phase, modifiers: modifiers, press: 1, isSynthetic: false)
            recording.append(.key(key), at: .zero)
        }
    }

    private static func typed(
        _ recording: Recording, device: UInt16? = nil
    ) throws -> (typing: KeyTyping, events: [KeyTyping.Event]) {
        var typing = KeyTyping(device: device)
        let events = try recording.records.compactMap { try typing.event($0, recording.definitions) }
        return (typing, events)
    }

    @Test func `keys go down and up by position, and what is left out is counted`() throws {
        var recording = Recording()
        Self.press(.keyboard(0x1A), [.command], in: &recording)
        let text = recording.definitions.intern("x")
        recording.append(.text(TextRecord(text: text)), at: .zero)
        recording.append(.step(StepRecord(step: text)), at: .zero)
        let (typing, events) = try Self.typed(recording)
        #expect(
            events == [.init(usage: .keyboard(0x1A), isDown: true), .init(usage: .keyboard(0x1A), isDown: false)])
        #expect(typing.presses == 1 && typing.omissions.repeats == 1)
        #expect(typing.omissions.texts == 1 && typing.omissions.steps == 1)
    }

    @Test func `what a key must type elsewhere is what it types by the layout of the trace`() throws {
        var recording = Recording()
        let layout = Layout(name: "own", keys: [0x04: .init(symbols: [.text("q"), .text("Q"), .text("@")])])
        recording.append(
            .layout(LayoutRecord(name: "own", hash: layout.hash, table: recording.definitions.intern(layout.text))),
            at: .zero)
        for modifiers in [[], .shift, .command, .option, []] as [KeyModifiers] {
            Self.press(.keyboard(0x04), modifiers, in: &recording)
        }
        Self.press(.tab, in: &recording)
        let typing = try Self.typed(recording).typing
        #expect(
            typing.needs == [
                .init(usage: .keyboard(0x04), text: "q"), .init(usage: .keyboard(0x04), isShifted: true, text: "Q"),
                .init(usage: .keyboard(0x04)), .init(usage: .tab),
            ])
        #expect(typing.withOption == 1)
    }

    @Test func `masked keys and a second keyboard are refused`() throws {
        var recording = Recording()
        Self.press(.tab, in: &recording)
        Self.press(.tab, device: 2, in: &recording)
        #expect(throws: ExportRefusal.self) { try Self.typed(recording) }
        #expect(try Self.typed(recording, device: 2).events.count == 2)
        let masked = KeyRecord(device: 1, key: .masked(.letter), phase: .down, modifiers: [], press: 3)
        recording.append(.key(masked), at: .zero)
        #expect(throws: ExportRefusal.self) { try Self.typed(recording, device: 1) }
    }
}
