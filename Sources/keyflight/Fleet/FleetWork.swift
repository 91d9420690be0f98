import RegressionGate

/// The work of `fleet` in Python: results are what it prints, notes and progress come while it runs.
struct FleetWork {
    /// The printed output, and the status.
    var output: String
    var status: ExitStatus

    /// The prefixes of the package's lines on standard error: its progress, and a missing module.
    private static let progress = "progress: "
    private static let missing = "missing: "
    /// Status of the package where something is missing.
    private static let unavailable: Int32 = 69
    /// Printed are a page or a table.
    private static let limit = 64 << 20

    /// - Throws: a `Failure` where Python or a module of it is missing, or when it stops without having reported why.
    init(_ words: [String], _ console: Console) throws {
        let package = try FleetPackage.beside(AdapterLibrary.program)
        let python = try package.python(path: console.environment.variable("PATH"))
        var missing = "DuckDB and PyArrow"
        let child = try ChildProcess(
            // A file, not a module: that of its package would ask for PyArrow before anything is looked at.
            python, [package.program] + words,
            // The working folder is no place to look for packages, and nothing is written beside them.
            environment: ["PYTHONPATH": package.folder, "PYTHONSAFEPATH": "1", "PYTHONDONTWRITEBYTECODE": "1"],
            seconds: Int(Int32.max), limit: FleetWork.limit
        ) { line in
            if line.hasPrefix(FleetWork.progress) {
                console.progress.step(String(line.dropFirst(FleetWork.progress.count)))
            } else if line.hasPrefix(FleetWork.missing) {
                missing = String(line.dropFirst(FleetWork.missing.count))
            } else {
                console.note(line)
            }
        }
        console.progress.wipe()
        if child.status == FleetWork.unavailable { throw package.missing(missing) }
        guard let status = ExitStatus(rawValue: child.status) else {
            let reason = child.errors.isEmpty ? "status \(child.status)" : child.lastLine
            throw Failure(.notRunnable, "\(python): expected it to finish, found \(reason)")
        }
        (output, self.status) = (child.output, status)
    }
}
