import Libc

/// The process environment of a run besides its streams: variables and the folder it works in.
struct ProcessEnvironment {
    private let variables: [String: String]?
    /// The folder that settings are looked for in; empty: the working folder. `nil`: they are not looked for.
    let folder: String?

    /// The environment of this process.
    static let process = ProcessEnvironment(environment: nil, folder: "")
    /// Nothing is set and there is no folder.
    static let none = ProcessEnvironment(environment: [:], folder: nil)

    /// `environment`: one that a test gives; `nil` for that of this process.
    init(environment: [String: String]?, folder: String?) {
        (variables, self.folder) = (environment, folder)
    }

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
