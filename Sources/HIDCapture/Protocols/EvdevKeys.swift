import KeyModel

/// One event of the kernel's input layer.
struct EvdevEvent: Hashable {
    /// Nanoseconds, since 1970 or some other moment.
    var stamp: Int64
    var type: UInt16
    var code: UInt16
    var value: Int32
}

/// The keys of one node of the kernel's input layer: events → key events (spec §5).
///
/// Cases:
/// 1. EV_KEY 1 is a down, 0 an up, 2 the kernel's own repeat of a held key.
/// 2. An up or repeat of a key whose down was not seen, such as of the Enter that started the recording: nothing, but
///    it is counted.
/// 3. SYN_REPORT ends a packet, whatever its value; a packet need not be one report.
/// 4. SYN_DROPPED: everything up to the next SYN_REPORT is incomplete and is left out, and the loss is noted. Which
///    keys changed meanwhile a recording does not contain: held keys stay held, but of modifiers it is not known, as a
///    synthetic up and down show, and so it is after lines that cannot be read. A device can be asked (`correct`).
/// 5. A down of a key that is held can only follow a loss: its up was lost, and a synthetic one takes its place.
/// 6. The key is that of the scan code before the event (EV_MSC, MSC_SCAN) when the kernel maps it to this very code,
///    since several usages share a code; else the code's own usage, since drivers and users translate keys.
/// 7. Buttons of mice, pads and pens are no keys. A code that no usage has, such as of a hotkey, is a key by its code.
struct EvdevKeys {
    /// Stamps below are of a clock that began at a boot or with the recording: 2001-09-09 is 10⁹ s after 1970.
    static let firstWallClock: Int64 = 1_000_000_000 * 1_000_000_000

    private enum Kind {
        static let synchronisation: UInt16 = 0
        static let key: UInt16 = 1
        static let miscellaneous: UInt16 = 4
        static let light: UInt16 = 0x11
        static let dropped: UInt16 = 3
        static let scan: UInt16 = 4
    }

    private let place: StreamPlace
    private var stream: Int?
    private var scan: UInt32?
    private var held: [UInt16: KeyUsage] = [:]
    private var isDropping = false
    private var strayReleases: UInt64 = 0
    private var isFirst = true
    private let asksDevice: Bool
    private var latest: Int64 = 0
    private var skippedLines: UInt64 = 0

    init(_ place: StreamPlace, asksDevice: Bool = false) { (self.place, self.asksDevice) = (place, asksDevice) }

    /// Another recording follows in the same file: what was held at the end of this one is released there.
    mutating func restart(_ traffic: CaptureTraffic) {
        if let stream { traffic.ended(stream, time: latest) }
        held.removeAll()
        (scan, isDropping) = (nil, false)
    }

    /// Something was lost, after which modifiers may be up that are held.
    mutating func doubtModifiers(_ time: Int64, _ traffic: CaptureTraffic) {
        guard let stream else { return }
        for usage in held.values.filter(\.isModifier).sorted(by: { $0.rawValue < $1.rawValue }) {
            for phase in [KeyPhase.up, .down] {
                traffic.keyEvent(stream, usage, phase, isSynthetic: true, time: time)
            }
        }
    }

    /// True when events were dropped and the next ones are whole again: now the device can be asked.
    @discardableResult
    mutating func add(_ event: EvdevEvent, to traffic: CaptureTraffic) -> Bool {
        if isFirst {
            isFirst = false
            traffic.facts.hasEvents = true
            if event.stamp < EvdevKeys.firstWallClock { traffic.noteOtherEpoch() }
        }
        let time = traffic.time(of: event.stamp)
        latest = time
        traffic.facts.packets += 1
        if traffic.facts.skippedLines != skippedLines {
            skippedLines = traffic.facts.skippedLines
            doubtModifiers(time, traffic)
        }
        if event.type == Kind.synchronisation {
            if event.code == Kind.dropped {
                isDropping = true
                traffic.facts.sourceDrops.add(nil)
            } else if event.code == 0, isDropping {
                isDropping = false
                scan = nil
                if !asksDevice { doubtModifiers(time, traffic) }
                return true
            }
            scan = nil
        } else if isDropping {
            return false
        } else if event.type == Kind.miscellaneous, event.code == Kind.scan {
            scan = UInt32(bitPattern: event.value)
        } else if event.type == Kind.key {
            key(event, time, traffic)
            scan = nil
        } else if event.type == Kind.light, event.code == 1, let device = traffic.device(at: place) {
            // A light is the state after the event that changed it.
            traffic.lights(of: device, capsLock: event.value != 0, numLock: nil, time: time)
        }
        return false
    }

    /// After a loss: the keys that the device reports as down now. Releases and presses that were lost happen now, the
    /// releases marked as synthetic, since their moments are unknown.
    mutating func correct(down codes: Set<UInt16>, stamp: Int64, to traffic: CaptureTraffic) {
        let time = traffic.time(of: stamp)
        for code in held.keys.sorted() where !codes.contains(code) {
            guard let stream, let usage = held.removeValue(forKey: code) else { continue }
            traffic.keyEvent(stream, usage, .up, isSynthetic: true, time: time)
        }
        for code in codes.sorted() where held[code] == nil {
            scan = nil
            key(EvdevEvent(stamp: stamp, type: Kind.key, code: code, value: 1), time, traffic)
        }
    }

    private mutating func key(_ event: EvdevEvent, _ time: Int64, _ traffic: CaptureTraffic) {
        guard !EvdevCodes.isButton(event.code) else { return }
        switch event.value {
        case 1:
            guard let usage = EvdevCodes.usage(of: event.code, scan: scan) else { return }
            // No keyboard has one key twice; a code that is already known for another key's is left out.
            guard !held.contains(where: { $0.value == usage && $0.key != event.code }) else { return }
            stream = stream ?? traffic.stream(at: place)
            guard let stream else { return traffic.facts.reportsOfExcessStreams += 1 }
            if let before = held.updateValue(usage, forKey: event.code) {
                traffic.keyEvent(stream, before, .up, isSynthetic: true, time: time)
            }
            traffic.keyEvent(stream, usage, .down, time: time)
        case 0:
            guard let stream, let usage = held.removeValue(forKey: event.code) else { return strayReleases += 1 }
            traffic.keyEvent(stream, usage, .up, time: time)
        case 2:
            guard let stream, let usage = held[event.code] else { return }
            traffic.keyEvent(stream, usage, .repeat, time: time)
        default: return
        }
        if let stream { traffic.change(stream: stream) { $0.reports += 1 } }
    }

    /// The end of the recording.
    func finish(_ traffic: CaptureTraffic) {
        guard strayReleases > 0 else { return }
        traffic.facts.note(
            "\(strayReleases) \(strayReleases == 1 ? "release is of a key" : "releases are of keys") "
                + "pressed before the recording began")
    }
}
