import Foundation
import SwiftProtobuf

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
        let trace = try Keyflight_Perfetto_Trace(serializedBytes: bytes)
        var names = Names()
        var tracks: [UInt64: Keyflight_Perfetto_TrackDescriptor] = [:]
        var open: [UInt64: [Slice]] = [:]
        var done: [(order: Int, slice: Slice)] = []
        var order = 0
        for packet in trace.packet {
            if packet.sequenceFlags & 1 != 0 { names = Names() }
            names.learn(packet.internedData)
            if case .trackDescriptor(let track)? = packet.data { tracks[track.uuid] = track }
            guard case .trackEvent(let event)? = packet.data else { continue }
            let time = Int64(clamping: packet.timestamp)
            let track = tracks[event.trackUuid]
            if track == nil { faults.append("track \(event.trackUuid) is used before it is declared") }
            leaving += event.flowIds
            arriving += event.terminatingFlowIds
            switch event.type {
            case .counter: counts[track?.name ?? "", default: []].append((time, event.counterValue))
            case .sliceEnd:
                guard var slice = open[event.trackUuid]?.popLast() else {
                    faults.append("an end without a begin on \(event.trackUuid)")
                    continue
                }
                slice.end = time
                done.append((slice.depth, slice))
            default:
                let slice = Slice(
                    name: names.event(event, &faults), category: names.category(event, &faults),
                    track: track?.name ?? "", begin: time, end: time, facts: names.facts(event, &faults), depth: order,
                    arrow: event.flowIds.first ?? event.terminatingFlowIds.first)
                order += 1
                if event.type == .instant {
                    moments.append(slice)
                } else {
                    open[event.trackUuid, default: []].append(slice)
                }
            }
        }
        for (track, left) in open where !left.isEmpty {
            faults.append("\(left.count) begins without an end on \(track)")
        }
        let sorted = done.sorted { $0.order < $1.order }.map(\.slice)
        presses = sorted.filter { $0.category == "press" }
        nest(sorted.filter { $0.category != "press" })
    }

    private struct Names {
        var events: [UInt64: String] = [:]
        var categories: [UInt64: String] = [:]
        var annotations: [UInt64: String] = [:]
        var values: [UInt64: String] = [:]

        mutating func learn(_ data: Keyflight_Perfetto_InternedData) {
            for entry in data.eventNames { events[entry.iid] = entry.name }
            for entry in data.eventCategories { categories[entry.iid] = entry.name }
            for entry in data.debugAnnotationNames { annotations[entry.iid] = entry.name }
            for entry in data.debugAnnotationStringValues { values[entry.iid] = entry.str }
        }

        func event(_ event: Keyflight_Perfetto_TrackEvent, _ faults: inout [String]) -> String {
            if events[event.nameIid] == nil { faults.append("name \(event.nameIid) is not told") }
            return events[event.nameIid] ?? ""
        }

        func category(_ event: Keyflight_Perfetto_TrackEvent, _ faults: inout [String]) -> String {
            let found = event.categoryIids.first.flatMap { categories[$0] }
            if found == nil { faults.append("a category is not told") }
            return found ?? ""
        }

        func facts(_ event: Keyflight_Perfetto_TrackEvent, _ faults: inout [String]) -> [String: String] {
            var facts: [String: String] = [:]
            for annotation in event.debugAnnotations {
                guard let name = annotations[annotation.nameIid] else {
                    faults.append("annotation \(annotation.nameIid) is not told")
                    continue
                }
                switch annotation.value {
                case .stringValueIid(let number)?:
                    if values[number] == nil { faults.append("value \(number) is not told") }
                    facts[name] = values[number]
                case .intValue(let number)?: facts[name] = "\(number)"
                case .boolValue(let flag)?: facts[name] = "\(flag)"
                default: faults.append("\(name) has no value")
                }
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
