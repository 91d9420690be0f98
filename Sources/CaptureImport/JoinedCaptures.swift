import HIDCapture
import KeyModel
import TraceFormat

/// Captures side by side on one clock: their keyboards numbered together, their events in the order of time.
///
/// Time 0 is the first packet of the capture that began first. A capture whose stamps do not count from 1970 has a
/// clock of its own: it begins at time 0, and how its times relate to those of the others is unknown. Events of equal
/// time keep the order in which the captures were given; each capture's own order is never changed. Keyboards of one
/// place with the same keys at the same times are one keyboard: the captures have the same transfers, or a part each.
struct JoinedCaptures {
    struct Named {
        var name: String
        var capture: Capture
    }

    private let captures: [Named]
    /// The shift of each capture's times.
    private let shifts: [TraceDuration]
    /// For each capture the joint ids of its devices.
    private var ids: [[UInt16: UInt16]] = []
    /// Of several captures the events of each, with joint ids and times.
    private var events: [[KeyEvent]] = []
    /// Joint ids, in the order of the first key events.
    private(set) var devices: [CaptureDevice] = []
    /// Joint ids of the keyboards that several captures have.
    private var shared: Set<UInt16> = []

    init(_ captures: [Named]) throws(ImportError) {
        self.captures = captures
        let first = captures.compactMap { JoinedCaptures.wallClockStart($0) }.min() ?? 0
        shifts = captures.map { named in
            let start = TraceTime(nanoseconds: JoinedCaptures.wallClockStart(named) ?? first)
            return start.since(TraceTime(nanoseconds: first))
        }
        try number()
    }

    /// The beginning of a capture on the clock that captures share; `nil` for clocks of their own.
    private static func wallClockStart(_ named: Named) -> Int64? {
        named.capture.facts.clock.isWallClock ? named.capture.facts.clock.start : nil
    }

    private mutating func number() throws(ImportError) {
        guard captures.count > 1 else {
            devices = captures.first?.capture.devices ?? []
            ids = [Dictionary(uniqueKeysWithValues: devices.map { ($0.id, $0.id) })]
            return
        }
        var firsts: [(time: TraceTime, capture: Int, device: CaptureDevice)] = []
        let most = max(CaptureLimits.joinedEvents, Int(clamping: packets))
        var count = 0
        for (index, named) in captures.enumerated() {
            var own: [KeyEvent] = []
            try named.capture.forEachBatch { batch throws(ImportError) in
                count += batch.count
                guard count <= most else {
                    throw ImportError(
                        input: named.name, reason: "key events: expected at most \(most) in captures that are joined; "
                            + "import each, then use merge")
                }
                for var event in batch {
                    event.time = event.time.advanced(by: shifts[index])
                    own.append(event)
                }
            }
            var seen: Set<UInt16> = []
            for event in own where seen.insert(event.device).inserted {
                firsts.append((event.time, index, named.capture.devices[Int(event.device) - 1]))
            }
            events.append(own)
        }
        firsts.sort { ($0.time, $0.capture, $0.device.id) < ($1.time, $1.capture, $1.device.id) }
        ids = captures.map { _ in [:] }
        var ofPlace: [[UInt16?]: [(capture: Int, device: UInt16)]] = [:]
        for (_, index, device) in firsts {
            let place = JoinedCaptures.place(of: device, captures[index])
            let own = events[index].filter { place != nil && $0.device == device.id }
            let other = place.flatMap { ofPlace[$0] }?.first { other in
                let others = events[other.capture].filter { $0.device == other.device }
                return other.capture != index && MirroredStreams.isSame(own, others)
            }
            if let place { ofPlace[place, default: []].append((index, device.id)) }
            if let id = other.flatMap({ ids[$0.capture][$0.device] }) {
                ids[index][device.id] = id
                shared.insert(id)
                continue
            }
            guard let id = UInt16(exactly: devices.count + 1) else { break }
            ids[index][device.id] = id
            var joint = device
            joint.id = id
            devices.append(joint)
        }
        for (index, ids) in ids.enumerated() {
            for at in events[index].indices {
                let (device, event) = (ids[events[index][at].device] ?? 0, events[index][at])
                events[index][at].device = device
                // Where one capture ended with a key down, another one may have it from a moment later on.
                guard event.isSynthetic, event.phase != .down, shared.contains(device) else { continue }
                events[index][at].time = event.time.advanced(by: TraceDuration(nanoseconds: MirroredStreams.behind))
            }
            if !shared.isEmpty { events[index].sort { $0.time < $1.time } }
        }
    }

