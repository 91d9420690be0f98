import Libc

/// A folder of this run's own, which only its user may look into. While there is one, signals are only noted, so
/// that it is removed before the program ends.
package struct TemporaryFolder {
    package let path: String

    /// The folder that temporary files go to: that of `TMPDIR`, else `/tmp`.
    package static var parent: String {
        getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }

    /// - Throws: a `VerdictError` where there is no room for one.
    package init() throws(VerdictError) {
        let parent = TemporaryFolder.parent
        var template = Array("\(parent)/keyflight-XXXXXX".utf8CString)
        NotedSignals.begin()
        guard mkdtemp(&template) != nil else {
            let reason = String(cString: strerror(errno))
            NotedSignals.end()
            throw VerdictError(.notWritable, parent, "make a folder", expected: "room for one", found: reason)
        }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    /// Ends the program where a signal came meanwhile and there is no other such folder.
    package func remove() {
        try? Files.remove(path)
        NotedSignals.end()
    }
}
