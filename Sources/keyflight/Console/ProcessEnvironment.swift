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

    /// True for a terminal without escapes.
    var hasDumbTerminal: Bool { variable("TERM").map { $0 == "dumb" || $0.isEmpty } ?? true }
}
