import KeyModel

/// Permission of a golden test to write: a pending text beside the accepted one, which a person then accepts or
/// rejects. Whatever the mode, the accepted text itself is never written by a test.
public enum RecordMode: String, CaseIterable, Hashable, Sendable {
    /// If no text was accepted yet.
    case missing
    /// If the text differs or is missing.
    case failed
    /// Always, the same text too.
    case all
    case never

    /// Variables that services set in their jobs, by which no person looks at what is accepted.
    private static let serviceVariables = [
        "CI", "TF_BUILD", "TEAMCITY_VERSION", "GITLAB_CI", "JENKINS_URL", "BUILDKITE",
    ]

    /// The variable by which this is a job of CI: set to anything but nothing and 0.
    package static func serviceVariable(_ value: (String) -> String?) -> String? {
        serviceVariables.first { name in value(name).map { !$0.isEmpty && $0 != "0" } ?? false }
    }

    /// Reads the environment: a job of CI is `never`, before everything else; else `KEYFLIGHT_RECORD`; else `missing`.
    /// A word that is no mode is `nil`.
    package static func named(by environment: [String: String]) -> RecordMode? {
        if serviceVariable({ environment[$0] }) != nil { return .never }
        guard let word = environment["KEYFLIGHT_RECORD"], !word.isEmpty else { return .missing }
        return RecordMode(rawValue: word)
    }

    /// A variable of the environment that was meant to be `KEYFLIGHT_RECORD`, and has no effect.
    package static func misspelt(in environment: [String: String]) -> String? {
        environment.keys.sorted().first { name in
            name != "KEYFLIGHT_RECORD" && name.hasPrefix("KEYFLIGHT_")
                && EditDistance.nearest(to: String(name.dropFirst(10)), among: ["RECORD"]) != nil
        }
    }

    /// Returns true if a pending text is written.
    package func writes(isMissing: Bool, isDifferent: Bool) -> Bool {
        switch self {
        case .missing: isMissing
        case .failed: isMissing || isDifferent
        case .all: true
        case .never: false
        }
    }
}
