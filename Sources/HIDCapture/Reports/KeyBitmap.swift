import KeyModel

/// A report with one bit per key whose layout is guessed: an id or none, the modifiers, then the usages from 0 on.
struct KeyBitmap: Hashable {
    /// Lengths of reports that may be such bitmaps.
    static let lengths = 15...32

    var hasID: Bool
    var length: Int

    static func candidates(length: Int) -> [KeyBitmap] {
        [KeyBitmap(hasID: false, length: length), KeyBitmap(hasID: true, length: length)]
    }

    /// False for a report of another length, which is not this bitmap's.
    func read(_ bytes: UnsafeRawBufferPointer, into keys: inout PressedKeys) -> Bool {
        guard bytes.count == length else { return false }
        keys.removeAll()
        let start = hasID ? 1 : 0
        for at in (start + 1)..<length where bytes[at] != 0 {
            for bit in 0..<8 where bytes[at] >> UInt8(bit) & 1 == 1 {
                let usage = (at - start - 1) * 8 + bit
                guard usage < 256 else { break }
                keys.insert(keyboardUsage: UInt8(usage))
            }
        }
        keys.high |= UInt64(bytes[start]) << 32
        return true
    }
}

/// Decides whether the reports of a stream can be such a bitmap: it begins and ends with nothing held, no two keys
/// change at once, every key exists, and some key is pressed.
struct BitmapPlausibility {
    private let bitmap: KeyBitmap
    private var before = PressedKeys()
    private var next = PressedKeys()
    private var isPlausible = true
    private var hasKey = false
    private var id: UInt8?

    /// Keys that change between two reports at most.
    private static let changes = 2

    init(_ bitmap: KeyBitmap) { self.bitmap = bitmap }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        guard isPlausible, bitmap.read(bytes, into: &next) else {
            isPlausible = false
            return
        }
        if bitmap.hasID {
            if id == nil { id = bytes.first }
            if id != bytes.first || id == 0 { isPlausible = false }
        }
        let (old, new) = (Set(before.usages), Set(next.usages))
        if old.symmetricDifference(new).count > BitmapPlausibility.changes { isPlausible = false }
        if !new.allSatisfy({ KeyboardPlausibility.exists(UInt8(truncatingIfNeeded: $0.usage)) }) { isPlausible = false }
        if new.contains(where: { !$0.isModifier }) { hasKey = true }
        swap(&before, &next)
    }

    var isKeyboard: Bool { isPlausible && hasKey && before.isEmpty }
}
