/// Decides which streams of a capture are keyboards, and how their reports are read.
///
/// 1. Key events are a keyboard's. What the protocol calls boot reports are read as such, and so is what comes of 8
///    bytes after SET_PROTOCOL(0). Reports of devices behind Logitech's receivers have the layouts of those.
/// 2. A usable report descriptor of the stream's interface decides: a keyboard has keys of the keyboard page in it.
///    An interface with consumer or system keys alone belongs to a keyboard when its device has one.
/// 3. Else a descriptor given with the capture, for streams whose reports have its lengths; then the layout of reports
///    with ids that Logitech's receivers have.
/// 4. Else the interface: class 3 and protocol 1 is a boot keyboard if it sends eight bytes; protocol 2 and other
///    classes are none. Hosts leave it in report protocol: reports of several lengths, each with a first byte of its
///    own that is the same in all of them, have ids (`isWithIDs`), and the keyboard's are those that look like a boot
///    report behind the id.
/// 5. Else what the reports look like: boot reports in one of their shapes (`KeyboardPlausibility`), or, where the
///    device has no other keyboard, a bitmap of keys (`BitmapPlausibility`).
struct KeyboardRecognition {
    private let traffic: CaptureTraffic
    private let given: ReportDescriptor?
    private var hasKeyboardByDevice: [Int: Bool] = [:]
    /// One bad device is reported once; a capture full of them need not fill the report.
    private(set) var refusals: [String] = []
    private(set) var origins: [Int: ReportLayoutOrigin] = [:]
    private(set) var announcesKeyboard: Bool
    /// A keyboard sends reports that nothing says how to read.
    private(set) var hasUnknownLayout = false

    init(_ traffic: CaptureTraffic, given: ReportDescriptor?) {
        self.traffic = traffic
        self.given = given
        announcesKeyboard = traffic.devices.contains(where: \.announcesKeyboard)
    }

    /// For each stream its reader; `nil` for what is no keyboard.
    mutating func readers() -> [ReportReader?] {
        var readers: [ReportReader?] = Array(repeating: nil, count: traffic.streams.count)
        var undecided: [Int] = []
        for index in traffic.streams.indices {
            switch decision(index) {
            case .keyboard(let reader, let origin):
                readers[index] = reader
                origins[index] = origin
            case .other: break
            case .undecided: undecided.append(index)
            }
        }
        for (index, reader) in plausibleKeyboards(among: undecided, readers) {
            readers[index] = reader
            origins[index] = .plausibility
        }
        hasUnknownLayout = undecided.contains { index in
            let stream = traffic.streams[index]
            let interface = traffic.devices[stream.device].interface(of: stream.endpoint)
            return readers[index] == nil && interface?.protocolCode == 1
        }
        return readers
    }

    enum Decision {
        case keyboard(ReportReader, ReportLayoutOrigin)
        case other
        case undecided
    }

    /// The decision about one stream without the looks of its reports.
    mutating func decision(_ index: Int) -> Decision {
        let stream = traffic.streams[index]
        let device = traffic.devices[stream.device]
        switch stream.nature {
        case .events: return .keyboard(.events, .keyEvents)
        case .bootReports: return .keyboard(.boot, .bootProtocol)
        case .paired: return .keyboard(.descriptor(LogitechReceiver.reports, id: nil), .reportDescriptor)
        case .other: return .other
        case .reports: break
        }
        if device.sendsBootReports(endpoint: stream.endpoint), firstLength(index) == BootReport.length {
            announcesKeyboard = true
            return .keyboard(.boot, .bootProtocol)
        }
        if let descriptor = descriptor(of: device, stream.endpoint) {
            let has = stream.reportID.map(descriptor.hasKeyboardKeys) ?? descriptor.hasKeyboardKeys
            announcesKeyboard = announcesKeyboard || has
            // A recording of one device's reports is made for its keys, wherever they are in them.
            let isChosen = device.place.source == .hidraw
            guard has || !descriptor.fields.isEmpty && (isChosen || hasKeyboard(stream.device)) else { return .other }
            guard device.place.transport == .le, descriptor.usesReportIDs, stream.reportID == nil else {
                return .keyboard(.descriptor(descriptor, id: stream.reportID), .reportDescriptor)
            }
            // On Bluetooth LE reports come without their id. Where it is not known, their length may decide.
            if let id = onlyID(descriptor, index) {
                return .keyboard(.descriptor(descriptor, id: id), .reportDescriptor)
            }
        }
        if let given, fits(given, index) { return .keyboard(.descriptor(given, id: nil), .givenDescriptor) }
        if let layout = LogitechReceiver.numbered(device.vendor, device.product), isNumbered(index) {
            return .keyboard(.descriptor(layout, id: nil), .reportDescriptor)
        }
        if let interface = device.interface(of: stream.endpoint),
            interface.protocolCode != 0 || interface.classCode != 3
        {
            guard interface.classCode == 3, interface.protocolCode == 1 else { return .other }
            if !isWithIDs(index), mayBeBoot(index) { return .keyboard(.boot, .bootProtocol) }
        }
        return isWithIDs(index) ? keyboardWithID(index) : .undecided
    }

