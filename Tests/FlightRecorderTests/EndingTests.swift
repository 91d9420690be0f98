import Foundation
import Testing

@testable import FlightRecorder

extension RecorderTests {
    /// What a host may do where it is told that a recording is over.
    @Suite struct Endings {
        /// The recording that is to end, and what its indicator has done about it.
        private final class Host: @unchecked Sendable {
            private let lock = NSLock()
            private var ended: Flight?
            private var next: Flight?
            private var words: [String] = []

            var flight: Flight? {
                get { lock.withLock { ended } }
                set { lock.withLock { ended = newValue } }
            }
            var nextFlight: Flight? {
                get { lock.withLock { next } }
                set { lock.withLock { next = newValue } }
            }
            var notes: [String] { lock.withLock { words } }
            func note(_ word: String) { lock.withLock { words.append(word) } }

            /// Stops the recording that has ended, and begins another one.
            func goOn() {
                for _ in 0..<500 where flight == nil { usleep(10_000) }
                do {
                    try flight?.stop()
                    note("stopped")
                } catch {
                    note("failed")
                }
                do {
                    nextFlight = try Keyflight.start(RecorderOptions(.memoryRing(RingBounds())))
                    note("started")
                } catch {
                    note("\(error)")
                }
            }
        }

        @Test func whoIsToldOfAnAutomaticStopMayStopAndStart() throws {
            let host = Host()
            var options = RecorderOptions(.memoryRing(RingBounds()))
            options.autoStop = TraceDuration(nanoseconds: 60_000_000)
            options.indicator = { if $0 == .stopped { host.goOn() } }
            host.flight = try Keyflight.start(options)
            for _ in 0..<500 where host.notes.count < 2 { usleep(10_000) }
            #expect(host.notes == ["stopped", "started"])
            #expect(Keyflight.current === host.nextFlight)
            try host.nextFlight?.stop()
        }

        @Test func whoIsToldOfAFailureMayStopAndStart() throws {
            let host = Host()
            try withFolder { folder in
                let inner = folder + "/inner"
                try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
                var options = RecorderOptions(.fileRing(inner + "/a.keyflight", .bytes(1 << 16)))
                options.indicator = { if case .failed = $0 { host.goOn() } }
                host.flight = try Keyflight.start(options)
                try FileManager.default.removeItem(atPath: inner)
                // A new file cannot be made where there is no folder any more.
                for _ in 0..<500 where host.notes.isEmpty {
                    for _ in 0..<500 { Keyflight.key(.rightArrow, .repeat) }
                    usleep(10_000)
                }
            }
            for _ in 0..<500 where host.notes.count < 2 { usleep(10_000) }
            #expect(host.notes == ["failed", "started"])
            #expect(Keyflight.current === host.nextFlight)
            try host.nextFlight?.stop()
        }

        @Test func aLateEndOfOneRecordingDoesNotEndTheNext() throws {
            let first = try Keyflight.start(RecorderOptions(.memoryRing(RingBounds())))
            try first.stop()
            _ = try recorded { flight in
                let flusher = try #require(first.writer as? Flusher)
                #expect(!RecorderControl.shared.detach(flusher))
                #expect(Keyflight.current === flight)
                #expect(Keyflight.isRecording)
            }
        }
    }
}
