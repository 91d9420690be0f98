import FlightRecorder
import Libc

/// A program that is forked while it records and while other threads hold the recorder's locks: what the new process
/// does must end, and what the old one does must not be disturbed.
enum Fork {
    private static let rounds = 20

    static func run(_ path: String) throws {
        // Swift has no name for fork; the new process calls nothing but the recorder and leaves.
        #if canImport(Darwin)
        let name = dlsym(UnsafeMutableRawPointer(bitPattern: -2), "fork")
        #else
        let name = dlsym(nil, "fork")
        #endif
        guard let name else { fail("no fork") }
        let fork = unsafeBitCast(name, to: (@convention(c) () -> pid_t).self)
        // Once before the first fork: what Swift's runtime makes when it is first met, it makes under locks of its own.
        guard try recordsOwn() else { fail("nothing recorded before the first fork") }
        let flight = try Keyflight.start(RecorderOptions(.file(path)))
        guard !isForked({ _ = try flight.snapshot() }) else { fail("forked before the first fork") }
        let other = RecordingThread.launch {
            while Keyflight.isRecording {
                for number in 0..<100 { _ = RecordedResponder(id: "r\(number)", kind: "Row") }
                Keyflight.markedText(true)
                usleep(50)
            }
        }
        usleep(100_000)
        for _ in 0..<rounds {
            Keyflight.key(.escape, .down)
            let child = fork()
            if child == 0 { _exit(beginAgain(flight)) }
            guard child > 0 else { fail("no process") }
            var status: Int32 = 0
            guard waitpid(child, &status, 0) == child, status == 0 else { fail("the new process ended with \(status)") }
            Keyflight.key(.escape, .up)
        }
        try flight.stop()
        other.join()
        print("\(rounds)")
    }

    /// In the new process: the status to leave with.
    private static func beginAgain(_ inherited: Flight) -> Int32 {
        alarm(20)
        guard !Keyflight.isRecording, Keyflight.current == nil else { return 10 }
        Keyflight.key(.escape, .up)
        inherited.pause()
        inherited.level = .keys
        guard inherited.statistics == RecorderStatistics(), isForked({ try inherited.stop() }),
            isForked({ _ = try inherited.snapshot() })
        else { return 11 }
        guard let isRecorded = try? recordsOwn() else { return 12 }
        return isRecorded ? 0 : 13
    }

    /// Records a little, and says whether it is that and nothing else.
    private static func recordsOwn() throws -> Bool {
        let flight = try Keyflight.start(RecorderOptions(.memoryRing(RingBounds())))
        Keyflight.key(.tab, .down)
        Keyflight.firstResponder(RecordedResponder(id: "child", kind: "Row"))
        Keyflight.key(.tab, .up)
        let recording = try Recording.read(try flight.snapshot()).recording
        try flight.stop()
        let keys = recording.records.count { $0.body.kind == .key }
        let others = recording.records.count { $0.body.kind == .markedText }
        let focus = recording.records.count { $0.body.kind == .firstResponder }
        return keys == 2 && focus == 1 && others == 0
    }

    private static func isForked(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch {
            return error as? RecorderError == .forked
        }
    }
}
