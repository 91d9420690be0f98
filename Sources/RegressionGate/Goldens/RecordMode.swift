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

    /// Reads the environment: `CI` set to anything but nothing and 0 is `never`, before everything else; else
    /// `KEYFLIGHT_RECORD`; else `missing`. A word that is no mode is `nil`.
    package static func named(by environment: [String: String]) -> RecordMode? {
        if let ci = environment["CI"], !ci.isEmpty, ci != "0" { return .never }
        guard let word = environment["KEYFLIGHT_RECORD"], !word.isEmpty else { return .missing }
        return RecordMode(rawValue: word)
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
