import ArgumentParser
import KeyLayout
import KeyModel
import LatencyAnalysis
import ResponderEngine

/// Words that a shell can offer whatever a command line names.
enum WordCompletion {
    static let profiles = Profile.shippedNames
    static let layouts = ShippedLayouts.names

    /// One of them, or with replay several behind commas.
    static let profileList = list(profiles)
    static let layoutList = list(layouts)

    static let thresholds = CompletionKind.list(["p50", "p90", "p99", "p99.9"])
    static let stageSpans = CompletionKind.list(LatencyStage.allCases.map(\.name) + ["hid..app", "app..settle"])

    /// The subjects of help.
    static let subjects = CompletionKind.custom { _, _, _ in
        Help.subjects + FailureID.allCases.map(\.rawValue)
    }

    private static func list(_ names: [String]) -> CompletionKind {
        .custom { _, _, prefix in
            let before = prefix.lastIndex(of: ",").map { String(prefix[...$0]) } ?? ""
            return names.map { before + $0 }
        }
    }
}
