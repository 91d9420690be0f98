#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif
import FlightRecorder

/// Two threads that record until the process is killed, and the check of what is left.
///
/// The progress file holds 64-bit words: the clock before the recording began, then for each thread how many key events
/// it has recorded and when the last of them was.
enum Flood {
    private static let threads = 2
    private static let words = 1 + 2 * threads
    /// What may be missing: the last 100 ms, and of each thread a buffer of 64 KiB, whose entries have 24 bytes.
    private static let longest: UInt64 = 100_000_000
    private static let mostEntries = UInt64(threads * 65_536 / 24)

    private static func progress(_ path: String, _ flags: Int32) -> UnsafeMutablePointer<UInt64> {
        let descriptor = open(path, flags, 0o600)
        guard descriptor >= 0, flags & O_CREAT == 0 || ftruncate(descriptor, off_t(8 * words)) == 0,
            let raw = mmap(nil, 8 * words, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), raw != MAP_FAILED
        else { fail("\(path): no progress file") }
        return raw.bindMemory(to: UInt64.self, capacity: words)
    }

    static func run(_ path: String, _ progressPath: String) throws {
        nonisolated(unsafe) let progress = progress(progressPath, O_RDWR | O_CREAT)
        progress[0] = hostClock()
        _ = try Keyflight.start(RecorderOptions(.file(path), level: .calls))
        for index in 0..<threads {
            RecordingThread.launch {
                var count: UInt64 = 0
                while true {
                    for place in 0..<40 {
                        Keyflight.key(.keyboard(UInt16(4 + place / 2 % 26)), place & 1 == 0 ? .down : .up)
                        count += 1
                        progress[1 + 2 * index] = count
                    }
                    progress[2 + 2 * index] = hostClock()
                    usleep(1_000)
                }
            }
        }
        while true { sleep(1_000) }
    }

    static func check(_ path: String, _ progressPath: String) throws {
        let progress = progress(progressPath, O_RDWR)
        let (recording, report) = try Recording.read(try TraceFile.read(path))
        var keys: UInt64 = 0
        var dropped: UInt64 = 0
        for record in recording.records {
            switch record.body {
            case .key: keys += 1
            case .loss(let loss): dropped += loss.count ?? 0
            default: break
            }
        }
        let recorded = (0..<threads).reduce(0) { $0 + progress[1 + 2 * $1] }
        let last = (0..<threads).map { progress[2 + 2 * $0] }.max() ?? 0
        let end = progress[0] + UInt64(max(0, recording.records.last?.time.nanoseconds ?? 0))
        let missing = recorded > keys + dropped ? recorded - keys - dropped : 0
        let age = last > end ? last - end : 0
        print("recorded \(recorded) kept \(keys) dropped \(dropped) missing \(missing) last \(age / 1_000) us")
        guard report.damaged?.reason.contains(ReadingReport.noEndMarker) == true
            || report.damages.contains(where: { $0.reason == ReadingReport.noEndMarker })
        else { fail("the file does not say that it ends early") }
        guard missing <= mostEntries else { fail("\(missing) entries are missing") }
        guard age <= longest else { fail("the last \(age / 1_000_000) ms are missing") }
    }
}
