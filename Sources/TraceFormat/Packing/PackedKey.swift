import KeyModel

/// The packed form of a key record: a tag, the time since the record before, the key, and what differs from the
/// expectation of `KeyState`.
///
/// Tag: bit 7 set; bit 6 an extra byte follows; bit 5 masked; bits 4–3 phase; bits 2–0 bytes of the time (0…7).
/// Then the time, then the usage on page 7 or the class (one byte), then the extra byte and what it announces.
struct PackedKey: Hashable, Sendable {
    var tag: UInt8 = 0x80
    var delta: UInt64 = 0
    /// Usage on page 7, or the class of a masked key; 0 where `wide` is present.
    var code: UInt8 = 0
    var extra: UInt8 = 0
    var wide: UInt32 = 0
    var device: UInt16 = 0
    /// 0 for none, else the ordinal plus 1.
    var press: UInt64 = 0
    var modifiers: UInt32 = 0

    static let hasExtra: UInt8 = 1 << 6
    static let isMasked: UInt8 = 1 << 5
    /// Bits of the extra byte; the others must be 0.
    static let otherDevice: UInt8 = 1 << 0
    static let otherPress: UInt8 = 1 << 1
    static let otherModifiers: UInt8 = 1 << 2
    static let synthetic: UInt8 = 1 << 3
    /// Page and usage follow as one number: not page 7, or a usage above FF.
    static let wideUsage: UInt8 = 1 << 4
    static let knownExtras: UInt8 = 0x1F
    /// The longest time between two records in a packed key, 2^56 − 1 ns (two years).
    static let largestDelta: UInt64 = (1 << 56) - 1
    /// Bytes of the longest packed key without its extra byte and what that announces; its time is stored as eight.
    static let room = 1 + 8 + 1

    init() {}

    /// Bytes of a time, 0…7 for times up to `largestDelta`.
    @inline(__always) static func length(_ delta: UInt64) -> Int { (71 - delta.leadingZeroBitCount) >> 3 }

    /// Packs a record against the state, which follows it; `delta` ≤ `largestDelta`.
    @inline(__always) init(_ record: KeyRecord, delta: UInt64, following state: inout KeyState) {
        self.delta = delta
        tag |= UInt8(truncatingIfNeeded: PackedKey.length(delta)) | record.phase.rawValue << 3
        switch record.key {
        case .masked(let textClass):
            tag |= PackedKey.isMasked
            code = textClass.rawValue
        case .clear(let usage):
            if usage.isKeyboardPage, usage.usage <= 0xFF {
                code = UInt8(truncatingIfNeeded: usage.usage)
            } else {
                extra |= PackedKey.wideUsage
                wide = usage.rawValue
            }
        }
        state.record(record, packing: &self)
        if record.isSynthetic { extra |= PackedKey.synthetic }
        if extra != 0 { tag |= PackedKey.hasExtra }
    }

    /// Reads the fields that follow the tag, in the order of the bytes.
    @inline(__always) mutating func read(_ cursor: inout ByteCursor) throws(TraceError) {
        let length = Int(tag & 7)
        delta = try cursor.littleEndian(length, "delta_ns")
        guard length == 0 || delta >> UInt64((length - 1) * 8) != 0 else {
            throw TraceError(
                .overlongNumber, field: "delta_ns", expected: "the shortest form", found: "\(length) bytes")
        }
        code = try cursor.byte("code")
        guard tag & PackedKey.hasExtra != 0 else { return }
        extra = try cursor.byte("extra")
        if extra & PackedKey.wideUsage != 0 { try cursor.varint("usage", &wide) }
        if extra & PackedKey.otherDevice != 0 { try cursor.varint("device", &device) }
        if extra & PackedKey.otherPress != 0 { try cursor.varint("press", &press) }
        if extra & PackedKey.otherModifiers != 0 { try cursor.varint("modifiers", &modifiers) }
    }

    /// The record, unpacked against the same state.
    @inline(__always) func record(_ state: KeyState) throws(TraceError) -> KeyRecord {
        guard tag & PackedKey.hasExtra == 0 || (extra != 0 && extra & ~PackedKey.knownExtras == 0) else {
            throw TraceError(.outOfRange, field: "extra", expected: "1…31", found: "\(extra)")
        }
        guard press <= UInt64(UInt32.max) + 1 else {
            throw TraceError(.outOfRange, field: "press", expected: "0…4294967296", found: "\(press)")
        }
        let device = extra & PackedKey.otherDevice != 0 ? device : state.device
        let key = try identity()
        let phase = KeyPhase(rawValue: tag >> 3 & 3) ?? .down
        let known: UInt32? = press == 0 ? nil : UInt32(truncatingIfNeeded: press - 1)
        return KeyRecord(
            device: device, key: key, phase: phase,
            modifiers: extra & PackedKey.otherModifiers != 0
                ? KeyModifiers(rawValue: modifiers)
                : state.expectedModifiers(device: device, key: key, phase: phase),
            press: extra & PackedKey.otherPress != 0
                ? known : state.expectedPress(device: device, key: key, phase: phase),
            isSynthetic: extra & PackedKey.synthetic != 0)
    }

    private func identity() throws(TraceError) -> KeyIdentity {
        if tag & PackedKey.isMasked != 0 {
            guard let textClass = TextKeyClass(rawValue: code), extra & PackedKey.wideUsage == 0 else {
                throw TraceError(.outOfRange, field: "code", expected: TextKeyClass.allowed, found: "\(code)")
            }
            return .masked(textClass)
        }
        guard extra & PackedKey.wideUsage != 0 else { return .clear(.keyboard(UInt16(code))) }
        guard code == 0, wide >> 16 != UInt32(KeyUsage.keyboardPage) || wide & 0xFFFF > 0xFF else {
            throw TraceError(.outOfRange, field: "usage", expected: "a usage that needs it", found: "\(wide)")
        }
        return .clear(KeyUsage(rawValue: wide))
    }
}

extension ByteCursor {
    @inline(__always)
    mutating func varint<N: FixedWidthInteger & UnsignedInteger>(
        _ name: StaticString, _ value: inout N
    ) throws(TraceError) {
        let number = try varint(name)
        guard let narrow = N(exactly: number) else {
            throw TraceError(.outOfRange, field: "\(name)", expected: "0…\(N.max)", found: "\(number)")
        }
        value = narrow
    }
}

extension ByteBuffer {
    /// Writes a packed key, in the order in which `PackedKey.read` reads it.
    @inline(__always) mutating func append(_ packed: PackedKey) {
        write(room: PackedKey.room) { target in
            target.storeBytes(of: packed.tag, as: UInt8.self)
            target.storeBytes(of: packed.delta.littleEndian, toByteOffset: 1, as: UInt64.self)
            let code = 1 + Int(packed.tag & 7)
            target.storeBytes(of: packed.code, toByteOffset: code, as: UInt8.self)
            return code + 1
        }
        if packed.extra != 0 { append(extrasOf: packed) }
    }

    private mutating func append(extrasOf packed: PackedKey) {
        append(byte: packed.extra)
        if packed.extra & PackedKey.wideUsage != 0 { append(varint: UInt64(packed.wide)) }
        if packed.extra & PackedKey.otherDevice != 0 { append(varint: UInt64(packed.device)) }
        if packed.extra & PackedKey.otherPress != 0 { append(varint: packed.press) }
        if packed.extra & PackedKey.otherModifiers != 0 { append(varint: UInt64(packed.modifiers)) }
    }
}
