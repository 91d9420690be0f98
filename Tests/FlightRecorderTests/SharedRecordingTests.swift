import FlightRecorder
import Foundation
import Testing

/// A recording of a process that dies, in memory of the one that started it.
@Suite struct SharedRecordingTests {
    /// The program's keys and its recording, after its end.
    private func recording(of how: String) throws -> (recording: Recording, state: Int32) {
        let host = try #require(HostTests.products).appending(path: "InstrumentedHost").path
        let memory = try #require(SharedMemory())
        defer { close(memory.descriptor) }
        let state = try run([host, "death", how], ["KEYFLIGHT_MEMORY=\(memory.name)", "SWIFT_BACKTRACE=enable=no"])
        return try withFolder { folder in
            let path = folder + "/death.keyflight"
            let shared = SharedRecording(memory, RecorderOptions(.file(path), level: .calls))
            try shared.finish([("process.end", "a test")])
            let (recording, report) = try Recording.read(try TraceFile.read(path))
            #expect(report.complete)
            return (recording, state)
        }
    }

    private func run(_ words: [String], _ variables: [String]) throws -> Int32 {
        var arguments = words.map { strdup($0) } + [nil]
        var environment = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var process: pid_t = 0
        try #require(posix_spawn(&process, words[0], nil, nil, &arguments, &environment) == 0)
        var state: Int32 = 0
        waitpid(process, &state, 0)
        return state
    }

    @Test(arguments: [("aborts", SIGABRT), ("exits", 3 << 8), ("faults", SIGSEGV), ("killed", SIGKILL)])
    func theKeyThatEndedAProcessIsThereWithWhatItLedTo(_ how: String, _ state: Int32) throws {
        for _ in 0..<25 {
            let (recording, found) = try recording(of: how)
            #expect(found & ~0x80 == state)
            #expect(recording.keys.map(\.phase) == [.down, .down, .up, .up])
            #expect(recording.keys.map(\.isSynthetic) == [false, false, true, true])
            #expect(recording.keys[1].key == .clear(.keyboard(0x1A)))
            let resolution = try #require(recording.resolutions.first)
            #expect(resolution.outcome == .performed)
            #expect(resolution.action.flatMap { recording.definitions[$0] } == "closeTab:")
            #expect(resolution.target.flatMap { recording.definitions[$0] }?.id == "tabs")
            #expect(recording.resolutions.count == 1)
        }
    }

    @Test func aProcessThatForksHasItsOwnKeysAlone() throws {
        let (recording, state) = try recording(of: "forks")
        #expect(state == 0)
        #expect(recording.keys.map(\.phase) == [.down, .down, .up, .up])
        #expect(recording.marks.isEmpty)
    }

    @Test func aMemoryOfAnotherKindIsLeftAlone() throws {
        #expect(SharedMemory(named: "0,1") == nil)
        #expect(SharedMemory(named: "nothing") == nil)
        #expect(SharedMemory(named: "/nothing,/nothing") == nil)
    }
}
