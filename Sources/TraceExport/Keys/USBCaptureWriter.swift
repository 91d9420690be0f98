import KeyModel
import TraceFormat

/// A pcapng of Linux usbmon (link type 220): of each keyboard the descriptors, then a report for each change of a key,
/// with a comment for each press.
struct USBCaptureWriter: KeyWriter {
    let takesRepeats = false
    private let sink: KeyExport.Sink
    private let survey: ExportSurvey
    private var blocks = PcapNGBlocks(linkType: 220, name: "keyflight")
    private var keyboards: [UInt16: (address: UInt8, reports: USBReports)] = [:]

    private static let mostKeyboards = 126
    /// UTF-16 units of a string descriptor, whose length is a byte and counts two header bytes (USB 2.0, 9.6.7).
    private static let longestName = 126

    init(_ survey: ExportSurvey, to sink: @escaping KeyExport.Sink) throws(ExportRefusal) {
        self.survey = survey
        self.sink = sink
        guard survey.devices.count <= USBCaptureWriter.mostKeyboards else {
            throw ExportRefusal(
                description: "keyboards: expected at most \(USBCaptureWriter.mostKeyboards), which is all that a USB "
                    + "bus has, found \(survey.devices.count); choose with --device")
        }
        for (index, device) in survey.devices.enumerated() {
            let reports = USBReports(survey.keyboards[device] ?? .init())
            keyboards[device] = (UInt8(index + 1), reports)
            enumerate(device, UInt8(index + 1), reports)
        }
    }

    mutating func write(_ change: KeyChange) throws -> Bool {
        guard let keyboard = keyboards[change.device],
            let report = keyboards[change.device]?.reports.report(change)
        else { return false }
        let stamp = survey.stamp(change.time)
        var packet = UsbmonPacket(address: keyboard.address, endpoint: 0x81 + report.interface, isCompletion: true)
        blocks.packet(packet.bytes(stamp, report.bytes), stamp: stamp, comment: survey.comment(change))
        // The host requests the next one.
        packet.isCompletion = false
        blocks.packet(packet.bytes(stamp, [], length: report.bytes.count), stamp: stamp)
        if blocks.bytes.count > 1 << 16 { try sink(blocks.takeBytes()) }
        return true
    }

    mutating func finish(leavingOut _: KeyExport.Omissions) throws { try sink(blocks.takeBytes()) }

    /// Writes a host's requests to a new keyboard, so that readers of the capture have its report descriptors.
    private mutating func enumerate(_ device: UInt16, _ address: UInt8, _ reports: USBReports) {
        let record = survey.known[device]
        let stamp = survey.stamp(survey.first ?? .zero)
        let identity = [record?.vendor ?? 0, record?.product ?? 0].map { UInt16(truncatingIfNeeded: $0) }
        var name = Array(survey.name(of: device).utf16.prefix(USBCaptureWriter.longestName))
        if let last = name.last, UTF16.isLeadSurrogate(last) { name.removeLast() }
        var questions: [(request: UInt8, value: UInt16, index: UInt16, answer: [UInt8])] = [
            (0x80, 0x0100, 0, reports.deviceDescriptor(vendor: identity[0], product: identity[1])),
            (0x80, 0x0200, 0, reports.configurationDescriptor),
            (
                0x80, 0x0302, 0x0409,
                [UInt8(2 + 2 * name.count), 3] + name.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            ),
        ]
        for (interface, descriptor) in reports.reportDescriptors.enumerated() {
            questions.append((0x81, 0x2200, UInt16(interface), descriptor))
        }
        for question in questions {
            var setup: [UInt8] = [question.request, 6]
            for word in [question.value, question.index, UInt16(question.answer.count)] {
                setup.append(littleEndian: word)
            }
            var packet = UsbmonPacket(address: address, endpoint: UsbmonPacket.control, setup: setup)
            blocks.packet(packet.bytes(stamp, [], length: question.answer.count), stamp: stamp)
            (packet.setup, packet.isCompletion) = (nil, true)
            blocks.packet(packet.bytes(stamp, question.answer), stamp: stamp)
        }
        for interface in reports.reportDescriptors.indices {
            let packet = UsbmonPacket(address: address, endpoint: 0x81 + UInt8(interface))
            blocks.packet(packet.bytes(stamp, [], length: 64), stamp: stamp)
        }
    }
}

/// A record of usbmon with its 64 header bytes (kernel, Documentation/usb/usbmon.rst), little-endian.
private struct UsbmonPacket {
    var address: UInt8
    /// `control`, or one of interrupts.
    var endpoint: UInt8
    var isCompletion = false
    var setup: [UInt8]?

    static let control: UInt8 = 0x80

    /// `length`: of the buffer that a submission offers.
    func bytes(_ stamp: Int64, _ data: [UInt8], length: Int = 0) -> [UInt8] {
        var packet: [UInt8] = []
        func put(_ number: some FixedWidthInteger) { packet.append(littleEndian: number) }
        put(0xFFFF_8880_0000_0000 | UInt64(address) << 16 | UInt64(endpoint) << 8)
        packet += [isCompletion ? 0x43 : 0x53, endpoint == UsbmonPacket.control ? 2 : 1, endpoint, address]
        put(UInt16(1))
        packet += [setup == nil ? 0x2D : 0, isCompletion ? 0 : 0x3C]
        put(stamp / 1_000_000_000)
        put(Int32(stamp % 1_000_000_000 / 1000))
        put(Int32(isCompletion ? 0 : -115))
        put(UInt32(isCompletion ? data.count : length))
        put(UInt32(data.count))
        packet += setup ?? Array(repeating: 0, count: 8)
        put(UInt32(endpoint == UsbmonPacket.control ? 0 : 1))
        put(UInt32(0))
        put(UInt32(0x200))
        put(UInt32(0))
        return packet + data
    }
}
