import KeyModel

/// Caps Lock and Num Lock when a capture began, as far as it contains them (spec §7).
///
/// The first lights that the host sets are the state at that moment; each press of Caps Lock before it has
/// changed the state once.
package struct InitialLocks: Hashable, Sendable {
    package var capsLock: Bool
    /// `nil` where the source does not report it.
    package var numLock: Bool?

    /// `nil` when no lights were set.
    init?(_ traffic: CaptureTraffic, _ readers: [ReportReader?]) {
        let keyboards = Set(readers.indices.filter { readers[$0] != nil }.map { traffic.streams[$0].device })
        let lights = keyboards.compactMap { traffic.devices[$0].firstLights }
        guard let first = lights.min(by: { ($0.time, $0.capsLock ? 1 : 0) < ($1.time, $1.capsLock ? 1 : 0) }) else {
            return nil
        }
        var presses: [KeyUsage: Int] = [:]
        var streams = readers.map { $0.map(KeyboardStream.init) }
        struct Enough: Error {}
        try? traffic.store.forEach { (report) throws(Enough) in
            guard report.pointee.time <= first.time else { throw Enough() }
            guard report.pointee.length != StoredReport.ended else { return }
            streams[Int(report.pointee.stream)]?.apply(report, in: traffic.store) { usage, phase in
                let isLock = usage == .capsLock || usage == .keypadNumLock
                if isLock, phase == .down { presses[usage, default: 0] += 1 }
            }
        }
        capsLock = first.capsLock != (presses[.capsLock, default: 0] % 2 == 1)
        numLock = first.numLock.map { $0 != (presses[.keypadNumLock, default: 0] % 2 == 1) }
    }
}
