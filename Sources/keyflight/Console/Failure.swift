import Scenes
import TraceFormat

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Why a verb stopped: one line for standard error, and the status to end with.
///
/// The line has the form `FILE: where: what: expected …, found …`, with a remedy where there is one.
struct Failure: Error, Equatable, CustomStringConvertible {
    var status: ExitStatus
    var line: String

    /// As part of another message.
    var description: String { line }

    init(_ status: ExitStatus, _ line: String) {
        self.status = status
        self.line = line
    }

    /// An input that could not be read.
    init(reading error: TraceError) {
        let isForbidden = error.systemError == EACCES || error.systemError == EPERM
        self.init(isForbidden ? .notPermitted : .damaged, error.description)
    }

    /// An output that could not be written. One that exists is a matter of `--force`.
    init(writing error: TraceError) {
        self.init(error.systemError == EEXIST ? .usage : .notPermitted, error.description)
    }

    /// A scene or script that says something wrong.
    init(_ error: SourceTextError) { self.init(.damaged, error.description) }
}

/// The reader of standard output went away. Nobody is left to tell: the run ends as if all had been read.
struct OutputClosed: Error {}
