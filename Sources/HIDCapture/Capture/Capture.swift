package import KeyModel
package import SystemPackage

/// A capture of keyboards, read whole: which keyboards there are, and their key events in the order of the capture.
///
/// Files of Bluetooth packets, texts and recordings of kernels are captures as well: `CaptureKind` lists them.
///
/// Reading keeps only the reports that changed, 24 bytes each. Which streams are keyboards is decided when all is
/// read: by their report descriptor, else by the protocol of their interface, else by what their reports look like.
///
/// Of a file with more than `CaptureLimits.reportsKept` of them, which memory should not grow with, the first are
/// kept and decide, and the file is read again for the key events.
package struct Capture {
    package private(set) var facts: CaptureFacts
    /// Keyboards on which a key changed, in the order of their first key event. `--device` names them by `id`.
    package private(set) var devices: [CaptureDevice] = []

    private let store: ReportStore
    /// The file from which reports that are not in the store are read.
    private var file: RereadableFile?
    /// To be added to the times of reports.
    private let shift: Int64
    /// For each stream its reader, when it is a keyboard.
    private var readers: [ReportReader?]
    /// For each stream the id of its device, 0 for none.
    private var deviceOfStream: [UInt16]
    /// Streams whose modifiers may be none at all: some are held in every report, or the descriptor was given with the
    /// capture and may be another keyboard's, by which a letter holds down ⌘ for the next one.
    private var unseen: Set<Int> = []
    /// The same of single holds of modifiers, by stream.
    private var doubtedHolds: [Int: Set<Int>] = [:]

    /// Reads a capture or recording of any kind, or a pipe of one, from the descriptor's position on.
    package init(reading descriptor: FileDescriptor, options: CaptureOptions = .init()) throws(CaptureError) {
        let input = CaptureInput(descriptor)
        var file = RereadableFile(descriptor)
        let isPacked = try input.peek(PackedCapture.magic.count)?.elementsEqual(PackedCapture.magic) ?? false
        // What is packed may have many more reports than bytes.
        if isPacked, file == nil { file = RereadableFile(try input.rest(CaptureLimits.packedBytesOfStream)) }
        if let file {
            try self.init(file, isPacked: isPacked, options)
            return
        }
        let traffic = CaptureTraffic(keeping: options.reportsOfStream)
        // Bytes left out of a stream are lost.
        let check = { [unowned traffic, unowned input] () throws(CaptureError) in
            guard traffic.store.leavesOut else { return }
            throw CaptureError.malformed(
                offset: input.offset, what: "changed reports",
                expected: "at most \(options.reportsOfStream) in what cannot be read twice", found: "more")
        }
        input.check = check
        try CaptureKind.read(input, into: traffic)
        try check()
        self.init(traffic, options)
    }

    /// Reads a file, or a named pipe.
    package init(_ path: FilePath, options: CaptureOptions = .init()) throws(CaptureError) {
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(path, .readOnly)
        } catch {
            throw .system(code: (error as? Errno)?.rawValue ?? 0, operation: "open")
        }
        defer { try? descriptor.close() }
        try self.init(reading: descriptor, options: options)
    }

    /// Not all of its reports are in memory.
    var isReadAgain: Bool { file != nil }

    /// Reads the bytes of a file.
    package init(bytes: [UInt8], options: CaptureOptions = .init()) throws(CaptureError) {
        try self.init(RereadableFile(bytes), isPacked: bytes.starts(with: PackedCapture.magic), options)
    }

    private init(_ file: RereadableFile, isPacked: Bool, _ options: CaptureOptions) throws(CaptureError) {
        let most = isPacked ? CaptureLimits.reportsKeptOfPacked : .max
        var traffic = CaptureTraffic(
            keeping: min(options.reportsKept, most), longBytes: isPacked ? CaptureLimits.longBytesOfPacked : .max)
        try file.read(into: traffic)
        if traffic.store.leavesOut, traffic.hasSeveralInterfaces {
            guard !isPacked else {
                throw .malformed(
                    offset: 0, what: "changed reports",
                    expected: "at most \(most) in a packed capture of several interfaces; unpack it first",
                    found: "more")
            }
            // They are sorted, for which all of them are needed: each is a quarter of its packet at most.
            traffic = CaptureTraffic()
            try file.read(into: traffic)
        }
        self.init(traffic, options)
        if store.leavesOut { self.file = file }
    }

    /// The first bytes of a file that are looked at.
    package static let headBytes = CaptureKind.headBytes

    /// True for the first bytes of a file that `init(reading:)` takes: four are enough for captures with a magic, a
    /// few lines or records for the others.
    package static func isCapture(_ head: some Collection<UInt8>) -> Bool {
        CaptureKind(head: Array(head.prefix(CaptureKind.headBytes))) != nil
    }

    private init(_ traffic: CaptureTraffic, _ options: CaptureOptions) {
        traffic.finish()
        store = traffic.store
        shift = traffic.stamps.shift
        facts = traffic.facts
        facts.clock = traffic.stamps.facts
        var recognition = KeyboardRecognition(traffic, given: options.reportDescriptor)
        readers = recognition.readers()
        var moved: [Int: Int] = [:]
        for (mirror, original) in MirroredStreams(traffic, readers).find() {
            readers[mirror] = nil
            let (words, ends) = (traffic.devices[traffic.streams[mirror].device].place.words, traffic.streams)
            if ends[mirror].endpoint == ends[original].endpoint {
                moved[mirror] = original
                facts.note("\(words) is on two interfaces of the capture, and its keys count once")
            } else {
                let (end, other) = (ends[mirror].endpointName, ends[original].endpointName)
                facts.note("\(words): endpoint \(end) repeats the keys of \(other), which count once")
            }
        }
        store.move(moved)
        facts.refusedDescriptors = recognition.refusals
        (facts.announcesKeyboard, facts.hasUnknownLayout) = (
            recognition.announcesKeyboard, recognition.hasUnknownLayout
        )
        facts.isGivenDescriptorUnfit =
            options.reportDescriptor != nil && !recognition.origins.values.contains(.givenDescriptor)
        deviceOfStream = Array(repeating: 0, count: traffic.streams.count)
        let order = keyboards(traffic, recognition.origins)
        number(order, traffic, recognition.origins)
        facts.initialLocks = InitialLocks(traffic, readers)
        noteCoarseClock()
        facts.otherStreams = deviceOfStream.count { $0 == 0 }
    }

    /// Gives ids to the keyboards. One that was unplugged and came back, on another address, keeps its id: the same
    /// vendor, product, name and endpoint on the same bus.
    private mutating func number(
        _ order: [(stream: Int, time: Int64)], _ traffic: CaptureTraffic, _ origins: [Int: ReportLayoutOrigin]
    ) {
        var latest: [DeviceIdentity: Int] = [:]
        for (index, time) in order {
            guard let id = UInt16(exactly: devices.count + 1), let origin = origins[index] else { break }
            let stream = traffic.streams[index]
            let identity = DeviceIdentity(traffic.devices[stream.device], stream)
            defer { if let identity { latest[identity] = index } }
            var before = identity.flatMap { latest[$0] }
            if let end = before.flatMap({ traffic.streams[$0].latest?.pointee }) {
                if end.length != StoredReport.ended || end.time > time { before = nil }
            } else {
                before = nil
            }
            if let before {
                deviceOfStream[index] = deviceOfStream[before]
                let at = Int(deviceOfStream[before]) - 1
                devices[at].reports += stream.reports
                devices[at].idleReports += stream.idleReports
            } else {
                deviceOfStream[index] = id
                devices.append(CaptureDevice(id: id, traffic.devices[stream.device], stream, origin))
            }
        }
    }

    /// Packets of USB or Bluetooth have company within a millisecond: a coarse clock gives many the same stamp. Of
    /// a capture without company, such as an exported one, the clock is not known.
    private mutating func noteCoarseClock() {
        let isPackets = devices.contains { $0.source != .evdev && $0.source != .hidraw }
        let clock = facts.clock
        guard isPackets, facts.packets >= 100, clock.repeatedStamps >= facts.packets / 10,
            let step = clock.smallestStep, step >= 5_000_000
        else { return }
        let tenths = (step + 50_000) / 100_000
        facts.note(
            "the clock of the capture ticks every \(tenths / 10).\(tenths % 10) ms: "
                + "shorter times between keys mean nothing")
    }

    /// Streams by their first key event. Those whose modifiers are no evidence of chords are noted, and reports that no
    /// layout is known of.
    private mutating func keyboards(
        _ traffic: CaptureTraffic, _ origins: [Int: ReportLayoutOrigin]
    ) -> [(stream: Int, time: Int64)] {
        var order: [(stream: Int, time: Int64)] = []
        var streams = readers.map { $0.map(KeyboardStream.init) }
        guard streams.contains(where: { $0 != nil }) else { return [] }
        let origins = readers.indices.map { origins[$0] ?? .plausibility }
        var hasEvents = [Bool](repeating: false, count: readers.count)
        // Key events contain what is a modifier.
        var wasFree = origins.map { $0 == .keyEvents }
        var evidence = ChordEvidence()
        store.forEach { report in
            let index = Int(report.pointee.stream)
            guard streams[index] != nil else { return }
            if report.pointee.length == StoredReport.ended {
                streams[index]?.releaseAll { evidence.note($0, $1, of: index, origins[index]) }
                return
            }
            var hasEvent = false
            let isLost = report.pointee.length == StoredReport.keyEvent && report.pointee.event.isSynthetic
            streams[index]?.apply(report, in: store) { usage, phase in
                hasEvent = hasEvent || phase != .repeat
                evidence.note(usage, phase, of: index, origins[index], isLost: isLost && phase == .up)
            }
            if !wasFree[index], streams[index]?.isFreeOfModifiers == true { wasFree[index] = true }
            if hasEvent, !hasEvents[index] {
                hasEvents[index] = true
                order.append((index, report.pointee.time))
            }
        }
        (unseen, doubtedHolds) = (evidence.doubted, evidence.doubtedHolds)
        for (index, _) in order {
            if !wasFree[index] || origins[index] == .givenDescriptor { unseen.insert(index) }
            guard let unread = streams[index]?.unreadReports, unread > 0 else { continue }
            let words = traffic.devices[traffic.streams[index].device].place.words
            facts.note(
                "\(words): \(unread) of its reports have other lengths than the keyboard's and are not read; "
                    + "import --descriptor FILE gives their layout")
        }
        return order
    }
}

