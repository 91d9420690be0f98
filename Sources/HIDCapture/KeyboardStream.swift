import KeyModel

/// How the reports of one stream are read.
enum ReportReader {
    case boot
    case descriptor(ReportDescriptor)
}

/// One keyboard while its reports are turned into key events.
struct KeyboardStream {
    let reader: ReportReader
    private var held: HeldKeys
    /// Held keys of the reports with other ids than the first one seen.
    private var heldByID: [(id: UInt8, keys: HeldKeys)] = []
    private var scratch = PressedKeys()
    private(set) var rolloverReports: UInt64 = 0

    init(_ reader: ReportReader) {
        self.reader = reader
        held = HeldKeys()
    }

    /// Applies a stored report.
    @inline(__always)
    mutating func apply(
        _ report: UnsafePointer<StoredReport>, in store: ReportStore, _ emit: (KeyUsage, KeyPhase) -> Void
    ) {
        switch reader {
        case .boot:
            guard Int(report.pointee.length) == BootReport.length else { return }
            let isRollover = BootReport.read(report.pointee.payload, into: &scratch)
            if isRollover { rolloverReports += 1 + UInt64(report.pointee.repeats) }
            held.apply(scratch, isRollover: isRollover, emit)
        case .descriptor(let descriptor):
            apply(report, descriptor, in: store, emit)
        }
    }

    private mutating func apply(
        _ report: UnsafePointer<StoredReport>, _ descriptor: ReportDescriptor, in store: ReportStore,
        _ emit: (KeyUsage, KeyPhase) -> Void
    ) {
        let read = store.withBytes(of: report) { descriptor.read($0, into: &scratch) }
        guard let (id, isRollover) = read else { return }
        if isRollover { rolloverReports += 1 + UInt64(report.pointee.repeats) }
        if !descriptor.usesReportIDs { return held.apply(scratch, isRollover: isRollover, emit) }
        let at = heldByID.firstIndex { $0.id == id } ?? heldByID.count
        if at == heldByID.count { heldByID.append((id, HeldKeys())) }
        heldByID[at].keys.apply(scratch, isRollover: isRollover, emit)
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
