import KeyModel
import Libc
import SystemPackage

/// A capture that can be read from its beginning once more. It stays open, so that a file that is removed meanwhile is
/// still there.
final class RereadableFile {
    private let descriptor: FileDescriptor
    private let start: Int64

    /// `nil` for pipes and whatever else has no place to go back to.
    init?(_ other: FileDescriptor) {
        var status = stat()
        guard fstat(other.rawValue, &status) == 0, status.isRegularFile,
            let start = try? other.seek(offset: 0, from: .current), let own = try? other.duplicate()
        else { return nil }
        descriptor = own
        self.start = start
    }

    deinit { try? descriptor.close() }

    /// Reads the file and hands over the key events of its reports in batches. What can no longer be read ends it.
    func decode<E: Error>(
        _ decoding: CaptureDecoding, end: TraceTime, _ body: ([KeyEvent]) throws(E) -> Void
    ) throws(E) -> CaptureTotals {
        try withoutActuallyEscaping(body) { (body: @escaping ([KeyEvent]) throws(E) -> Void) throws(E) in
            var decoding = decoding
            var failure: E?
            let traffic = CaptureTraffic { report, store in
                guard failure == nil else { return }
                decoding.apply(report, in: store)
                guard decoding.events.count >= CaptureDecoding.batch else { return }
                do throws(E) { try decoding.handOver(body) } catch { failure = error }
            }
            if (try? descriptor.seek(offset: start, from: .start)) != nil {
                try? CaptureKind.read(CaptureInput(descriptor), into: traffic)
            }
            if let failure { throw failure }
            return try decoding.finish(at: end, body)
        }
    }
}
