import Libc
import RegressionGate
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
        do { return try body() } catch var error as TraceError {
            error.file = error.file.map(GivenName.of)
            throw Failure(error.systemError == EEXIST ? .outputExists : .unwritable, error.description)
        }
    }

    /// A verdict that could not be reached.
    init(_ error: VerdictError) {
        let id: FailureID =
            switch error.kind {
            case .notComparable, .noResponders: .noBaseline
            case .notPermitted: .forbidden
            case .notWritable: .unwritable
            case .usage: .wrongRules
            case .notRunnable: .notRunnable
            }
        self.init(id, error.description)
    }

    /// An error in a scene or script.
    init(_ error: SourceTextError) { self.init(.wrongText, error.description) }
}

/// The reader of standard output went away. The run ends as if all had been read.
struct OutputClosed: Error {}

/// Names of what can go wrong, as error lines end with them: `[KF0201]`. The first two digits are the status that the
/// program ends with. An id that was once published keeps its meaning, which `Errors.md` has in words.
enum FailureID: String, CaseIterable {
    // 1: findings
    case nonDeterministicHarness = "KF0101"
    // 2: an input is unreadable, damaged or incomplete
    case damaged = "KF0200"
    case unreadable = "KF0201"
    case unknownContent = "KF0202"
    case damagedTrace = "KF0203"
    case incompleteTrace = "KF0204"
    case damagedCapture = "KF0205"
    case wrongText = "KF0206"
    case wrongProfileFile = "KF0207"
    case impossibleStep = "KF0208"
    case notATrace = "KF0209"
    case otherVersion = "KF0210"
    case unmaskedTrace = "KF0220"
    case duplicateTrace = "KF0221"
    case tooLarge = "KF0222"
    // 3: nothing matched
    case nothingMatched = "KF0300"
    case noSuchPress = "KF0301"
    case emptyPart = "KF0302"
    case noKeyboard = "KF0303"
    case noSuchGolden = "KF0304"
    case nothingPending = "KF0305"
    // 4: not comparable
    case notComparable = "KF0400"
    case harnessFailed = "KF0401"
    case harnessTrace = "KF0402"
    case notAligned = "KF0403"
    case testFails = "KF0404"
    case noBaseline = "KF0405"
    // 5: permission or device
    case notPermitted = "KF0500"
    case forbidden = "KF0501"
    case unwritable = "KF0502"
    case notRunnable = "KF0503"
    case notRecordable = "KF0504"
    case recordingBroken = "KF0505"
    case notLaunchable = "KF0506"
    case fleetUnavailable = "KF0507"
    case notTypable = "KF0508"
    case notAttachable = "KF0509"
    // 64: wrong usage
    case usage = "KF6400"
    case outputExists = "KF6401"
    case terminalOutput = "KF6402"
    case nothingToReplayWith = "KF6403"
    case otherInput = "KF6404"
    case unknownProfile = "KF6405"
    case unknownLayout = "KF6406"
    case wrongWhatIf = "KF6407"
    case wrongChord = "KF6408"
    case notExportable = "KF6409"
    case wrongSetting = "KF6410"
    case onlyByHand = "KF6411"
    case wrongRules = "KF6412"
    case unknownTopic = "KF6413"
    case noTerminal = "KF6414"
    // 70: a defect of keyflight
    case defect = "KF7000"
    case gateDoesNotFail = "KF7001"

    /// The exit status of the program, which is part of the id.
    var status: ExitStatus {
        Int32(rawValue.dropFirst(2).prefix(2)).flatMap { ExitStatus(rawValue: $0) } ?? .defect
    }

    private static let sections = Dictionary(
        uniqueKeysWithValues: HelpSection.all(of: PackageResources.Errors_md).map { ($0.name, $0) })

    /// What happened is its summary; the text has the usual cause and the remedy.
    var section: HelpSection? { FailureID.sections[rawValue] }
}
