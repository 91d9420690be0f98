import Foundation
public import Testing

/// A requirement of a test that the machine does not meet, where `CI` is set.
struct MissingRequirement: Error, CustomStringConvertible {
    var name: String
    var description: String { "expected \(name), found none; where CI is set, nothing is skipped: install it" }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test where a program is not installed. Where `CI` is set, the test fails instead: `Scripts/test --all`
    /// installs them, and a skipped test would look like a passed one.
    public static func needs(_ programs: String...) -> Self {
        needs(programs.joined(separator: ", ")) {
            programs.allSatisfy { program in
                ["/usr/bin/", "/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].contains {
                    FileManager.default.isExecutableFile(atPath: $0 + program)
                }
            }
        }
    }

    /// The same for any other requirement.
    ///
    /// - Parameter name: What is needed, as a noun.
    public static func needs(_ name: String, _ isMet: @escaping @Sendable () throws -> Bool) -> Self {
        .enabled("needs \(name)") {
            if try isMet() { return true }
            let ci = ProcessInfo.processInfo.environment["CI"] ?? ""
            guard ci.isEmpty || ci == "0" else { throw MissingRequirement(name: name) }
            return false
        }
    }

    /// Skips the test without the captures of real keyboards, also where `CI` is set: they may not be redistributed.
    public static var needsCorpus: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["KEYFLIGHT_CORPUS"] != nil,
            "needs KEYFLIGHT_CORPUS, a folder of captures")
    }
}
