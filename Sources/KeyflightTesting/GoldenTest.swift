import FlightReplay
import Foundation
import KeyLayout
import KeyModel
public import RegressionGate
import Scenes

/// Folder of a test's goldens, and its permission to write. One of it serves both test libraries.
public struct GoldenTest: Sendable {
    /// Contains a folder for each golden. Default: the nearest `Goldens` or `Traces/golden` above the test's file.
    public var folder: String?
    /// Default: by `CI` and `KEYFLIGHT_RECORD`.
    public var mode: RecordMode?
    /// Allows typed text in a golden. Without it a text that shows some is refused.
    public var allowsText = false
    /// Fields that are compared otherwise than for equality; `budgets.txt` beside a golden sets the same for all.
    public var classes: [GoldenField: FieldClass] = [:]
    /// Parts removed from a golden before it is compared or written.
    public var redactions: [GoldenRedaction] = []
    /// The most a press may take in virtual time, of costs that the scene declares, in addition to the budgets in
    /// the golden's text.
    public var budgets = LatencyBudgets()
    /// The most real time that `keyCommands` of the chain may take at a press, for responders written in Swift.
    public var keyCommands: KeyCommandsBudget?

    public init(
        folder: String? = nil, mode: RecordMode? = nil, allowsText: Bool = false,
        classes: [GoldenField: FieldClass] = [:], redactions: [GoldenRedaction] = []
    ) {
        self.folder = folder
        self.mode = mode
        self.allowsText = allowsText
        self.classes = classes
        self.redactions = redactions
    }

    static let resources = SceneResources(
        layoutNamed: { try Layout.named($0) }, readFile: { [UInt8](try Data(contentsOf: URL(filePath: $0))) })

    /// The failure to report; none when the golden is the same.
    struct Failure: Sendable {
        /// Ends without a line break.
        var message: String
        /// Texts to look at beside the message, by the names of their files.
        var attachments: [(name: String, text: String)] = []

        init(message: String, _ comparison: GoldenComparison? = nil) {
            self.message = message
            guard let comparison else { return }
            let name = comparison.golden.name
            if let found = comparison.found { attachments.append(("\(name).txt", found)) }
            if let everything = comparison.everything { attachments.append(("\(name).diff.txt", everything)) }
        }
    }

    /// Compares, and writes a pending text where the mode allows it.
    func run(_ name: String, plan: (any ReplayPlan)?, file: String) -> Failure? {
        if let other = RecordMode.misspelt(in: ProcessInfo.processInfo.environment) {
            return Failure(message: "\(other): there is no such variable; the nearest one is KEYFLIGHT_RECORD")
        }
        guard let mode = mode ?? RecordMode.named(by: ProcessInfo.processInfo.environment) else {
            let modes = RecordMode.allCases.map(\.rawValue).joined(separator: ", ")
            return Failure(message: "KEYFLIGHT_RECORD: mode: expected \(modes), found another word")
        }
        guard let folder = folder ?? GoldenTest.folder(near: file) else {
            return Failure(
                message: "golden “\(name)”: expected a folder Goldens or Traces/golden above \(file), found none;"
                    + " make one, or name it: GoldenTest(folder:)")
        }
        let golden = GoldenCase(folder: "\(folder)/\(name)", store: folder)
        var plan = plan
        if var app = plan as? AppReplay {
            app.resources = GoldenTest.resources
            plan = app
        }
        return report(compare(golden, plan), mode) ?? excess(of: golden, plan)
    }

    private func compare(_ golden: GoldenCase, _ plan: (any ReplayPlan)?) -> GoldenComparison {
        var rules = GoldenRules(classes: classes, redactions: redactions, latency: budgets)
        if let launcher = ProcessInfo.processInfo.environment["KEYFLIGHT"] { rules.launcher = launcher }
        guard let plan else { return GoldenComparison(golden, resources: GoldenTest.resources, rules: rules) }
        return GoldenComparison(golden, plan: plan, resources: GoldenTest.resources, rules: rules)
    }

    /// The message for a person, and a pending text for review.
    private func report(_ comparison: GoldenComparison, _ mode: RecordMode) -> Failure? {
        let golden = comparison.golden
        var isMissing = false
        var isDifferent = false
        var isStable = true
        switch comparison.verdict {
        case .same:
            // What was pending is no longer what is found.
            if mode != .all, mode != .never { try? golden.reject() }
            if mode != .all { return nil }
        case .missing: isMissing = true
        case .notComparable: isMissing = comparison.needsAcceptance
        case .tooSlow, .checkedByTest: break
        case .notDeterministic: isStable = false
        case .changed, .streamChanged, .linesChanged, .findingsChanged: isDifferent = true
        }
        var lines = [comparison.message]
        if isStable, comparison.found != nil, mode.writes(isMissing: isMissing, isDifferent: isDifferent) {
            if !allowsText, let text = comparison.typedText {
                // What an earlier run left is not what this one finds.
                try? golden.reject()
                lines.append("The golden would show what was typed (\(text)): refused; GoldenTest(allowsText: true)")
            } else {
                do {
                    try comparison.propose()
                    lines.append("Pending: \(GoldenTest.pending(golden))")
                } catch {
                    lines.append("\(error)")
                }
            }
        } else if isMissing || isDifferent, mode == .never {
            let variable = RecordMode.serviceVariable { ProcessInfo.processInfo.environment[$0] }
            let reason = variable.map { "\($0) is set" } ?? "the mode is never"
            lines.append("Nothing was written: \(reason).")
            lines.append("Locally: KEYFLIGHT_RECORD=failed swift test")
        } else if isDifferent {
            lines.append("See it all: KEYFLIGHT_RECORD=failed swift test, then keyflight review")
        }
        if case .same = comparison.verdict { return nil }
        if FileManager.default.fileExists(atPath: GoldenTest.pending(golden)) {
            lines.append("Review: \(golden.reviewCommand)")
            lines.append("Accept: \(golden.acceptCommand)")
        }
        return Failure(message: lines.joined(separator: "\n"), comparison)
    }

    /// The text, or what lint finds where only that is pending.
    private static func pending(_ golden: GoldenCase) -> String {
        let text = golden.pendingPath
        return FileManager.default.fileExists(atPath: text) ? text : golden.pendingFindingsPath
    }

    static func folder(near file: String) -> String? { GoldenStore.folder(near: file) }
}
