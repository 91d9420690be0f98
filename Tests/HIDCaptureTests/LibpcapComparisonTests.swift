import CPcap
import Foundation
import HIDCapture
import Testing

/// What libpcap reads of a file and what is read here are the same packets, wherever libpcap accepts the file.
struct LibpcapComparisonTests {
    struct Reading: Equatable, CustomStringConvertible {
        var packets: UInt64 = 0
        /// Nanoseconds of the first stamp and of the latest, counted from the first.
        var start: Int64?
        var end: Int64 = 0
        var isWhole = true

        var description: String { "\(packets) packets from \(start ?? -1) for \(end) ns\(isWhole ? "" : ", damaged")" }
    }

    /// `nil` when libpcap refuses the file, and the link type.
    static func byLibpcap(_ path: String) -> (linkType: UInt16, reading: Reading)? {
        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard
            let pcap = pcap_open_offline_with_tstamp_precision(path, UInt32(PCAP_TSTAMP_PRECISION_NANO), &message)
        else { return nil }
        defer { pcap_close(pcap) }
        var reading = Reading()
        var header: UnsafeMutablePointer<pcap_pkthdr>?
        var data: UnsafePointer<UInt8>?
        var result = pcap_next_ex(pcap, &header, &data)
        while result == 1, let packet = header?.pointee {
            reading.packets += 1
            let stamp = Int64(packet.ts.tv_sec) &* 1_000_000_000 &+ Int64(packet.ts.tv_usec)
            let start = reading.start ?? stamp
            reading.start = start
            reading.end = max(reading.end, stamp &- start)
            result = pcap_next_ex(pcap, &header, &data)
        }
        reading.isWhole = result == PCAP_ERROR_BREAK
        return (UInt16(truncatingIfNeeded: pcap_datalink(pcap)), reading)
    }

    static func captures(under folder: String) -> [String] {
        let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return all.filter { $0.hasSuffix(".pcap") || $0.hasSuffix(".pcapng") }.sorted().map { folder + "/" + $0 }
    }

    @Test("every pcap and pcapng that libpcap reads has the same packets at the same times here")
    func samePackets() throws {
        var folders = [RepositoryFiles.root + "/Traces/captures"]
        if let corpus = CorpusTests.folder { folders.append(corpus) }
        var compared = 0
        for path in folders.flatMap({ Self.captures(under: $0) }) {
            guard let (linkType, theirs) = Self.byLibpcap(path), Capture.reads(linkType: linkType) else { continue }
            // Of mixed link types libpcap reads no more than the first.
            if path.hasSuffix(".pcapng"), !theirs.isWhole { continue }
            let facts = try Capture(bytes: RepositoryFiles.bytes(of: path)).facts
            let ours = Reading(
                packets: facts.packets, start: facts.clock.start, end: facts.clock.end, isWhole: facts.damage == nil)
            #expect(ours == theirs, "\(path)")
            compared += 1
        }
        #expect(compared >= 5, "too few captures to compare in \(folders); are Traces/captures there?")
    }
}
