import KeyModel

/// Collects the data of keyboards from the packets of a capture: reports, and descriptors that explain them.
final class CaptureTraffic {
    // State that every packet or report touches is free of run-time exclusivity checks, which would cost more than the
    // work itself: one reader at a time fills this object, and none of its methods calls back.
    let store = ReportStore()
    /// The number of changed reports that are kept, and of bytes of the long ones.
    private let limit: Int
    private let longLimit: Int
    private var keptBeyond = 0
    private var descriptorBytes = 0
    /// The receiver of changed reports at once, in place of the store.
    private let handOn: HandOn?
    typealias HandOn = (UnsafePointer<StoredReport>, ReportStore) -> Void
    @exclusivity(unchecked) private(set) var stamps = StampFollower()
    private(set) var devices: [CapturedDevice] = []
    @exclusivity(unchecked) private(set) var streams: [ReportStream] = []
    var facts = CaptureFacts()

    private var deviceIndex: [UInt64: Int] = [:]
    private var streamIndex: [UInt64: Int] = [:]
    @exclusivity(unchecked) private var latestKey = UInt64.max
    @exclusivity(unchecked) private var latestStream = 0
    private var transfers = ControlTransfers()
    /// The interface of the capture that the packet is of, as the high byte of a stream's key.
    @exclusivity(unchecked) private var interface: UInt64 = 0
    private var controllers = USBBluetooth()
    private(set) lazy var bluetooth = BluetoothTraffic(self)

    /// Keeps the changed reports in its store: all, or so many of them and the first of each stream.
    init(keeping limit: Int = .max, longBytes: Int = .max) {
        (self.limit, longLimit) = (limit, longBytes)
        handOn = nil
    }

    /// Keeps none, but hands each changed report on.
    init(handingOn: @escaping HandOn) {
        (limit, longLimit) = (0, .max)
        handOn = handingOn
    }

    /// The order of several interfaces is that of the file, and not of time.
    var hasSeveralInterfaces: Bool { stamps.hasSeveral }
    /// The interface that packets are of.
    var selectedInterface: UInt8 { UInt8(interface >> 56) }

    /// After the last packet. Reports of several interfaces are put in the order of their times, where all are kept.
    func finish() {
        bluetooth.finish()
        guard !store.leavesOut, store.sort() else { return }
        for number in 0..<store.count {
            let place = store.place(of: number)
            streams[Int(place.pointee.stream)].latest = place
        }
    }

    /// Packets are of this interface of the capture from now on: their stamps are of its own clock, and its reports are
    /// streams of its own, since another interface may have the same ones.
    @inline(__always)
    func select(interface number: Int) {
        if stamps.select(number) { interface = UInt64(min(number, 255)) << 56 }
    }

    @inline(__always)
    func time(of stamp: Int64) -> Int64 { stamps.time(of: stamp) }
    func noteOtherEpoch() { stamps.noteOtherEpoch() }
    func timeOfUnstamped() -> Int64 { stamps.timeOfUnstamped() }

    /// Notes what cannot be read, unless something before it could not be read either. `lost`: packets, where known.
    func noteDamage(
        at offset: UInt64, _ what: String, _ expected: String, _ found: @autoclosure () -> String, lost: UInt64? = nil
    ) {
        guard facts.damage == nil else { return }
        facts.damage = CaptureDamage(
            offset: offset, reason: "\(what): expected \(expected), found \(found())", lostPackets: lost)
    }

    /// Ids of transfers mean nothing beyond a section of a capture.
    func beginSection() { transfers.removeAll() }

    // MARK: Reports

    /// A completed interrupt IN transfer with data.
    @inline(__always)
    func report(
        _ source: CaptureSource, bus: UInt16, address: UInt8, endpoint: UInt8, _ bytes: UnsafeRawBufferPointer,
        time: Int64
    ) {
        let key = StreamPlace.key(source, nil, bus, UInt16(address), UInt16(endpoint)) | interface
        if key == latestKey { return report(latestStream, bytes, time: time) }
        let place = place(source, bus, address, endpoint)
        if let device = deviceIndex[place.deviceKey], devices[device].isBluetoothController {
            return controllers.read(.event, bytes, device: device, time: time, into: self)
        }
        guard let index = stream(at: place) else {
            facts.reportsOfExcessStreams += 1
            return
        }
        (latestKey, latestStream) = (key, index)
        report(index, bytes, time: time)
    }