    /// True when all examined reports of a stream have ids of a receiver's, and one of them has keys.
    private func isNumbered(_ index: Int) -> Bool {
        var (isNumbered, hasKeys) = (true, false)
        forEachExamined(index) { bytes in
            let keys = LogitechReceiver.hasKeys(bytes)
            (isNumbered, hasKeys) = (keys != nil, hasKeys || keys ?? false)
            return isNumbered
        }
        return isNumbered && hasKeys
    }

    /// False when the stream has reports, and none of the examined ones has the length of a boot report.
    private func mayBeBoot(_ index: Int) -> Bool {
        var mayBe = true
        forEachExamined(index) { bytes in
            mayBe = bytes.count == BootReport.length
            return !mayBe
        }
        return mayBe
    }

    /// True when the examined reports of a stream have several lengths, and of each length the first byte is always the
    /// same, is not 0 and is that of no other length.
    private func isWithIDs(_ index: Int) -> Bool {
        var ids: [Int: UInt8] = [:]
        var isConstant = true
        forEachExamined(index) { bytes in
            let id = bytes.first ?? 0
            isConstant = id != 0 && (ids.updateValue(id, forKey: bytes.count) ?? id) == id
            return isConstant
        }
        return isConstant && ids.count > 1 && Set(ids.values).count == ids.count
    }

    private func keyboardWithID(_ index: Int) -> Decision {
        for shape in [BootReport.Shape.withIDWithoutReserved, .withID] {
            var judgement = KeyboardPlausibility()
            forEachExamined(index) { bytes in
                if let plain = shape.plain(bytes) { judgement.add(plain) }
                return true
            }
            if judgement.isKeyboard { return .keyboard(.shaped(shape), .plausibility) }
        }
        return .undecided
    }

    /// Calls `body` with the first reports of a stream, until it returns false.
    private func forEachExamined(_ index: Int, _ body: (UnsafeRawBufferPointer) -> Bool) {
        var left = KeyboardPlausibility.reportsToJudge
        traffic.forEachReport(of: [index]) { _, _, bytes in
            left -= 1
            return body(bytes) && left > 0
        }
    }

    private mutating func descriptor(of device: CapturedDevice, _ endpoint: UInt16) -> ReportDescriptor? {
        guard let bytes = device.reportDescriptor(endpoint: endpoint) else { return nil }
        do throws(ReportDescriptor.Refusal) {
            return try ReportDescriptor(bytes)
        } catch {
            let refusal = "\(device.place.words): \(error)"
            let isNew = refusals.count < CaptureLimits.notes && !refusals.contains(refusal)
            if isNew { refusals.append(refusal) }
            return nil
        }
    }

    /// The id of the only report with keys that has the length of a stream's reports.
    private func onlyID(_ descriptor: ReportDescriptor, _ index: Int) -> UInt8? {
        let length = firstLength(index)
        let fitting = descriptor.inputBits.filter { id, bits in
            (bits + 7) / 8 == length && descriptor.hasKeyboardKeys(id: id)
        }
        return fitting.count == 1 ? fitting.first?.key : nil
    }

    private func firstLength(_ index: Int) -> Int? {
        var length: Int?
        traffic.forEachReport(of: [index]) { _, _, bytes in
            length = bytes.count
            return false
        }
        return length
    }

