import KeyModel
import Libc

/// The environment variables of a run.
struct ProcessEnvironment {
    private let variables: [String: String]?

    /// The environment of this process.
    static let process = ProcessEnvironment(nil)
    /// Nothing is set.
    static let none = ProcessEnvironment([:])

    /// `variables`: those that a test gives; `nil` for those of this process.
    init(_ variables: [String: String]?) { self.variables = variables }

    func variable(_ name: String) -> String? {
        if let variables { return variables[name] }
        return getenv(name).map { String(cString: $0) }
    }

    /// Set to something other than nothing and 0.
    func isSet(_ name: String) -> Bool { variable(name).map { !$0.isEmpty && $0 != "0" } ?? false }

    /// Set to something.
    func isThere(_ name: String) -> Bool { variable(name).map { !$0.isEmpty } ?? false }

    /// Variables whose names begin with `KEYFLIGHT_` and that something reads: keyflight, its adapter, the repository's
    /// scripts or its tests, which hand them on to the programs that they start.
    static let knownNames: Set<String> = Set(
        Settings.Variable.allCases.map(\.rawValue) + AdapterVariable.all
            + [
                "BENCH", "BIN", "CAMPAIGN", "COMMAND", "CORPUS", "DEBS", "FLEET_SHUFFLES", "FLEET_TRACES", "FUZZ",
                "FUZZ_LONGEST", "FUZZ_PLAIN", "FUZZ_SECONDS", "GATES", "HOST", "INPUT", "LAB_PACE", "LARGE_CAPTURE",
                "LARGE_TRACE", "LEFTOVERS", "LIVE_GOLDENS", "LYING", "OUTPUT", "PEERS", "PROGRAM", "RECORD",
                "SABOTAGES", "SABOTAGE_SEED", "SCENE", "SCRATCH", "SESSIONS", "SKIP_BUILD", "TRACES",
                "VERB_SCRIPTS", "VERB_SEED", "WRITE_COMPATIBILITY", "WRITE_HOSTILE",
            ].map { prefix + $0 })
    private static let prefix = "KEYFLIGHT_"

    /// - Throws: a `Failure` for a variable of keyflight's that nothing reads: misspelt, it would have no effect.
    func checkNames() throws {
        let names = variables ?? environmentVariables
        let (prefix, known) = (ProcessEnvironment.prefix, ProcessEnvironment.knownNames)
        guard let name = names.keys.filter({ $0.hasPrefix(prefix) && !known.contains($0) }).min() else { return }
        let near = EditDistance.nearest(
            to: String(name.dropFirst(prefix.count)), among: known.map { String($0.dropFirst(prefix.count)) })
        throw Failure(
            .wrongSetting,
            "\(name): there is no such environment variable; "
                + (near.map { "the nearest one is \(prefix)\($0)" } ?? "unset it"))
    }

    /// - Throws: a `Failure` where the repository has a file of settings, as versions before 0.2 read: a gate would
    ///   otherwise pass by other rules than are written there.
    func checkFiles() throws {
        guard variables == nil else { return }
        var folder = ""
        var found: String?
        for _ in 0..<64 {
            let path = folder + ".keyflight.toml"
            if found == nil, access(path, F_OK) == 0 { found = path }
            // Folders above a repository may belong to others, and so may all but the working one outside of it.
            if access(folder + ".git", F_OK) == 0 || found == ".keyflight.toml" { break }
            folder += "../"
        }
        guard let found, found == ".keyflight.toml" || access(folder + ".git", F_OK) == 0 else { return }
        throw Failure(
            .wrongSetting,
            "\(found): files of settings are not read any more; use options or KEYFLIGHT_… variables"
                + " (keyflight help environment), and delete it")
    }

    /// True for a terminal without escapes.
    var hasDumbTerminal: Bool { variable("TERM").map { $0 == "dumb" || $0.isEmpty } ?? true }
}
