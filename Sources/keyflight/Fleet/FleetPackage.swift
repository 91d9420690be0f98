import Libc
import TraceReports

/// The package keyflight for Python, and the Python that runs it.
struct FleetPackage {
    /// The folder that Python looks for packages in.
    let folder: String
    /// The virtual environment that is used before every other Python, whether or not there is one.
    let environment: String

    /// The file that Python runs.
    var program: String { folder + "/keyflight/fleet/__main__.py" }

    /// The one beside this program: `../share/keyflight/python` where it is installed, `Sources/PythonKeyflight` of the
    /// package that it was built in.
    /// - Throws: a `Failure` that names the places looked at.
    static func beside(_ program: String?) throws -> FleetPackage {
        let bin = Files.parent(of: Files.standardized(program ?? ""))
        let share = Files.standardized(bin + "/../share/keyflight")
        var places = [FleetPackage(folder: share + "/python", environment: share + "/venv")]
        var root = bin
        for _ in 0..<4 {
            root = Files.parent(of: root)
            places.append(
                FleetPackage(folder: root + "/Sources/PythonKeyflight", environment: root + "/.build-fleet/venv"))
        }
        guard let found = places.first(where: { Files.exists($0.program) }) else {
            throw Failure(
                .fleetUnavailable,
                "fleet: package: expected keyflight for Python at \(places[0].folder), found none; "
                    + "Scripts/install puts it there")
        }
        return found
    }

    /// The Python of the environment, or the first one of the search path.
    /// - Throws: a `Failure` where there is none.
    func python(path: String?) throws -> String {
        let folders = [environment + "/bin"] + (path ?? "").split(separator: ":").map(String.init)
        let files = folders.map { $0 + "/python3" }
        guard let python = files.first(where: { Files.mayExecute($0) }) else {
            throw Failure(
                .fleetUnavailable,
                "fleet: python3: expected one, found none on PATH; install Python 3.11 or newer, then run \(remedy)")
        }
        return python
    }

    /// The failure for a missing requirement of the package.
    func missing(_ what: String) -> Failure {
        Failure(.fleetUnavailable, "fleet: Python: expected \(what), found none; run \(remedy)")
    }

    /// The command after which nothing is missing.
    var remedy: String {
        "python3 -m venv \(ShellWord.quoted(environment)) && \(ShellWord.quoted(environment + "/bin/pip")) "
            + "install duckdb pyarrow"
    }
}
