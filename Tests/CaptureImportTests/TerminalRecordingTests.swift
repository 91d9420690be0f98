import Foundation
import HIDCapture
import KeyModel
import Testing
import TraceFormat

@testable import CaptureImport

/// A terminal of the tests' own: what is typed into one end is recorded at the other.
@Suite(.serialized) struct TerminalRecordingTests {
    final class Terminal: @unchecked Sendable {
        let screen: Int32
        let line: Int32

        init() throws {
            var (screen, line): (Int32, Int32) = (-1, -1)
            guard openpty(&screen, &line, nil, nil, nil) == 0 else { throw CancellationError() }
            (self.screen, self.line) = (screen, line)
        }

        deinit {
            close(screen)
            close(line)
        }

        func type(_ text: String) { type(Array(text.utf8)) }
        func type(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { write(screen, $0.baseAddress, $0.count) } }

        /// What programs have printed so far.
        func printed() -> String {
            var bytes = [UInt8](repeating: 0, count: 4096)
            _ = fcntl(screen, F_SETFL, O_NONBLOCK)
            var text = ""
            while true {
                let count = bytes.withUnsafeMutableBytes { read(screen, $0.baseAddress, $0.count) }
                guard count > 0 else { return text }
                text += String(decoding: bytes.prefix(count), as: UTF8.self)
            }
        }

        var settings: termios {
            var settings = termios()
            tcgetattr(line, &settings)
            return settings
        }

        var echoes: Bool { settings.c_lflag & tcflag_t(ECHO) != 0 }

        /// Opens the source while `answer` is what the terminal says to its questions.
        func source(answering answer: String) throws -> TerminalSource {
            let answering = Thread {
                // Not before it is in raw mode, which leaves out what was typed before.
                while self.echoes { usleep(1_000) }
                self.type(answer)
            }
            answering.start()
            return try TerminalSource(descriptor: line, owned: false, layout: TerminalRecordingTests.layout)
        }
    }

    static let layout: Layout = {
        var keys: [UInt16: Layout.Key] = [:]
        for (index, character) in "abcdefghijklmnopqrstuvwxyz".enumerated() {
            let text = String(character)
            keys[UInt16(index + 4)] = Layout.Key(symbols: [.text(text), .text(text.uppercased())])
        }
        return Layout(name: "test", keys: keys)
    }()

    /// Types the parts one after the other while it is recorded, and says what the trace holds.
    static func record(
        _ terminal: Terminal, _ source: TerminalSource, _ parts: [String], each: (TraceRecord) -> Void = { _ in }
    ) throws -> (lines: [String], summary: LiveSummary) {
        var trace: [UInt8] = []
        let output = try LiveOutput(isMasked: false) { trace += $0 }
        var options = LiveRecorder.Options()
        options.showsKeys = true
        var left = parts
        var rounds = 0
        let summary = LiveRecorder(LiveInputs([source]), to: output, options).run(
            stop: {
                rounds += 1
                // A part in every fifth round, so that an escape is alone for long enough.
                if rounds % 5 == 0, !left.isEmpty { terminal.type(left.removeFirst()) }
                return rounds > 1000 ? .terminate : nil
            }, report: { _ in })
        var reader = try TraceReader(trace)
        var records: [TraceRecord] = []
        while let record = reader.next() {
            records.append(record)
            each(record)
        }
        return (LiveRecorderTests.lines(records), summary)
    }

