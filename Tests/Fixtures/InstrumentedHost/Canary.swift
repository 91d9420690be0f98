import FlightRecorder
import Libc

/// Types what comes on standard input, key by key, without keeping it, so that a search of this process's memory finds
/// what the recorder keeps and nothing else.
enum Canary {
    /// How keys are recorded: `masked` as always, `secure` inside a secure entry of a recording that shows keys, and
    /// `clear` in one that shows them, which the search has to find.
    enum Mode: String { case masked, secure, clear }

    /// One usage of the keyboard page a byte. Writes the writable memory of this process into a file when all is typed
    /// and has reached the trace; `abort` instead of a file leaves that to a core dump.
    static func run(_ path: String, _ mode: Mode, image: String) throws {
        var options = RecorderOptions(.fileRing(path, .bytes(1 << 20)), level: .calls)
        options.showsKeys = mode != .masked
        let flight = try Keyflight.start(options)
        Keyflight.key(.escape, .down)
        Keyflight.key(.escape, .up)
        if mode == .secure { Keyflight.beginSecureEntry() }
        var usage: UInt8 = 0
        while read(0, &usage, 1) == 1 {
            Keyflight.key(.keyboard(UInt16(usage)), .down)
            Keyflight.key(.keyboard(UInt16(usage)), .up)
        }
        usage = 0
        if mode == .secure { Keyflight.endSecureEntry() }
        Keyflight.mark("typed")
        // Everything has gone through the flusher, and through a snapshot, before the memory is looked at.
        let kept = try flight.snapshot().count
        if image == "abort" { abort() }
        let bytes = try dump(image)
        print("snapshot of \(kept) bytes, image of \(bytes)")
    }

    /// Searches a file, such as an image or a trace, for what standard input holds: as usages, and as the letters that
    /// they type, each at most so many bytes after the one before.
    static func search(_ file: String) {
        var usages = [UInt8](repeating: 0, count: 256)
        let count = read(0, &usages, usages.count)
        guard count >= 12 else { fail("expected at least 12 usages on standard input, found \(count)") }
        usages = Array(usages.prefix(count))
        guard Set(usages).count == count, usages.allSatisfy({ (0x04...0x1D).contains($0) }) else {
            fail("expected usages of different letters")
        }
        // Two entries of a buffer are 24 bytes apart.
        var patterns = [Trail(usages, within: 24), Trail(usages.map { $0 + 0x5D }, within: 8)]
        let bytes = contents(file)
        for index in patterns.indices { patterns[index].follow(bytes) }
        print("searched \(bytes.count) bytes, found \(patterns[0].found) as usages, \(patterns[1].found) as letters")
        exit(patterns.contains { $0.found > 0 } ? 1 : 0)
    }

    /// This process's own writable mappings, one after the other.
    private static func dump(_ path: String) throws -> Int {
        let memory = open("/proc/self/mem", O_RDONLY)
        let image = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard memory >= 0, image >= 0 else { fail("\(path): no image: \(String(cString: strerror(errno)))") }
        defer {
            close(memory)
            close(image)
        }
        let size = 1 << 16
        let chunk = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
        defer { chunk.deallocate() }
        var sum = 0
        for line in String(decoding: contents("/proc/self/maps"), as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            guard words.count > 1, words[1].hasPrefix("rw") else { continue }
            let ends = words[0].split(separator: "-").compactMap { UInt64(String($0), radix: 16) }
            guard ends.count == 2 else { continue }
            var position = ends[0]
            while position < ends[1] {
                let wanted = Int(min(UInt64(size), ends[1] - position))
                let count = pread(memory, chunk, wanted, off_t(truncatingIfNeeded: position))
                guard count > 0 else { break }
                guard write(image, chunk, count) == count else { fail("\(path): the image does not fit") }
                position += UInt64(count)
                sum += count
            }
        }
        return sum
    }

    private static func contents(_ path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { fail("\(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return bytes }
            bytes += chunk[0..<count]
        }
    }
}

/// Different bytes one after the other, each at most `gap` bytes after the one before: whatever stands between them,
/// and however far apart a record or a cell puts them.
private struct Trail {
    private let gap: Int
    private let length: Int
    /// By byte: its place in the trail, −1 for none.
    private var place = [Int](repeating: -1, count: 256)
    private(set) var found = 0

    init(_ bytes: [UInt8], within gap: Int) {
        self.gap = gap
        length = bytes.count
        for (index, byte) in bytes.enumerated() { place[Int(byte)] = index }
    }

    mutating func follow(_ region: [UInt8]) {
        // Where the trail up to each place was seen last; the last is the best, for gaps only have a longest.
        var last = [Int](repeating: .min / 2, count: length)
        let (gap, end) = (gap, length - 1)
        region.withUnsafeBufferPointer { bytes in
            place.withUnsafeBufferPointer { place in
                for position in 0..<bytes.count {
                    let index = place[Int(bytes[position])]
                    if index < 0 { continue }
                    if index == 0 || position - last[index - 1] <= gap {
                        last[index] = position
                        if index == end { found += 1 }
                    }
                }
            }
        }
    }
}
