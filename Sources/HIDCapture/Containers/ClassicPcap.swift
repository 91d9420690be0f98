import CPcap
import Libc

/// Classic pcap files (libpcap, pcap-savefile(5)). libpcap judges the file header: which versions, link types and
/// snapshot lengths there are. The records are walked here, in the window of the input, for a fraction of its calls.
enum ClassicPcap {
    /// The magic numbers of microsecond and nanosecond files in both byte orders.
    static func isClassicPcap(_ magic: some Collection<UInt8>) -> Bool {
        [[0xD4, 0xC3, 0xB2, 0xA1], [0xA1, 0xB2, 0xC3, 0xD4], [0x4D, 0x3C, 0xB2, 0xA1], [0xA1, 0xB2, 0x3C, 0x4D]]
            .contains(Array(magic))
    }

    static let fileHeader = 24
    private static let recordHeader = 16

    /// Longer records are no packets: libpcap's largest snapshot length.
    private static let longestRecord: UInt32 = 128 << 20

    /// Reads the file from its header on.
    static func read(_ input: CaptureInput, into traffic: CaptureTraffic) throws(CaptureError) {
        let form = try Form(header: try input.head(fileHeader))
        traffic.facts.linkTypes = [form.linkType]
        let reader = LinkType.Reader(form.linkType)
        if case .none = reader { return }
        input.consume(fileHeader)
        try readRecords(input, form, reader, traffic)
    }

    /// The form of the records, as the file header gives it.
    private struct Form {
        let linkType: UInt16
        let snapshot: UInt32
        let isBigEndian: Bool
        let nanosecondsPerUnit: Int64
        /// Some files of version 2.3 have the two lengths of a record the other way round: the smaller one is that of
        /// the captured bytes.
        let mayHaveLengthsSwapped: Bool

