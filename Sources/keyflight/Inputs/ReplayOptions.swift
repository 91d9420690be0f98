import ArgumentParser
import ResponderEngine

/// Options of verbs that need resolutions: the responders to replay against, and under which rules.
struct ReplayOptions: ParsableArguments {
    @Option(
        help: "The responders, as a scene file; else what a trace at level calls recorded of its own.",
        completion: .file(extensions: ["yaml", "yml"]))
    var scene: String?

    @Option(
        help: """
            ios7, ios9, ios13, ios134, ios15, ios26, catalyst, react-native-dev, appkit, gnustep, or a profile file; \
            else the recording's or the scene's.
            """, completion: WordCompletion.profileList)
    var profile: String?

    @Option(help: "What is remembered of key commands between questions: none, press, responder or chain.")
    var cache: CachePolicy?

    @Flag(help: "Compare each cached answer with a fresh one and count the stale hits.")
    var shadowCheck = false

    /// The options as they were given, for a command line that is advised.
    var words: [String] {
        [("--scene", scene), ("--profile", profile), ("--cache", cache?.rawValue)]
            .flatMap { name, value in value.map { [name, $0] } ?? [] }
    }

    /// The files among them.
    var files: [String] { [scene, profile].compactMap(\.self) }

    /// The names of those that were given.
    private var allGiven: [String] {
        [
            ("--scene", scene != nil), ("--profile", profile != nil), ("--cache", cache != nil),
            ("--shadow-check", shadowCheck),
        ].filter(\.1).map(\.0)
    }

    /// The first one that was given.
    var given: String? { allGiven.first }

    /// The same without those that give the rules of an app.
    var givenBesidesProfile: String? { allGiven.first { $0 != "--profile" } }

    /// The options that mean nothing without a scene, as they were given.
    var givenWithoutScene: String? { scene == nil ? allGiven.first : nil }
}
