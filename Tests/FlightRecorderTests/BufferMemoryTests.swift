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
                for usage: UInt16 in [0x0B, 0x08, 0x0F, 0x0F, 0x12] { press(usage) }
                let words = image()
                for usage: UInt64 in [0x0B, 0x08, 0x0F, 0x12] {
                    #expect(!words.contains { $0 & 0xFFFF_FFFF == 0x7_0000 | usage })
                }
            }
        }
    }
}
