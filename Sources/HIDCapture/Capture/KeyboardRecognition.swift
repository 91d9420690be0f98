/// Decides which streams of a capture are keyboards, and how their reports are read.
///
/// 1. Key events are a keyboard's. What the protocol calls boot reports are read as such, and so is what comes of 8
///    bytes after SET_PROTOCOL(0). Reports of devices behind Logitech's receivers have the layouts of those.
/// 2. A usable report descriptor of the stream's interface decides: a keyboard has keys of the keyboard page in it.
///    An interface with consumer or system keys alone belongs to a keyboard when its device has one. One of which the
///    capture does not say that it is this interface's must be the only one with the lengths of the stream's reports.
/// 3. Else a descriptor given with the capture, for streams whose reports have its lengths; then the layout of reports
///    with ids that Logitech's receivers have.
/// 4. Else the interface: class 3 and protocol 1 is a boot keyboard if it sends eight bytes; protocol 2 and other
///    classes are none. Hosts leave it in report protocol: reports of several lengths, each with a first byte of its
///    own that is the same in all of them, have ids (`isWithIDs`), and the keyboard's are those that look like a boot
///    report behind the id.
/// 5. Else what the reports look like: boot reports in one of their shapes (`KeyboardPlausibility`), or, where the
///    device has no other keyboard, a bitmap of keys (`BitmapPlausibility`).
/// 6. What another interface of the capture has of the same endpoint is read in the same way.
struct KeyboardRecognition {
    private let traffic: CaptureTraffic
    private let given: ReportDescriptor?
    private var hasKeyboardByDevice: [Int: Bool] = [:]
    private var allLengths: [ReportLengths]?
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
        var ofPlace: [[Int]: ReportReader] = [:]
        for (index, reader) in readers.enumerated() where traffic.hasSeveralInterfaces {
            if let reader { ofPlace[place(of: index)] = reader }
        }
        for index in undecided where readers[index] == nil {
            readers[index] = ofPlace[place(of: index)]
            if readers[index] != nil { origins[index] = .plausibility }
        }
        hasUnknownLayout = undecided.contains { index in
            let stream = traffic.streams[index]
            let interface = traffic.devices[stream.device].interface(of: stream.endpoint)
            return readers[index] == nil && interface?.protocolCode == 1
        }
        return readers
    }

    /// The device and the endpoint of a stream.
    private func place(of index: Int) -> [Int] {
        [traffic.streams[index].device, Int(traffic.streams[index].endpoint)]
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
        case .paired:
            let origin = device.vendor == nil ? ReportLayoutOrigin.plausibility : .reportDescriptor
            return .keyboard(.descriptor(LogitechReceiver.reports, id: nil), origin)
        case .other: return .other
        case .reports: break
        }
        if device.sendsBootReports(endpoint: stream.endpoint), lengths(index)?.first == BootReport.length {
            announcesKeyboard = true
            return .keyboard(.boot, .bootProtocol)
        }
        if let descriptor = descriptor(of: device, index) {
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
        if let given, given.hasKeyboardKeys, fits(given, index) {
            return .keyboard(.descriptor(given, id: nil), .givenDescriptor)
        }
        if let layout = LogitechReceiver.numbered(device.vendor, device.product), isNumbered(index) {
            return .keyboard(.descriptor(layout, id: nil), .reportDescriptor)
        }
        if let interface = device.interface(of: stream.endpoint),
            interface.protocolCode != 0 || interface.classCode != 3
        {
            guard interface.classCode == 3, interface.protocolCode == 1 else { return .other }
            let lengths = lengths(index)
            if lengths?.areIDs != true, lengths?.ids[BootReport.length] != nil || lengths == nil {
                return .keyboard(.boot, .bootProtocol)
            }
        }
        return lengths(index)?.areIDs == true ? keyboardWithID(index) : .undecided
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

    /// The lengths of the reports of a stream; `nil` where it has none.
    private mutating func lengths(_ index: Int) -> ReportLengths? {
        let all = allLengths ?? traffic.reportLengths()
        allLengths = all
        return all[index].ids.isEmpty ? nil : all[index]
    }

    private func keyboardWithID(_ index: Int) -> Decision {
        var candidates = Candidates([.withIDWithoutReserved, .withID], isShared: true)
        forEachExamined(index) { bytes in
            candidates.add(bytes)
            return true
        }
        return candidates.boot.map { .keyboard($0, .plausibility) } ?? .undecided
    }

    /// Calls `body` with the first reports of a stream, until it returns false.
    private func forEachExamined(_ index: Int, _ body: (UnsafeRawBufferPointer) -> Bool) {
        var left = KeyboardPlausibility.reportsToJudge
        traffic.forEachReport(of: [index]) { _, _, bytes in
            left -= 1
            return body(bytes) && left > 0
        }
    }

    private mutating func descriptor(of device: CapturedDevice, _ index: Int) -> ReportDescriptor? {
        let (found, areOwn) = device.reportDescriptors(endpoint: traffic.streams[index].endpoint)
        var descriptors: [ReportDescriptor] = []
        for bytes in found {
            do throws(ReportDescriptor.Refusal) {
                descriptors.append(try ReportDescriptor(bytes))
            } catch {
                let refusal = "\(device.place.words): \(error)"
                let isNew = refusals.count < CaptureLimits.notes && !refusals.contains(refusal)
                if isNew { refusals.append(refusal) }
            }
        }
        if !areOwn || descriptors.count > 1 {
            descriptors = device.place.source.isUSB ? descriptors.filter { fits($0, index) } : []
        }
        return descriptors.count == 1 ? descriptors.first : nil
    }

    /// The id of the only report with keys that has the length of a stream's reports.
    private mutating func onlyID(_ descriptor: ReportDescriptor, _ index: Int) -> UInt8? {
        let length = lengths(index)?.first
        let fitting = descriptor.inputBits.filter { id, bits in
            (bits + 7) / 8 == length && descriptor.hasKeyboardKeys(id: id)
        }
        return fitting.count == 1 ? fitting.first?.key : nil
    }

    /// True when all examined reports of a stream have a length that a descriptor gives them.
    private func fits(_ descriptor: ReportDescriptor, _ index: Int) -> Bool {
        guard traffic.streams[index].latest != nil else { return false }
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

        init(_ possible: [BootReport.Shape], isShared: Bool) {
            shapes = possible.map { ($0, KeyboardPlausibility()) }
            self.isShared = isShared
        }

        init(_ device: CapturedDevice) {
            let isBluetooth = device.place.source == .bluetooth
            // Seven bytes are a keyboard's on Bluetooth LE; on USB they are a mouse's.
            self.init(
                isBluetooth ? [.plain, .withoutReserved, .withID] : [.plain, .withID],
                isShared: isBluetooth && device.place.transport == .classic)
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

/// The lengths of the changed reports of a stream, and what may be the ids of its reports.
struct ReportLengths {
    private(set) var first: Int?
    /// By length the first byte, 0 where it is not always the same.
    private(set) var ids: [Int: UInt8] = [:]
    private var latest = (length: -1, id: UInt8(0))

    mutating func add(_ length: Int, _ id: UInt8) {
        guard latest != (length, id) else { return }
        first = first ?? length
        if let known = ids.updateValue(id, forKey: length), known != id { ids[length] = 0 }
        latest = (length, id)
    }

    /// True for several lengths, each with a first byte of its own that is always the same and not 0.
    var areIDs: Bool { ids.count > 1 && !ids.values.contains(0) && Set(ids.values).count == ids.count }
}

extension CaptureTraffic {
    /// The lengths of the changed reports, by stream.
    func reportLengths() -> [ReportLengths] {
        var lengths = Array(repeating: ReportLengths(), count: streams.count)
        store.forEach { report in
            guard report.pointee.length < StoredReport.keyEvent else { return }
            let id = report.pointee.isLong
                ? store.withBytes(of: report) { $0[0] } : UInt8(truncatingIfNeeded: report.pointee.payload)
            lengths[Int(report.pointee.stream)].add(Int(report.pointee.length), id)
        }
        return lengths
    }

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
