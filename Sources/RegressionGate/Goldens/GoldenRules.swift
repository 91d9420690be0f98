import KeyModel
import TraceFormat

/// A part of a golden that can be compared otherwise than for equality.
public enum GoldenField: String, CaseIterable, Hashable, Sendable {
    case outcome, takenBy, action, supplier, target, text, receivers, shadowed, effects
    case keyCommandsCalls = "calls.keyCommands"
    case canPerformActionCalls = "calls.canPerformAction"
    case validateCalls = "calls.validate"
    case buildMenuCalls = "calls.buildMenu"
    case callsOnRelease = "callsOnRelease.keyCommands"
    case cacheHits = "cache.hits"
    case cacheMisses = "cache.misses"
    case cacheStale = "cache.stale"
    case cacheInvalidations = "cache.invalidations"
    /// Bytes of the trace that the replay writes. They have no accepted number: only a budget is compared.
    case bytes
    /// Findings of `lint`.
    case findings
    /// Allocations of a live app by press and stage, where the accepted text has them.
    case allocations
    /// States and times of arrival, as the heading's digest of all lines has them.
    case stream

    /// One of the exact counts of a press.
    var isCount: Bool { CountBudgets.names.contains(rawValue) }

    /// Returns true if a press has a value of it. Sums are of the whole golden.
    func isIn(_ result: PressResult) -> Bool {
        switch self {
        case .outcome, .bytes, .findings, .allocations, .stream: true
        case .takenBy: result.decision.takenBy != nil
        case .action: result.decision.action != nil
        case .supplier: result.decision.supplier != nil
        case .target: result.decision.target != nil
        case .text: result.decision.text != nil
        case .receivers: !result.decision.receivers.isEmpty
        case .shadowed: result.candidates.contains { $0.verdict == .shadowed }
        case .effects: !result.decision.effects.isEmpty
        case .keyCommandsCalls, .canPerformActionCalls, .validateCalls, .buildMenuCalls, .callsOnRelease, .cacheHits,
            .cacheMisses, .cacheStale, .cacheInvalidations:
            (result.counts[rawValue] ?? 0) > 0
        }
    }

    /// Leaves it out of a press.
    func clear(_ result: inout PressResult) {
        switch self {
        case .outcome: result.decision.outcome = .unhandled
        case .takenBy: result.decision.takenBy = nil
        case .action: result.decision.action = nil
        case .supplier: result.decision.supplier = nil
        case .target: result.decision.target = nil
        case .text: result.decision.text = nil
        case .receivers: result.decision.receivers = []
        case .shadowed: result.candidates.removeAll { $0.verdict == .shadowed }
        case .effects: result.decision.effects = []
        case .keyCommandsCalls, .canPerformActionCalls, .validateCalls, .buildMenuCalls, .callsOnRelease, .cacheHits,
            .cacheMisses, .cacheStale, .cacheInvalidations, .bytes, .findings, .allocations, .stream:
            break
        }
    }
}

/// Comparison of a field.
public enum FieldClass: Hashable, Sendable {
    /// Default of all fields.
    case mustMatch
    /// Any number up to this in every press; for counts.
    case budget(press: UInt64)
    /// Any sum up to this; for counts, `bytes` and `findings`.
    case total(UInt64)
    /// Any sum from this on; for counts, `bytes` and `findings`.
    case atLeast(UInt64)
    case ignore
}

/// Takes out of a golden what differs from run to run or from machine to machine, before it is compared or written.
public struct GoldenRedaction: Sendable {
    /// From a line of the golden, what is compared instead of it. The columns have to stay.
    let replace: @Sendable (String) -> String

    public init(_ replace: @escaping @Sendable (String) -> String) { self.replace = replace }

    /// Every occurrence of a text.
    public static func text(_ text: String, as replacement: String) -> GoldenRedaction {
        GoldenRedaction { $0.replacing(text, with: replacement) }
    }

    /// The number after a text at any place: of `row-1042` and `"row-"` comes `row-#`.
    public static func number(after prefix: String) -> GoldenRedaction {
        GoldenRedaction { line in
            var result = ""
            var rest = line[...]
            while !prefix.isEmpty, let range = rest.firstRange(of: prefix) {
                result += rest[..<range.upperBound]
                rest = rest[range.upperBound...]
                let digits = rest.prefix { $0.isASCII && $0.isNumber }
                if !digits.isEmpty {
                    result += "#"
                    rest = rest[digits.endIndex...]
                }
            }
            return result + rest
        }
    }
}

/// Rules for the comparison of goldens, beyond the `budgets.txt` beside one.
package struct GoldenRules: Sendable {
    package var classes: [GoldenField: FieldClass]
    package var redactions: [GoldenRedaction]
    /// In addition to those in the golden's text.
    package var latency: LatencyBudgets
    /// The program `keyflight` that types into live apps: a path, or a name in PATH.
    package var launcher: String
    /// The programs that goldens of live apps name may be started: a checkout may be a stranger's.
    package var runsApps = true
    /// The tests beside which goldens are compared: those whose responders a Swift test makes are left to them.
    package var tests: [GoldenReferences] = []
    /// Most seconds of one run of a live app.
    package var seconds = ChildProcess.seconds

    package init(
        classes: [GoldenField: FieldClass] = [:], redactions: [GoldenRedaction] = [],
        latency: LatencyBudgets = LatencyBudgets(), launcher: String = "keyflight"
    ) {
        self.classes = classes
        self.redactions = redactions
        self.latency = latency
        self.launcher = launcher
    }

    /// The text as it is compared and written. The digest of the stream goes with the first redaction: it holds what
    /// was taken out.
    func redacted(_ text: String) -> String {
        guard !redactions.isEmpty else { return text }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for place in lines.indices {
            if place == 0 {
                lines[0] = lines[0].components(" · ").filter { !$0.hasPrefix("stream ") }.joined(separator: " · ")
            } else {
                for redaction in redactions { lines[place] = redaction.replace(lines[place]) }
            }
        }
        return lines.joined(separator: "\n")
    }

    func redacted(_ findings: GoldenFindings) -> GoldenFindings {
        var findings = findings
        for redaction in redactions { findings.rewrite(redaction.replace) }
        return findings
    }
}
