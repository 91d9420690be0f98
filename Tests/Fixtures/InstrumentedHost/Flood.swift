import FlightRecorder
import Libc

/// Two threads that record until the process is killed, and the check of what is left.
///
/// The progress file holds 64-bit words: the clock before the recording began, for each thread how many key events it
/// has recorded and when the last of them was, and when the recorder said that the destination failed.
enum Flood {
    private static let threads = 2
    private static let words = 2 + 2 * threads
    private static let failure = words - 1
    /// What may be missing: the last 100 ms, and of each thread a buffer of 64 KiB, whose entries have 16 bytes.
    private static let longest: UInt64 = 100_000_000
    private static let mostEntries = UInt64(threads * 65_536 / 16)

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
        var options = RecorderOptions(.file(path), level: .calls)
        options.indicator = { state in
            if case .failed = state { progress[failure] = hostClock() }
        }
        _ = try Keyflight.start(options)
        for index in 0..<threads {
            RecordingThread.launch {
                var count: UInt64 = 0
                while Keyflight.isRecording {
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
        let how = progress[failure] == 0 ? "killed" : "full"
        print("\(how): recorded \(recorded) kept \(keys) dropped \(dropped) missing \(missing) last \(age / 1_000) us")
        guard report.damaged?.reason.contains(ReadingReport.noEndMarker) == true
            || report.damages.contains(where: { $0.reason == ReadingReport.noEndMarker })
        else { fail("the file does not say that it ends early") }
        guard missing <= mostEntries else { fail("\(missing) entries are missing") }
        guard age <= longest else { fail("the last \(age / 1_000_000) ms are missing") }
    }

    /// Each reading of a growing file is whole but for its end, and begins with all records of the one before.
    static func follow(_ path: String) throws {
        var (readings, records, quiet) = (0, 0, 0)
        while quiet < 100 {
            usleep(10_000)
            // Between its creation and its header it is empty.
            guard access(path, F_OK) == 0, case let bytes = try TraceFile.read(path), bytes.count > 0 else {
                quiet += 1
                continue
            }
            let (recording, report) = try Recording.read(bytes)
            guard report.damages.allSatisfy({ $0.reason == ReadingReport.noEndMarker }) else {
                fail("reading \(readings) of the growing file: \(report.damages)")
            }
            guard recording.records.count >= records else {
                fail("\(recording.records.count) records after \(records)")
            }
            for (place, record) in recording.records.enumerated() where record.sequence != UInt64(place) {
                fail("record \(record.sequence) in place \(place)")
            }
            quiet = recording.records.count == records ? quiet + 1 : 0
            records = recording.records.count
            readings += 1
        }
        print("followed: \(readings) readings, \(records) records at last")
    }
}
