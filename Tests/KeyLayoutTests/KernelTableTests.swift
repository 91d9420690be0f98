import Libc
import TestRequirements
import Testing

@testable import KeyLayout

/// The corpus is a folder outside the repository; without it this test does not run and the test report says so.
@Suite("Usages and the kernel's key codes")
struct KernelTableTests {
    static let corpus = getenv("KEYFLIGHT_CORPUS").map { String(cString: $0) }

    @Test("known pairs", arguments: [
        (UInt16(0x04), UInt32(38)), (0x1E, 10), (0x2C, 65), (0x31, 51), (0x32, 51), (0x64, 94), (0x87, 97), (0x59, 87),
    ])
    func pairs(usage: UInt16, keycode: UInt32) {
        #expect(EvdevKeycodes.xkbKeycode(usage: usage) == keycode)
    }

    @Test("usages without a key code", arguments: [UInt16(0), 1, 3, 0x82, 0xA4, 0xA5, 0xE0, 0xFFFF])
    func none(usage: UInt16) { #expect(EvdevKeycodes.xkbKeycode(usage: usage) == nil) }

    @Test("are the pairs that a kernel reported", .needsCorpus)
    func kernel() throws {
        let folder = "\(try #require(KernelTableTests.corpus))/kernel-oracle"
        var seen: Set<UInt16> = []
        for name in KernelTableTests.names(in: folder) where name.hasSuffix(".evdev.txt") && !name.contains("apple") {
            var usage: UInt16?
            for line in KernelTableTests.lines("\(folder)/\(name)") {
                // EV node seconds type code value: MSC_SCAN (4, 4) carries the usage of the EV_KEY (1) after it.
                let words = line.split(separator: " ")
                guard words.count == 6, words[0] == "EV", let value = UInt32(words[5]) else { continue }
                if words[3] == "4", words[4] == "4" {
                    usage = value >> 16 == 7 ? UInt16(truncatingIfNeeded: value) : nil
                } else if words[3] == "1", let scanned = usage, scanned <= 0xA4, let code = UInt32(words[4]) {
                    // 240 is the kernel's word for a usage it does not know.
                    #expect(EvdevKeycodes.xkbKeycode(usage: scanned) == (code == 240 ? nil : code + 8))
                    seen.insert(scanned)
                    usage = nil
                }
            }
        }
        #expect(seen.count > 100)
    }

    private static func lines(_ path: String) -> [Substring] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.sorted()
    }
}
