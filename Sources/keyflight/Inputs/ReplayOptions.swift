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
        var words: [String] = []
        for (name, value) in [("--scene", scene), ("--profile", profile), ("--cache", cache?.rawValue)] {
            if let value { words += [name, value] }
        }
        return words
    }

    /// The first one that was given.
    var given: String? { scene != nil ? "--scene" : givenWithoutScene }

    /// The same without those that give the rules of an app.
    var givenBesidesProfile: String? {
        if scene != nil { return "--scene" }
        if cache != nil { return "--cache" }
        return shadowCheck ? "--shadow-check" : nil
    }

    /// The options that mean nothing without a scene, as they were given.
    var givenWithoutScene: String? {
        if scene != nil { return nil }
        if profile != nil { return "--profile" }
        if cache != nil { return "--cache" }
        return shadowCheck ? "--shadow-check" : nil
    }
}
