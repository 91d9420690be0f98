import HIDCapture
package import KeyModel
package import SystemPackage
package import TraceFormat

/// Captures of keyboards → one trace at level `keys`, in canonical form, masked unless `showsKeys`.
///
/// The trace begins with the clock of each capture, the keyboards and the layout; then come the key events in the
/// order of the captures, or of time where there are several; then what was idle and what was lost.
package struct CaptureImporter: Sendable {
    /// Keys that type text are kept in clear.
    package var showsKeys = false
    /// The keyboards to take; all when empty.
    package var selection: [DeviceSelector] = []
    /// The layout that the keyboards were used with, when it is known.
    package var layout: Layout?
    /// Facts about where the captures come from.
    package var facts: [EnvironmentRecord] = []

    /// The trace contains how often each keyboard asks to be polled, as the fact `device1.bInterval`.
    package var reportsPollInterval = false

    /// Bytes of the trace that is made at most.
    package var traceLimit = Int.max

    private var options = CaptureOptions()

    package init() {}

    /// Gives the report descriptor of keyboards that the captures have none of. `name`: as it is written in messages.
    package mutating func useDescriptor(_ bytes: [UInt8], name: String) throws(ImportError) {
        do throws(ReportDescriptor.Refusal) {
            let descriptor = try ReportDescriptor(bytes)
            guard descriptor.hasKeyboardKeys else {
                throw ReportDescriptor.Refusal(
                    offset: 0, what: "report descriptor", expected: "keys of the keyboard page", found: "none")
            }
            options.reportDescriptor = descriptor
        } catch {
            throw ImportError(
                input: name, reason: "byte \(error.offset): \(error.what): expected \(error.expected), found "
                    + error.found)
        }
    }

    /// A capture to import.
    package struct Input: Sendable {
        /// The name as it is written in messages. The trace keeps the part behind the last slash.
        package var name: String
        package var content: Content
        /// Bytes of the capture, where they are known.
        package var size = 0

        package enum Content: Sendable {
            /// Opened and closed by the import; the cheapest way, since only a window of it is in memory.
            case file(FilePath)
            /// Read from its position on; stays open. A pipe will do.
            case descriptor(FileDescriptor)
            case bytes([UInt8])
        }

        package init(name: String, _ content: Content) {
            self.name = name
            self.content = content
        }
    }

    /// The first bytes of a file that are enough to recognise it.
    package static let headBytes = Capture.headBytes

    /// True for the first bytes of a file that can be imported.
    package static func isCapture(_ head: some Collection<UInt8>) -> Bool { Capture.isCapture(head) }

    /// What a file is that holds keys in a form that is not read, and what to record in its place; `nil` for others.
    package static func foreignWords(_ head: [UInt8]) -> String? { ForeignInput.words(head) }

    /// Reads the inputs, then writes the trace: the sink gets nothing unless a keyboard was found.
    /// Throws `ImportError` for an input that is no capture, and what the sink throws.
    package func run(_ inputs: [Input], to sink: @escaping TraceWriter.Sink) throws -> ImportResult {
        var captures: [JoinedCaptures.Named] = []
        for input in inputs { captures.append(.init(name: input.name, capture: try read(input))) }
        let joined = try JoinedCaptures(captures)
        let damage = joined.damage
        guard !joined.devices.isEmpty else {
            return .noKeyboard(NoKeyboard(reason: joined.reasonForNone, damage: damage))
        }
        let chosen = joined.devices.filter { device in
            selection.isEmpty || selection.contains { $0.matches(device) }
        }
        guard !chosen.isEmpty else {
            let asked = selection.map(\.description).joined(separator: ", ")
            let there = joined.devices.map { "\($0.id) (\(CaptureImporter.place(of: $0)))" }
            return .noKeyboard(
                NoKeyboard(
                    reason: "no keyboard is \(asked); there are \(there.joined(separator: ", "))", damage: damage))
        }
        return .imported(try write(joined, chosen, to: sink))
    }

    private func read(_ input: Input) throws(ImportError) -> Capture {
        do throws(CaptureError) {
            switch input.content {
            case .file(let path): return try Capture(path, options: options)
            case .descriptor(let descriptor): return try Capture(reading: descriptor, options: options)
            case .bytes(let bytes): return try Capture(bytes: bytes, options: options)
            }
        } catch {
            var code: Int32?
            if case .system(let number, _) = error { code = number }
            throw ImportError(input: input.name, reason: error.description, systemCode: code)
        }
    }

    private func write(
        _ joined: JoinedCaptures, _ chosen: [CaptureDevice], to sink: @escaping TraceWriter.Sink
    ) throws -> ImportSummary {
        var bytes = 0
        let name = joined.name
        var writer = try TraceWriter(header: TraceHeader(level: .keys, isMasked: !showsKeys)) { [traceLimit] in
            bytes += $0.count
            guard bytes <= traceLimit else {
                throw ImportError(
                    input: name, reason: "trace: expected at most \(traceLimit >> 20) MiB in memory; use import first")
            }
            try sink($0)
        }
        var definitions = TraceDefinitions()
        for clock in joined.clocks { try writer.append(.clock(clock), at: .zero, definitions: definitions) }
        let devices = chosen.map { CaptureImporter.record($0, source: joined.source(of: $0)) }
        for device in devices { try writer.append(.device(device), at: .zero, definitions: definitions) }
        for device in chosen where reportsPollInterval {
            guard let interval = device.interval else { continue }
            let fact = EnvironmentRecord(name: "device\(device.id).bInterval", value: "\(interval)")
            try writer.append(.environment(fact), at: .zero, definitions: definitions)
        }
        for fact in facts { try writer.append(.environment(fact), at: .zero, definitions: definitions) }
        if let layout {
            let table = definitions.intern(layout.text)
            let record = LayoutRecord(name: layout.name, hash: layout.hash, table: table)
            try writer.append(.layout(record), at: .zero, definitions: definitions)
        }
        var recorder = MaskedKeyRecorder(showsKeys: showsKeys, isCapsLockOn: joined.isCapsLockOn)
        let windows = Set(chosen.filter { $0.source == .usbpcap }.map(\.id))
        var hasAltGr = false
        let totals = try joined.forEachBatch(of: Set(chosen.map(\.id))) { events throws(any Error) in
            hasAltGr = hasAltGr || events.contains { windows.contains($0.device) && $0.key.usage == .rightAlt }
            try recorder.record(events, into: &writer, definitions: definitions)
        }
        let end = max(joined.end, writer.lastTime)
        for device in chosen where device.idleReports > 0 {
            let idle = IdleRecord(device: device.id, reports: device.idleReports)
            try writer.append(.idle(idle), at: end, definitions: definitions)
        }
        for loss in joined.losses { try writer.append(.loss(loss), at: end, definitions: definitions) }
        try writer.finish()
        var summary = ImportSummary(devices: devices, packets: joined.packets)
        summary.presses = totals.reduce(0) { $0 + $1.presses }
        summary.keyEvents = totals.reduce(0) { $0 + $1.keyEvents }
        summary.syntheticReleases = totals.reduce(0) { $0 + $1.syntheticReleases }
        summary.idleReports = chosen.reduce(0) { $0 + $1.idleReports }
        summary.damage = joined.damage
        summary.notes = joined.notes
        if hasAltGr, layout == nil {
            summary.notes.append("AltGr was pressed on Windows; --layout us:pc, de:pc and so on are layouts of a PC")
        }
        return summary
    }

    /// The name of a keyboard that reports none.
    private static func name(of device: CaptureDevice) -> String {
        device.adapter == nil ? "USB keyboard" : "Bluetooth keyboard"
    }

    /// The place as `--device` takes it.
    private static func place(of device: CaptureDevice) -> String {
        let numbers = [device.bus ?? device.adapter ?? 0, device.address ?? device.handle ?? 0].map { "\($0)" }
        return (numbers + (device.endpoint.map { ["0x" + String($0, radix: 16)] } ?? [])).joined(separator: ":")
    }

    /// `source`: what its clock is called where there are several; else its own name.
    static func record(_ device: CaptureDevice, source: String? = nil) -> DeviceRecord {
        var record = DeviceRecord(
            device: device.id, name: device.name ?? name(of: device),
            source: source ?? device.source.name)
        record.bus = device.bus.map(UInt32.init)
        record.address = device.address.map(UInt32.init)
        record.endpoint = device.endpoint.map(UInt32.init)
        record.adapter = device.adapter.map(UInt32.init)
        record.transport = device.transport?.name
        record.handle = device.handle.map(UInt32.init)
        record.attribute = device.attribute.map(UInt32.init)
        record.vendor = device.vendor.map(UInt32.init)
        record.product = device.product.map(UInt32.init)
        return record
    }
}
