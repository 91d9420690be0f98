import KeyModel

/// The reader of one stream's data.
enum ReportReader {
    case boot
    /// Boot reports in another shape than the plain one.
    case shaped(BootReport.Shape)
    /// `id`: that of the stream's reports, where they come without it.
    case descriptor(ReportDescriptor, id: UInt8?)
    case bitmap(KeyBitmap)
    case events
}

/// One keyboard while its reports are turned into key events.
struct KeyboardStream {
    let reader: ReportReader
    private var held: ReportChanges
    /// Held keys of the reports with other ids than the first one seen.
    private var heldByID: [(id: UInt8, keys: ReportChanges)] = []
    private var scratch = PressedKeys()
    private(set) var rolloverReports: UInt64 = 0
    /// Reports of other lengths than the keyboard's.
    private(set) var unreadReports: UInt64 = 0

    init(_ reader: ReportReader) {
        self.reader = reader
        held = ReportChanges()
    }

    /// Applies a stored report.
    @inline(__always)
    mutating func apply(
        _ report: UnsafePointer<StoredReport>, in store: ReportStore, _ emit: (KeyUsage, KeyPhase) -> Void
    ) {
        switch reader {
        case .boot:
            guard Int(report.pointee.length) == BootReport.length else { return unreadReports += 1 }
            applyBoot(report.pointee.payload, report, emit)
        case .shaped(let shape):
            guard let plain = store.withBytes(of: report, { shape.plain($0) }) else {
                return unreadReports += 1
            }
            applyBoot(plain, report, emit)
        case .descriptor(let descriptor, let id): apply(report, descriptor, id, in: store, emit)
        case .bitmap(let bitmap):
            guard store.withBytes(of: report, { bitmap.read($0, into: &scratch) }) else {
                return unreadReports += 1
            }
            held.apply(scratch, isRollover: false, emit)
        case .events:
            let event = report.pointee.event
            held.note(event.usage, event.phase)
            emit(event.usage, event.phase)
        }
    }

    @inline(__always)
    private mutating func applyBoot(
        _ plain: UInt64, _ report: UnsafePointer<StoredReport>, _ emit: (KeyUsage, KeyPhase) -> Void
    ) {
        let isRollover = BootReport.read(plain, into: &scratch)
        if isRollover { rolloverReports += 1 + UInt64(report.pointee.repeats) }
        held.apply(scratch, isRollover: isRollover, emit)
    }

    private mutating func apply(
        _ report: UnsafePointer<StoredReport>, _ descriptor: ReportDescriptor, _ id: UInt8?, in store: ReportStore,
        _ emit: (KeyUsage, KeyPhase) -> Void
    ) {
        let read = store.withBytes(of: report) { bytes in
            id.map { descriptor.read(bytes, id: $0, into: &scratch) } ?? descriptor.read(bytes, into: &scratch)
        }
        let comesWithoutID = id != nil
        guard let (id, isRollover) = read else { return }
        if isRollover { rolloverReports += 1 + UInt64(report.pointee.repeats) }
        apply(id, isRollover, descriptor, emit)
        guard descriptor.hasRelativeKeys, !scratch.isEmpty else { return }
        // Keys that are events go up again at once, as on Linux.
        store.withBytes(of: report) { bytes in
            let hasID = descriptor.usesReportIDs && !comesWithoutID
            let payload = hasID ? UnsafeRawBufferPointer(rebasing: bytes.dropFirst()) : bytes
            _ = descriptor.read(payload, id: id, into: &scratch, withoutRelative: true)
        }
        apply(id, isRollover, descriptor, emit)
    }

    private mutating func apply(
        _ id: UInt8, _ isRollover: Bool, _ descriptor: ReportDescriptor, _ emit: (KeyUsage, KeyPhase) -> Void
    ) {
        if !descriptor.usesReportIDs { return held.apply(scratch, isRollover: isRollover, emit) }
        let at = heldByID.firstIndex { $0.id == id } ?? heldByID.count
        if at == heldByID.count { heldByID.append((id, ReportChanges())) }
        heldByID[at].keys.apply(scratch, isRollover: isRollover, emit)
    }

    /// No modifier is held in the latest report of each id.
    var isFreeOfModifiers: Bool {
        heldByID.reduce(held.keys.high) { $0 | $1.keys.keys.high } & PressedKeys.modifierBits == 0
    }

    /// The keys that are down, in the order of their reports' ids and then their usages.
    var pressed: [KeyUsage] {
        held.keys.usages + heldByID.sorted { $0.id < $1.id }.flatMap { $0.keys.keys.usages }
    }

    mutating func releaseAll(_ emit: (KeyUsage, KeyPhase) -> Void) {
        held.releaseAll(emit)
        for at in heldByID.indices { heldByID[at].keys.releaseAll(emit) }
    }
}
