import KeyModel

/// The messages of an X server to one client (X11 protocol, sections 8 and 10): KeyPress and KeyRelease events.
///
/// Key codes are those of servers with the evdev rules of XKB, which all X servers on Linux have: the kernel's code
/// plus 8. A client that selects keys through the input extension gets other events, which are not read.
final class X11Connection: KeyConnection {
    /// Displays 0 to 99 over TCP.
    static let ports: ClosedRange<UInt16> = 6000...6099
    private static let message = 32

    private enum Kind {
        static let reply: UInt8 = 1
        static let keyPress: UInt8 = 2
        static let keyRelease: UInt8 = 3
        static let generic: UInt8 = 35
    }

    unowned let traffic: CaptureTraffic
    private let number: UInt16
    /// The direction in which the server sends.
    private let server: Int
    private var isBigEndian: Bool
    private var awaitsSetup: Bool
    private var buffer = MessageBuffer()
    private var stream: Int?
    private var held: Set<UInt8> = []

    /// `isBigEndian`: `nil` where the beginning of the connection was not seen.
    init(_ traffic: CaptureTraffic, number: UInt16, server: Int, isBigEndian: Bool?) {
        self.traffic = traffic
        self.number = number
        self.server = server
        self.isBigEndian = isBigEndian ?? false
        awaitsSetup = isBigEndian != nil
    }

    /// The byte order that the first bytes of a client ask for; `nil` when they are no client's of protocol 11.0.
    static func setup(_ bytes: UnsafeRawBufferPointer) -> Bool? {
        guard bytes.count >= 12, let base = bytes.baseAddress, bytes[0] == 0x42 || bytes[0] == 0x6C else { return nil }
        let isBigEndian = bytes[0] == 0x42
        let version = (
            base.integer(2, as: UInt16.self, isBigEndian: isBigEndian),
            base.integer(4, as: UInt16.self, isBigEndian: isBigEndian)
        )
        return version == (11, 0) ? isBigEndian : nil
    }

    /// Bytes of a direction are missing; true when events may have been among them. Releases may be missing too, so
    /// the held keys are released.
    func lost(_ count: Int, way: Int, _ time: Int64) -> Bool {
        guard way == server, buffer.lose(count) else { return false }
        awaitsSetup = false
        end(time)
        return true
    }

    func receive(_ bytes: UnsafeRawBufferPointer, way: Int, _ time: Int64) {
        guard way == server else { return }
        buffer.append(bytes)
        while let length = next(time) { buffer.skip(length) }
    }

    /// Reads the message that begins the buffer; returns its length, or `nil` when more bytes must come.
    private func next(_ time: Int64) -> UInt64? {
        buffer.bytes.withUnsafeBytes { bytes in
            guard bytes.count >= 8, let base = bytes.baseAddress else { return nil }
            if awaitsSetup {
                awaitsSetup = false
                return 8 + 4 * UInt64(base.integer(6, as: UInt16.self, isBigEndian: isBigEndian))
            }
            guard bytes.count >= X11Connection.message else { return nil }
            let kind = bytes[0] & 0x7F
            switch kind {
            case Kind.reply, Kind.generic:
                let more = base.integer(4, as: UInt32.self, isBigEndian: isBigEndian)
                return UInt64(X11Connection.message) + 4 * UInt64(more)
            case Kind.keyPress, Kind.keyRelease:
                guard isKeyEvent(base) else {
                    // Out of step, or no server's: what came instead is unknown.
                    traffic.facts.sourceDrops.add(nil)
                    break
                }
                let isRepeat = kind == Kind.keyRelease && isRepeated(bytes)
                key(bytes[1], isDown: kind == Kind.keyPress, isRepeat: isRepeat, time)
                // The press behind the release of a repeat belongs to it.
                return UInt64(isRepeat ? 2 * X11Connection.message : X11Connection.message)
            default: break
            }
            return UInt64(X11Connection.message)
        }
    }

    /// A key code that exists, a root window, and a flag that is 0 or 1 before an unused byte.
    private func isKeyEvent(_ base: UnsafeRawPointer) -> Bool {
        base.byte(1) >= 8 && base.byte(30) <= 1 && base.integer(8, as: UInt32.self) != 0
    }

    /// A server repeats a held key by a release and a press of the same moment.
    private func isRepeated(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 2 * X11Connection.message, bytes[X11Connection.message] & 0x7F == Kind.keyPress else {
            return false
        }
        let time = bytes[4..<8]
        return bytes[X11Connection.message + 1] == bytes[1]
            && bytes[(X11Connection.message + 4)..<(X11Connection.message + 8)].elementsEqual(time)
    }

    private func key(_ code: UInt8, isDown: Bool, isRepeat: Bool, _ time: Int64) {
        guard let usage = EvdevCodes.usage(of: UInt16(code) - 8, scan: nil) else { return }
        stream = stream ?? traffic.stream(at: StreamPlace(source: .x11, address: number))
        guard let stream else { return traffic.facts.reportsOfExcessStreams += 1 }
        traffic.change(stream: stream) { $0.reports += 1 }
        if isRepeat || isDown && held.contains(code) {
            if held.contains(code) { traffic.keyEvent(stream, usage, .repeat, time: time) }
        } else if isDown {
            held.insert(code)
            traffic.keyEvent(stream, usage, .down, time: time)
        } else if held.remove(code) != nil {
            traffic.keyEvent(stream, usage, .up, time: time)
        }
    }

    func finish() {
        if !buffer.isEmpty { traffic.facts.sourceDrops.add(nil) }
        buffer = MessageBuffer()
    }

    /// The connection is closed, or bytes of it are missing: the held keys are released.
    func end(_ time: Int64) {
        held.removeAll()
        if let stream { traffic.ended(stream, time: time) }
    }
}
