/// One stream of interrupt reports: an IN endpoint of a device.
struct ReportStream {
    var device: Int
    var endpoint: UInt8
    var reports: UInt64 = 0
    var idleReports: UInt64 = 0
    /// The latest entry of this stream in the store.
    var latest: UnsafeMutablePointer<StoredReport>?
}

/// Collects from the packets of a capture what keyboards said: reports, and descriptors that explain them.
final class USBTraffic {
    // What every packet or report touches is free of run-time exclusivity checks, which would cost more than the
    // work itself: one reader at a time fills this object, and none of its methods calls back.
    let store = ReportStore()
    @exclusivity(unchecked) private(set) var stamps = StampFollower()
    private(set) var devices: [USBDevice] = []
    @exclusivity(unchecked) private(set) var streams: [ReportStream] = []
    var facts = CaptureFacts()

    private var deviceIndex: [UInt64: Int] = [:]
    private var streamIndex: [UInt64: Int] = [:]
    @exclusivity(unchecked) private var latestKey = UInt64.max
    @exclusivity(unchecked) private var latestStream = 0
    private var transfers = ControlTransfers()

    @inline(__always)
    func time(of stamp: Int64) -> Int64 { stamps.time(of: stamp) }
    func timeOfUnstamped() -> Int64 { stamps.timeOfUnstamped() }

    /// Ids of transfers mean nothing beyond a section of a capture.
    func beginSection() { transfers.removeAll() }

    // MARK: Reports

    /// A completed interrupt IN transfer with data.
    func report(
        _ source: CaptureSource, bus: UInt16, address: UInt8, endpoint: UInt8, _ bytes: UnsafeRawBufferPointer,
        time: Int64
    ) {
        guard let index = stream(source, bus, address, endpoint) else {
            facts.reportsOfExcessStreams += 1
            return
        }
        let length = min(bytes.count, CaptureLimits.reportBytes)
        streams[index].reports += 1
        if length <= StoredReport.inPlace {
            let payload = USBTraffic.packed(bytes, length)
            if let latest = streams[index].latest, latest.pointee.payload == payload,
                latest.pointee.length == UInt16(length)
            {
                repeated(index, latest)
            } else {
                streams[index].latest = store.append(
                    .init(time: time, payload: payload, stream: UInt16(index), length: UInt16(length), repeats: 0))
            }
        } else {
            longReport(index, UnsafeRawBufferPointer(rebasing: bytes.prefix(length)), time)
        }
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
        let place = store.keep(bytes)
        streams[index].latest = store.append(
            .init(time: time, payload: place, stream: UInt16(index), length: UInt16(bytes.count), repeats: 0))
    }

    /// Up to eight bytes as one number, the first byte lowest.
    @inline(__always)
    private static func packed(_ bytes: UnsafeRawBufferPointer, _ length: Int) -> UInt64 {
        if length == 8 { return UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)) }
        var payload: UInt64 = 0
        for at in 0..<length { payload |= UInt64(bytes[at]) << UInt64(8 * at) }
        return payload
    }

    /// The transfer was cancelled or the device is gone.
    func ended(_ source: CaptureSource, bus: UInt16, address: UInt8, endpoint: UInt8, time: Int64) {
        let key = USBTraffic.key(source, bus, address, endpoint)
        guard let index = streamIndex[key], streams[index].latest?.pointee.length != StoredReport.ended else { return }
        streams[index].latest = store.append(
            .init(time: time, payload: 0, stream: UInt16(index), length: StoredReport.ended, repeats: 0))
    }

    @inline(__always)
    private static func key(_ source: CaptureSource, _ bus: UInt16, _ address: UInt8, _ endpoint: UInt8) -> UInt64 {
        UInt64(source.rawValue) << 32 | UInt64(bus) << 16 | UInt64(address) << 8 | UInt64(endpoint)
    }

    @inline(__always)
    private func stream(_ source: CaptureSource, _ bus: UInt16, _ address: UInt8, _ endpoint: UInt8) -> Int? {
        let key = USBTraffic.key(source, bus, address, endpoint)
        return key == latestKey ? latestStream : findStream(key, source, bus, address, endpoint)
    }

    private func findStream(
        _ key: UInt64, _ source: CaptureSource, _ bus: UInt16, _ address: UInt8, _ endpoint: UInt8
    ) -> Int? {
        if let known = streamIndex[key] {
            (latestKey, latestStream) = (key, known)
            return known
        }
        guard streams.count < CaptureLimits.streams, let device = device(source, bus, address) else { return nil }
        streams.append(ReportStream(device: device, endpoint: endpoint))
        streamIndex[key] = streams.count - 1
        (latestKey, latestStream) = (key, streams.count - 1)
        return latestStream
    }

    // MARK: Descriptors

    private func device(_ source: CaptureSource, _ bus: UInt16, _ address: UInt8) -> Int? {
        let key = USBTraffic.key(source, bus, address, 0)
        if let known = deviceIndex[key] { return known }
        guard devices.count < CaptureLimits.devices else { return nil }
        devices.append(USBDevice(source: source, bus: bus, address: address))
        deviceIndex[key] = devices.count - 1
        return devices.count - 1
    }

    /// A control request; `setup` has eight bytes.
    func controlRequest(_ source: CaptureSource, bus: UInt16, address: UInt8, id: UInt64, setup: UnsafeRawPointer) {
        guard let device = device(source, bus, address) else { return }
        transfers.submit(id: id, device: device, setup: setup)
    }

    /// The answer to a control request.
    func controlAnswer(id: UInt64, _ data: UnsafeRawBufferPointer) {
        guard let request = transfers.complete(id: id), !data.isEmpty else { return }
        let bytes = Array(data.prefix(CaptureLimits.descriptorBytes))
        let device = request.device
        switch request.type {
        case 1: if !devices[device].readDevice(bytes) { replace(device, bytes) }
        case 2: devices[device].readConfiguration(bytes)
        case 3: devices[device].readString(request.index, bytes)
        default: devices[device].readReportDescriptor(interface: request.wIndex, bytes)
        }
    }

    /// Another device has taken an address: its reports are streams of their own.
    private func replace(_ old: Int, _ bytes: [UInt8]) {
        let (source, bus, address) = (devices[old].source, devices[old].bus, devices[old].address)
        guard devices.count < CaptureLimits.devices else { return }
        var device = USBDevice(source: source, bus: bus, address: address)
        _ = device.readDevice(bytes)
        devices.append(device)
        deviceIndex[USBTraffic.key(source, bus, address, 0)] = devices.count - 1
        for stream in streams where stream.device == old {
            streamIndex[USBTraffic.key(source, bus, address, stream.endpoint)] = nil
        }
        latestKey = .max
    }
}
