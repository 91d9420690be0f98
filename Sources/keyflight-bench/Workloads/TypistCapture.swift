import RegressionGate

/// A usbmon pcap (link type 220, microseconds) of one boot keyboard and a synthetic typist: a submission and a
/// completion for each interrupt transfer, so two packets each. The same bytes every time.
///
/// The typist writes with rollover, Shift, ⌘ and ⌥ chords, arrows and deletes, and rests now and then; about one report
/// in nine repeats the one before it, as keyboards with an idle rate do.
struct TypistCapture {
    static let fileHeaderSize = 24
    private static let recordHeader = 16
    private static let monitorHeader = 64
    private static let reportSize = 8
    /// 2023-11-14 22:13:20 UTC.
    private static let begin: UInt64 = 1_700_000_000_000_000

    private var random = SplitMix(seed: 0x6B65_7966_6C69_6768)
    private var report = [UInt8](repeating: 0, count: reportSize)
    private var keysDown = 0
    private var microseconds = begin
    private var transfer = 0

    static func bytes(transfers: Int) -> [UInt8] {
        var capture = TypistCapture()
        let perTransfer = 2 * (recordHeader + monitorHeader) + reportSize
        var out: [UInt8] = []
        out.reserveCapacity(fileHeaderSize + transfers * perTransfer)
        for word: UInt32 in [0xA1B2_C3D4, 0x0004_0002, 0, 0, 262_144, 220] { out.put(word) }
        for _ in 0..<transfers { capture.writeTransfer(into: &out) }
        return out
    }

    private mutating func writeTransfer(into out: inout [UInt8]) {
        writePacket(isCompletion: false, into: &out)
        microseconds += UInt64(typeOn())
        writePacket(isCompletion: true, into: &out)
        microseconds += UInt64(15 + random.below(40))
        transfer += 1
    }

    /// Changes the report to the next one; the microseconds until it comes.
    private mutating func typeOn() -> Int {
        let choice = random.below(100)
        if choice < 11 { return 8_000 }
        if choice < 18 {
            report[0] = report[0] == 0 ? [0x02, 0x20, 0x08, 0x04][random.below(4)] : 0
            return 20_000 + random.below(60_000)
        }
        if keysDown >= 3 || (keysDown > 0 && choice < 59) {
            report.remove(at: 2 + random.below(keysDown))
            report.append(0)
            keysDown -= 1
            return 15_000 + random.below(70_000)
        }
        let key = someKey()
        if !report[2...].contains(key) {
            report[2 + keysDown] = key
            keysDown += 1
        }
        return choice == 99 ? 400_000 + random.below(900_000) : 30_000 + random.below(120_000)
    }

    private mutating func someKey() -> UInt8 {
        switch random.below(100) {
        case 0..<72: UInt8(0x04 + random.below(26))
        case 72..<86: 0x2C
        case 86..<90: UInt8(0x1E + random.below(10))
        case 90..<94: UInt8(0x4F + random.below(4))
        case 94..<98: 0x2A
        default: UInt8(0x28 + random.below(4))
        }
    }

    /// The monitor header of the kernel's usbmon, 64 bytes, and the report where it is a completion.
    private func writePacket(isCompletion: Bool, into out: inout [UInt8]) {
        let present = isCompletion ? UInt32(TypistCapture.reportSize) : 0
        let length = UInt32(TypistCapture.monitorHeader) + present
        let (seconds, micros) = (microseconds / 1_000_000, UInt32(microseconds % 1_000_000))
        out.put(UInt32(seconds))
        out.put(micros)
        out.put(length)
        out.put(length)
        out.put(0xFFFF_8881_04A3_C000 + UInt64(transfer & 1) * 192)
        let letter = UInt8(ascii: isCompletion ? "C" : "S")
        for byte: UInt8 in [letter, 1, 0x81, 4, 1, 0, UInt8(ascii: "-"), isCompletion ? 0 : UInt8(ascii: "<")] {
            out.put(byte)
        }
        out.put(seconds)
        out.put(micros)
        out.put(UInt32(bitPattern: isCompletion ? 0 : -115))
        out.put(UInt32(TypistCapture.reportSize))
        out.put(present)
        for word: UInt32 in [0, 0, 8, 0, 0, 0] { out.put(word) }
        if isCompletion { for byte in report { out.put(byte) } }
    }
}

extension [UInt8] {
    /// Appends a little-endian number.
    fileprivate mutating func put(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
