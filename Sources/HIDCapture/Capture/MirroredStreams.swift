import KeyModel

/// Finds streams that repeat the keys of another stream of the same device: some keyboards send every report on two
/// endpoints, a fraction of a millisecond apart (spec §2, composite keyboards), and usbmon0 has the transfers of each
/// usbmonN once more. Such keys count once.
struct MirroredStreams {
    private struct Event {
        var time: Int64
        var usage: KeyUsage
        var phase: KeyPhase
    }

    /// Events of a stream that are compared.
    private static let compared = 1000
    /// Events that two streams must have before they can be alike.
    private static let fewest = 4
    /// Nanoseconds that the second endpoint is behind at most.
    static let behind: Int64 = 2_000_000

    private let traffic: CaptureTraffic
    private let readers: [ReportReader?]

    init(_ traffic: CaptureTraffic, _ readers: [ReportReader?]) {
        self.traffic = traffic
        self.readers = readers
    }

    /// Streams to leave out, each with the one that has its keys.
    func find() -> [(mirror: Int, original: Int)] {
        var ofDevice: [Int: [Int]] = [:]
        for (index, reader) in readers.enumerated() where reader != nil {
            let stream = traffic.streams[index]
            if stream.nature != .events { ofDevice[stream.device, default: []].append(index) }
        }
        let groups = ofDevice.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
        guard !groups.isEmpty else { return [] }
        let events = events(of: Set(groups.joined()))
        var found: [(Int, Int)] = []
        for group in groups {
            // The one with the most events stays, of equals the first.
            let order = group.sorted { (events[$1]?.count ?? 0, $0) < (events[$0]?.count ?? 0, $1) }
            var kept: [Int] = []
            for stream in order.prefix(16) {
                if let original = kept.first(where: { isMirror(stream, of: $0, events) }) {
                    found.append((stream, original))
                } else {
                    kept.append(stream)
                }
            }
        }
        return found.sorted { $0.0 < $1.0 }
    }

    private func events(of wanted: Set<Int>) -> [Int: [Event]] {
        var events: [Int: [Event]] = [:]
        var streams = readers.map { $0.map(KeyboardStream.init) }
        traffic.store.forEach { report in
            let index = Int(report.pointee.stream)
            guard wanted.contains(index), report.pointee.length < StoredReport.keyEvent,
                events[index]?.count ?? 0 < MirroredStreams.compared
            else { return }
            let time = report.pointee.time
            streams[index]?.apply(report, in: traffic.store) { usage, phase in
                events[index, default: []].append(Event(time: time, usage: usage, phase: phase))
            }
        }
        return events
    }

    /// True when nearly all events of one stream are events of the other at nearly the same time.
    private func isMirror(_ mirror: Int, of original: Int, _ events: [Int: [Event]]) -> Bool {
        let (stream, other) = (events[mirror] ?? [], events[original] ?? [])
        var (compared, matched, first) = (0, 0, 0)
        // Beyond the compared part of the other one nothing is known.
        let end = other.count < MirroredStreams.compared ? Int64.max : other.last?.time ?? 0
        for event in stream where event.time <= end {
            compared += 1
            while first < other.count, event.time - other[first].time > MirroredStreams.behind { first += 1 }
            var at = first
            while at < other.count, other[at].time - event.time <= MirroredStreams.behind {
                if other[at].usage == event.usage, other[at].phase == event.phase {
                    matched += 1
                    break
                }
                at += 1
            }
        }
        // Of one endpoint a single event is enough.
        let isSame = traffic.streams[mirror].endpoint == traffic.streams[original].endpoint
        return compared >= (isSame ? 1 : MirroredStreams.fewest) && matched * 20 >= compared * 19
    }
}