    /// The place of a keyboard on the clock that captures share; `nil` where it is not known to be the same one.
    private static func place(of device: CaptureDevice, _ named: Named) -> [UInt16?]? {
        guard wallClockStart(named) != nil, device.source != .evdev, device.source != .hidraw else { return nil }
        let ends = [device.endpoint.map(UInt16.init), device.attribute]
        return [UInt16(device.source.rawValue), device.bus ?? device.adapter, device.address ?? device.handle] + ends
    }

    /// Hands over the events of the chosen devices, and returns their totals by device.
    func forEachBatch(
        of chosen: Set<UInt16>, _ body: ([KeyEvent]) throws -> Void
    ) throws -> [CaptureTotals.Device] {
        if captures.count == 1, let only = captures.first {
            return try only.capture.forEachBatch(of: chosen, body).devices
        }
        var totals: [UInt16: CaptureTotals.Device] = [:]
        var next = events.map { _ in 0 }
        var keys: [UInt16: SharedKeys] = [:]
        var batch: [KeyEvent] = []
        while true {
            // Each list is in the order of time; of equal times the earlier list comes first.
            var earliest: Int?
            for index in events.indices where next[index] < events[index].count {
                if let known = earliest, events[known][next[known]].time <= events[index][next[index]].time { continue }
                earliest = index
            }
            guard let earliest else { break }
            let event = events[earliest][next[earliest]]
            next[earliest] += 1
            guard chosen.contains(event.device) else { continue }
            if shared.contains(event.device), let usage = event.key.usage {
                let isNew = keys[event.device, default: SharedKeys()].isNew(
                    usage, event.phase, isSynthetic: event.isSynthetic, of: earliest)
                guard isNew else { continue }
            }
            totals[event.device, default: .init(id: event.device)].note(event)
            batch.append(event)
            guard batch.count == JoinedCaptures.batchSize else { continue }
            try body(batch)
            batch.removeAll(keepingCapacity: true)
        }
        if !batch.isEmpty { try body(batch) }
        return Array(totals.values)
    }

    private static let batchSize = 4096

    // MARK: Facts

    var name: String { captures.first?.name ?? "" }
    var packets: UInt64 { captures.reduce(0) { $0 + $1.capture.facts.packets } }

    var end: TraceTime {
        zip(captures, shifts).map { TraceTime(nanoseconds: $0.capture.facts.clock.end).advanced(by: $1) }.max() ?? .zero
    }

    /// Caps Lock at time 0, which is off where no capture contains it.
    var isCapsLockOn: Bool { captures.contains { $0.capture.facts.initialLocks?.capsLock ?? false } }

    /// The clocks' names by capture; the second of two usbmon captures is usbmon#2, as in a merged trace.
    private var clockNames: [String] {
        var used: Set<String> = []
        return captures.enumerated().map { index, named in
            let name = named.capture.devices.first?.source.name ?? "capture"
            return used.insert(name).inserted ? name : "\(name)#\(index + 1)"
        }
    }

    /// The name of a device's clock, as its source.
    func source(of device: CaptureDevice) -> String {
        let names = clockNames
        guard let index = ids.firstIndex(where: { $0.values.contains(device.id) }), index < names.count else {
            return device.source.name
        }
        let number = names[index].split(separator: "#").dropFirst().first.map { "#\($0)" } ?? ""
        return device.source.name + number
    }

    /// One clock per capture. A capture that begins later than time 0 has the same start as the first.
    var clocks: [ClockRecord] {
        let start = captures.compactMap { JoinedCaptures.wallClockStart($0) }.min()
        return zip(captures, clockNames).map { named, name in
            let clock = named.capture.facts.clock
            return ClockRecord(
                source: name,
                unixTime: clock.isWallClock ? start : nil,
                granularity: clock.smallestStep, backwardSteps: clock.backwardSteps)
        }
    }

