import CPcap
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Classic pcap files, read by libpcap, which also puts usbmon headers of the other byte order right.
enum ClassicPcap {
    /// The magic numbers of microsecond and nanosecond files in both byte orders.
    static func isClassicPcap(_ magic: some Collection<UInt8>) -> Bool {
        [[0xD4, 0xC3, 0xB2, 0xA1], [0xA1, 0xB2, 0xC3, 0xD4], [0x4D, 0x3C, 0xB2, 0xA1], [0xA1, 0xB2, 0x3C, 0x4D]]
            .contains(Array(magic))
    }

    static let fileHeader = 24
    private static let recordHeader = 16

    /// Reads a regular file from the descriptor's position on; the descriptor stays open.
    static func read(_ descriptor: FileDescriptor, into traffic: CaptureTraffic) throws(CaptureError) {
        let own = dup(descriptor.rawValue)
        guard own >= 0 else { throw .system(code: errno, operation: "open") }
        guard let file = fdopen(own, "rb") else {
            let code = errno
            close(own)
            throw .system(code: code, operation: "open")
        }
        try read(file, into: traffic)
    }

    static func read(_ bytes: UnsafeRawBufferPointer, into traffic: CaptureTraffic) throws(CaptureError) {
        guard let address = bytes.baseAddress,
            let file = fmemopen(UnsafeMutableRawPointer(mutating: address), bytes.count, "rb")
        else { throw .system(code: errno, operation: "open") }
        try read(file, into: traffic)
    }

    /// Takes over the file.
    private static func read(_ file: UnsafeMutablePointer<FILE>, into traffic: CaptureTraffic) throws(CaptureError) {
        setvbuf(file, nil, _IOFBF, 1 << 18)
        let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(PCAP_ERRBUF_SIZE))
        defer { message.deallocate() }
        message[0] = 0
        guard
            let pcap = pcap_fopen_offline_with_tstamp_precision(file, UInt32(PCAP_TSTAMP_PRECISION_NANO), message)
        else {
            fclose(file)
            throw .malformed(
                offset: 0, what: "pcap file header", expected: "one that libpcap reads",
                found: String(cString: message))
        }
        defer { pcap_close(pcap) }
        let linkType = UInt16(truncatingIfNeeded: UInt32(bitPattern: pcap_datalink(pcap)))
        traffic.facts.linkTypes = [linkType]
        let reader = LinkType.Reader(linkType)
        if case .none = reader { return }
        readPackets(pcap, file, reader, traffic)
    }

    private static func readPackets(
        _ pcap: OpaquePointer, _ file: UnsafeMutablePointer<FILE>, _ reader: LinkType.Reader, _ traffic: CaptureTraffic
    ) {
        let snapshot = UInt32(bitPattern: pcap_snapshot(pcap))
        var header: UnsafeMutablePointer<pcap_pkthdr>?
        var data: UnsafePointer<UInt8>?
        var offset = UInt64(fileHeader)
        var packets: UInt64 = 0
        var result = pcap_next_ex(pcap, &header, &data)
        while result == 1, let packet = header?.pointee, let bytes = data {
            packets += 1
            // Seconds of a classic file are unsigned; the fraction is in nanoseconds by the precision asked for.
            let seconds = Int64(UInt32(truncatingIfNeeded: packet.ts.tv_sec))
            let time = traffic.time(of: seconds &* 1_000_000_000 &+ Int64(packet.ts.tv_usec))
            reader.read(
                UnsafeRawBufferPointer(start: bytes, count: Int(packet.caplen)), isBigEndian: false,
                isCut: packet.caplen < packet.len, time: time, into: traffic)
            if packet.caplen < snapshot {
                offset += UInt64(recordHeader) + UInt64(packet.caplen)
            } else {  // libpcap passes over what the record has beyond the snapshot length
                offset = UInt64(clamping: ftello(file))
            }
            result = pcap_next_ex(pcap, &header, &data)
        }
        traffic.facts.packets += packets
        if result == PCAP_ERROR {
            traffic.facts.damage = CaptureDamage(
                offset: offset, reason: "packet \(packets + 1): \(String(cString: pcap_geterr(pcap)))",
                lostPackets: nil)
        }
    }
}
