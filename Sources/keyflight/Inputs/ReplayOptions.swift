import ArgumentParser
import FlightReplay
import KeyLayout
import KeyModel
import ResponderEngine
import Scenes

/// Options of verbs that need resolutions: the responders to replay against, and under which rules.
struct ReplayOptions: ParsableArguments {
    @Option(
        help: "The responders, as a scene file; else what a trace at level calls recorded of its own.",
        completion: .file(extensions: ["yaml", "yml"]))
    var scene: String?

    @Option(
        help: """
            \(Profile.shippedNames.joined(separator: ", ")), or a profile file; else the recording's or the scene's.
            """, completion: Completion.profiles)
    var profile: String?

    @Option(help: "What is remembered of key commands between questions: none, press, responder or chain.")
    var cache: CachePolicy?

    @Flag(help: "Compare each cached answer with a fresh one and count the stale hits.") var shadowCheck = false

    var rules: ReplayRules { ReplayRules(scene: scene, profile: profile, cache: cache, shadowCheck: shadowCheck) }
}

/// The responders of a replay and its rules, by their names.
struct ReplayRules {
    var scene: String?
    var profile: String?
    var layout: String?
    var cache: CachePolicy?
    var shadowCheck = false

    private var named: [(option: String, value: String?)] {
        [
            ("--scene", scene), ("--profile", profile), ("--cache", cache?.rawValue),
            ("--shadow-check", shadowCheck ? "" : nil),
        ]
    }

    /// The options that give them, but for the layout.
    var options: [String] { named.filter { $0.value != nil }.map(\.option) }

    /// The same with their values, for a command line that is advised.
    var words: [String] { named.dropLast().flatMap { option, value in value.map { [option, $0] } ?? [] } }

    /// The files among them.
    var files: [String] { [scene, profile].compactMap(\.self) }

    func runOptions() throws -> ReplayRunOptions {
        var options = ReplayRunOptions()
        options.profile = try profile.map(ProfileChoice.named)
        options.layout = try layout.map(LayoutChoice.named)
        options.cachePolicy = cache ?? .none
        options.shadowCheck = shadowCheck
        return options
    }
}

/// Layouts as the command line names them.
enum LayoutChoice {
    static func named(_ name: String) throws -> Layout {
        do { return try Layout.named(name) } catch { throw Failure(.unknownLayout, "\(error)") }
    }
}

/// Profiles as the command line names them.
enum ProfileChoice {
    /// A shipped profile, or the one in a file.
    static func named(_ name: String) throws -> Profile {
        if let shipped = Profile.named(name) { return shipped }
        guard name.contains("/") || name.contains(".") else {
            let names = Profile.shippedNames.joined(separator: ", ")
            throw Failure(.unknownProfile, "--profile: expected \(names), or the path of a profile file, found \(name)")
        }
        do {
            return try Profile(text: String(decoding: try ByteFile.readScene(name), as: UTF8.self))
        } catch let error as ProfileError {
            throw Failure(.wrongProfileFile, "\(name): \(error)")
        }
    }
}

extension SceneResources {
    /// Layouts and files of this machine.
    static var ofThisMachine: SceneResources {
        SceneResources(layoutNamed: LayoutChoice.named, readFile: ByteFile.readNamed)
    }
}

extension SceneReplay {
    init(_ bytes: [UInt8], file: String, _ rules: ReplayRules) throws {
        let options = try rules.runOptions()
        let scene: Scene
        do { scene = try Scene(bytes, file: file) } catch { throw Failure(error) }
        self.init(scene, resources: .ofThisMachine, options: options)
    }
}
