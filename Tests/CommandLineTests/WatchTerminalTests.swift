import Foundation
import Libc
import TestRequirements
import Testing

@testable import keyflight

/// `watch` at a terminal of its own: what it draws, and how it leaves.
@Suite struct WatchTerminalTests {
    /// A running shell line in a pseudo-terminal that is typed into.
    private final class Terminal {
        private let terminal: Int32
        private let shell: Process
        private(set) var shown = ""

        /// `$keyflight` is the program; the settings of the terminal are compared before and after it.
        init(_ arguments: String, environment: [String: String] = ["LANG": "C.UTF-8"]) throws {
            let line = """
                report() { echo "status $?"; [ "$before" = "$(stty -g)" ] && echo "as it was"; }
                before=$(stty -g); sh -c 'echo "process $$"; exec "$keyflight" watch \(arguments)'; report
                if [ -n "$(jobs)" ]; then fg; report; fi; sleep 0.2
                """
            (shell, terminal) = try TerminalRun.start(
                ["/bin/bash", "-m", "-c", line], columns: 80, rows: 24, environment: environment)
            _ = fcntl(terminal, F_SETFL, O_NONBLOCK)
        }

        deinit {
            if shell.isRunning { shell.terminate() }
            close(terminal)
        }

        func type(_ text: String) {
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
                if count > 0 { rest = rest.dropFirst(count) } else { take() }
            }
        }

        private func take() {
            usleep(10_000)
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = read(terminal, &buffer, buffer.count)
            if count > 0 { shown += String(decoding: buffer[..<count], as: UTF8.self) }
        }

        /// Waits until the terminal was sent this, once more since the last wait.
        func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
            for _ in 0..<3_000 {
                if let found = shown.range(of: text) {
                    shown = String(shown[found.upperBound...])
                    return
                }
                take()
            }
            Issue.record("\(text) is not shown: \(shown.debugDescription.suffix(600))", sourceLocation: sourceLocation)
        }

        /// Sends a signal to the program, which is known by its number.
        func signal(_ number: Int32) throws {
            let found = try #require(process(), "no process is shown")
            try #require(found > 1)
            expect("74 presses")
            #expect(kill(found, number) == 0)
        }

        private func process() -> Int32? {
            for _ in 0..<1_000 {
                if let match = shown.firstMatch(of: /process ([0-9]+)[\r\n]/) { return Int32(match.1) }
                take()
            }
            return nil
        }

        func resize(columns: UInt16, rows: UInt16) {
            var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
            _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
        }

        /// The alternate screen is left, and the terminal is as it was.
        func expectEnd(_ status: Int32, sourceLocation: SourceLocation = #_sourceLocation) {
            expect("\u{1B}[?1049l", sourceLocation: sourceLocation)
            expect("status \(status)", sourceLocation: sourceLocation)
            expect("as it was", sourceLocation: sourceLocation)
        }
    }

    private static let trace = WatchTests.textedit

    @Test(.needs("setsid", "bash", "stty")) func itIsDrawnResizedAndLeft() throws {
        let terminal = try Terminal(Self.trace)
        terminal.expect("\u{1B}[?1049h")
        terminal.expect("textedit.keyflight · ended · 74 presses")
        terminal.resize(columns: 120, rows: 30)
        terminal.expect("\u{1B}[30;1H")
        terminal.type("\u{1B}[B\u{1B}[B")
        terminal.expect("#3: held")
        terminal.type("m")
        terminal.expect("*")
        terminal.type("q")
        terminal.expect("\u{1B}[?1049l")
        terminal.expect("textedit.keyflight --press 3")
        terminal.expect("status 0")
        terminal.expect("as it was")
    }

    @Test(.needs("setsid", "bash", "stty")) func signalsLeaveTheTerminalAsItWas() throws {
        for (signal, status) in [(SIGTERM, 130), (SIGHUP, 130), (SIGINT, 130), (SIGSEGV, 139), (SIGABRT, 134)] {
            let terminal = try Terminal(Self.trace)
            try terminal.signal(signal)
            terminal.expectEnd(Int32(status))
        }
    }

    @Test(.needs("setsid", "bash", "stty")) func itIsSuspendedAndGoesOn() throws {
        let terminal = try Terminal(Self.trace)
        try terminal.signal(SIGTSTP)
        terminal.expectEnd(147)
        terminal.expect("74 presses")
        terminal.type("q")
        terminal.expectEnd(0)
    }

    @Test(.needs("setsid", "bash", "stty")) func aTraceThatBeginsLater() throws {
        try Files.withFolder { folder in
            let path = folder + "/t.keyflight"
            try Files.write([], to: path)
            let terminal = try Terminal(path)
            terminal.expect("nothing is recorded yet")
            let file = try #require(FileHandle(forWritingAtPath: path))
            let bytes = Files.bytes(WatchTests.textedit)
            for start in stride(from: 0, to: bytes.count, by: 1_000) {
                try file.write(contentsOf: bytes[start..<min(start + 1_000, bytes.count)])
                usleep(2_000)
            }
            terminal.expect("74 presses")
            terminal.type("q")
            terminal.expectEnd(0)
        }
    }

    @Test(.needs("setsid", "bash", "stty")) func aDamagedTraceEndsWith2() throws {
        try Files.withFolder { folder in
            var bytes = Files.bytes(WatchTests.textedit)
            bytes[bytes.count / 2] ^= 0xFF
            try Files.write(bytes, to: folder + "/t.keyflight")
            let terminal = try Terminal(folder + "/t.keyflight")
            terminal.expect("damaged at byte")
            terminal.type("q")
            terminal.expectEnd(2)
        }
    }

    /// 10,000 pasted keys are no commands, and do not reach the shell; as commands they keep no terminal busy.
    @Test(.needs("setsid", "bash", "stty")) func tenThousandKeysArePasted() throws {
        let terminal = try Terminal(Self.trace)
        terminal.expect("74 presses")
        terminal.type("\u{1B}[200~" + String(repeating: "q s m f ? ", count: 1_000) + "\u{1B}[201~")
        terminal.type(String(repeating: "jk", count: 5_000) + "j")
        terminal.expect("#2: held")
        terminal.type("q")
        terminal.expectEnd(0)
    }

    @Test func withoutATerminalItIsRefused() {
        let run = CommandRun("watch", WatchTests.textedit)
        #expect(run.status == 64 && run.notes.hasSuffix("[KF6414]\n"), "\(run.notes)")
        for wrong in [[], ["x", "--", "App"], ["x", "--tty"], ["x", "-o", "y"], ["--tty", "--scene", "s"]] {
            #expect(CommandRun(["watch"] + wrong).status == 64, "\(wrong)")
        }
    }
}
