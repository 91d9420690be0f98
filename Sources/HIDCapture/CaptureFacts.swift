/// The capture tools whose records hold keyboard reports.
public enum CaptureSource: UInt8, CaseIterable, Hashable, Sendable {
    /// Linux usbmon, link types 189 and 220.
    case usbmon
    /// USBPcap on Windows, link type 249.
    case usbpcap

    public var name: String {
        switch self {
        case .usbmon: "usbmon"
        case .usbpcap: "usbpcap"
        }
    }
}

/// How the reports of a keyboard are laid out, and how that is known.
public enum ReportLayoutOrigin: Hashable, Sendable {
    /// The keyboard's own report descriptor is in the capture.
    case reportDescriptor
    /// A descriptor in the capture calls the interface a boot keyboard (class 3, protocol 1).
    case bootProtocol
    /// No descriptor: the reports look like boot reports of a keyboard and like nothing else.
    case plausibility
}

/// One keyboard of a capture: one stream of reports in which a key changed.
public struct CaptureDevice: Hashable, Sendable {
    /// 1-based, in the order of the first key events.
    public var id: UInt16
    /// The product string, when the capture has it.
    public var name: String?
    public var source: CaptureSource
    public var bus: UInt16
    public var address: UInt8
    /// Endpoint address with the direction bit, such as 0x81.
    public var endpoint: UInt8
    public var vendor: UInt16?
    public var product: UInt16?
    public var layout: ReportLayoutOrigin
    /// Reports received, repeats of the same report included.
    public var reports: UInt64
    /// Reports that only repeated the one before them.
    public var idleReports: UInt64
}

/// A place where a capture is not what it should be. Everything whole around it was read.
public struct CaptureDamage: Hashable, Sendable {
    /// Where, in bytes from the start of the capture.
    public var offset: UInt64
    /// What was expected there and what was found.
    public var reason: String
    /// Packets that are known to be missing because of it; `nil` where nobody knows.
    public var lostPackets: UInt64?

    public init(offset: UInt64, reason: String, lostPackets: UInt64?) {
        self.offset = offset
        self.reason = reason
        self.lostPackets = lostPackets
    }
}

/// What the stamps of a capture say about the clock that made them.
public struct CaptureClock: Hashable, Sendable {
    /// Nanoseconds since 1970 of the first stamped packet, which is time 0; `nil` when no packet has a stamp.
    public var start: Int64?
    /// Time of the latest packet.
    public var end: Int64 = 0
    /// The smallest gap between two different successive stamps, in nanoseconds; `nil` below two stamps. Old
    /// USBPcap drivers tick every 15.6 ms, so shorter gaps between keys mean nothing there.
    public var smallestStep: UInt64?
    /// The largest number of nanoseconds that divides every gap.
    public var tick: UInt64?
    /// Stamps earlier than the stamp before them.
    public var backwardSteps: UInt64 = 0
    /// Packets without a stamp (simple packet blocks), which take the time of the packet before them.
    public var unstamped: UInt64 = 0
}

/// Facts about a capture as a whole.
public struct CaptureFacts: Hashable, Sendable {
    /// Packets of any kind that were whole.
    public var packets: UInt64 = 0
    /// Link types of the capture, ascending, each once.
    public var linkTypes: [UInt16] = []
    public var clock = CaptureClock()
    /// The first damage; later ones are counted in its `lostPackets` where they can be.
    public var damage: CaptureDamage?
    /// Interrupt reports that the capture's snapshot length cut short; they are not decoded.
    public var cutReports: UInt64 = 0
    /// Reports of streams beyond `CaptureLimits.streams`, not decoded.
    public var reportsOfExcessStreams: UInt64 = 0
    /// Report descriptors that could not be used, and why; the first few.
    public var refusedDescriptors: [String] = []
    /// Streams of interrupt reports that are no keyboard, or a keyboard on which no key changed.
    public var otherStreams = 0
    /// True when a descriptor announces a keyboard, whether or not a key of it changed.
    public var announcesKeyboard = false
    /// What the file is called when it holds Bluetooth packets, which are not read.
    public var bluetoothContainer: String?
}

/// What a capture may ask of memory. Each is far above what real captures hold.
public enum CaptureLimits {
    /// Streams of reports: (device, endpoint) pairs.
    public static let streams = 4096
    /// USB devices that are followed.
    public static let devices = 4096
    /// Bytes of one input report (the kernel's limit).
    public static let reportBytes = 16_384
    /// Keys of other pages than the keyboard page that one report may hold down.
    public static let otherKeys = 256
    /// Bytes of one report descriptor (the kernel's limit).
    public static let descriptorBytes = 4096
    /// Report descriptors kept per device.
    public static let descriptorsPerDevice = 32
    /// Control requests without an answer yet.
    public static let pendingRequests = 1024
    /// Bytes of one pcapng packet or interface block; longer ones are skipped and reported.
    public static let blockBytes = 4 << 20
    /// Interfaces of one pcapng section.
    public static let interfaces = 65_536
}

/// Why nothing could be read at all.
public enum CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes are no capture of a known container, or its header is damaged.
    case malformed(offset: UInt64, what: String, expected: String, found: String)
    /// The system refused a read; `code` is its errno.
    case system(code: Int32, operation: String)

    public var description: String {
        switch self {
        case .malformed(let offset, let what, let expected, let found):
            "byte \(offset): \(what): expected \(expected), found \(found)"
        case .system(let code, let operation):
            "\(operation): error \(code) of the system"
        }
    }
}