    private func place(_ source: CaptureSource, _ bus: UInt16, _ address: UInt8, _ endpoint: UInt8) -> StreamPlace {
        StreamPlace(
            source: source, bus: bus, address: UInt16(address), endpoint: UInt16(endpoint),
            interface: selectedInterface)
    }

    /// A bulk transfer with its data: Bluetooth packets, where the device is a controller, or nothing says what it is
    /// and it sends them.
    func bulk(
        _ source: CaptureSource, bus: UInt16, address: UInt8, endpoint: UInt8, _ bytes: UnsafeRawBufferPointer,
        time: Int64
    ) {
        let place = place(source, bus, address, endpoint)
        let isReceived = endpoint & 0x80 != 0
        guard !bytes.isEmpty else { return }
        let isKnown = deviceIndex[place.deviceKey].map { devices[$0].isKnown } ?? false
        if !isKnown, isReceived, USBBluetooth.isData(bytes), let device = device(at: place) {
            becomeController(device)
        }
        guard let device = deviceIndex[place.deviceKey], devices[device].isBluetoothController else { return }
        controllers.read(isReceived ? .received : .sent, bytes, device: device, time: time, into: self)
    }

    /// The device's interrupt transfers are no reports from now on.
    private func becomeController(_ device: Int) {
        devices[device].isBluetoothController = true
        latestKey = .max
    }

    /// A report of a known stream.
    @inline(__always)
    func report(_ index: Int, _ bytes: UnsafeRawBufferPointer, time: Int64) {
        guard bytes.count <= StoredReport.inPlace, bytes.count != LogitechReceiver.short, store.count < limit else {
            return otherReport(index, bytes, time)
        }
        let report = StoredReport(bytes, of: index, time)
        let store = store
        streams.withUnsafeMutableBufferPointer { streams in
            streams[index].reports &+= 1
            if let latest = streams[index].latest, latest.pointee.says(report) {
                streams[index].idleReports &+= 1
                if latest.pointee.repeats < .max { latest.pointee.repeats += 1 }
            } else {
                streams[index].latest = store.append(report)
            }
        }
    }

    /// A long one, or one of more than are kept.
    @inline(never)
    private func otherReport(_ index: Int, _ bytes: UnsafeRawBufferPointer, _ time: Int64) {
        let (stream, hasOthers) = (streams[index], streams[index].latest.map { Int($0.pointee.length) } == bytes.count)
        let vendor = devices[stream.device].vendor
        if let paired = LogitechReceiver.device(of: bytes, vendor: vendor, hasSentOthers: hasOthers),
            pairedReport(index, paired, bytes, time)
        {
            return
        }
        streams[index].reports += 1
        let length = min(bytes.count, CaptureLimits.reportBytes)
        guard length <= StoredReport.inPlace else {
            return longReport(index, UnsafeRawBufferPointer(rebasing: bytes.prefix(length)), time)
        }
        let report = StoredReport(bytes, of: index, time)
        if let latest = streams[index].latest, latest.pointee.says(report) {
            repeated(index, latest)
        } else {
            keep(report, of: index)
        }
    }

    /// A message of a receiver: the device that sent it has a stream of its own. False where it can be none.
    private func pairedReport(
        _ index: Int, _ paired: UInt8, _ bytes: UnsafeRawBufferPointer, _ time: Int64
    ) -> Bool {
        var place = devices[streams[index].device].place
        guard place.source.isUSB || place.source == .hidraw else { return false }
        place.endpoint = UInt16(paired) << 8 | streams[index].endpoint
        place.interface = selectedInterface
        guard let stream = stream(at: place) else {
            facts.reportsOfExcessStreams += 1
            return true
        }
        streams[stream].nature = .paired
        if LogitechReceiver.isReport(bytes) {
            report(stream, UnsafeRawBufferPointer(rebasing: bytes.dropFirst(2)), time: time)
        } else if LogitechReceiver.isEnd(bytes) {
            ended(stream, time: time)
        }
        return true
    }

    private func repeated(_ index: Int, _ latest: UnsafeMutablePointer<StoredReport>) {
        streams[index].idleReports += 1
        if latest.pointee.repeats < .max { latest.pointee.repeats += 1 }
    }

