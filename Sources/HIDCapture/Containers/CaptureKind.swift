
/// Kinds of files of keyboard input, by their content (spec §1).
enum CaptureKind: Hashable {
    case pcap
    case pcapng
    case btsnoop
    case packetLogger(isBigEndian: Bool)
    case usbmonText
    case evemu
    case evtest
    case libinput
    case hidRecorder
    /// Raw `struct input_event` records of this many bytes.
    case inputEvents(record: Int)
    /// Any of the others, packed.
    case gzip

    /// Bytes that are looked at: a few are enough, but what people paste may be behind prose.
    static let headBytes = 1 << 16

    /// Tries the kinds in an order in which no kind's files are taken for another's.
    init?(head: [UInt8]) {
        let magic = Array(head.prefix(4))
        if ClassicPcap.isClassicPcap(magic) {
            self = .pcap
        } else if magic == PcapNG.sectionMagic {
            self = .pcapng
        } else if head.starts(with: Btsnoop.magic) {
            self = .btsnoop
        } else if head.starts(with: PackedCapture.magic) {
            self = .gzip
        } else if let kind = CaptureKind(text: head) {
            self = kind
        } else if let record = InputEventFile.recordBytes(head) {
            self = .inputEvents(record: record)
        } else if let isBigEndian = PacketLogger.byteOrder(head) {
            self = .packetLogger(isBigEndian: isBigEndian)
        } else {
            return nil
        }
    }

    private init?(text head: [UInt8]) {
        guard !head.prefix(4096).contains(0) else { return nil }
        if LibinputRecording.isOne(head) {
            self = .libinput
        } else if EvemuRecording.isOne(head) {
            self = .evemu
        } else if HIDRecording.isOne(head) {
            self = .hidRecorder
        } else if USBMonText.isOne(head) {
            self = .usbmonText
        } else if EvtestRecording.isOne(head) {
            self = .evtest
        } else {
            return nil
        }
    }

    static func read(_ input: CaptureInput, into traffic: CaptureTraffic) throws(CaptureError) {
        let head = try input.head(headBytes)
        guard let kind = CaptureKind(head: head) else {
            throw .malformed(
                offset: 0, what: "file", expected: "a capture or recording of a keyboard", found: words(head))
        }
        try kind.read(input, into: traffic)
    }

    /// What a file is that is no capture, as far as it is known.
    static func words(_ head: [UInt8]) -> String {
        ForeignInput.words(head) ?? (head.count < 4 ? "\(head.count) bytes" : hexadecimal(head.prefix(4)))
    }

    /// Reads a file of this kind.
    func read(_ input: CaptureInput, into traffic: CaptureTraffic) throws(CaptureError) {
        switch self {
        case .pcap: try ClassicPcap.read(input, into: traffic)
        case .pcapng:
            var reader = PcapNG(input, into: traffic)
            try reader.read()
        case .btsnoop: try Btsnoop.read(input, into: traffic)
        case .packetLogger(let isBigEndian): try PacketLogger.read(input, isBigEndian: isBigEndian, into: traffic)
        case .usbmonText: try USBMonText.read(input, into: traffic)
        case .gzip: try PackedCapture.read(input, into: traffic)
        case .evtest: try EvtestRecording.read(input, into: traffic)
        case .evemu: try EvemuRecording.read(input, into: traffic)
        case .libinput: try LibinputRecording.read(input, into: traffic)
        case .hidRecorder: try HIDRecording.read(input, into: traffic)
        case .inputEvents(let record): try InputEventFile.read(input, record: record, into: traffic)
        }
    }
}
