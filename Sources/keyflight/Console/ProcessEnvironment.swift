import Libc

/// The process environment of a run besides its streams: variables and the folder it works in.
struct ProcessEnvironment {
    private let variables: [String: String]?
    /// The folder that settings are looked for in; empty: the working folder. `nil`: they are not looked for.
    let folder: String?

    /// The environment of this process.
    static let process = ProcessEnvironment(variables: nil, folder: "")
    /// Nothing is set and there is no folder.
    static let none = ProcessEnvironment(variables: [:], folder: nil)

    private init(variables: [String: String]?, folder: String?) {
        self.variables = variables
        self.folder = folder
    }

    /// An environment that a test gives.
    init(environment: [String: String], folder: String?) { self.init(variables: environment, folder: folder) }

    func variable(_ name: String) -> String? {
        if let variables { return variables[name] }
        return getenv(name).map { String(cString: $0) }
    }

    /// Set to something other than nothing and 0.
    func isSet(_ name: String) -> Bool { variable(name).map { !$0.isEmpty && $0 != "0" } ?? false }

    /// Set to something.
    func isThere(_ name: String) -> Bool { variable(name).map { !$0.isEmpty } ?? false }

    /// True for a terminal without escapes.
    var hasDumbTerminal: Bool { variable("TERM").map { $0 == "dumb" || $0.isEmpty } ?? true }
}
