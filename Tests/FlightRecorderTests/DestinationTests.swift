import FlightRecorder
import Foundation
import Testing

extension RecorderTests {
    @Suite struct Destinations {
        @Test func aFileIsThereFromTheStartAndWholeAtTheEnd() throws {
            try withFolder { folder in
                let path = folder + "/a.keyflight"
                let flight = try Keyflight.start(RecorderOptions(.file(path)))
                press(0x28)
                usleep(150_000)
                let live = try Recording.read(try TraceFile.read(path))
                #expect(live.recording.keys.count == 2, "what is older than a flush interval is in the file")
                #expect(live.report.damaged?.reason == ReadingReport.noEndMarker)
                try flight.stop()
                let (recording, report) = try Recording.read(try TraceFile.read(path))
                #expect(report.complete)
                #expect(report.header?.form == .live)
                #expect(report.header?.isMasked == true)
                #expect(recording.keys.count == 2)
                let names = recording.records.compactMap { record -> String? in
                    if case .environment(let fact) = record.body { fact.name } else { nil }
                }
                #expect(names == [
                    "recorder.overhead.key", "recorder.overhead.clock", "recorder.entries", "recorder.overhead.total",
                    "recorder.flusher.cpu",
                ])
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
            }
        }

        @Test func anExistingFileIsNotTouched() throws {
            try withFolder { folder in
                let path = folder + "/a.keyflight"
                try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
                #expect(throws: RecorderError.self) { try Keyflight.start(RecorderOptions(.file(path))) }
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
                #expect(Keyflight.current == nil)
            }
        }

        @Test func oneRecordingAtATime() throws {
            _ = try recorded { _ in
                #expect(throws: RecorderError.alreadyRecording) {
                    try Keyflight.start(RecorderOptions(.memoryRing(RingBounds())))
                }
            }
        }

        @Test func aMemoryRingKeepsTheLastBytes() throws {
            let recording = try recorded({ $0.destination = .memoryRing(.bytes(1 << 17)) }) { _ in
                Keyflight.firstResponder(nil, cause: .start)
                for round in 0..<60 {
                    for _ in 0..<1_000 { Keyflight.key(.rightArrow, .repeat) }
                    Keyflight.mark("round \(round)")
                    waitUntilTaken()
                }
            }
            #expect(recording.marks.last == "round 59")
            #expect(recording.marks.count < 60, "the oldest are forgotten")
            let first = try #require(recording.records.first)
            #expect(first.sequence > 0)
            #expect(recording.isInOrder)
        }

        @Test func aSnapshotKeepsTheLastPartWithItsContext() throws {
            let pane = Pane()
            Keyflight.name(pane, "editor")
            defer { Keyflight.forget(pane) }
            var options = RecorderOptions(.memoryRing(RingBounds()))
            options.flushInterval = TraceDuration(nanoseconds: 5_000_000)
            let flight = try Keyflight.start(options)
            Keyflight.firstResponder(pane, cause: .become)
            Keyflight.mark("old")
            usleep(60_000)
            Keyflight.mark("new")
            let bytes = try flight.snapshot(last: TraceDuration(nanoseconds: 40_000_000))
            press(0x28)
            let later = try flight.snapshot()
            try flight.stop()
            let recording = try Recording.read(bytes).recording
            #expect(recording.marks == ["new"])
            let reader = try TraceReader(bytes)
            #expect(reader.initialContext.contains { entry in
                if case .record(.firstResponder(let record)) = entry {
                    return record.responder.flatMap { reader.definitions[$0] }?.id == "editor"
                }
                return false
            })
            #expect(try Recording.read(later).recording.marks == ["old", "new"])
            #expect(try Recording.read(later).recording.keys.count == 2)
        }

        @Test func aFileRingTurnsOverAndKeepsTheLastPart() throws {
            try withFolder { folder in
                let path = folder + "/ring.keyflight"
                var options = RecorderOptions(.fileRing(path, .bytes(1 << 16)))
                options.flushInterval = TraceDuration(nanoseconds: 5_000_000)
                let flight = try Keyflight.start(options)
                // Some twelve rounds fill a part. The third is half full at the end: it must not turn over at the stop.
                for round in 0..<30 {
                    for _ in 0..<800 { Keyflight.key(.rightArrow, .repeat) }
                    Keyflight.mark("round \(round)")
                    waitUntilTaken()
                }
                let snapshot = try Recording.read(try flight.snapshot())
                try flight.stop()
                let previous = try Recording.read(try TraceFile.read(path + ".previous"))
                let current = try Recording.read(try TraceFile.read(path))
                #expect(previous.report.complete)
                #expect(current.report.complete)
                #expect(snapshot.report.complete)
                #expect(snapshot.recording.marks.suffix(1) == ["round 29"])
                let last = try #require(previous.recording.records.last)
                #expect(current.recording.records.first?.sequence == last.sequence + 1)
                #expect(snapshot.recording.records.first?.sequence == previous.recording.records.first?.sequence)
            }
        }

        @Test func aFileRingThatCannotTurnOverDoesNotBegin() throws {
            try withFolder { folder in
                let path = folder + "/ring.keyflight"
                try Data("mine".utf8).write(to: URL(fileURLWithPath: path + ".previous"))
                let error = #expect(throws: RecorderError.self) {
                    try Keyflight.start(RecorderOptions(.fileRing(path, .bytes(1 << 16))))
                }
                #expect(error?.description.contains("ring.keyflight.previous") == true)
                #expect(!FileManager.default.fileExists(atPath: path), "nothing was begun")
                #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".previous")) == Data("mine".utf8))
            }
        }

        @Test func aSnapshotReplacesNothingAndSpeaksOfNoOptionOfAProgram() throws {
            try withFolder { folder in
                let path = folder + "/a.keyflight"
                try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
                let flight = try Keyflight.start(RecorderOptions(.memoryRing(RingBounds())))
                let error = #expect(throws: TraceError.self) { try flight.snapshot(to: path) }
                try flight.stop()
                #expect(error?.description.contains("one that exists") == true)
                #expect(error?.description.contains("--") == false)
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
            }
        }

        @Test func boundsOfManyMinutesAreLong() {
            #expect(RingBounds.minutes(.max).duration.nanoseconds == .max)
            #expect(RingBounds.minutes(2).duration.nanoseconds == 120_000_000_000)
        }

        @Test(arguments: ["memory", "file", "file ring"]) func whatARingKeptIsThereAfterItsTimeIsUp(
            _ kind: String
        ) throws {
            try withFolder { folder in
                let path = folder + "/a.keyflight"
                var options = RecorderOptions(.file(path))
                if kind == "memory" { options.destination = .memoryRing(RingBounds()) }
                if kind == "file ring" { options.destination = .fileRing(path, RingBounds()) }
                options.autoStop = TraceDuration(nanoseconds: 150_000_000)
                let flight = try Keyflight.start(options)
                Keyflight.mark("old")
                usleep(100_000)
                press(0x28)
                for _ in 0..<500 where Keyflight.current != nil { usleep(10_000) }
                let (recording, report) = try Recording.read(try flight.snapshot())
                #expect(report.complete)
                #expect(recording.marks == ["old"] && recording.keys.count == 2)
                try flight.stop()
                let again = try Recording.read(try flight.snapshot(last: TraceDuration(nanoseconds: 90_000_000)))
                #expect(again.report.complete)
                #expect(again.recording.marks == [] && again.recording.keys.count == 2)
            }
        }

        @Test func aRecordingStopsByItself() throws {
            let states = StateLog()
            var options = RecorderOptions(.memoryRing(RingBounds()))
            options.autoStop = TraceDuration(nanoseconds: 60_000_000)
            options.indicator = { states.append($0) }
            let flight = try Keyflight.start(options)
            flight.pause()
            flight.resume()
            for _ in 0..<500 where Keyflight.current != nil { usleep(10_000) }
            #expect(Keyflight.current == nil)
            #expect(!Keyflight.isRecording)
            press(0x28)
            try flight.stop()
            // It is told when all is over, by a thread that nobody waits for.
            for _ in 0..<500 where states.all.last != .stopped { usleep(10_000) }
            #expect(states.all == [.recording(isMasked: true), .paused, .recording(isMasked: true), .stopped])
            #expect(try Recording.read(try flight.snapshot()).recording.keys == [])
        }
    }
}

/// Waits until the background thread has taken everything: on a busy machine it comes late.
private func waitUntilTaken() {
    repeat { usleep(5_000) } while !Keyflight.isThreadDrained
}
