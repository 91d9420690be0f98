package import KeyModel

/// Finds streams that repeat the keys of another stream of the same device: some keyboards send every report on two
/// endpoints, a fraction of a millisecond apart (spec §2, composite keyboards), and usbmon0 has the transfers of each
/// usbmonN once more. Such keys count once.
package struct MirroredStreams {
    /// Events of a stream that are compared, where all are of one interface of the capture, and of all streams.
    private static let compared = 1000
    private static let comparedInAll = 1 << 18
    /// Events that two streams must have before they can be alike.
    private static let fewest = 4
    /// Nanoseconds that the second endpoint is behind at most.
    package static let behind: Int64 = 2_000_000

    private let traffic: CaptureTraffic
    private let readers: [ReportReader?]

    init(_ traffic: CaptureTraffic, _ readers: [ReportReader?]) {
        self.traffic = traffic
        self.readers = readers
    }

    /// Streams of mirrors, each with the one that has its keys. An endpoint on several interfaces of the capture is one
    /// stream, since either may have what the other has not.
    func find() -> [(mirror: Int, original: Int)] {
        var ofDevice: [Int: [Int]] = [:]
        for (index, reader) in readers.enumerated() where reader != nil {
            let stream = traffic.streams[index]
            if stream.nature != .events { ofDevice[stream.device, default: []].append(index) }
        }
        let groups = ofDevice.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
        guard !groups.isEmpty else { return [] }
        let events = events(of: Set(groups.joined()))
        var originals: [Int: Int] = [:]
        for group in groups {
            // The one with the most events stays, of equals the first.
            let order = group.sorted { (events[$1]?.count ?? 0, $0) < (events[$0]?.count ?? 0, $1) }
            for (place, stream) in order.prefix(16).enumerated() {
                guard let other = order[..<place].first(where: { isMirror(stream, of: $0, events) }) else { continue }
                originals[stream] = originals[other] ?? other
            }
        }
        return originals.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func events(of wanted: Set<Int>) -> [Int: [KeyEvent]] {
        var events: [Int: [KeyEvent]] = [:]
        let most = MirroredStreams.comparedInAll / max(1, wanted.count)
        let limit = traffic.hasSeveralInterfaces ? most : min(most, MirroredStreams.compared)
        var streams = readers.map { $0.map(KeyboardStream.init) }
        traffic.store.forEach { report in
            let index = Int(report.pointee.stream)
            guard wanted.contains(index), report.pointee.length < StoredReport.keyEvent,
                events[index]?.count ?? 0 < limit
            else { return }
            let time = TraceTime(nanoseconds: report.pointee.time)
            streams[index]?.apply(report, in: traffic.store) { usage, phase in
                events[index, default: []].append(KeyEvent(time: time, key: .clear(usage), phase: phase))
            }
        }
        return events
    }

    /// True when the events of one stream are events of the other. An endpoint is the same where nothing speaks against
    /// it, such as a capture that was merged of two machines'.
    private func isMirror(_ mirror: Int, of original: Int, _ events: [Int: [KeyEvent]]) -> Bool {
        let isEndpoint = traffic.streams[mirror].endpoint == traffic.streams[original].endpoint
        return MirroredStreams.isSame(
            events[mirror] ?? [], events[original] ?? [], fewest: isEndpoint ? 0 : MirroredStreams.fewest)
    }

    /// True when nearly all events of one capture of a keyboard are events of another one at nearly the same time, as
    /// far as both go.
    package static func isSame(_ stream: [KeyEvent], _ other: [KeyEvent], fewest: Int = 1) -> Bool {
        guard let first = stream.first, let last = stream.last, let otherFirst = other.first, let otherLast = other.last
        else { return false }
        let (begin, end) = (max(first.time, otherFirst.time), min(last.time, otherLast.time))
        let compared = stream.filter { !$0.isSynthetic && $0.time >= begin && $0.time <= end }
        var times: [KeyPhase: [KeyIdentity: [TraceTime]]] = [:]
        for event in other { times[event.phase, default: [:]][event.key, default: []].append(event.time) }
        let missing = compared.filter { event in
            let times = times[event.phase]?[event.key] ?? []
            let at = times.indices.partitionPoint { event.time.since(times[$0]).nanoseconds > behind }
            return at == times.count || times[at].since(event.time).nanoseconds > behind
        }
        // What was held when one of them began goes down at its first report.
        let found = missing.count { $0.time == begin }
        return compared.count - found >= fewest && (missing.count - found) * 20 <= compared.count - found
    }
}
