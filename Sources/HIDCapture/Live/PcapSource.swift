import CPcap
package import KeyModel
import Libc

/// An interface that libpcap captures on: usbmon or bluetooth-monitor (spec §6).
///
/// It never blocks: usbmon ignores the read timeout, so the descriptor is polled. Each packet is handed over at once
/// (immediate mode). The ring of usbmon follows from the snapshot length, which therefore is the largest.
package final class PcapSource: LiveSource {
    package let name: String
    package private(set) var descriptor: Int32 = -1
    package let kind: CaptureSource
    package private(set) var notes: [String] = []
    package var devices: [CaptureDevice] { live.devices }
    package var isCapsLockOn: Bool? { nil }
    package var granularity: UInt64? { live.traffic.stamps.facts.smallestStep }
    package var backwardSteps: UInt64 { live.traffic.stamps.facts.backwardSteps }
    /// Packets so far.
    package var packets: UInt64 { live.traffic.facts.packets }

    private var pcap: OpaquePointer?
    private let reader: LinkType.Reader
    private let isNanosecond: Bool
    private let live = LiveTraffic()
    private let system: USBDeviceFiles
    private var explained: Set<UInt64> = []
    private var droppedBefore: UInt64 = 0

    private static let snapshot: Int32 = 262_144

    /// Begins to capture. `root`: the folder of /sys, which knows what is plugged in.
    package init(interface name: String, root: String = "") throws(LiveFailure) {
        self.name = name
        system = USBDeviceFiles(root: root)
        guard !SystemFiles(root: root).exists("/sys/class/net/\(name)") else {
            throw LiveFailure(
                source: name, reason: .unusable("a network, of which no keys are read"),
                remedy: "keyflight devices lists the keyboards with their usbmonN and input device")
        }
        let isUSB = name.hasPrefix("usbmon")
        let opened = try PcapSource.open(name)
        (pcap, isNanosecond) = (opened.handle, opened.isNanosecond)
        let linkType = UInt16(truncatingIfNeeded: UInt32(bitPattern: keyflight_pcap_datalink(opened.handle)))
        reader = LinkType.Reader(linkType)
        kind = isUSB ? .usbmon : .bluetooth
        if case .none = reader {
            keyflight_pcap_close(opened.handle)
            pcap = nil
            throw LiveFailure(
                source: name, reason: .unusable("packets of link type \(linkType), which hold no keys that are read"))
        }
        descriptor = keyflight_pcap_get_selectable_fd(opened.handle)
        live.traffic.facts.linkTypes = [linkType]
        if isUSB { live.explain = { [unowned self] in explain($0) } }
    }

    deinit { close() }

    private static func open(_ name: String) throws(LiveFailure) -> (handle: OpaquePointer, isNanosecond: Bool) {
        let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(PCAP_ERRBUF_SIZE))
        defer { message.deallocate() }
        message[0] = 0
        guard let pcap = keyflight_pcap_create(name, message) else {
            throw LiveFailure(source: name, reason: .unusable(String(cString: message)))
        }
        keyflight_pcap_set_snaplen(pcap, snapshot)
        keyflight_pcap_set_promisc(pcap, 0)
        keyflight_pcap_set_immediate_mode(pcap, 1)
        keyflight_pcap_set_timeout(pcap, 10)
        let isNanosecond = keyflight_pcap_set_tstamp_precision(pcap, PCAP_TSTAMP_PRECISION_NANO) == 0
        let result = keyflight_pcap_activate(pcap)
        guard result >= 0 else {
            let words = String(cString: keyflight_pcap_geterr(pcap))
            keyflight_pcap_close(pcap)
            throw failure(name, result, words)
        }
        guard keyflight_pcap_setnonblock(pcap, 1, message) == 0, keyflight_pcap_get_selectable_fd(pcap) >= 0 else {
            keyflight_pcap_close(pcap)
            throw LiveFailure(source: name, reason: .unusable("an interface that cannot be polled"))
        }
        return (pcap, isNanosecond && keyflight_pcap_get_tstamp_precision(pcap) == PCAP_TSTAMP_PRECISION_NANO)
    }

    /// libpcap reports the permission of bluetooth-monitor as an error of no kind before version 1.11.
    private static func failure(_ name: String, _ result: Int32, _ words: String) -> LiveFailure {
        let isForbidden =
            result == PCAP_ERROR_PERM_DENIED || words.contains("Operation not permitted")
            || words.contains("Permission denied")
        if isForbidden {
            return LiveFailure(source: name, reason: .permission, remedy: LiveRemedy.permission(interface: name))
        }
        let isMissing = result == PCAP_ERROR_NO_SUCH_DEVICE || words.contains("No such")
        if isMissing {
            return LiveFailure(source: name, reason: .noDevice, remedy: LiveRemedy.missing(interface: name))
        }
        return LiveFailure(source: name, reason: .unusable(words.isEmpty ? "error \(result) of libpcap" : words))
    }

    package func begin(at start: LiveMoment) {
        live.begin(at: start.realtime)
        guard kind == .usbmon else { return }
        system.describe(bus: UInt16(name.dropFirst("usbmon".count)) ?? 0, to: live.traffic)
    }

    /// A stream of a device that was not described: it may have come after the recording began.
    private func explain(_ place: StreamPlace) {
        guard explained.insert(place.deviceKey).inserted else { return }
        system.describe(bus: place.bus, address: place.address, to: live.traffic)
    }

    package func read(_ emit: (KeyEvent) -> Void) throws(LiveFailure) {
        // Bounded, so that a flood of packets leaves time for what else is to be done.
        for _ in 0..<64 {
            guard let pcap else { return }
            let context = Unmanaged.passUnretained(self).toOpaque().assumingMemoryBound(to: UInt8.self)
            let count = keyflight_pcap_dispatch(
                pcap, -1,
                { context, header, bytes in
                    guard let context, let header, let bytes else { return }
                    Unmanaged<PcapSource>.fromOpaque(context).takeUnretainedValue().packet(header.pointee, bytes)
                }, context)
            live.drain(emit)
            if count == 0 { return }
            if count < 0 {
                throw LiveFailure(source: name, reason: .gone, remedy: String(cString: keyflight_pcap_geterr(pcap)))
            }
        }
    }

    private func packet(_ header: pcap_pkthdr, _ bytes: UnsafePointer<UInt8>) {
        let fraction = Int64(header.ts.tv_usec) &* (isNanosecond ? 1 : 1000)
        let time = live.traffic.time(of: Int64(header.ts.tv_sec) &* 1_000_000_000 &+ fraction)
        live.traffic.facts.packets += 1
        reader.read(
            UnsafeRawBufferPointer(start: bytes, count: Int(header.caplen)), isBigEndian: false,
            isCut: header.caplen < header.len, time: time, into: live.traffic)
    }

    package func finish(_ emit: (KeyEvent) -> Void) {
        live.finish(emit)
        notes = live.traffic.facts.notes
        if live.traffic.facts.cutReports > 0 {
            notes.append("\(live.traffic.facts.cutReports) reports were longer than the ring takes, and are missing")
        }
    }

    package func takeLosses() -> [LiveLoss] {
        guard let pcap else { return [] }
        var statistics = pcap_stat()
        guard keyflight_pcap_stats(pcap, &statistics) == 0 else { return [] }
        let dropped = UInt64(statistics.ps_drop) + UInt64(statistics.ps_ifdrop)
        guard dropped > droppedBefore else { return [] }
        defer { droppedBefore = dropped }
        return [LiveLoss(count: dropped - droppedBefore, detail: "packets that found no room in the ring of \(name)")]
    }

    package func idleReports(of id: UInt16) -> UInt64 { live.idleReports(of: id) }

    package func close() {
        if let pcap { keyflight_pcap_close(pcap) }
        pcap = nil
        descriptor = -1
    }
}
