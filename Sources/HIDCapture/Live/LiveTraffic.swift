import KeyModel
import Libc

/// Turns the contents of packets into key events at once.
///
/// A capture that is read whole decides at its end which streams are keyboards. Here a stream is one as soon as its
/// descriptor, its interface or the protocol makes it one, and where nothing does, as soon as a few reports look like a
/// keyboard's and like nothing else; until then they wait, and are handed over with their own times.
///
/// Cases:
/// 1. A stream that is decided: each change is an event at once.
/// 2. Undecided: its reports wait until four of them look like a boot keyboard's, or eight like a bitmap of keys.
/// 3. A thousand reports that look like nothing: not a keyboard's; none of them is handed over.
/// 4. The end comes first: what the reports so far look like decides.
/// 5. A keyboard that comes back on another address keeps its id.
/// 6. A modifier of a stream that has no descriptor of its own, down since its first report: its down is synthetic,
///    for it may be no modifier at all. A capture that is read whole knows whether it ever goes up.
/// 7. A key that is down on another endpoint of the same device: its events count once (`SharedKeys`).
/// 8. ⌃ and ⌘ of a stream that is doubted (`ChordEvidence`): found to be held, from the key on that makes it so.
final class LiveTraffic {
    let traffic = CaptureTraffic()
    /// Keyboards by id, in the order of their first key events.
    private(set) var devices: [CaptureDevice] = []
    /// Called once for a stream that nothing is known about, so that the caller may find out.
    var explain: ((StreamPlace) -> Void)?

    private var streams: [Stream] = []
    private var evidence = ChordEvidence()
    private var consumed = 0
    /// The latest stream of each keyboard that can be recognised again, by its identity.
    private var latestOf: [DeviceIdentity: Int] = [:]
    /// By device, and its number behind a receiver.
    private var sharedKeys: [[Int]: SharedKeys] = [:]
    /// The events of the report that is applied.
    private let events = WipedArray<(usage: KeyUsage, phase: KeyPhase)>()

    private struct Stream {
        var keyboard: KeyboardStream?
        var origin = ReportLayoutOrigin.keyEvents
        var isOther = false
        /// A report without modifiers was there.
        var wasFree = false
        /// While undecided: what its reports may be, and the reports themselves.
        var candidates: KeyboardRecognition.Candidates?
        var waiting: ReportStore?
        /// 0 before its first event.
        var id: UInt16 = 0
    }

    private static let bootReports = 4
    private static let bitmapReports = 8

    /// Makes a stamp of the source's clock time 0.
    func begin(at stamp: Int64) { _ = traffic.time(of: stamp) }

    /// Hands over the events of the reports since the last call.
    func drain(_ emit: (KeyEvent) -> Void) {
        traffic.store.forEach(from: consumed) { take($0, traffic.store, emit) }
        guard consumed < traffic.store.count else { return }
        traffic.forgetReports()
        consumed = traffic.store.count
    }

    /// After the last packet.
    func finish(_ emit: (KeyEvent) -> Void) {
        traffic.finish()
        drain(emit)
        for index in streams.indices where streams[index].candidates != nil {
            if let reader = streams[index].candidates?.boot ?? bitmap(index) { decide(index, reader, emit) }
        }
    }

    /// Reports of a keyboard that only repeated the one before.
    func idleReports(of id: UInt16) -> UInt64 {
        streams.indices.reduce(0) { $0 + (streams[$1].id == id ? traffic.streams[$1].idleReports : 0) }
    }

    private func take(_ report: UnsafePointer<StoredReport>, _ store: ReportStore, _ emit: (KeyEvent) -> Void) {
        let index = Int(report.pointee.stream)
        while streams.count <= index { streams.append(Stream()) }
        if streams[index].isOther { return }
        if streams[index].keyboard != nil { return apply(report, store, emit) }
        if streams[index].candidates == nil { explain?(place(of: index)) }
        var recognition = KeyboardRecognition(traffic, given: nil)
        switch recognition.decision(index) {
        case .keyboard(let reader, let origin):
            streams[index].origin = origin
            decide(index, reader, emit)
            apply(report, store, emit)
        case .other:
            streams[index] = Stream(isOther: true)
        case .undecided: wait(report, store, emit)
        }
        for refusal in recognition.refusals { traffic.facts.note(refusal) }
    }

    private func place(of index: Int) -> StreamPlace { traffic.devices[traffic.streams[index].device].place }

    // MARK: Undecided streams

