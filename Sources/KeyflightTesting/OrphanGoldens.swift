import Foundation
import RegressionGate

extension GoldenTest {
    /// Goldens that no test names, in words; `nil` where there are none.
    func orphans(tests: String?, file: String) -> String? {
        guard let folder = folder ?? GoldenTest.folder(near: file) else {
            return "orphan goldens: expected a folder Goldens or Traces/golden above \(file), found none"
        }
        do {
            let references = try GoldenReferences(tests: tests ?? GoldenTest.tests(near: file))
            let orphans = try GoldenStore(folder).orphans([references])
            guard !orphans.isEmpty else { return nil }
            return (["orphan goldens: no test names them; delete them, or name them in a test"] + orphans)
                .joined(separator: "\n")
        } catch {
            return "orphan goldens: \(error)"
        }
    }

    /// The nearest folder `Tests` above a file; else the file's own folder.
    static func tests(near file: String) -> String {
        let own = URL(filePath: file).standardizedFileURL.deletingLastPathComponent()
        var here = own
        while here.path.count > 1, here.lastPathComponent != "Tests" { here = here.deletingLastPathComponent() }
        return here.path.count > 1 ? here.path : own.path
    }
}
