import Foundation
import HIDCapture
import KeyModel
import Testing
import TraceFormat

@testable import CaptureImport

/// A terminal of the tests' own: what is typed into one end is recorded at the other.
@Suite(.serialized) struct TerminalRecordingTests {
    final class Terminal {
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

        func type(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { write(screen, $0.baseAddress, $0.count) } }

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
            let answering = Thread { [screen] in
                usleep(50_000)
                _ = Array(answer.utf8).withUnsafeBytes { write(screen, $0.baseAddress, $0.count) }
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
    static func record(_ terminal: Terminal, _ source: TerminalSource, _ parts: [String]) throws -> (
        lines: [String], summary: LiveSummary
    ) {
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
        while let record = reader.next() { records.append(record) }
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
                "\u{1B}[57442;5u\u{1B}[120;5u\u{1B}[120;5:3u\u{1B}[57442;1:3u", "\u{1B}[57442;5u\u{1B}[99;5u",
            ])
        #expect(
            lines == [
                "1 LeftShift+", "1 A+", "1 A-", "1 LeftShift-", "1 LeftControl+", "1 X+", "1 X-", "1 LeftControl-",
            ])
        #expect(summary.end == .stopped)
        #expect(!summary.notes.contains { $0.contains("reports presses alone") })
        #expect(terminal.printed().hasSuffix("\u{1B}[<u"))
        #expect(terminal.echoes)
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
