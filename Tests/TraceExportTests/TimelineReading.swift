import Foundation

@testable import TraceExport

/// A timeline in Perfetto's or Chrome's form, read back into plain slices.
struct TimelineReading {
    struct Slice {
        var name: String
        var category: String
        var track: String
        var begin: Int64
        var end: Int64
        var facts: [String: String]
        /// Slices of its track that it lies in.
        var depth: Int
        var arrow: UInt64?
    }

    var slices: [Slice] = []
    var presses: [Slice] = []
    var moments: [Slice] = []
    var counts: [String: [(time: Int64, value: Int64)]] = [:]
    /// Numbers of arrows that leave, and that arrive.
    var leaving: [UInt64] = []
    var arriving: [UInt64] = []
    /// What does not fit the form.
    var faults: [String] = []

    func sum(_ name: String) -> Int64 {
        slices.filter { $0.category == "stage" && $0.name == name }.reduce(0) { $0 + ($1.end - $1.begin) }
    }

    /// Slices of one track lie inside each other or apart, in the order in which they are told.
    private mutating func nest(_ described: [Slice]) {
        var open: [String: [Int64]] = [:]
        let sorted = described.enumerated().sorted { ($0.element.begin, $0.offset) < ($1.element.begin, $1.offset) }
        for slice in sorted.map(\.element) {
            var slice = slice
            while let end = open[slice.track]?.last, end <= slice.begin { open[slice.track]?.removeLast() }
            if let end = open[slice.track]?.last, slice.end > end {
                faults.append("\(slice.track): \(slice.name) at \(slice.begin) ends at \(slice.end), after \(end)")
            }
            slice.depth = open[slice.track]?.count ?? 0
            open[slice.track, default: []].append(slice.end)
            slices.append(slice)
        }
    }
}

// MARK: Perfetto

extension TimelineReading {
    init(perfetto bytes: [UInt8]) throws {
        var names = Names()
        var tracks: [UInt64: String] = [:]
        var open: [UInt64: [Slice]] = [:]
        var done: [(order: Int, slice: Slice)] = []
        var order = 0
        for packet in try ProtobufReading(bytes, as: "Trace").messages("packet") {
            if packet.numbers("sequence_flags").contains(where: { $0 & 1 != 0 }) { names = Names() }
            packet.messages("interned_data").forEach { names.learn($0) }
            for track in packet.messages("track_descriptor") { tracks[track.numbers("uuid")[0]] = track.text("name") }
            guard let event = packet.messages("track_event").first else { continue }
            let time = Int64(clamping: packet.numbers("timestamp")[0])
            let track = event.numbers("track_uuid")[0]
            if tracks[track] == nil { faults.append("track \(track) is used before it is declared") }
            let (flows, ends) = (event.numbers("flow_ids"), event.numbers("terminating_flow_ids"))
            leaving += flows
            arriving += ends
            switch event.numbers("type").first {
            case 4:
                let value = Int64(bitPattern: event.numbers("counter_value")[0])
                counts[tracks[track] ?? "", default: []].append((time, value))
            case 2:
                guard var slice = open[track]?.popLast() else {
                    faults.append("an end without a begin on \(track)")
                    continue
                }
                slice.end = time
                done.append((slice.depth, slice))
            case let type:
                let slice = Slice(
                    name: names.entry("event_names", event.numbers("name_iid"), &faults),
                    category: names.entry("event_categories", event.numbers("category_iids"), &faults),
                    track: tracks[track] ?? "", begin: time, end: time, facts: names.facts(event, &faults),
                    depth: order, arrow: flows.first ?? ends.first)
                order += 1
                if type == 3 { moments.append(slice) } else { open[track, default: []].append(slice) }
            }
        }
        for (track, left) in open where !left.isEmpty {
            faults.append("\(left.count) begins without an end on \(track)")
        }
        let sorted = done.sorted { $0.order < $1.order }.map(\.slice)
        presses = sorted.filter { $0.category == "press" }
        nest(sorted.filter { $0.category != "press" })
    }

    /// The entries of `InternedData`, by list and number.
    private struct Names {
        var lists: [String: [UInt64: String]] = [:]

        mutating func learn(_ data: ProtobufReading) {
            for list in data.fields {
                guard case .message(let entry) = list.value else { continue }
                lists[list.name, default: [:]][entry.numbers("iid")[0]] = entry.text("name") + entry.text("str")
            }
        }

        func entry(_ list: String, _ numbers: [UInt64], _ faults: inout [String]) -> String {
            guard let number = numbers.first, let found = lists[list]?[number] else {
                faults.append("\(list) has no entry \(numbers)")
                return ""
            }
            return found
        }

        func facts(_ event: ProtobufReading, _ faults: inout [String]) -> [String: String] {
            var facts: [String: String] = [:]
            for annotation in event.messages("debug_annotations") {
                let name = entry("debug_annotation_names", annotation.numbers("name_iid"), &faults)
                for value in annotation.fields {
                    guard case .number(let number) = value.value else { continue }
                    switch value.name {
                    case "string_value_iid":
                        facts[name] = entry("debug_annotation_string_values", [number], &faults)
                    case "int_value": facts[name] = "\(Int64(bitPattern: number))"
                    case "bool_value": facts[name] = "\(number != 0)"
                    default: break
                    }
                }
                if facts[name] == nil { faults.append("\(name) has no value") }
            }
            return facts
        }
    }
}

// MARK: Chrome

extension TimelineReading {
    init(chrome bytes: [UInt8]) throws {
        guard
            let file = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
            let events = file["traceEvents"] as? [[String: Any]]
        else {
            faults.append("no trace events")
            return
        }
        var tracks: [Int: String] = [:]
        var open: [String: Slice] = [:]
        var described: [Slice] = []
        for event in events {
            let phase = event["ph"] as? String ?? ""
            let name = event["name"] as? String ?? ""
            let id = (event["id"] as? String).flatMap { UInt64($0.dropFirst(2), radix: 16) }
            let thread = event["tid"] as? Int ?? 0
            let facts = (event["args"] as? [String: Any] ?? [:]).mapValues { "\($0)" }
            let begin = TimelineReading.nanoseconds(event["ts"])
            var slice = Slice(
                name: name, category: event["cat"] as? String ?? "", track: tracks[thread] ?? "", begin: begin,
                end: begin, facts: facts, depth: 0, arrow: id)
            switch phase {
            case "M": if name == "thread_name" { tracks[thread] = facts["name"] }
            case "X":
                slice.end = begin + TimelineReading.nanoseconds(event["dur"])
                if tracks[thread] == nil { faults.append("thread \(thread) has no name") }
                described.append(slice)
            case "b": open["\(id ?? 0) \(name)"] = slice
            case "e":
                if var press = open.removeValue(forKey: "\(id ?? 0) \(name)") {
                    press.end = begin
                    presses.append(press)
                } else {
                    faults.append("\(name) ends without a begin")
                }
            case "s": leaving.append(id ?? 0)
            case "f": arriving.append(id ?? 0)
            case "C": counts[name, default: []].append((begin, Int64(facts["count"] ?? "") ?? -1))
            case "i": moments.append(slice)
            default: faults.append("phase \(phase)")
            }
        }
        if !open.isEmpty { faults.append("\(open.count) presses never end") }
        nest(described)
    }

    private static func nanoseconds(_ value: Any?) -> Int64 {
        guard let number = value as? NSNumber else { return -1 }
        return Int64((number.doubleValue * 1000).rounded())
    }
}