    private func wait(_ report: UnsafePointer<StoredReport>, _ store: ReportStore, _ emit: (KeyEvent) -> Void) {
        let index = Int(report.pointee.stream)
        guard report.pointee.length < StoredReport.keyEvent else { return }
        var candidates =
            streams[index].candidates
            ?? KeyboardRecognition.Candidates(traffic.devices[traffic.streams[index].device])
        streams[index].candidates = nil
        let waiting = streams[index].waiting ?? ReportStore()
        var kept = report.pointee
        store.withBytes(of: report) { bytes in
            candidates.add(bytes)
            if bytes.count > StoredReport.inPlace { kept.payload = waiting.keep(bytes) }
        }
        _ = waiting.append(kept)
        streams[index].waiting = waiting
        streams[index].candidates = candidates
        let reports = waiting.count
        if reports >= LiveTraffic.bootReports, let reader = candidates.boot {
            decide(index, reader, emit)
        } else if reports >= LiveTraffic.bitmapReports, let reader = bitmap(index) {
            decide(index, reader, emit)
        } else if candidates.left <= 0 {
            streams[index] = Stream(isOther: true)
        }
    }

    /// A bitmap beside another keyboard of the same device would be a guess.
    private func bitmap(_ index: Int) -> ReportReader? {
        let device = traffic.streams[index].device
        let hasKeyboard = streams.indices.contains {
            streams[$0].keyboard != nil && traffic.streams[$0].device == device
        }
        return hasKeyboard ? nil : streams[index].candidates?.bitmap
    }

    /// Makes the stream a keyboard's from now on; what waited is handed over.
    private func decide(_ index: Int, _ reader: ReportReader, _ emit: (KeyEvent) -> Void) {
        if streams[index].candidates != nil { streams[index].origin = .plausibility }
        streams[index].keyboard = KeyboardStream(reader)
        streams[index].candidates = nil
        guard let waiting = streams[index].waiting else { return }
        streams[index].waiting = nil
        waiting.forEach { apply($0, waiting, emit) }
    }

    // MARK: Keyboards

    private func apply(_ report: UnsafePointer<StoredReport>, _ store: ReportStore, _ emit: (KeyEvent) -> Void) {
        let index = Int(report.pointee.stream)
        guard var keyboard = streams[index].keyboard else { return }
        // Taken out while it changes, so that it is not copied.
        streams[index].keyboard = nil
        let time = report.pointee.time
        defer { events.removeAll() }
        let isEnd = report.pointee.length == StoredReport.ended
        var isSynthetic = isEnd
        if isEnd {
            keyboard.releaseAll { events.append(($0, $1)) }
        } else {
            isSynthetic = report.pointee.length == StoredReport.keyEvent && report.pointee.event.isSynthetic
            keyboard.apply(report, in: store) { events.append(($0, $1)) }
        }
        let origin = streams[index].origin
        let isSeen = !evidence.isDoubted(index)
            && (streams[index].wasFree || [.reportDescriptor, .keyEvents].contains(origin))
        if !isEnd, keyboard.isFreeOfModifiers { streams[index].wasFree = true }
        streams[index].keyboard = keyboard
        func send(_ usage: KeyUsage, _ phase: KeyPhase, of stream: Int, isSynthetic: Bool) {
            emit(
                KeyEvent(
                    time: TraceTime(nanoseconds: time), device: id(of: stream, time), key: .clear(usage), phase: phase,
                    isSynthetic: isSynthetic))
        }
        let stream = traffic.streams[index]
        let device = [stream.device, stream.nature == .paired ? Int(stream.endpoint) : 0]
        for (usage, phase) in events {
            let isNew = sharedKeys[device, default: SharedKeys()].isNew(
                usage, phase, isSynthetic: isSynthetic, of: index)
            guard stream.nature == .events || isNew else { continue }
            // From this key on the modifiers of a doubted stream are none that were seen to go down.
            // Of key events the device was asked after a loss.
            for (stream, held) in evidence.note(usage, phase, of: index, origin)
            where streams[stream].origin != .keyEvents {
                for modifier in held.usages {
                    for phase in [KeyPhase.up, .down] { send(modifier, phase, of: stream, isSynthetic: true) }
                }
            }
            send(
                usage, phase, of: index,
                isSynthetic: isSynthetic || !isSeen && phase == .down && usage.isModifier)
        }
    }

    private func id(of index: Int, _ time: Int64) -> UInt16 {
        if streams[index].id != 0 { return streams[index].id }
        let stream = traffic.streams[index]
        let device = traffic.devices[stream.device]
        let identity = DeviceIdentity(device, stream)
        if let identity, let before = latestOf[identity], traffic.streams[before].device != stream.device,
            let end = traffic.streams[before].latest?.pointee, end.length == StoredReport.ended, end.time <= time
        {
            streams[index].id = streams[before].id
        } else {
            let id = UInt16(clamping: devices.count + 1)
            streams[index].id = id
            devices.append(CaptureDevice(id: id, device, stream, streams[index].origin))
        }
        if let identity { latestOf[identity] = index }
        return streams[index].id
    }
}
