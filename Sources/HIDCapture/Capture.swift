public import KeyModel
public import SystemPackage

/// A capture of keyboards, read whole: which keyboards there are, and their key events in the order of the capture.
///
/// Reading keeps only the reports that changed, 24 bytes each. Which streams are keyboards is decided when all is
/// read: by their report descriptor, else by the protocol of their interface, else by what their reports look like.
public struct Capture {
    public private(set) var facts: CaptureFacts
    /// Keyboards on which a key changed, in the order of their first key event. `--device` names them by `id`.
    public private(set) var devices: [CaptureDevice] = []

    private let store: ReportStore
    /// For each stream its reader, when it is a keyboard.
    private var readers: [ReportReader?]
    /// For each stream the id of its device, 0 for none.
    private var deviceOfStream: [UInt16]

    /// Reads a pcap or pcapng file, or a pipe, from the descriptor's position on.
    public init(reading descriptor: FileDescriptor) throws(CaptureError) {
        let traffic = USBTraffic()
        if let magic = Capture.magic(of: descriptor), ClassicPcap.isClassicPcap(magic) {
            try ClassicPcap.read(descriptor, into: traffic)
        } else {
            try Capture.read(CaptureInput(descriptor), into: traffic)
        }
        self.init(traffic)
    }

    /// Reads a pcap or pcapng file, or a named pipe.
    public init(_ path: FilePath) throws(CaptureError) {
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(path, .readOnly)
        } catch {
            throw .system(code: (error as? Errno)?.rawValue ?? 0, operation: "open")
        }
        defer { try? descriptor.close() }
        try self.init(reading: descriptor)
    }

    /// Reads the bytes of a pcap or pcapng file.
    public init(bytes: [UInt8]) throws(CaptureError) {
        let traffic = USBTraffic()
        var failure: CaptureError?
        bytes.withUnsafeBytes { buffer in
            do throws(CaptureError) {
                try Capture.read(CaptureInput(buffer), into: traffic)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        self.init(traffic)
    }

    /// True for the first bytes of a file that `init(reading:)` takes: at least four are needed.
    public static func isCapture(_ head: some Collection<UInt8>) -> Bool {
        let magic = Array(head.prefix(4))
        return magic == PcapNG.sectionMagic || ClassicPcap.isClassicPcap(magic)
            || BluetoothContainer.name(of: Array(head.prefix(BluetoothContainer.headBytes))) != nil
    }

    /// The first bytes of a file that can be read at a position; `nil` for pipes.
    private static func magic(of descriptor: FileDescriptor) -> [UInt8]? {
        guard let position = try? descriptor.seek(offset: 0, from: .current) else { return nil }
        var bytes: [UInt8] = [0, 0, 0, 0]
        let n = try? bytes.withUnsafeMutableBytes { try descriptor.read(fromAbsoluteOffset: position, into: $0) }
        return n == 4 ? bytes : nil
    }

    private static func read(_ input: CaptureInput, into traffic: USBTraffic) throws(CaptureError) {
        let magic = Array(try input.peek(4) ?? UnsafeRawBufferPointer(start: nil, count: 0))
        if magic == PcapNG.sectionMagic {
            var reader = PcapNG(input, into: traffic)
            try reader.read()
        } else if ClassicPcap.isClassicPcap(magic) {
            try ClassicPcap.read(try input.readAll(), into: traffic)
        } else if let name = BluetoothContainer.name(of: try head(of: input)) {
            traffic.facts.bluetoothContainer = name
        } else {
            throw .malformed(
                offset: 0, what: "file", expected: "a pcap or pcapng capture",
                found: magic.isEmpty ? "\(input.remaining) bytes" : hexadecimal(magic))
        }
    }

    /// What is there of the first bytes.
    private static func head(of input: CaptureInput) throws(CaptureError) -> [UInt8] {
        if let whole = try input.peek(BluetoothContainer.headBytes) { return Array(whole) }
        return Array(try input.peek(input.remaining) ?? UnsafeRawBufferPointer(start: nil, count: 0))
    }

    private init(_ traffic: USBTraffic) {
        store = traffic.store
        facts = traffic.facts
        facts.clock = traffic.stamps.facts
        var recognition = KeyboardRecognition(traffic)
        readers = recognition.readers()
        facts.refusedDescriptors = recognition.refusals
        facts.announcesKeyboard = recognition.announcesKeyboard
        deviceOfStream = Array(repeating: 0, count: traffic.streams.count)
        for stream in streamsByFirstKeyEvent() {
            guard let id = UInt16(exactly: devices.count + 1), let origin = recognition.origins[stream] else { break }
            let source = traffic.streams[stream]
            let device = traffic.devices[source.device]
            deviceOfStream[stream] = id
            devices.append(
                CaptureDevice(
                    id: id, name: device.name, source: device.source, bus: device.bus, address: device.address,
                    endpoint: source.endpoint, vendor: device.vendor, product: device.product, layout: origin,
                    reports: source.reports, idleReports: source.idleReports))
        }
        facts.otherStreams = traffic.streams.count - devices.count
    }

    private func streamsByFirstKeyEvent() -> [Int] {
        var order: [Int] = []
        var streams = readers.map { $0.map(KeyboardStream.init) }
        var waiting = streams.count { $0 != nil }
        guard waiting > 0 else { return order }
        struct AllFound: Error {}
        try? store.forEach { (report) throws(AllFound) in
            let index = Int(report.pointee.stream)
            guard streams[index] != nil, report.pointee.length != StoredReport.ended else { return }
            var hasEvent = false
            streams[index]?.apply(report, in: store) { _, _ in hasEvent = true }
            guard hasEvent else { return }
            order.append(index)
            streams[index] = nil
            waiting -= 1
            if waiting == 0 { throw AllFound() }
        }
        return order
    }
}

extension Capture {
    /// Makes the key events of some devices, all by default, in the order of the capture, and hands them over in
    /// batches of a few thousand. Events of one report have its time. Keys that are down when a transfer is
    /// cancelled, its device goes away or the capture ends are released then, marked as synthetic.
    @discardableResult
    public func forEachBatch<E: Error>(
        of selected: Set<UInt16>? = nil, _ body: ([KeyEvent]) throws(E) -> Void
    ) throws(E) -> CaptureTotals {
        let chosen = zip(deviceOfStream, readers).map { id, reader in
            id != 0 && selected?.contains(id) ?? true ? reader : nil
        }
        var decoding = CaptureDecoding(devices.map(\.id), deviceOfStream, chosen)
        try store.forEach { (report) throws(E) in
            decoding.apply(report, in: store)
            if decoding.events.count >= CaptureDecoding.batch { try decoding.handOver(body) }
        }
        decoding.end(at: TraceTime(nanoseconds: facts.clock.end))
        try decoding.handOver(body)
        return decoding.totals
    }
}

/// The state of all keyboards while events are made.
private struct CaptureDecoding {
    static let batch = 4096

    /// By stream; `nil` for what is no keyboard or was not chosen.
    private var streams: [KeyboardStream?]
    private let deviceOfStream: [UInt16]
    private(set) var events: [KeyEvent] = []
    private(set) var totals = CaptureTotals()
    /// Place in `totals.devices` by device id.
    private var place: [Int]

    init(_ ids: [UInt16], _ deviceOfStream: [UInt16], _ readers: [ReportReader?]) {
        streams = readers.map { $0.map(KeyboardStream.init) }
        self.deviceOfStream = deviceOfStream
        let chosen = Set(zip(deviceOfStream, readers).compactMap { $1 == nil ? nil : $0 })
        totals.devices = ids.filter(chosen.contains).map { CaptureTotals.Device(id: $0) }
        place = Array(repeating: 0, count: ids.count + 1)
        for (index, device) in totals.devices.enumerated() { place[Int(device.id)] = index }
        events.reserveCapacity(CaptureDecoding.batch + 1024)
    }

    @inline(__always)
    mutating func apply(_ report: UnsafePointer<StoredReport>, in store: ReportStore) {
        let index = Int(report.pointee.stream)
        guard streams[index] != nil else { return }
        let (time, device) = (TraceTime(nanoseconds: report.pointee.time), deviceOfStream[index])
        if report.pointee.length == StoredReport.ended {
            release(index, at: time)
        } else {
            streams[index]?.apply(report, in: store) { usage, phase in
                events.append(.init(time: time, device: device, key: .clear(usage), phase: phase))
            }
        }
    }

    private mutating func release(_ index: Int, at time: TraceTime) {
        let device = deviceOfStream[index]
        streams[index]?.releaseAll { usage, phase in
            events.append(.init(time: time, device: device, key: .clear(usage), phase: phase, isSynthetic: true))
        }
    }

    mutating func end(at time: TraceTime) {
        let order = streams.indices.filter { streams[$0] != nil }.sorted { deviceOfStream[$0] < deviceOfStream[$1] }
        for index in order {
            let at = place[Int(deviceOfStream[index])]
            totals.devices[at].heldAtEnd = streams[index]?.pressed ?? []
            totals.devices[at].rolloverReports = streams[index]?.rolloverReports ?? 0
            release(index, at: time)
        }
    }

    mutating func handOver<E: Error>(_ body: ([KeyEvent]) throws(E) -> Void) throws(E) {
        guard !events.isEmpty else { return }
        for event in events {
            let at = place[Int(event.device)]
            if event.isSynthetic {
                totals.devices[at].syntheticReleases += 1
            } else {
                totals.devices[at].keyEvents += 1
                if event.phase == .down { totals.devices[at].presses += 1 }
            }
        }
        try body(events)
        events.removeAll(keepingCapacity: true)
    }
}
