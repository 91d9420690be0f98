import Foundation
import Testing

@testable import FlightRecorder

extension RecorderTests {
    @Suite struct Memory {
        /// Every word of entries that any thread has, and of the keys that this thread holds.
        private func image() -> [UInt64] {
            let entries = ThreadRegistry.shared.rings.flatMap { ring in
                UnsafeBufferPointer(start: ring.memory, count: ThreadBuffer.words + ThreadBuffer.longestEntry)
            }
            return entries + threadBuffer(Keyflight.switchWord).pointee.keys.image
        }

        @Test func nothingOfASecureEntryReachesABuffer() throws {
            _ = try recorded { _ in
                press(0x28)
                usleep(100_000)
                Keyflight.beginSecureEntry()
                // What is held when it begins is forgotten at the first call after it.
                let before = image()
                for usage: UInt16 in 0x04...0x27 { press(usage, with: [0xE1]) }
                Keyflight.mark("secret")
                #expect(image() == before)
                Keyflight.endSecureEntry()
            }
        }

        @Test func typedTextLeavesNoKeyInABuffer() throws {
            _ = try recorded { _ in
                let first = threadBuffer(Keyflight.switchWord).pointee.head
                for usage: UInt16 in [0x0B, 0x08, 0x0F, 0x0F, 0x12] { press(usage) }
                let entries = entries(from: first)
                #expect(entries.count == 10)
                // The class of letters is 0; bit 3 says masked.
                #expect(entries.allSatisfy { $0.kind == .key && $0.small >> 8 == 0 && $0.wide & 8 != 0 })
                #expect(threadBuffer(Keyflight.switchWord).pointee.keys.image.allSatisfy { $0 == 0 })
            }
        }

        #if os(Linux)
            @Test func aBufferIsInNoCoreDump() throws {
                let ring = ThreadRing(number: 1)
                let file = try #require(fopen("/proc/self/smaps", "r"))
                defer { fclose(file) }
                var (line, isInside, flags) = ([CChar](repeating: 0, count: 4096), false, "")
                while fgets(&line, Int32(line.count), file) != nil {
                    let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                    let ends = text.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
                    if ends.count == 2 { isInside = (ends[0]..<ends[1]).contains(UInt(bitPattern: ring.memory)) }
                    if isInside, text.hasPrefix("VmFlags:") { flags = text }
                }
                #expect(flags.contains(" dd "))
            }
        #endif

        /// A thread that saw ⌘ go down and records nothing more cannot forget the key itself. The reader of the buffers
        /// would mask what follows, but not in memory.
        @Test func aKeyHeldOnAnotherThreadUnmasksNothingAfterAGapOrInTheNextRecording() throws {
            var threads: [DispatchSemaphore] = []
            defer { for thread in threads { thread.signal() } }
            _ = try recorded { flight in
                threads.append(holdCommandOnAnotherThread())
                #expect(masks(0x04) == [false, false])
                flight.pause()
                flight.resume()
                #expect(masks(0x05) == [true, true])
                threads.append(holdCommandOnAnotherThread())
            }
            _ = try recorded { _ in #expect(masks(0x06) == [true, true]) }
        }

        /// Whether the entries of a press of this key are masked in the buffer.
        private func masks(_ usage: UInt16) -> [Bool] {
            let first = threadBuffer(Keyflight.switchWord).pointee.head
            press(usage)
            return entries(from: first).map { $0.wide & 8 != 0 }
        }

        /// - Returns: what ends the thread when it is signalled.
        private func holdCommandOnAnotherThread() -> DispatchSemaphore {
            let (held, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            Thread {
                Keyflight.key(.leftGUI, .down)
                held.signal()
                end.wait()
            }.start()
            held.wait()
            return end
        }

        @Test func keysOfOtherPagesAndHighKeyboardsAreRecordedAsWell() throws {
            let recording = try recorded { _ in
                Keyflight.key(KeyUsage(page: 0x0C, usage: 0xE9), .down, device: 700)
                Keyflight.key(.escape, .down, device: 700)
                threadBuffer(Keyflight.switchWord).pointee.keys.ordinal = 1 << 28
                Keyflight.key(.escape, .down)
                Keyflight.key(.keyboard(0x04), .down)
            }
            #expect(recording.keys.map(\.device) == [700, 700, 1, 1])
            #expect(recording.keys.map(\.press) == [1, 2, 3, 4])
            #expect(recording.keys.map(\.key) == [
                .clear(KeyUsage(page: 0x0C, usage: 0xE9)), .clear(.escape), .clear(.escape), .masked(.letter),
            ])
        }

        /// The heads of this thread's entries from a position on.
        private func entries(from first: UInt64) -> [EntryHead] {
            let buffer = threadBuffer(Keyflight.switchWord)
            var (position, heads) = (first, [EntryHead]())
            while position < buffer.pointee.head {
                let entry = buffer.pointee.ring.memory + Int(position & ThreadBuffer.mask)
                heads.append(EntryHead(word: entry[1]))
                position += EntryHead(word: entry[1]).words
            }
            return heads
        }
    }
}
