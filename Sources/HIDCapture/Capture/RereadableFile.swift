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
            let reading = Reading<E>(decoding, body)
            if (try? descriptor.seek(offset: start, from: .start)) != nil {
                try? CaptureKind.read(descriptor, into: CaptureTraffic { reading.take($0, $1) })
            }
            return try reading.finish(end)
        }
    }

    private final class Reading<E: Error> {
        private var decoding: CaptureDecoding
        private let body: ([KeyEvent]) throws(E) -> Void
        private var failure: E?

        init(_ decoding: CaptureDecoding, _ body: @escaping ([KeyEvent]) throws(E) -> Void) {
            self.decoding = decoding
            self.body = body
        }

        func take(_ report: UnsafePointer<StoredReport>, _ store: ReportStore) {
            guard failure == nil else { return }
            decoding.apply(report, in: store)
            guard decoding.events.count >= CaptureDecoding.batch else { return }
            do throws(E) { try decoding.handOver(body) } catch { failure = error }
        }

        func finish(_ end: TraceTime) throws(E) -> CaptureTotals {
            if let failure { throw failure }
            decoding.end(at: end)
            try decoding.handOver(body)
            return decoding.totals
        }
    }
}
