import KeyModel
import TraceFormat
import TraceReports

/// The line on standard error that shows how far long work is: only at a terminal, only after a moment, never
/// in the way of what is printed.
///
/// The reader reports its progress about as often as a block is read; most of the time that costs a look at the clock.
final class ProgressLine {
    private let write: (String) -> Void
    /// Columns of the terminal.
    private let width: Int
    private let now: () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant
    /// The time at which the line is due.
    private var due: ContinuousClock.Instant
    private var isOver: Bool
    private var isShown = false
    /// The line that was shown last.
    private var latest = ""
    /// The task on the files that are read, as its line begins.
    var task = "reading"

    /// Shorter work shows no line.
    private static let delay = Duration.milliseconds(300)
    private static let pause = Duration.milliseconds(100)

    /// `isWatched`: a person looks at what `write` writes.
    init(
        isWatched: Bool, width: Int, now: @escaping () -> ContinuousClock.Instant = { ContinuousClock.now },
        write: @escaping (String) -> Void
    ) {
        self.write = write
        self.width = width
        self.now = now
        start = now()
        isOver = !isWatched
        due = start + ProgressLine.delay
    }

    /// Shows how far it is, if it is time to.
    func step(_ line: @autoclosure () -> String) {
        guard !isOver else { return }
        let now = now()
        guard now >= due else { return }
        show(line(), now)
    }

    /// Shows what is done next, without waiting for the time to change the line: the next report may take a while.
    func begin(_ line: @autoclosure () -> String) {
        guard !isOver else { return }
        let now = now()
        if now >= start + ProgressLine.delay { show(line(), now) }
    }

    private func show(_ line: String, _ now: ContinuousClock.Instant) {
        due = now + ProgressLine.pause
        if isShown, line == latest { return }
        latest = line
        isShown = true
        Interruption.wipesLine = true
        // A line that is broken could not be taken away.
        var text = ""
        var cells = 0
        for character in VisibleText.escaped(line) {
            cells += DisplayWidth.of(String(character))
            guard cells < width else { break }
            text.append(character)
        }
        write("\r" + text + "\u{1B}[K")
    }

    /// Shows how far the reading of a file is, or of several that are read beside each other.
    func follow(_ files: [TraceBytes]) {
        guard !isOver else { return }
        let total = files.reduce(0) { $0 + $1.count }
        let name = files.count == 1 ? files[0].file ?? "" : "\(files.count) files"
        let places = Places(count: files.count)
        for (index, file) in files.enumerated() {
            file.onBlock = { [unowned self] end in
                places.ends[index] = end
                step("\(task) \(name): \(ProgressLine.portion(places.ends.reduce(0, +), of: total))")
            }
        }
    }

    /// The progress in each of several files.
    private final class Places {
        var ends: [Int]
        init(count: Int) { ends = Array(repeating: 0, count: count) }
    }

    /// Takes the line away: something else is to be printed. It comes back when it is due.
    func wipe() {
        guard isShown else { return }
        isShown = false
        Interruption.wipesLine = false
        write("\r\u{1B}[K")
    }

    /// Takes the line away for good.
    func end() {
        wipe()
        isOver = true
    }

    /// `42 % of 31 MB`.
    static func portion(_ done: Int, of total: Int) -> String {
        let percent = total > 0 ? Int(Double(min(done, total)) / Double(total) * 100) : 100
        return "\(percent) % of \(size(total))"
    }

    /// `31 MB`; less than one is in kB.
    static func size(_ bytes: Int) -> String { bytes < 1_000_000 ? "\(bytes / 1_000) kB" : "\(bytes / 1_000_000) MB" }
}
