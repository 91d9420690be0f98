/// How a run ended, as the shell sees it.
enum ExitStatus: Int32, CaseIterable {
    case fine = 0
    /// Findings or differences; a gate failed.
    case findings = 1
    /// An input is unreadable, damaged or incomplete.
    case damaged = 2
    case nothingMatched = 3
    /// Two inputs cannot be compared, or a baseline is missing.
    case notComparable = 4
    /// Permission or device.
    case notPermitted = 5
    case inconclusive = 6
    case usage = 64
    /// A bug of keyflight.
    case defect = 70
    case interrupted = 130

    /// Which of several stands: 130 > 70 > 64 > 5 > 2 > 4 > 1 > 6 > 3 > 0.
    private static let precedence: [ExitStatus] = [
        .fine, .nothingMatched, .inconclusive, .findings, .notComparable, .damaged, .notPermitted, .usage, .defect,
        .interrupted,
    ]

    func joined(with other: ExitStatus) -> ExitStatus {
        func rank(_ status: ExitStatus) -> Int { ExitStatus.precedence.firstIndex(of: status) ?? 0 }
        return rank(self) >= rank(other) ? self : other
    }
}

/// Why a verb stopped: one line for standard error, and the status to end with.
///
/// The line has the form `FILE: where: what: expected …, found …`, with a remedy where there is one.
struct Failure: Error, Equatable {
    var status: ExitStatus
    var line: String

    init(_ status: ExitStatus, _ line: String) {
        self.status = status
        self.line = line
    }
}

/// The reader of standard output went away. Nobody is left to tell: the run ends as if all had been read.
struct OutputClosed: Error {}