/// Facts about a capture besides its bytes.
package struct CaptureOptions: Sendable {
    /// For keyboards whose own report descriptor the capture does not have.
    package var reportDescriptor: ReportDescriptor?
    /// For tests: fewer than what files really have.
    var reportsKept = CaptureLimits.reportsKept
    var reportsOfStream = CaptureLimits.reportsOfStream

    package init(reportDescriptor: ReportDescriptor? = nil) { self.reportDescriptor = reportDescriptor }
}

extension Capture {
    /// Makes the key events of some devices, all by default, in the order of the capture, and hands them over in
    /// batches of a few thousand. Events of one report have its time. Keys that are down when a transfer is
    /// cancelled, its device goes away or the capture ends are released then, marked as synthetic.
    @discardableResult
    package func forEachBatch<E: Error>(
        of selected: Set<UInt16>? = nil, _ body: ([KeyEvent]) throws(E) -> Void
    ) throws(E) -> CaptureTotals {
        let chosen = zip(deviceOfStream, readers).map { id, reader in
            id != 0 && selected?.contains(id) ?? true ? reader : nil
        }
        var decoding = CaptureDecoding(devices.map(\.id), deviceOfStream, chosen, unseen: unseen, doubtedHolds)
        decoding.shift = shift
        let end = TraceTime(nanoseconds: facts.clock.end)
        if let file { return try file.decode(decoding, end: end, body) }
        var applied = 0
        while applied < store.count {
            applied += decoding.fill(store.reports(from: applied), of: store)
            if decoding.events.count >= CaptureDecoding.batch { try decoding.handOver(body) }
        }
        return try decoding.finish(at: end, body)
    }
}