    private func longReport(_ index: Int, _ bytes: UnsafeRawBufferPointer, _ time: Int64) {
        if let latest = streams[index].latest, Int(latest.pointee.length) == bytes.count,
            store.withBytes(of: latest, { $0.elementsEqual(bytes) })
        {
            return repeated(index, latest)
        }
        let hasRoom = store.longBytes < longLimit && (store.count < limit || keepsBeyond(index))
        let place = hasRoom ? store.keep(bytes) : store.keep(bytes, in: single(index))
        keep(
            .init(time: time, payload: place, stream: UInt16(index), length: UInt16(bytes.count), repeats: 0),
            of: index, hasRoom)
    }

    @inline(__always)
    private func keep(_ report: StoredReport, of index: Int, _ hasRoom: Bool = true) {
        guard hasRoom, store.count < limit else { return keepBeyond(report, of: index, hasRoom) }
        streams[index].latest = store.append(report)
    }

    private func keepsBeyond(_ index: Int) -> Bool {
        handOn == nil && streams[index].keptBeyond < CaptureLimits.reportsToJudge
            && keptBeyond < CaptureLimits.reportsBeyond
    }

    @inline(never)
    private func keepBeyond(_ report: StoredReport, of index: Int, _ hasRoom: Bool) {
        if hasRoom, keepsBeyond(index) {
            streams[index].keptBeyond += 1
            keptBeyond += 1
            streams[index].latest = store.append(report)
            return
        }
        store.leavesOut = true
        let single = single(index)
        single.place.pointee = report
        streams[index].latest = single.place
        handOn?(UnsafePointer(single.place), store)
    }

    private func single(_ index: Int) -> ReportStore.Single {
        if let known = streams[index].onlyLatest { return known }
        let new = store.makeSingle()
        streams[index].onlyLatest = new
        return new
    }

    /// A key event of a stream that has events in place of reports.
    func keyEvent(_ index: Int, _ usage: KeyUsage, _ phase: KeyPhase, isSynthetic: Bool = false, time: Int64) {
        streams[index].nature = .events
        keep(
            .init(
                time: time, payload: StoredReport.payload(usage, phase, isSynthetic: isSynthetic),
                stream: UInt16(index), length: StoredReport.keyEvent, repeats: 0), of: index)
    }

    /// A transfer was cancelled or the device is gone.
    func ended(_ source: CaptureSource, bus: UInt16, address: UInt8, endpoint: UInt8, time: Int64) {
        for paired in UInt16(0)...7 {
            let place = UInt16(endpoint) | paired << 8
            let key = StreamPlace.key(source, nil, bus, UInt16(address), place) | interface
            if let index = streamIndex[key] { ended(index, time: time) }
        }
    }

    func ended(_ index: Int, time: Int64) {
        guard let latest = streams[index].latest, latest.pointee.length != StoredReport.ended else { return }
        keep(
            .init(time: time, payload: 0, stream: UInt16(index), length: StoredReport.ended, repeats: 0), of: index)
    }

    /// Overwrites all reports but the latest of each stream, which the next one is compared with. For sources that
    /// never end: what is to be kept of the others was taken out before.
    func forgetReports() {
        moveLatest(from: store, to: spare)
        moveLatest(from: spare, to: store)
    }

    private lazy var spare = ReportStore()

    private func moveLatest(from old: ReportStore, to new: ReportStore) {
        for index in streams.indices {
            guard let latest = streams[index].latest else { continue }
            var report = latest.pointee
            if report.isLong { report.payload = old.withBytes(of: latest) { new.keep($0) } }
            streams[index].latest = new.append(report)
        }
        old.removeAll()
    }

    // MARK: Streams and devices

    /// The stream at a place, made when it is new; `nil` beyond what is followed.
    func stream(at place: StreamPlace) -> Int? {
        if let known = streamIndex[place.key] { return known }
        guard streams.count < CaptureLimits.streams, let device = device(at: place) else { return nil }
        streams.append(ReportStream(device: device, endpoint: place.endpoint))
        streamIndex[place.key] = streams.count - 1
        return streams.count - 1
    }

    /// The device at a place, made when it is new; `nil` beyond what is followed.
    func device(at place: StreamPlace) -> Int? {
        if let known = deviceIndex[place.deviceKey] { return known }
        guard devices.count < CaptureLimits.devices else { return nil }
        devices.append(CapturedDevice(place))
        deviceIndex[place.deviceKey] = devices.count - 1
        return devices.count - 1
    }