        init(header: [UInt8]) throws(CaptureError) {
            isBigEndian = header.first == 0xA1
            nanosecondsPerUnit = header.prefix(4).contains(0x4D) ? 1 : 1000
            let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(header.count, 1))
            let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(PCAP_ERRBUF_SIZE))
            defer {
                copy.deallocate()
                message.deallocate()
            }
            copy.initialize(from: header, count: header.count)
            message[0] = 0
            guard let file = fmemopen(copy, header.count, "rb") else {
                throw .system(code: errno, operation: "open")
            }
            // Once it has taken the file, libpcap closes it.
            guard let pcap = keyflight_pcap_fopen_offline(file, message) else {
                fclose(file)
                throw .malformed(
                    offset: 0, what: "pcap file header", expected: "one that libpcap reads",
                    found: String(cString: message))
            }
            linkType = UInt16(truncatingIfNeeded: UInt32(bitPattern: keyflight_pcap_datalink(pcap)))
            snapshot = UInt32(bitPattern: max(0, keyflight_pcap_snapshot(pcap)))
            let version = (major: keyflight_pcap_major_version(pcap), minor: keyflight_pcap_minor_version(pcap))
            keyflight_pcap_close(pcap)
            guard version.major == 2, version.minor >= 3 else {
                throw .malformed(
                    offset: 4, what: "pcap version", expected: "2.3 or later, as tcpdump -r OLD -w NEW writes",
                    found: "\(version.major).\(version.minor)")
            }
            mayHaveLengthsSwapped = version.minor == 3
        }

        /// The number of bytes of a packet that were captured, and its original length.
        @inline(__always)
        static func lengths(
            of record: UnsafeRawPointer, mayBeSwapped: Bool, isBigEndian: Bool
        ) -> (captured: UInt32, all: UInt32) {
            let first = record.integer(8, as: UInt32.self, isBigEndian: isBigEndian)
            let last = record.integer(12, as: UInt32.self, isBigEndian: isBigEndian)
            return mayBeSwapped ? (min(first, last), max(first, last)) : (first, last)
        }

        /// Nanoseconds since 1970. The seconds are unsigned.
        @inline(__always)
        func stamp(of record: UnsafeRawPointer, isBigEndian: Bool) -> Int64 {
            let seconds = Int64(record.integer(0, as: UInt32.self, isBigEndian: isBigEndian))
            let fraction = Int64(record.integer(4, as: Int32.self, isBigEndian: isBigEndian))
            return seconds &* 1_000_000_000 &+ fraction &* nanosecondsPerUnit
        }
    }

    private static func readRecords(
        _ input: CaptureInput, _ form: Form, _ reader: LinkType.Reader, _ traffic: CaptureTraffic
    ) throws(CaptureError) {
        var packets: UInt64 = 0
        defer { traffic.facts.packets += packets }
        var wanted = recordHeader
        while true {
            let window = try input.window(wanted)
            guard window.count >= wanted, let start = window.baseAddress else { break }
            let at: Int
            if case .usbmon(let header) = reader, !form.isBigEndian, !form.mayHaveLengthsSwapped {
                // Nearly all captures of keyboards: what is known of them is not asked again for each packet.
                (at, wanted) = walk(window, start, form, mayBeSwapped: false, isBigEndian: false, traffic, &packets) {
                    USBMonRecord.read($0, header: header, isBigEndian: false, isCut: $1, time: $2, into: traffic)
                }
            } else {
                (at, wanted) = walk(
                    window, start, form, mayBeSwapped: form.mayHaveLengthsSwapped, isBigEndian: form.isBigEndian,
                    traffic, &packets
                ) { reader.read($0, isBigEndian: form.isBigEndian, isCut: $1, time: $2, into: traffic) }
            }
            input.consume(at)
            if wanted > recordHeader + CaptureLimits.blockBytes {
                guard try skipLongRecord(wanted, input, form, packets + 1, traffic) else { return }
                packets += 1
                wanted = recordHeader
            }
        }
        guard input.remaining > 0 else { return }
        traffic.noteDamage(at: input.offset, "packet \(packets + 1)", "\(wanted) bytes", "\(input.remaining)")
    }

    /// Hands over the packets that are whole in the window. Returns how many bytes they take, and how many are wanted
    /// to go on.
    @inline(__always) private static func walk(
        _ window: UnsafeRawBufferPointer, _ start: UnsafeRawPointer, _ form: Form, mayBeSwapped: Bool,
        isBigEndian: Bool, _ traffic: CaptureTraffic, _ packets: inout UInt64,
        _ body: (_ packet: UnsafeRawBufferPointer, _ isCut: Bool, _ time: Int64) -> Void
    ) -> (taken: Int, wanted: Int) {
        var at = 0
        while window.count - at >= recordHeader {
            let record = start + at
            let (captured, all) = Form.lengths(of: record, mayBeSwapped: mayBeSwapped, isBigEndian: isBigEndian)
            let whole = recordHeader + Int(captured)
            guard captured <= CaptureLimits.blockBytes, whole <= window.count - at else { return (at, whole) }
            // Bytes of a record beyond the snapshot length are not the packet's.
            let kept = min(captured, form.snapshot)
            body(
                UnsafeRawBufferPointer(start: record + recordHeader, count: Int(kept)), kept < all,
                traffic.time(of: form.stamp(of: record, isBigEndian: isBigEndian)))
            packets += 1
            at += whole
        }
        return (at, recordHeader)
    }

    /// Passes over a record that is too long for a keyboard's; false when the file cannot be read on.
    private static func skipLongRecord(
        _ length: Int, _ input: CaptureInput, _ form: Form, _ number: UInt64, _ traffic: CaptureTraffic
    ) throws(CaptureError) -> Bool {
        let offset = input.offset
        guard length <= recordHeader + Int(longestRecord) else {
            traffic.noteDamage(
                at: offset, "packet \(number): captured length", "at most \(longestRecord)", "\(length - recordHeader)")
            return false
        }
        if let record = try input.peek(recordHeader)?.baseAddress {
            _ = traffic.time(of: form.stamp(of: record, isBigEndian: form.isBigEndian))
        }
        guard try input.skip(UInt64(length)) else {
            traffic.noteDamage(at: offset, "packet \(number)", "\(length) bytes", "\(input.offset - offset)")
            return false
        }
        return true
    }
}
