/// One thread's cache of the names of the process: content hash → number, without a lock.
struct NameCache {
    private static let places = 512
    private let hashes: UnsafeMutablePointer<UInt64>
    private let numbers: UnsafeMutablePointer<UInt32>
    private var count = 0
    /// The version of `NameTable` for which the content is valid.
    var version: UInt32 = 0

    init() {
        hashes = .allocate(capacity: NameCache.places)
        hashes.initialize(repeating: 0, count: NameCache.places)
        numbers = .allocate(capacity: NameCache.places)
        numbers.initialize(repeating: 0, count: NameCache.places)
    }

    /// The number of a name; `nil` when this thread has not met it.
    @inline(__always) func number(of hash: UInt64) -> UInt32? {
        var place = Int(truncatingIfNeeded: hash) & (NameCache.places - 1)
        while hashes[place] != 0 {
            if hashes[place] == hash { return numbers[place] }
            place = (place + 1) & (NameCache.places - 1)
        }
        return nil
    }

    mutating func insert(_ hash: UInt64, _ number: UInt32) {
        if count >= NameCache.places * 3 / 4 { removeAll() }
        var place = Int(truncatingIfNeeded: hash) & (NameCache.places - 1)
        while hashes[place] != 0, hashes[place] != hash { place = (place + 1) & (NameCache.places - 1) }
        if hashes[place] == 0 { count += 1 }
        hashes[place] = hash
        numbers[place] = number
    }

    mutating func removeAll() {
        hashes.update(repeating: 0, count: NameCache.places)
        count = 0
    }
}

/// A hash of content, eight bytes at a step. Seeded per process and never stored in a trace.
struct ContentHash {
    private(set) var value: UInt64

    init(seed: UInt64) { value = seed }

    @inline(__always) mutating func combine(_ word: UInt64) {
        let product = (value ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        value = product.high ^ product.low &+ 0xD1B5_4A32_D192_ED03
    }

    @inline(__always) mutating func combine(_ text: String) {
        var native = text
        native.withUTF8 { combine(UnsafeRawBufferPointer($0)) }
    }

    @inline(__always) mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        combine(UInt64(truncatingIfNeeded: rest.count) | 1 << 63)
        while rest.count >= 8 {
            combine(rest.loadUnaligned(as: UInt64.self))
            rest = UnsafeRawBufferPointer(rebasing: rest[8...])
        }
        var last: UInt64 = 0
        for byte in rest { last = last << 8 | UInt64(byte) }
        combine(last)
    }

    @inline(__always) mutating func combine(_ text: String?) {
        if let text { combine(text) } else { combine(0) }
    }

    /// Never 0, which marks an empty place.
    var final: UInt64 { value == 0 ? 1 : value }
}