    /// True when all examined reports of a stream have a length that a descriptor gives them.
    private func fits(_ descriptor: ReportDescriptor, _ index: Int) -> Bool {
        guard descriptor.hasKeyboardKeys, traffic.streams[index].latest != nil else { return false }
        var isFitting = true
        forEachExamined(index) { bytes in
            let id = descriptor.usesReportIDs ? bytes.first ?? 0 : 0
            let expected = descriptor.inputBits[id].map { ($0 + 7) / 8 + (descriptor.usesReportIDs ? 1 : 0) }
            if expected != bytes.count { isFitting = false }
            return isFitting
        }
        return isFitting
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
}

// MARK: What reports look like

extension KeyboardRecognition {
    /// The possible layouts of the reports of one stream.
    struct Candidates {
        private var shapes: [(shape: BootReport.Shape, judgement: KeyboardPlausibility)] = []
        private var bitmaps: [(bitmap: KeyBitmap, judgement: BitmapPlausibility)] = []
        private(set) var left = KeyboardPlausibility.reportsToJudge
        /// Reports of other lengths count against a shape, but not where one channel carries several reports.
        private let isShared: Bool

        init(_ device: CapturedDevice) {
            let isBluetooth = device.place.source == .bluetooth
            isShared = isBluetooth && device.place.transport == .classic
            // Seven bytes are a keyboard's on Bluetooth LE; on USB they are a mouse's.
            let possible: [BootReport.Shape] = isBluetooth ? [.plain, .withoutReserved, .withID] : [.plain, .withID]
            shapes = possible.map { ($0, KeyboardPlausibility()) }
        }

        mutating func add(_ bytes: UnsafeRawBufferPointer) {
            left -= 1
            for index in shapes.indices where !isShared || bytes.count == shapes[index].shape.length {
                shapes[index].judgement.add(shapes[index].shape.plain(bytes))
            }
            if bitmaps.isEmpty, KeyBitmap.lengths.contains(bytes.count) {
                bitmaps = KeyBitmap.candidates(length: bytes.count).map { ($0, BitmapPlausibility($0)) }
            }
            for index in bitmaps.indices { bitmaps[index].judgement.add(bytes) }
        }

        /// Boot reports, if that is what they look like.
        var boot: ReportReader? {
            let fitting = shapes.first { $0.judgement.isKeyboard }
            return fitting.map { $0.shape == .plain ? .boot : .shaped($0.shape) }
        }

        /// A bitmap of keys, if the reports look like just one.
        var bitmap: ReportReader? {
            let fitting = bitmaps.filter { $0.judgement.isKeyboard }
            return fitting.count == 1 ? .bitmap(fitting[0].bitmap) : nil
        }
    }

    private func plausibleKeyboards(
        among undecided: [Int], _ decided: [ReportReader?]
    ) -> [(Int, ReportReader)] {
        guard !undecided.isEmpty else { return [] }
        var candidates: [Int: Candidates] = [:]
        for index in undecided {
            candidates[index] = Candidates(traffic.devices[traffic.streams[index].device])
        }
        var waiting = undecided.count
        traffic.forEachReport(of: Set(undecided)) { index, _, bytes in
            guard let left = candidates[index]?.left, left > 0 else { return true }
            candidates[index]?.add(bytes)
            if left == 1 { waiting -= 1 }
            return waiting > 0
        }
        var found: [(Int, ReportReader)] = []
        for index in undecided {
            if let reader = candidates[index]?.boot { found.append((index, reader)) }
        }
        // A bitmap beside another stream of keys would be a guess: its bits need not be usages (spec §2).
        var withKeys = Set(decided.indices.filter { decided[$0] != nil }.map { traffic.streams[$0].device })
        withKeys.formUnion(found.map { traffic.streams[$0.0].device })
        for index in undecided where !withKeys.contains(traffic.streams[index].device) {
            if let reader = candidates[index]?.bitmap { found.append((index, reader)) }
        }
        return found
    }
}

extension CaptureTraffic {
    /// Calls `body` with the changed reports of some streams, in order, until it returns false.
    func forEachReport(
        of wanted: Set<Int>, _ body: (_ stream: Int, _ time: Int64, _ bytes: UnsafeRawBufferPointer) -> Bool
    ) {
        struct Enough: Error {}
        try? store.forEach { (report) throws(Enough) in
            let index = Int(report.pointee.stream)
            guard report.pointee.length < StoredReport.keyEvent, wanted.contains(index) else { return }
            let goesOn = store.withBytes(of: report) { body(index, report.pointee.time, $0) }
            if !goesOn { throw Enough() }
        }
    }
}

extension StreamPlace {
    /// The text of a place in notes.
    var words: String {
        switch source {
        case .usbmon, .usbpcap: "bus \(bus) device \(address)"
        case .darwin: "device \(address)"
        case .bluetooth: "adapter \(bus) handle \(address)"
        case .evdev, .hidraw, .terminal: "device \(address)"
        }
    }
}
