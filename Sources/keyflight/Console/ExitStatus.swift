/// The end of a run, as the shell sees it; `meaning` has each in words.
enum ExitStatus: Int32, CaseIterable {
    case fine = 0
    case findings = 1
    case damaged = 2
    case nothingMatched = 3
    case notComparable = 4
    case notPermitted = 5
    case inconclusive = 6
    case usage = 64
    case defect = 70
    /// For git bisect: this commit cannot be tested.
    case skip = 125
    case interrupted = 130

    /// The one of several that is returned: 130 > 70 > 64 > 5 > 2 > 4 > 1 > 6 > 3 > 0.
    private static let precedence: [ExitStatus] = [
        .fine, .nothingMatched, .inconclusive, .findings, .notComparable, .damaged, .notPermitted, .usage, .defect,
        .skip, .interrupted,
    ]

    func joined(with other: ExitStatus) -> ExitStatus {
        func rank(_ status: ExitStatus) -> Int { ExitStatus.precedence.firstIndex(of: status) ?? 0 }
        return rank(self) >= rank(other) ? self : other
    }
}

extension ExitStatus {
    /// The meaning in a few words.
    var meaning: String {
        switch self {
        case .fine: "fine or identical"
        case .findings: "findings, differences, or a gate that failed"
        case .damaged: "an input is unreadable, damaged or incomplete"
        case .nothingMatched: "nothing matched"
        case .notComparable: "not comparable, or a baseline is missing"
        case .notPermitted: "permission or device"
        case .inconclusive: "undecided (only with --strict)"
        case .usage: "wrong usage"
        case .defect: "a bug of keyflight"
        case .skip: "skip this commit (bisect-run)"
        case .interrupted: "interrupted"
        }
    }
}
