import KeyModel

/// Decides which streams of a capture are keyboards, and how their reports are read.
///
/// 1. A usable report descriptor of the stream's interface decides: a keyboard has keys of the keyboard page in it.
///    An interface with consumer or system keys alone belongs to a keyboard when its device has one.
/// 2. Else the interface: class 3 and protocol 1 is a boot keyboard; protocol 2 and other classes are none.
/// 3. Else what the reports look like (`KeyboardPlausibility`).
struct KeyboardRecognition {
    private let traffic: USBTraffic
    private var hasKeyboardByDevice: [Int: Bool] = [:]
    /// One bad device says it once; a capture full of them need not fill the report.
    private static let refusalsKept = 16
    private(set) var refusals: [String] = []
    private(set) var origins: [Int: ReportLayoutOrigin] = [:]
    private(set) var announcesKeyboard: Bool

    init(_ traffic: USBTraffic) {
        self.traffic = traffic
        announcesKeyboard = traffic.devices.contains(where: \.announcesKeyboard)
    }

    /// For each stream its reader; `nil` for what is no keyboard.
    mutating func readers() -> [ReportReader?] {
        var readers: [ReportReader?] = []
        var undecided: [Int] = []
        for (index, stream) in traffic.streams.enumerated() {
            let device = traffic.devices[stream.device]
            readers.append(nil)
            if let descriptor = descriptor(of: device, stream.endpoint) {
                guard descriptor.hasKeyboardKeys || !descriptor.fields.isEmpty && hasKeyboard(stream.device) else {
                    continue
                }
                announcesKeyboard = announcesKeyboard || descriptor.hasKeyboardKeys
                readers[index] = .descriptor(descriptor)
                origins[index] = .reportDescriptor
            } else if let interface = device.interfaces[stream.endpoint], interface.protocolCode != 0
                || interface.classCode != 3
            {
                guard interface.classCode == 3, interface.protocolCode == 1 else { continue }
                readers[index] = .boot
                origins[index] = .bootProtocol
            } else {
                undecided.append(index)
            }
        }
        for index in plausibleKeyboards(among: undecided) {
            readers[index] = .boot
            origins[index] = .plausibility
        }
        return readers
    }

    private mutating func descriptor(of device: USBDevice, _ endpoint: UInt8) -> ReportDescriptor? {
        guard let bytes = device.reportDescriptor(endpoint: endpoint) else { return nil }
        do throws(ReportDescriptor.Refusal) {
            return try ReportDescriptor(bytes)
        } catch {
            let place = "bus \(device.bus) device \(device.address)"
            let refusal = "\(place): \(error)"
            let isNew = refusals.count < KeyboardRecognition.refusalsKept && !refusals.contains(refusal)
            if isNew { refusals.append(refusal) }
            return nil
        }
    }

    /// True when some interface of the device is a keyboard by its descriptors.
    private mutating func hasKeyboard(_ index: Int) -> Bool {
        if let known = hasKeyboardByDevice[index] { return known }
        let device = traffic.devices[index]
        let found =
            device.announcesKeyboard
            || device.reportDescriptors.contains { (try? ReportDescriptor($0.bytes))?.hasKeyboardKeys ?? false }
        hasKeyboardByDevice[index] = found
        return found
    }

    private func plausibleKeyboards(among undecided: [Int]) -> [Int] {
        guard !undecided.isEmpty else { return [] }
        var judgements = Array(repeating: KeyboardPlausibility(), count: traffic.streams.count)
        var left = Array(repeating: 0, count: traffic.streams.count)
        for index in undecided { left[index] = KeyboardPlausibility.reportsToJudge }
        var waiting = undecided.count
        struct AllJudged: Error {}
        try? traffic.store.forEach { (report) throws(AllJudged) in
            let index = Int(report.pointee.stream)
            guard left[index] > 0, report.pointee.length != StoredReport.ended else { return }
            judgements[index].add(report.pointee.payload, length: Int(report.pointee.length))
            left[index] -= 1
            if left[index] == 0 { waiting -= 1 }
            if waiting == 0 { throw AllJudged() }
        }
        return undecided.filter { judgements[$0].isKeyboard }
    }
}