    @Test("a plain terminal sends presses; releases and modifiers are synthetic, and the facts say so")
    func plain() throws {
        let terminal = try Terminal()
        #expect(terminal.echoes)
        let source = try terminal.source(answering: "\u{1B}[?62c")
        #expect(!source.hasKittyProtocol)
        #expect(!terminal.echoes)
        let (lines, summary) = try Self.record(terminal, source, ["aB", "\u{1B}", "\u{1B}[A", "\u{18}", "\u{03}"])
        #expect(
            lines == [
                "1 A+", "1 A!", "1 LeftShift+", "1 B+", "1 B!", "1 LeftShift!", "1 Escape+", "1 Escape!", "1 UpArrow+",
                "1 UpArrow!", "1 LeftControl+", "1 X+", "1 X!", "1 LeftControl!",
            ])
        #expect(summary.end == .stopped)
        #expect(summary.notes.contains { $0.contains("reports presses alone") })
        #expect(terminal.echoes)
    }

    @Test("a terminal with the kitty protocol tells releases and modifiers, and gets its own mode back")
    func kitty() throws {
        let terminal = try Terminal()
        let source = try terminal.source(answering: "\u{1B}[?0u\u{1B}[?62c")
        #expect(source.hasKittyProtocol)
        let asked = terminal.printed()
        #expect(asked.contains("\u{1B}[?u\u{1B}[c"))
        #expect(asked.hasSuffix("\u{1B}[>15u"))
        let (lines, summary) = try Self.record(
            terminal, source,
            [
                "\u{1B}[57441;2u\u{1B}[97:65;2u", "\u{1B}[97:65;2:3u\u{1B}[57441;1:3u",
                "\u{1B}[57442;5u\u{1B}[120;5u\u{1B}[120;5:3u\u{1B}[57442;1:3u",
                // A press need not have an event of its own.
                "\u{1B}[A\u{1B}[1;1:3A", "\u{1B}[57442;5u\u{1B}[99;5u",
            ])
        #expect(
            lines == [
                "1 LeftShift+", "1 A+", "1 A-", "1 LeftShift-", "1 LeftControl+", "1 X+", "1 X-", "1 LeftControl-",
                "1 UpArrow+", "1 UpArrow-",
            ])
        #expect(summary.end == .stopped)
        #expect(!summary.notes.contains { $0.contains("reports presses alone") })
        #expect(terminal.printed().hasSuffix("\u{1B}[<u"))
        #expect(terminal.echoes)
    }

    @Test("what is typed while the terminal is asked is recorded, before, between and behind its answers")
    func typedWhileAsked() throws {
        let terminal = try Terminal()
        let source = try terminal.source(answering: "abc\u{1B}[?62cde")
        let (lines, summary) = try Self.record(terminal, source, ["fgh", "\u{03}"])
        #expect(lines == "ABCDEFGH".flatMap { ["1 \($0)+", "1 \($0)!"] })
        #expect(summary.progress.dropped == 0)

        let kitty = try terminal.source(answering: "a\u{1B}[?0ub\u{1B}[?62c\u{1B}[57442;5u\u{1B}[99;5u")
        #expect(try Self.record(terminal, kitty, []).lines == ["1 A+", "1 A!", "1 B+", "1 B!"])
        #expect(kitty.isStopped)
    }

    @Test("Alt+[ and Alt+O are keys, and so is the next one")
    func beginnings() throws {
        let terminal = try Terminal()
        let source = try terminal.source(answering: "\u{1B}[?62c")
        let (lines, summary) = try Self.record(terminal, source, ["\u{1B}O", "a", "\u{1B}[", "b", "\u{03}"])
        #expect(
            lines == [
                "1 LeftAlt+", "1 LeftShift+", "1 O+", "1 O!", "1 LeftShift!", "1 LeftAlt!", "1 A+", "1 A!", "1 B+",
                "1 B!",
            ])
        // The layout of the test has no [.
        #expect(summary.progress.dropped == 1)
    }

    @Test("what is dropped is a loss of the trace, with its number")
    func losses() throws {
        let terminal = try Terminal()
        let source = try terminal.source(answering: "\u{1B}[?62c")
        let parts = ["a\u{1B}[12", "é", "\u{1B}[200~b", "\u{03}"]
        var records: [TraceRecord] = []
        let (lines, summary) = try Self.record(terminal, source, parts) { records.append($0) }
        #expect(lines == ["1 A+", "1 A!", "1 B+", "1 B!"])
        #expect(summary.progress.dropped == 3)
        let losses = records.compactMap { record -> String? in
            guard case .loss(let loss) = record.body else { return nil }
            return "\(loss.count ?? 0) \(loss.detail)"
        }
        #expect(
            losses == [
                "1 sequences that are incomplete or of no known key, of the terminal",
                "1 characters that are on no key of the layout, of the terminal",
                "1 sequences that are incomplete or of no known key, of the terminal",
            ])
        #expect(summary.notes.contains { $0.contains("2 sequences are incomplete or of no known key, and are lost") })
    }

    @Test(
        "Ctrl-C stops, whatever was before it",
        arguments: [
            [0x03], [0x1B, 0x03], [0x1B, 0x5B, 0x03], [0x1B, 0x5B, 0x31, 0x32, 0x03], [0x1B, 0x4F, 0x03], [0xF0, 0x03],
            [0xE2, 0x82, 0x03], Array("\u{1B}[?1;\u{1B}[99;5u".utf8),
        ] as [[UInt8]])
    func stops(_ bytes: [UInt8]) throws {
        let terminal = try Terminal()
        let source = try terminal.source(answering: "\u{1B}[?62c")
        terminal.type(bytes)
        _ = try Self.record(terminal, source, [])
        #expect(source.isStopped)
    }

    @Test("a terminal that answers nothing is a plain one")
    func silent() throws {
        let terminal = try Terminal()
        let source = try TerminalSource(descriptor: terminal.line, owned: false, layout: Self.layout)
        #expect(!source.hasKittyProtocol)
        source.close()
        #expect(terminal.echoes)
        source.close()
    }

    @Test("what is no terminal is refused")
    func noTerminal() throws {
        let file = open("/dev/null", O_RDWR)
        defer { close(file) }
        #expect(throws: LiveFailure.self) { try TerminalSource(descriptor: file, owned: false, layout: Self.layout) }
    }
}
