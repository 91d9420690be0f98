import KeyModel
import Libc

/// An input report, or the moment a stream ended, as kept until the whole capture is read.
struct StoredReport {
    /// Nanoseconds since time 0.
    var time: Int64
    /// Up to eight bytes in place, the first one lowest; of longer reports their place in `ReportStore.long`.
    var payload: UInt64
    var stream: UInt16
    /// Bytes of the report, or `StoredReport.ended`.
    var length: UInt16
    /// The number of times that the same report came again right after this one.
    var repeats: UInt32

    /// The same bytes, where both have them in place.
    @inline(__always) func says(_ other: StoredReport) -> Bool { payload == other.payload && length == other.length }

    /// In place of a length: the transfer was cancelled or the device is gone, whatever was held is released.
    static let ended = UInt16.max
    /// In place of a length: the entry is a key event, see `payload(_:_:isSynthetic:)`.
    static let keyEvent = UInt16.max - 1
    static let inPlace = 8
    /// A report whose bytes are in `ReportStore.long`.
    var isLong: Bool { Int(length) > StoredReport.inPlace && length < StoredReport.keyEvent }

    static func payload(_ usage: KeyUsage, _ phase: KeyPhase, isSynthetic: Bool) -> UInt64 {
        UInt64(usage.rawValue) | UInt64(phase.rawValue) << 32 | (isSynthetic ? 1 << 40 : 0)
    }

    /// The key event of an entry that is one.
    var event: (usage: KeyUsage, phase: KeyPhase, isSynthetic: Bool) {
        (
            KeyUsage(rawValue: UInt32(truncatingIfNeeded: payload)),
            KeyPhase(rawValue: UInt8(truncatingIfNeeded: payload >> 32)) ?? .cancel, payload >> 40 & 1 == 1
        )
    }
}

extension StoredReport {
    /// A report of eight bytes at most.
    @inline(__always) init(_ bytes: UnsafeRawBufferPointer, of stream: Int, _ time: Int64) {
        if bytes.count == 8 {
            payload = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
        } else {
            payload = 0
            for at in 0..<bytes.count { payload |= UInt64(bytes[at]) << UInt64(8 * at) }
        }
        (self.time, self.stream, repeats) = (time, UInt16(truncatingIfNeeded: stream), 0)
        length = UInt16(truncatingIfNeeded: bytes.count)
    }
}

/// The changed reports of a capture in file order, 24 bytes each, fewer than the bytes they take in the capture.
///
/// They are kept because only the whole capture distinguishes keyboards from other devices: descriptors may come late,
/// and without any the stream as a whole has to be examined.
final class ReportStore {
    private static let chunk = 4096
    // One reader at a time fills the store, so these need no run-time exclusivity checks.
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private var chunks: [UnsafeMutablePointer<StoredReport>] = []
    /// The place of the next report, as long as there is room in the latest chunk.
    @exclusivity(unchecked) private var next: UnsafeMutablePointer<StoredReport>?
    /// The bytes of reports longer than eight, back to back.
    private let long = WipedArray<UInt8>()
    var longBytes: Int { long.count }

    /// Not all changed reports are here.
    var leavesOut = false
    private var singles: [Single] = []

    /// A place for one report of a stream, where the next one takes the place of the one before.
    final class Single {
        let place = UnsafeMutablePointer<StoredReport>.allocate(capacity: 1)
        /// The place of the bytes of a long one, and how many fit there.
        fileprivate var long = (at: 0, room: 0)

        fileprivate init() {
            place.initialize(
                to: .init(time: 0, payload: 0, stream: 0, length: StoredReport.ended, repeats: 0))
        }

        deinit { place.deallocate() }
    }

    deinit { for chunk in chunks { SecretMemory.free(chunk, ReportStore.chunk) } }

    /// The place stays valid as long as the store.
    func makeSingle() -> Single {
        let single = Single()
        singles.append(single)
        return single
    }