    var damage: [ImportDamage] {
        captures.compactMap { named in
            named.capture.facts.damage.map {
                ImportDamage(input: named.name, offset: $0.offset, reason: $0.reason)
            }
        }
    }

    var losses: [LossRecord] {
        captures.flatMap { named in
            let (facts, name) = (named.capture.facts, JoinedCaptures.fileName(named.name))
            var losses: [LossRecord] = []
            func add(_ cause: LossCause, _ count: UInt64?, _ detail: String) {
                losses.append(LossRecord(cause: cause, count: count, duration: nil, detail: detail))
            }
            if let damage = facts.damage {
                add(.damaged, damage.lostPackets, "byte \(damage.offset) of \(name): \(damage.reason)")
            }
            if facts.cutReports > 0 {
                add(.truncated, facts.cutReports, "reports of which \(name) has a part at most")
            }
            if facts.reportsOfExcessStreams > 0 {
                add(.dropped, facts.reportsOfExcessStreams, "reports of more streams than are followed in \(name)")
            }
            if facts.sourceDrops.times > 0 {
                let times = facts.sourceDrops.times
                add(.dropped, facts.sourceDrops.count, "lost before \(name) was written, \(times) times")
            }
            if facts.clock.backwardSteps > 0 {
                add(.clockStep, facts.clock.backwardSteps, "stamps before the one before them in \(name)")
            }
            return losses
        }
    }

    var notes: [String] {
        let joint = devices.filter { shared.contains($0.id) }.map {
            "keyboard \($0.id) is in several captures, and its keys count once"
        }
        return joint + captures.flatMap { named in
            let facts = named.capture.facts
            var notes = (facts.refusedDescriptors + facts.notes).map { "\(named.name): \($0)" }
            if facts.initialLocks?.capsLock ?? false {
                notes.append("\(named.name): Caps Lock was on when the capture began")
            }
            if facts.cutReports > 0 {
                notes.append("\(named.name): of \(facts.cutReports) reports there is a part at most")
            }
            return notes
        }
    }

    /// The reason why there is no keyboard: what was captured instead.
    var reasonForNone: String {
        let facts = captures.map(\.capture.facts)
        let types = Set(facts.flatMap(\.linkTypes)).sorted()
        if !types.isEmpty, !types.contains(where: Capture.reads) {
            if types.allSatisfy(Capture.isNetwork) {
                return "a network, whose X11 and USB/IP packets are not read; capture usbmonN or /dev/input/eventN "
                    + "where the keyboard is plugged in"
            }
            let list = types.prefix(8).map(Capture.words).joined(separator: ", ") + (types.count > 8 ? ", …" : "")
            return "packets of link type \(list) are not read; capture on the keyboard's computer: usbmonN, USBPcap or "
                + "XHC20, and Bluetooth with btmon -w FILE"
        }
        let cut = facts.reduce(0) { $0 + $1.cutReports }
        let parts =
            (cut > 0 ? "; of \(cut) there is a part at most, which may be one" : "")
            + (facts.contains { $0.sourceDrops.times > 0 } ? "; others were lost before it was written" : "")
        let remedy = facts.contains(where: \.isGivenDescriptorUnfit)
            ? "the descriptor that was given has reports of other lengths; give the keyboard's own"
            : "import --descriptor FILE gives the layout of a keyboard's"
        if facts.contains(where: \.hasUnknownLayout) {
            return "a keyboard is there, and nothing describes its reports; " + remedy + parts
        }
        if facts.contains(where: \.announcesKeyboard) { return "a keyboard is there, but no key of it changed" + parts }
        let streams = facts.reduce(0) { $0 + $1.otherStreams }
        let packets = facts.reduce(0) { $0 + $1.packets }
        if streams == 0 {
            let isEvents = facts.allSatisfy(\.hasEvents)
            return "none of \(packets) \(isEvents ? "events is" : "packets is an input report or") a key event" + parts
        }
        return "\(streams == 1 ? "the one stream" : "none of \(streams) streams") of input reports is "
            + (streams == 1 ? "not a keyboard's; " : "a keyboard's; ") + remedy + parts
    }

    /// The part behind the last slash: a trace that is passed on should not disclose where its maker keeps files.
    private static func fileName(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
