import KeyModel
import LatencyAnalysis
import Libc
import TraceExport
import TraceFormat

/// Reads one of many inputs. Whatever is wrong with it becomes the status of its session.
struct FleetReading: Sendable {
    var part: SessionPart
    var privacy: FleetPrivacy

    /// A file of so many bytes is read into memory at once; a longer one piece by piece.
    private static let inMemory = 4 << 20

    func session(of input: FleetInput) -> (name: String, session: FleetSession) {
        switch input {
        case .bad(let name, let failure): (name, FleetSession(failure))
        case .bytes(let name, let bytes): (name, session(of: TraceBytes(bytes, file: name)))
        case .file(let path): (path, session(ofFile: path))
        }
    }

    private func session(ofFile path: String) -> FleetSession {
        var status = stat()
        // Nothing else is opened: a pipe could make the others wait for ever.
        if stat(path, &status) == 0, !status.isRegularFile {
            let reason =
                status.isFolder
                ? "is a folder; name a file" : "expected a regular file, found another thing; - reads a pipe"
            return FleetSession(Failure(.unreadable, reason))
        }
        do {
            let file = try TraceFile.bytes(of: path)
            guard file.count <= FleetReading.inMemory else { return session(of: file) }
            let bytes = [UInt8](unsafeUninitializedCapacity: file.count) { buffer, count in
                count = file.copyBytes(at: 0, count: file.count, into: UnsafeMutableRawBufferPointer(buffer))
            }
            return session(of: TraceBytes(bytes, file: path))
        } catch {
            return FleetSession(Failure(Failure(reading: error).id, error.reason))
        }
    }

    private func session(of bytes: TraceBytes) -> FleetSession {
        var session = read(bytes)
        session.hash = FleetReading.hash(of: bytes)
        session.bytes = UInt64(bytes.count)
        return session
    }

    private func read(_ bytes: TraceBytes) -> FleetSession {
        guard bytes.count > 0 else {
            return FleetSession(Failure(.unknownContent, "expected a trace, found an empty file"))
        }
        let reader: TraceReader
        do { reader = try TraceReader(bytes) } catch {
            return FleetSession(Failure(Failure(reading: error).id, "byte \(error.offset ?? 0): \(error.reason)"))
        }
        guard reader.report.header?.isMasked != false else { return FleetReading.unmasked }
        var source = RecordSource(trace: reader, name: bytes.file ?? "")
        source.derivesCandidates = part == .findings
        var survey = SessionSurvey(part, context: source.initialContext)
        do { try source.feed(&survey) } catch {
            return FleetSession(error as? Failure ?? Failure(.damagedTrace, "\(error)"))
        }
        if survey.hasClearText { return FleetReading.unmasked }
        var session = FleetSession(.ok)
        if let damage = source.facts.damage {
            session = FleetSession(Failure(.incompleteTrace, "byte \(damage.offset): \(damage.reason)"))
        } else if survey.isFull {
            session = FleetSession(Failure(.tooLarge, "expected a session, found more than a table keeps of one"))
        }
        session.info = survey.facts.info(of: source.facts)
        session.isMasked = true
        if session.status == .ok { session.rows = survey.rows(source.definitions, name: privacy.id) }
        return session
    }

    private static var unmasked: FleetSession {
        let reason = "expected a masked trace, found text in clear; keyflight redact masks it"
        var session = FleetSession(Failure(.unmaskedTrace, reason))
        session.isMasked = false
        return session
    }

    private static func hash(of bytes: TraceBytes) -> [UInt8] {
        var hash = SHA256()
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            var offset = 0
            while case let count = bytes.copyBytes(at: offset, count: buffer.count, into: buffer), count > 0 {
                hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                offset += count
            }
        }
        return hash.finish()
    }
}

extension FleetSession {
    /// An input that failed so.
    init(_ failure: Failure) {
        self.init(failure.id.sessionStatus, errorID: failure.id.rawValue, reason: failure.line)
    }

    mutating func fail(_ failure: Failure) {
        (status, errorID, reason) = (failure.id.sessionStatus, failure.id.rawValue, failure.line)
        rows = .facts
    }
}

extension FailureID {
    /// The status of an input that failed so in a table of many traces.
    fileprivate var sessionStatus: FleetSession.Status {
        switch self {
        case .unknownContent: .empty
        case .notATrace: .foreign
        case .otherVersion: .otherVersion
        case .unmaskedTrace: .unmasked
        case .duplicateTrace: .duplicate
        case .tooLarge: .tooLarge
        case .unreadable, .forbidden: .unreadable
        default: .damaged
        }
    }
}
