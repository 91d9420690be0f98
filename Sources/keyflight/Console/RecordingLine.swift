import CaptureImport
import KeyModel
import Libc
import SystemPackage
import TraceReports

/// The line that shows the state of a recording, and the title of the window while it runs. A terminal alone gets them.
final class RecordingLine {
    private let isShown: Bool
    private var latest = ""
    private var latestTime = TraceDuration.zero

    init() { isShown = isatty(2) == 1 && !ProcessEnvironment.process.hasDumbTerminal }

    /// Text may hold escapes of ours only: names come from the command line.
    private func write(_ text: String) { _ = try? FileDescriptor.standardError.writeAll(text.utf8) }

    func begin(isMasked: Bool) {
        guard isShown else { return }
        // The title of before is kept by the terminal, and comes back in the end.
        write("\u{1B}[22;0t\u{1B}]0;● recording keys \(isMasked ? "(masked)" : "IN CLEAR")\u{07}")
    }

    func show(_ progress: LiveProgress) {
        guard isShown else { return }
        let isDue = progress.elapsed.nanoseconds - latestTime.nanoseconds >= 100_000_000
        let text = RecordingLine.text(progress)
        guard isDue, text != latest else { return }
        (latest, latestTime) = (text, progress.elapsed)
        write("\r● \(VisibleText.escaped(text))\u{1B}[K")
    }

    func end() {
        guard isShown else { return }
        write("\r\u{1B}[K\u{1B}[23;0t")
    }

    static func text(_ progress: LiveProgress) -> String {
        var parts = [RecordingLine.clock(progress.elapsed), HumanNumbers.counted(progress.presses, "press", "presses")]
        parts += progress.inputs.map { "\($0.name) \($0.packets)" }
        let uncounted = progress.uncountedLosses > 0 ? " and some" : ""
        parts.append("\(progress.dropped)\(uncounted) lost")
        return parts.joined(separator: "   ")
    }

    /// `00:01:30`.
    static func clock(_ duration: TraceDuration) -> String {
        let seconds = duration.nanoseconds / 1_000_000_000
        return [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }
}
