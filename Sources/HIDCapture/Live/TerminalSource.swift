package import KeyModel
import Libc
import SystemPackage

/// The terminal that a program runs in. Needs no permission, since it is the person's own.
///
/// The terminal is in raw mode while this is open, so nothing that is typed reaches another program. Where it has the
/// kitty keyboard protocol, presses, repeats, releases and modifiers are what the keyboard did. Elsewhere each key is
/// pressed and released at once with its modifiers around it, and the releases are marked as sent by no source. Stamps
/// are the moments at which the bytes were read. What is typed while the terminal is asked for the protocol is recorded
/// at time 0.
package final class TerminalSource: LiveSource {
    package let name = "terminal"
    package let kind = CaptureSource.terminal
    package private(set) var descriptor: Int32
    package private(set) var devices: [CaptureDevice] = []
    package let isCapsLockOn: Bool? = nil
    package let granularity: UInt64? = nil
    package let backwardSteps: UInt64 = 0
    package private(set) var packets: UInt64 = 0
    /// The terminal reports releases and modifiers as events.
    package private(set) var hasKittyProtocol = false
    /// ⌃C was pressed, which ends the recording and is no part of it.
    package private(set) var isStopped = false

    private var keys: TerminalKeys
    private var start = LiveMoment(realtime: 0, monotonic: 0)
    private let before: termios
    private let ownsDescriptor: Bool
    private var isOpen = true
    /// The moment at which the last bytes came, where those of a sequence wait for its end.
    private var waitingSince: Int64?
    /// Keys of the time before `begin`, which have no moment in the recording.
    private let early = WipedArray<TerminalKeys.Key>()
    /// Control keys that are down and that nothing has followed, where the terminal reports them.
    private var modifiers: [KeyUsage: KeyEvent] = [:]
    /// The number of dropped characters and sequences that were reported as losses.
    private var reported: (characters: UInt64, sequences: UInt64) = (0, 0)

    /// Nanoseconds after which nothing more of a sequence is expected: an ESC is the key.
    private static let sequenceDelay: Int64 = 25_000_000
    /// Nanoseconds that a terminal may take to answer.
    private static let answerDelay: Int64 = 500_000_000
    /// The requested parts of the protocol: 1 no ambiguous keys, 2 events, 4 the position of keys, 8 all keys.
    private static let wanted = "\u{1B}[>15u"

    /// Takes over the controlling terminal, or standard input where that is one. `layout`: the keyboard's.
    package convenience init(layout: Layout) throws(LiveFailure) {
        let own = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard own >= 0 || isatty(0) == 1 else {
            throw LiveFailure(
                source: "terminal", reason: .noDevice, remedy: "run it in a terminal, or in one that script(1) makes")
        }
        try self.init(descriptor: own >= 0 ? own : 0, owned: own >= 0, layout: layout)
    }

    /// A terminal by its descriptor, which is closed in the end only when `owned`.
    package init(descriptor: Int32, owned: Bool, layout: Layout) throws(LiveFailure) {
        self.descriptor = descriptor
        ownsDescriptor = owned
        keys = TerminalKeys(layout: layout)
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else {
            throw LiveFailure(source: "terminal", reason: .unusable("something that is no terminal"))
        }
        before = settings
        cfmakeraw(&settings)
        // Output printed meanwhile looks as ever.
        settings.c_oflag = before.c_oflag
        TerminalSource.returnAtOnce(&settings)
        guard tcsetattr(descriptor, TCSAFLUSH, &settings) == 0 else {
            throw LiveFailure(source: "terminal", reason: .unusable("a terminal that has no raw mode"))
        }
        ask()
        if hasKittyProtocol { send(TerminalSource.wanted) }
        keys.reportsEvents = hasKittyProtocol
    }

    deinit { close() }

    /// A read gives what is there, be it nothing.
    private static func returnAtOnce(_ settings: inout termios) {
        withUnsafeMutableBytes(of: &settings.c_cc) { characters in
            characters[Int(VMIN)] = 0
            characters[Int(VTIME)] = 0
        }
    }

    /// Asks for the protocol, and then for what every terminal answers: a terminal that answers only that has no
    /// protocol.
    private func ask() {
        send("\u{1B}[?u\u{1B}[c")
        let end = LiveMoment.monotonicNow + TerminalSource.answerDelay
        var isDone = false
        while !isDone, LiveMoment.monotonicNow < end {
            var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&input, 1, 20) >= 0 || errno == EINTR else { break }
            if input.revents & Int16(POLLHUP | POLLERR) != 0 { break }
            decode { answer, _ in
                switch answer {
                case .protocolFlags: hasKittyProtocol = true
                case .attributes: isDone = true
                case .key(let key): early.append(key)
                }
            }
        }
    }

    /// Decodes what has come since the last call, or the rest of it when nothing followed. Returns false when nothing
    /// has come.
    @discardableResult
    private func decode(_ emit: (TerminalKeys.Answer, Int64) -> Void) -> Bool {
        let hasRead = keys.read(from: descriptor)
        let now = LiveMoment.monotonicNow
        if hasRead {
            packets += 1
            keys.decode { emit($0, now) }
            waitingSince = keys.waiting.isEmpty ? nil : now
        } else if let since = waitingSince, now - since >= TerminalSource.sequenceDelay {
            waitingSince = nil
            keys.flush { emit($0, since) }
        }
        return hasRead
    }

    private func send(_ text: String) { _ = try? FileDescriptor(rawValue: descriptor).writeAll(text.utf8) }

    package func begin(at start: LiveMoment) { self.start = start }

    package func read(_ emit: (KeyEvent) -> Void) throws(LiveFailure) {
        guard isOpen else { return }
        var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&input, 1, 0)
        let isGone = input.revents & Int16(POLLHUP | POLLERR) != 0
        takeEarly(emit)
        let hasRead = decode { take($0, $1, emit) }
        if isGone, !hasRead { throw LiveFailure(source: name, reason: .gone) }
    }

    private func takeEarly(_ emit: (KeyEvent) -> Void) {
        for key in early { take(.key(key), start.monotonic, emit) }
        early.removeAll()
    }

    private func take(_ answer: TerminalKeys.Answer, _ moment: Int64, _ emit: (KeyEvent) -> Void) {
        guard case .key(let key) = answer, !isStopped else { return }
        if TerminalSource.isStop(key) {
            modifiers.removeAll()
            return isStopped = true
        }
        let time = TraceTime(nanoseconds: max(0, moment - start.monotonic))
        func event(_ usage: KeyUsage, _ phase: KeyPhase, isSynthetic: Bool = false) -> KeyEvent {
            KeyEvent(time: time, device: 1, key: .clear(usage), phase: phase, isSynthetic: isSynthetic)
        }
        if devices.isEmpty {
            devices = [
                CaptureDevice(
                    id: 1, name: "keyboard of a terminal", source: .terminal, layout: .keyEvents, reports: 0,
                    idleReports: 0)
            ]
        }
        guard let implied = key.impliedModifiers else {
            return deliver(event(key.usage, key.phase), emit)
        }
        let around = implied.leftKeys
        for usage in around { emit(event(usage, .down)) }
        emit(event(key.usage, .down))
        emit(event(key.usage, .up, isSynthetic: true))
        for usage in around.reversed() { emit(event(usage, .up, isSynthetic: true)) }
    }

    /// True for ⌃C: the byte 03, whatever was before it, or C with Control alone as an event.
    private static func isStop(_ key: TerminalKeys.Key) -> Bool {
        guard key.usage == .keyboard(0x06), key.phase == .down else { return false }
        return key.isEvent ? key.modifiers == .control : key.modifiers.contains(.control)
    }

    /// An event as the protocol encodes it. A Control that nothing has followed waits: it may begin ⌃C.
    private func deliver(_ event: KeyEvent, _ emit: (KeyEvent) -> Void) {
        guard case .clear(let usage) = event.key else { return }
        let isControl = usage == .keyboard(0xE0) || usage == .keyboard(0xE4)
        if isControl, event.phase == .down {
            modifiers[usage] = event
        } else {
            handOver(emit)
            emit(event)
        }
    }

    private func handOver(_ emit: (KeyEvent) -> Void) {
        for (_, event) in modifiers.sorted(by: { $0.value.time < $1.value.time }) { emit(event) }
        modifiers.removeAll()
    }

    package func finish(_ emit: (KeyEvent) -> Void) {
        takeEarly(emit)
        keys.flush { take($0, LiveMoment.monotonicNow, emit) }
        if !isStopped { handOver(emit) }
    }

    package var notes: [String] {
        var notes: [String] = []
        if !hasKittyProtocol {
            notes.append(
                "the terminal reports presses alone: releases and modifiers are synthetic, and durations mean nothing; "
                    + "one with the kitty keyboard protocol reports them")
        }
        if keys.unknownCharacters > 0 {
            notes.append("\(keys.unknownCharacters) characters are on no key of the layout, and are lost")
        }
        if keys.unknownSequences > 0 {
            notes.append("\(keys.unknownSequences) sequences are incomplete or of no known key, and are lost")
        }
        return notes
    }

    package func takeLosses() -> [LiveLoss] {
        let new = [
            (keys.unknownCharacters - reported.characters, "characters that are on no key of the layout"),
            (keys.unknownSequences - reported.sequences, "sequences that are incomplete or of no known key"),
        ]
        reported = (keys.unknownCharacters, keys.unknownSequences)
        return new.filter { $0.0 > 0 }.map { LiveLoss(count: $0.0, detail: "\($0.1), of the terminal") }
    }

    package func idleReports(of id: UInt16) -> UInt64 { 0 }

    package func close() {
        guard isOpen else { return }
        isOpen = false
        if hasKittyProtocol { send("\u{1B}[<u") }
        var settings = before
        tcsetattr(descriptor, TCSAFLUSH, &settings)
        if ownsDescriptor { try? FileDescriptor(rawValue: descriptor).close() }
        descriptor = -1
    }
}
