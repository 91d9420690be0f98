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
        let endpoint = 0x81 + report.interface
        let stamp = survey.stamp(change.time)
        let urb = USBCaptureWriter.urb(keyboard.address, endpoint)
        blocks.packet(
            UsbmonPacket(id: urb, isCompletion: true, transfer: 1, endpoint: endpoint, address: keyboard.address)
                .bytes(stamp, report.bytes), stamp: stamp, comment: survey.comment(change))
        // The host requests the next one.
        blocks.packet(
            UsbmonPacket(id: urb, isCompletion: false, transfer: 1, endpoint: endpoint, address: keyboard.address)
                .bytes(stamp, [], length: report.bytes.count), stamp: stamp)
        if blocks.bytes.count > 1 << 16 { try sink(blocks.takeBytes()) }
        return true
    }

    mutating func finish(leavingOut _: KeyExport.Omissions) throws { try sink(blocks.takeBytes()) }

    private static func urb(_ address: UInt8, _ endpoint: UInt8) -> UInt64 {
        0xFFFF_8880_0000_0000 | UInt64(address) << 16 | UInt64(endpoint) << 8
    }

    /// Writes a host's requests to a new keyboard, so that readers of the capture have its report descriptors.
    private mutating func enumerate(_ device: UInt16, _ address: UInt8, _ reports: USBReports) {
        let record = survey.known[device]
        let stamp = survey.stamp(survey.first ?? .zero)
        let identity = [record?.vendor ?? 0, record?.product ?? 0].map { UInt16(truncatingIfNeeded: $0) }
        let name = Array(survey.name(of: device).utf16)
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
            let setup: [UInt8] = [
                question.request, 6, UInt8(question.value & 0xFF), UInt8(question.value >> 8),
                UInt8(question.index & 0xFF), UInt8(question.index >> 8), UInt8(question.answer.count & 0xFF),
                UInt8(question.answer.count >> 8),
            ]
            var packet = UsbmonPacket(
                id: USBCaptureWriter.urb(address, 0x80), isCompletion: false, transfer: 2, endpoint: 0x80,
                address: address)
            packet.setup = setup
            blocks.packet(packet.bytes(stamp, [], length: question.answer.count), stamp: stamp)
            (packet.setup, packet.isCompletion) = (nil, true)
            blocks.packet(packet.bytes(stamp, question.answer), stamp: stamp)
        }
        for interface in reports.reportDescriptors.indices {
            let endpoint = 0x81 + UInt8(interface)
            let packet = UsbmonPacket(
                id: USBCaptureWriter.urb(address, endpoint), isCompletion: false, transfer: 1, endpoint: endpoint,
                address: address)
            blocks.packet(packet.bytes(stamp, [], length: 64), stamp: stamp)
        }
    }
}

/// A record of usbmon with its 64 header bytes (kernel, Documentation/usb/usbmon.rst), little-endian.
private struct UsbmonPacket {
    var id: UInt64
    var isCompletion: Bool
    /// 1 interrupt, 2 control.
    var transfer: UInt8
    var endpoint: UInt8
    var address: UInt8
    var setup: [UInt8]?

    /// `length`: of the buffer that a submission offers.
    func bytes(_ stamp: Int64, _ data: [UInt8], length: Int = 0) -> [UInt8] {
        var packet: [UInt8] = []
        func put(_ number: some FixedWidthInteger) { packet.append(littleEndian: number) }
        put(id)
        packet += [isCompletion ? 0x43 : 0x53, transfer, endpoint, address]
        put(UInt16(1))
        packet += [setup == nil ? 0x2D : 0, isCompletion ? 0 : 0x3C]
        put(stamp / 1_000_000_000)
        put(Int32(stamp % 1_000_000_000 / 1000))
        put(Int32(isCompletion ? 0 : -115))
        put(UInt32(isCompletion ? data.count : length))
        put(UInt32(data.count))
        packet += setup ?? Array(repeating: 0, count: 8)
        put(UInt32(transfer == 1 ? 1 : 0))
        put(UInt32(0))
        put(UInt32(0x200))
        put(UInt32(0))
        return packet + data
    }
}