    func change(device index: Int, _ body: (inout CapturedDevice) -> Void) { body(&devices[index]) }
    func change(stream index: Int, _ body: (inout ReportStream) -> Void) { body(&streams[index]) }

    /// The device at a place is gone, and what comes at the place from now on is another one: its reports are
    /// streams of their own.
    func forget(device old: Int) {
        deviceIndex[devices[old].place.deviceKey] = nil
        for (key, index) in streamIndex where streams[index].device == old { streamIndex[key] = nil }
        latestKey = .max
    }

    /// The same for the device at a place, when there is one.
    func forget(_ place: StreamPlace) {
        if let device = deviceIndex[place.deviceKey] { forget(device: device) }
    }

    /// A name that was asked for apart from the device's own description.
    func name(_ place: StreamPlace, _ name: String) {
        guard let device = deviceIndex[place.deviceKey], devices[device].givenName == nil else { return }
        devices[device].givenName = name
    }

    // MARK: Control transfers

    /// A control request; `setup` has eight bytes. `data`: what the host sends with it.
    func controlRequest(
        _ source: CaptureSource, bus: UInt16, address: UInt8, id: UInt64, setup: UnsafeRawPointer,
        _ data: UnsafeRawBufferPointer, time: Int64
    ) {
        guard let device = device(at: StreamPlace(source: source, bus: bus, address: UInt16(address))) else { return }
        transfers.submit(id: id, device: device, setup: setup)
        // SET_PROTOCOL (HID 1.11, section 7.2.6).
        if setup.byte(0) == 0x21, setup.byte(1) == 0x0B {
            devices[device].setProtocol(isBoot: setup.byte(2) == 0, interface: setup.byte(4))
        } else if setup.byte(0) == 0x21, setup.byte(1) == 9, setup.byte(3) == 2, let bits = data.last,
            data.count == (setup.byte(2) == 0 ? 1 : 2)
        {
            // SET_REPORT of an output report with one byte behind its id, if it has one, may set the lights of a
            // keyboard (HID 1.11, section 7.2.2 and appendix B.1).
            lights(of: device, bits, time: time)
        } else if setup.byte(0) == 0x21, setup.byte(1) == 9, data.count == 15, data[0] == 0x20, data[2] == 0x0E {
            lights(of: device, data[3], time: time)  // of a device behind a receiver
        } else if USBBluetooth.isCommand(setup, data), !devices[device].isKnown {
            becomeController(device)
        } else if setup.byte(0) == 0, setup.byte(1) == 9 {
            // SET_CONFIGURATION: a host begins anew, after a reset as a rule.
            devices[device].forgetProtocols()
        }
    }

    /// Bit 0 is Num Lock, bit 1 Caps Lock (HID Usage Tables, LED page).
    func lights(of device: Int, _ bits: UInt8, time: Int64) {
        lights(of: device, capsLock: bits & 2 != 0, numLock: bits & 1 != 0, time: time)
    }

    func lights(of device: Int, capsLock: Bool, numLock: Bool?, time: Int64) {
        guard devices[device].firstLights == nil else { return }
        devices[device].firstLights = .init(capsLock: capsLock, numLock: numLock, time: time)
    }

    /// The answer to a control request.
    func controlAnswer(id: UInt64, _ data: UnsafeRawBufferPointer) {
        guard let request = transfers.complete(id: id), !data.isEmpty else { return }
        let bytes = Array(data.prefix(CaptureLimits.descriptorBytes))
        let device = request.device
        switch request.type {
        case 1: if !devices[device].readDevice(bytes) { replace(device, bytes) }
        case 2:
            devices[device].readConfiguration(bytes)
            if devices[device].isBluetoothController { latestKey = .max }
        case 3: devices[device].readString(request.index, bytes)
        default: readReportDescriptor(of: device, interface: request.wIndex, bytes)
        }
    }

    func readReportDescriptor(of device: Int, interface: UInt16, _ bytes: [UInt8]) {
        guard descriptorBytes + bytes.count <= CaptureLimits.descriptorBytesInAll,
            devices[device].readReportDescriptor(interface: interface, bytes)
        else { return }
        descriptorBytes += bytes.count
    }

    /// Another device has taken an address.
    private func replace(_ old: Int, _ bytes: [UInt8]) {
        let place = devices[old].place
        guard devices.count < CaptureLimits.devices else { return }
        forget(device: old)
        guard let new = device(at: place) else { return }
        _ = devices[new].readDevice(bytes)
    }
}
