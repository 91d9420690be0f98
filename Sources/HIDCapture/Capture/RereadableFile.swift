import KeyModel
import Libc
import SystemPackage

/// A capture that can be read from its beginning once more: a file, which stays open, so that one that is removed
/// meanwhile is still there, or bytes in memory.
final class RereadableFile {
    private let descriptor: FileDescriptor
    private let start: Int64
    private let bytes: [UInt8]

    /// `nil` for pipes and whatever else has no place to go back to.
    init?(_ other: FileDescriptor) {
        var status = stat()
        guard fstat(other.rawValue, &status) == 0, status.isRegularFile,
            let start = try? other.seek(offset: 0, from: .current), let own = try? other.duplicate()
        else { return nil }
        descriptor = own
        self.start = start
        bytes = []
    }

    init(_ bytes: [UInt8]) {
        (descriptor, start) = (FileDescriptor(rawValue: -1), 0)
        self.bytes = bytes
    }

    deinit { if descriptor.rawValue >= 0 { try? descriptor.close() } }

    func read(into traffic: CaptureTraffic) throws(CaptureError) {
        guard descriptor.rawValue >= 0 else {
            return try bytes.withUnsafeBufferPointer { bytes throws(CaptureError) in
                try CaptureKind.read(CaptureInput(UnsafeRawBufferPointer(bytes)), into: traffic)
            }
        }
        guard (try? descriptor.seek(offset: start, from: .start)) != nil else { return }
        try CaptureKind.read(CaptureInput(descriptor), into: traffic)
    }

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
            try? read(into: traffic)
            if let failure { throw failure }
            return try decoding.finish(at: end, body)
        }
    }
}
