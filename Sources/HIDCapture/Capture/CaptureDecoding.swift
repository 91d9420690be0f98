import KeyModel

/// The state of all keyboards while events are made.
struct CaptureDecoding {
    static let batch = 4096

    private var keyboards: [KeyboardStream]
    /// Place in `keyboards` by stream; `nil` for what is no keyboard or was not chosen.
    private let keyboardOfStream: [Int?]
    private let deviceOfStream: [UInt16]
    /// Streams of which the down of a modifier is marked as sent by no source.
    private let unseen: Set<Int>
    /// By stream the holds of which this is so, and where each stream is in its holds.
    private let doubtedHolds: [Int: Set<Int>]
    private var holds: [Int: ChordEvidence.Hold] = [:]
    private(set) var events: [KeyEvent] = []
    private(set) var totals = CaptureTotals()
    /// Place in `totals.devices` by device id.
    private var place: [Int]
    /// To be added to the times of reports.
    var shift: Int64 = 0
    /// The latest time: reports of several interfaces that are not all kept are in the order of the file.
    private var latest = TraceTime.zero

    init(
        _ ids: [UInt16], _ deviceOfStream: [UInt16], _ readers: [ReportReader?], unseen: Set<Int>,
        _ doubtedHolds: [Int: Set<Int>]
    ) {
        (self.unseen, self.doubtedHolds) = (unseen, doubtedHolds)
        var keyboards: [KeyboardStream] = []
        keyboardOfStream = readers.map { reader in
            guard let reader else { return nil }
            keyboards.append(KeyboardStream(reader))
            return keyboards.count - 1
        }
        self.keyboards = keyboards
        self.deviceOfStream = deviceOfStream
        let chosen = Set(zip(deviceOfStream, readers).compactMap { $1 == nil ? nil : $0 })
        totals.devices = ids.filter(chosen.contains).map { CaptureTotals.Device(id: $0) }
        place = Array(repeating: 0, count: ids.count + 1)
        for (index, device) in totals.devices.enumerated() { place[Int(device.id)] = index }
        events.reserveCapacity(CaptureDecoding.batch + 1024)
    }

    /// Applies reports until there is a batch of events; how many were applied.
    mutating func fill(_ reports: UnsafeBufferPointer<StoredReport>, of store: ReportStore) -> Int {
        // Out of this structure while they change, so that no report costs a check for other references.
        var keyboards: [KeyboardStream] = []
        swap(&keyboards, &self.keyboards)
        defer { swap(&keyboards, &self.keyboards) }
        return keyboards.withUnsafeMutableBufferPointer { keyboards in
            var at = 0
            while at < reports.count, events.count < CaptureDecoding.batch, let report = reports.baseAddress {
                apply(report + at, in: store, keyboards)
                at += 1
            }
            return at
        }
    }

    mutating func apply(_ report: UnsafePointer<StoredReport>, in store: ReportStore) {
        _ = fill(UnsafeBufferPointer(start: report, count: 1), of: store)
    }

    @inline(__always) private mutating func apply(
        _ report: UnsafePointer<StoredReport>, in store: ReportStore,
        _ keyboards: UnsafeMutableBufferPointer<KeyboardStream>
    ) {
        let index = Int(report.pointee.stream)
        // A file that grew since it was first read may have more streams.
        guard index < keyboardOfStream.count, let at = keyboardOfStream[index] else { return }
        let (moved, isBeyond) = report.pointee.time.addingReportingOverflow(shift)
        latest = max(latest, TraceTime(nanoseconds: isBeyond ? .max : moved))
        let (time, device) = (latest, deviceOfStream[index])
        if report.pointee.length == StoredReport.ended {
            release(&keyboards[at], device, time)
            holds[index]?.held = []
        } else {
            let isSynthetic = report.pointee.length == StoredReport.keyEvent && report.pointee.event.isSynthetic
            let isUnseen = !unseen.isEmpty && unseen.contains(index)
            let doubted = doubtedHolds.isEmpty ? nil : doubtedHolds[index]
            keyboards[at].apply(report, in: store) { usage, phase in
                var isFound = isUnseen && phase == .down && usage.isModifier
                if let doubted, let key = usage.modifierKey {
                    let isChord = holds[index, default: .init()].note(key, phase)
                    isFound = isFound || isChord && phase == .down && doubted.contains(holds[index]?.number ?? 0)
                }
                events.append(
                    .init(
                        time: time, device: device, key: .clear(usage), phase: phase,
                        isSynthetic: isSynthetic || isFound))
            }
        }
    }

    private mutating func release(_ keyboard: inout KeyboardStream, _ device: UInt16, _ time: TraceTime) {
        keyboard.releaseAll { usage, phase in
            events.append(.init(time: time, device: device, key: .clear(usage), phase: phase, isSynthetic: true))
        }
    }

    /// Releases what is held at the end, and hands over the last events.
    mutating func finish<E: Error>(
        at time: TraceTime, _ body: ([KeyEvent]) throws(E) -> Void
    ) throws(E) -> CaptureTotals {
        let order = zip(deviceOfStream, keyboardOfStream).compactMap { id, keyboard in keyboard.map { (id, $0) } }
        for (id, keyboard) in order.sorted(by: { $0 < $1 }) {
            let device = place[Int(id)]
            totals.devices[device].heldAtEnd += keyboards[keyboard].pressed
            totals.devices[device].rolloverReports += keyboards[keyboard].rolloverReports
            var last = keyboards[keyboard]
            release(&last, id, time)
            keyboards[keyboard] = last
        }
        try handOver(body)
        return totals
    }

    mutating func handOver<E: Error>(_ body: ([KeyEvent]) throws(E) -> Void) throws(E) {
        guard !events.isEmpty else { return }
        for event in events { totals.devices[place[Int(event.device)]].note(event) }
        try body(events)
        events.removeAll(keepingCapacity: true)
    }
}