    /// Keeps the bytes of a long report in place of those before, and returns their place.
    func keep(_ bytes: UnsafeRawBufferPointer, in single: Single) -> UInt64 {
        if bytes.count > single.long.room {
            single.long = (long.count, min(2 * bytes.count, max(bytes.count, CaptureLimits.reportBytes)))
            for _ in 0..<single.long.room { long.append(0) }
        }
        for (place, byte) in bytes.enumerated() { long[single.long.at + place] = byte }
        return UInt64(single.long.at)
    }

    /// The place stays valid as long as the store.
    @inline(__always)
    func append(_ report: StoredReport) -> UnsafeMutablePointer<StoredReport> {
        let place = next ?? newChunk()
        place.initialize(to: report)
        count &+= 1
        next = count % ReportStore.chunk == 0 ? nil : place + 1
        return place
    }

    @inline(never) private func newChunk() -> UnsafeMutablePointer<StoredReport> {
        let chunk = SecretMemory.allocate(ReportStore.chunk, of: StoredReport.self)
        chunks.append(chunk)
        return chunk
    }

    /// Keeps the bytes of a long report, and returns their place.
    func keep(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let place = UInt64(long.count)
        long.append(bytes.bindMemory(to: UInt8.self))
        return place
    }

    /// The reports from the one with this number on that lie together in memory: at least one, when there is one.
    func reports(from first: Int) -> UnsafeBufferPointer<StoredReport> {
        guard first < count else { return UnsafeBufferPointer(start: nil, count: 0) }
        let slot = first % ReportStore.chunk
        return UnsafeBufferPointer(
            start: chunks[first / ReportStore.chunk] + slot, count: min(count - first, ReportStore.chunk - slot))
    }

    /// The reports from the one with this number on.
    @inline(__always)
    func forEach<E: Error>(
        from first: Int = 0, _ body: (UnsafePointer<StoredReport>) throws(E) -> Void
    ) throws(E) {
        for number in first..<max(first, count) {
            try body(UnsafePointer(place(of: number)))
        }
    }

    /// The place of the report with this number.
    func place(of number: Int) -> UnsafeMutablePointer<StoredReport> {
        chunks[number / ReportStore.chunk] + number % ReportStore.chunk
    }

    /// Puts the reports in the order of their times, those of equal times as they came. False where they were.
    func sort() -> Bool {
        func isEarlier(_ number: Int) -> Bool { place(of: number).pointee.time < place(of: number - 1).pointee.time }
        guard (1..<max(1, count)).contains(where: isEarlier) else { return false }
        let copy = WipedArray<StoredReport>()
        forEach { copy.append($0.pointee) }
        for (number, old) in (0..<count).sorted(by: { (copy[$0].time, $0) < (copy[$1].time, $1) }).enumerated() {
            place(of: number).pointee = copy[old]
        }
        copy.removeAll()
        return true
    }

    /// The reports of streams become those of others.
    func move(_ streams: [Int: Int]) {
        for number in 0..<count {
            let place = place(of: number)
            if let stream = streams[Int(place.pointee.stream)] { place.pointee.stream = UInt16(stream) }
        }
    }

    /// Overwrites all reports. Every place becomes invalid.
    func removeAll() {
        guard let first = chunks.first else { return }
        SecretMemory.wipe(first, min(count, ReportStore.chunk))
        for chunk in chunks.dropFirst() { SecretMemory.free(chunk, ReportStore.chunk) }
        chunks = [first]
        next = first
        count = 0
        long.removeAll()
    }

    /// Calls `body` with the bytes of a report.
    @inline(__always)
    func withBytes<R>(of report: UnsafePointer<StoredReport>, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        let length = Int(report.pointee.length)
        if length <= StoredReport.inPlace {
            var payload = report.pointee.payload.littleEndian
            return withUnsafeBytes(of: &payload) { body(UnsafeRawBufferPointer(rebasing: $0.prefix(length))) }
        }
        let from = min(Int(report.pointee.payload), long.count)
        return body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: long.elements[from...].prefix(length))))
    }
}
