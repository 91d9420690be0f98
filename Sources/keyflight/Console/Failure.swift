import Libc
import Scenes
import TraceFormat

/// The reason why a verb stopped: one line for standard error, and the status to end with.
///
/// The line has the form `FILE: where: what: expected …, found …`, with a remedy where there is one. Its id is printed
/// behind it.
struct Failure: Error, Equatable, CustomStringConvertible {
    var id: FailureID
    var line: String

    var status: ExitStatus { id.status }

    /// The line as part of another message.
    var description: String { line }

    /// The line as standard error gets it.
    var noted: String { "\(line) [\(id.rawValue)]" }

    init(_ id: FailureID, _ line: String) {
        self.id = id
        self.line = line
    }

    /// An input that could not be read.
    init(reading error: TraceError) {
        let isForbidden = error.systemError == EACCES || error.systemError == EPERM
        let id: FailureID =
            switch error.code {
            case .file: isForbidden ? .forbidden : .unreadable
            case .notATrace: .notATrace
            case .unsupportedVersion: .otherVersion
            default: .damagedTrace
            }
        self.init(isForbidden ? .forbidden : id, error.description)
    }

    /// The text format of a trace, where a trace is read.
    init(textFormat name: String) {
        self.init(
            .notATrace,
            "\(name): line 1: not a keyflight trace: expected a trace, found the text format of one; "
                + "keyflight assemble makes the trace")
    }

    /// Runs `body`, in which errors of a trace's bytes are failures of an input.
    static func reading<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as TraceError { throw Failure(reading: error) }
    }

    /// Runs `body`, in which errors of a trace's bytes are failures of an output. One that exists is a matter of
    /// `--force`.
    static func writing<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as TraceError {
            throw Failure(error.systemError == EEXIST ? .outputExists : .unwritable, error.description)
        }
    }

    /// An error in a scene or script.
    init(_ error: SourceTextError) { self.init(.wrongText, error.description) }
}

/// The reader of standard output went away. The run ends as if all had been read.
struct OutputClosed: Error {}
