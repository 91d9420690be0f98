import Foundation

/// A speedscope file, checked by its published rules: events in order, each frame closed before the one around it.
struct SpeedscopeReading {
    private(set) var length: Int64 = 0
    private(set) var faults: [String] = []
    private var totals: [String: Int64] = [:]
    /// Names of the frames that a frame was opened in.
    private(set) var parents: [String: Set<String>] = [:]
    /// For each frame at the bottom, in order: when it began, and how long it and each frame right inside it took.
    private(set) var begins: [Int64] = []
    private(set) var bottoms: [(name: String, length: Int64, inside: [(name: String, length: Int64)])] = []

    func total(of frame: String) -> Int64? { totals[frame] }

    init(_ bytes: [UInt8]) throws {
        let file = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
        let frames = ((file["shared"] as? [String: Any])?["frames"] as? [[String: Any]] ?? [])
            .map { $0["name"] as? String ?? "" }
        let profile = (file["profiles"] as? [[String: Any]])?.first ?? [:]
        let schema = "https://www.speedscope.app/file-format-schema.json"
        if file["$schema"] as? String != schema { faults.append("schema") }
        if profile["type"] as? String != "evented" || profile["unit"] as? String != "nanoseconds" {
            faults.append("type or unit")
        }
        length = (profile["endValue"] as? NSNumber)?.int64Value ?? -1
        var open: [(frame: Int, begin: Int64)] = []
        var last: Int64 = 0
        for event in profile["events"] as? [[String: Any]] ?? [] {
            guard let frame = event["frame"] as? Int, let time = (event["at"] as? NSNumber)?.int64Value,
                frames.indices.contains(frame)
            else {
                faults.append("an event without frame or time")
                continue
            }
            if time < last { faults.append("\(time) after \(last)") }
            last = time
            if event["type"] as? String == "O" {
                if let parent = open.last { parents[frames[frame], default: []].insert(frames[parent.frame]) }
                open.append((frame, time))
                if open.count == 1 {
                    begins.append(time)
                    bottoms.append((frames[frame], 0, []))
                }
                continue
            }
            guard let opened = open.popLast(), opened.frame == frame else {
                faults.append("\(frames[frame]) is closed, but is not the innermost frame")
                continue
            }
            totals[frames[frame], default: 0] += time - opened.begin
            let place = bottoms.count - 1
            if open.isEmpty { bottoms[place].length = time - opened.begin }
            if open.count == 1 { bottoms[place].inside.append((frames[frame], time - opened.begin)) }
        }
        if !open.isEmpty { faults.append("\(open.count) frames are never closed") }
        if last > length { faults.append("events go beyond the end") }
    }
}
