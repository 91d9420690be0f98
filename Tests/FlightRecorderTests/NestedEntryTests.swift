import Atomics
import Foundation
import Testing

@testable import FlightRecorder

/// What a host's own code does while the recorder writes an entry, or asks it for a name.
extension RecorderTests {
    @Suite struct Nesting {
        @Test func anEntryInsideAnotherOneIsCountedAndLeavesThatOneWhole() throws {
            let recording = try recorded { _ in
                let buffer = threadBuffer(Keyflight.switchWord)
                // As if the handler of a signal came between an entry's clock read and its words.
                let now = try #require(buffer.begin())
                Keyflight.textWithoutKey()
                Keyflight.key(.escape, .down)
                buffer.append(.markedText, at: now, small: 1)
                Keyflight.mark("after")
            }
            #expect(recording.marks == ["after"])
            #expect(recording.keys.isEmpty)
            let kinds = recording.records.compactMap(\.body.kind)
            #expect(kinds.contains(.markedText) && !kinds.contains(.text))
            // The flusher may have told of the first before the second came.
            let losses = recording.losses.map(\.record)
            #expect(losses.reduce(0) { $0 + ($1.count ?? 0) } == 2)
            #expect(losses.allSatisfy { $0.cause == .dropped && $0.detail.hasPrefix("inside another entry of thread") })
        }

        @Test func namesThatTakeTheirTimeHoldNobodyUpAndMayRecordThemselves() throws {
            struct SlowCommand: RecordedCommand {
                let recordedInput: String? = nil
                let recordedModifiers: KeyModifiers = []
                var recordedAction: String {
                    Keyflight.mark("command")
                    usleep(90_000)
                    return "slow:"
                }
            }
            func slow(_ name: String) -> String {
                Keyflight.mark("inside \(name)")
                usleep(90_000)
                return name
            }
            let recording = try recorded { _ in
                Keyflight.mark(slow("mark"))
                Keyflight.end(Keyflight.beginCall(.keyCommands, of: Pane()), [SlowCommand()])
                Keyflight.effect(slow("effect"), on: nil)
                Keyflight.candidate(SlowCommand(), of: nil, .won, because: slow("reason"))
            }
            #expect(recording.losses.isEmpty)
            // The first time a command is met, it is asked twice.
            let expected = ["inside mark", "mark", "command", "command", "inside effect", "command", "inside reason"]
            #expect(recording.marks == expected)
            #expect(recording.calls.count == 1)
            #expect(recording.records.suffix(1).map(\.body.kind) == [.candidate])
            #expect(recording.isInOrder)
        }

        @Test func timeSpentInListsOfCommandsCountsAsWhatTheRecorderCosts() throws {
            struct SlowCommand: RecordedCommand {
                let recordedInput: String? = nil
                let recordedModifiers: KeyModifiers = []
                var recordedAction: String {
                    usleep(2_000)
                    return "slow:"
                }
            }
            try withFolder { folder in
                let flight = try Keyflight.start(RecorderOptions(.file(folder + "/a.keyflight")))
                for _ in 0..<10 { Keyflight.end(Keyflight.beginCall(.keyCommands, of: Pane()), [SlowCommand()]) }
                try flight.stop()
                let recording = try Recording.read(try TraceFile.read(folder + "/a.keyflight")).recording
                let total = recording.records.compactMap { record -> TraceDuration? in
                    guard case .environment(let fact) = record.body, fact.name == "recorder.overhead.total" else {
                        return nil
                    }
                    return TraceDuration(text: fact.value)
                }
                #expect(try #require(total.first).nanoseconds >= 20_000_000)
            }
        }

        @Test func aBufferThatSomethingHasWrittenOverIsSkippedAndSaysSo() throws {
            let ring = ThreadRing(number: 1)
            func put(_ place: Int, _ time: UInt64) {
                ring.memory[place] = time
                ring.memory[place + 1] = EntryHead.word(.markedText, words: 2, small: 1, wide: 0)
                ring.published.store(UInt64(place + 2), ordering: .relaxed)
            }
            var merge = EpochMerge(start: 0, clock: TickClock(), rings: { [ring] })
            merge.discardAll()
            var times: [UInt64] = []
            put(0, 1)
            put(4, 2)
            _ = merge.close(10, isLast: true, flush: {}) { entry, _ in times.append(entry[0]) }
            #expect(times == [1], "words 2 and 3 are no entry, and where the next one begins nobody knows")
            #expect(merge.takeDrops().map(\.reason) == ["buffer of thread 1 overwritten"])
            put(6, 11)
            _ = merge.close(20, isLast: true, flush: {}) { entry, _ in times.append(entry[0]) }
            #expect(times == [1, 11])
            #expect(merge.takeDrops().isEmpty)
        }

        #if os(Linux)
        @Test func theRecordersThreadHandlesNoSignal() throws {
            _ = try recorded { _ in
                var masks: [UInt64] = []
                for _ in 0..<500 where masks.isEmpty {
                    for task in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
                        let status = try? String(contentsOfFile: "/proc/self/task/\(task)/status", encoding: .utf8)
                        let lines = status?.split(separator: "\n") ?? []
                        guard lines.first == "Name:\tkeyflight" else { continue }
                        let mask = lines.first { $0.hasPrefix("SigBlk:") }?.split(separator: "\t").last ?? ""
                        masks.append(UInt64(mask, radix: 16) ?? 0)
                    }
                    if masks.isEmpty { usleep(10_000) }
                }
                func blocks(_ mask: UInt64, _ signal: Int32) -> Bool { mask >> UInt64(signal - 1) & 1 != 0 }
                let mask = try #require(masks.first)
                #expect([SIGALRM, SIGPROF, SIGUSR1, SIGTERM].allSatisfy { blocks(mask, $0) })
                #expect(!blocks(mask, SIGSEGV), "a crash is the crash reporter's")
            }
        }
        #endif
    }
}
