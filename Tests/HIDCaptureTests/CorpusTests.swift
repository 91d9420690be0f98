import Foundation
import HIDCapture
import KeyModel
import SystemPackage
import TestRequirements
import Testing

/// Captures of keyboards whose keys are known, in the folder that KEYFLIGHT_CORPUS names.
@Suite(.needsCorpus) struct CorpusTests {
    struct Expected: Decodable, CustomTestStringConvertible, Sendable {
        struct Stream: Decodable, Sendable {
            struct Select: Decodable, Sendable {
                var bus: UInt16?
                var address: UInt16?
                var endpoint: String?
                var adapter: UInt16?
                var transport: String?
                var handle: UInt16?
                var attribute: String?

                func isPlace(of device: CaptureDevice) -> Bool {
                    func number(_ text: String?) -> UInt16? { text.flatMap { UInt16($0.dropFirst(2), radix: 16) } }
                    return bus == device.bus && address == device.address
                        && number(endpoint) == device.endpoint.map(UInt16.init) && adapter == device.adapter
                        && transport == device.transport?.name && handle == device.handle
                        && number(attribute) == device.attribute
                }
            }
            var select: Select
            var reports: UInt64
            var presses: UInt64
            var key_events: UInt64
            var rollover_reports: UInt64
            var held_at_end: [String]
            var layout_from: String
            var usages: [UInt16]
            var other_usages: [String]
        }
        var file: String
        var linktype: String
        var packets: UInt64
        var presses: UInt64?
        var key_events: UInt64?
        var streams: [Stream]?
        var testDescription: String { file }
    }

    static let folder = ProcessInfo.processInfo.environment["KEYFLIGHT_CORPUS"]

    static let expected: [Expected] = {
        guard let folder, let text = try? String(contentsOfFile: folder + "/expected.jsonl", encoding: .utf8) else {
            return []
        }
        return text.split(separator: "\n").compactMap { try? JSONDecoder().decode(Expected.self, from: Data($0.utf8)) }
            .filter { $0.linktype != "1" }
    }()

    static func capture(_ name: String) throws -> Capture {
        let descriptor = try FileDescriptor.open(FilePath((folder ?? "") + "/" + name), .readOnly)
        defer { try? descriptor.close() }
        return try Capture(reading: descriptor)
    }

    static func events(_ capture: Capture) -> ([KeyEvent], CaptureTotals) {
        var all: [KeyEvent] = []
        let totals = capture.forEachBatch { all += $0 }
        return (all, totals)
    }

    static func numeric(_ usage: KeyUsage) -> String {
        func hex(_ value: UInt16) -> String {
            let digits = String(value, radix: 16)
            return String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "0x\(hex(usage.page)):0x\(hex(usage.usage))"
    }

    @Test("the list of captures is there")
    func corpusIsThere() throws {
        let folder = try #require(CorpusTests.folder)
        #expect(CorpusTests.expected.count >= 30, "\(folder)/expected.jsonl has too few captures of USB link types")
    }

    @Test("each capture gives exactly the keys it is known to hold", arguments: expected)
    func keys(_ known: Expected) throws {
        let capture = try CorpusTests.capture(known.file)
        let (events, totals) = CorpusTests.events(capture)
        #expect(capture.facts.packets == known.packets)
        #expect(capture.facts.damage == nil)
        guard let presses = known.presses, let streams = known.streams else {
            #expect(capture.devices.isEmpty)  // not decided without a descriptor: no guessing
            return
        }
        #expect(totals.devices.reduce(0) { $0 + $1.presses } == presses)
        #expect(totals.devices.reduce(0) { $0 + $1.keyEvents } == known.key_events)
        #expect(capture.devices.count == streams.count)
        for stream in streams {
            let device = try #require(capture.devices.first { stream.select.isPlace(of: $0) })
            let total = try #require(totals.devices.first { $0.id == device.id })
            #expect(device.reports == stream.reports)
            #expect(total.presses == stream.presses)
            #expect(total.keyEvents == stream.key_events)
            #expect(total.rolloverReports == stream.rollover_reports)
            #expect(total.heldAtEnd.map(CorpusTests.numeric) == stream.held_at_end)
            // On Bluetooth the descriptors that stand in the capture are used as well.
            let isKnown = device.adapter == nil
            let isDescribed = stream.layout_from == "report descriptor in the file"
            #expect(!isKnown || (device.layout == .reportDescriptor) == isDescribed)
            let downs = events.filter { $0.device == device.id && $0.phase == .down }.compactMap(\.key.usage)
            #expect(downs.filter(\.isKeyboardPage).map(\.usage) == stream.usages)
            #expect(downs.filter { !$0.isKeyboardPage }.map(CorpusTests.numeric) == stream.other_usages)
        }
    }
}
