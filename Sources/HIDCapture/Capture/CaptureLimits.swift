/// Limits of the memory that a capture may need. Each is far above what real captures hold.
package enum CaptureLimits {
    /// Streams of reports: (device, endpoint) pairs.
    package static let streams = 4096
    /// USB devices that are followed.
    package static let devices = 4096
    /// Changed reports kept of a file, 24 bytes each; of a longer one they are read a second time.
    package static let reportsKept = 5 << 18
    /// Changed reports kept of what cannot be read a second time, such as a pipe, which may have no end.
    package static let reportsOfStream = 1 << 24
    /// The same of a packed capture, for whose bytes there is less memory.
    static let reportsKeptOfPacked = 1 << 18
    /// The same of the bytes of reports longer than eight.
    static let longBytesOfPacked = 4 << 20
    /// Bytes of a packed capture that comes from a pipe, and is kept in memory to be read twice.
    static let packedBytesOfStream = 1 << 28
    /// The number of reports of each stream, and of all, that are kept in any case, to recognise keyboards.
    package static let reportsToJudge = 4096
    static let reportsBeyond = 1 << 18
    /// Bytes of one input report (the kernel's limit).
    package static let reportBytes = 16_384
    /// Keys of other pages than the keyboard page that one report may hold down.
    package static let otherKeys = 256
    /// Bytes of one report descriptor (the kernel's limit).
    package static let descriptorBytes = 4096
    /// Report descriptors kept per device.
    package static let descriptorsPerDevice = 32
    /// Bytes of the report descriptors of all devices.
    static let descriptorBytesInAll = 8 << 20
    /// Key events of several captures that are joined, or as many as the captures have packets.
    package static let joinedEvents = 1 << 18
    /// Control requests without an answer yet.
    package static let pendingRequests = 1024
    /// Bytes of one pcapng packet or interface block; longer ones are skipped and reported.
    package static let blockBytes = 4 << 20
    /// Interfaces of one pcapng section.
    package static let interfaces = 65_536
    /// Notes and refusals kept.
    package static let notes = 16
    /// Bytes of a packed capture once it is unpacked, besides four times its own.
    static let unpackedBytes: UInt64 = 48 << 20
    /// Bytes of one line of a text; longer ones are skipped and counted.
    package static let lineBytes = 1 << 17
}
