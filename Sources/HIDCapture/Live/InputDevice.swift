import Libc
import SystemPackage

/// The questions to an input device of the kernel besides its events, so that tests can replace one.
protocol InputDevice: AnyObject {
    /// Gives `struct input_event` records; non-blocking.
    var descriptor: Int32 { get }
    /// Makes stamps those of CLOCK_MONOTONIC; false where the kernel refuses (EVIOCSCLOCKID).
    func useMonotonicClock() -> Bool
    /// The codes of the keys that are down now; `nil` where it cannot be asked (EVIOCGKEY).
    func keysDown() -> Set<UInt16>?
    /// EVIOCGNAME.
    var name: String? { get }
    /// EVIOCGID. The serial number of a device (EVIOCGUNIQ) is never asked for: it names its owner.
    var vendorAndProduct: (vendor: UInt16, product: UInt16)? { get }
    /// EVIOCGLED.
    var isCapsLockOn: Bool? { get }
    func close()
}

/// `/dev/input/eventN`.
final class InputNode: InputDevice {
    private(set) var descriptor: Int32

    /// Takes over an open descriptor.
    init(descriptor: Int32) { self.descriptor = descriptor }

    #if os(Linux)
        private static let keyBytes = 96  // KEY_CNT bits
        private static let lightBytes = 2  // LED_CNT bits

        /// The number of an `ioctl` of the letter E (linux/input.h, asm-generic/ioctl.h).
        private static func request(_ direction: UInt, _ number: UInt, _ size: Int) -> UInt {
            let letter: UInt = 0x45 << 8
            return (direction << 30) | (UInt(size) << 16) | letter | number
        }

        private func read(_ number: UInt, _ size: Int) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: size)
            let request = InputNode.request(2, number, size)
            let result = bytes.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map { ioctl(descriptor, request, $0) } ?? -1
            }
            return result >= 0 ? bytes : nil
        }

        func useMonotonicClock() -> Bool {
            var clock = Int32(CLOCK_MONOTONIC)
            return ioctl(descriptor, InputNode.request(1, 0xA0, 4), &clock) == 0
        }

        func keysDown() -> Set<UInt16>? {
            guard let bits = read(0x18, InputNode.keyBytes) else { return nil }
            var codes: Set<UInt16> = []
            for (index, byte) in bits.enumerated() where byte != 0 {
                for bit in 0..<8 where (byte >> UInt8(bit)) & 1 == 1 { codes.insert(UInt16(index * 8 + bit)) }
            }
            return codes
        }

        var name: String? {
            guard let bytes = read(0x06, 256) else { return nil }
            let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            return text.isEmpty ? nil : text
        }

        var vendorAndProduct: (vendor: UInt16, product: UInt16)? {
            guard let id = read(0x02, 8) else { return nil }
            func field(_ at: Int) -> UInt16 { UInt16(id[at]) | UInt16(id[at + 1]) << 8 }
            return UInt16(littleEndian: 1) == 1 ? (field(2), field(4)) : (field(2).byteSwapped, field(4).byteSwapped)
        }

        var isCapsLockOn: Bool? { read(0x19, InputNode.lightBytes).map { $0[0] & 2 != 0 } }
    #else
        func useMonotonicClock() -> Bool { false }
        func keysDown() -> Set<UInt16>? { nil }
        var name: String? { nil }
        var vendorAndProduct: (vendor: UInt16, product: UInt16)? { nil }
        var isCapsLockOn: Bool? { nil }
    #endif

    func close() {
        if descriptor >= 0 { try? FileDescriptor(rawValue: descriptor).close() }
        descriptor = -1
    }
}
