import GeneratedTraces
import KeyModel
import Testing
import TraceFormat

@testable import TraceTools

/// Collects what a tool writes.
final class Output {
    var bytes: [UInt8] = []

    static func of(_ run: (@escaping TraceWriter.Sink) throws -> some Any) throws -> [UInt8] {
        let output = Output()
        _ = try run { output.bytes.append(contentsOf: $0) }
        return output.bytes
    }
}

extension Recording {
    /// A part of the records, as a recording of its own.
    func keeping(_ kept: [TraceRecord]) -> Recording {
        var recording = Recording()
        recording.definitions = definitions
        for record in kept { recording.append(record.body, at: record.time) }
        return recording
    }
}

/// A property of recordings, tried on many; one that breaks it is made as small as possible before it is told.
enum Property {
    static func holds(
        seeds: Range<UInt64>, records: Int, sourceLocation: SourceLocation = #_sourceLocation,
        _ breaks: (Recording, UInt64) throws -> String?
    ) rethrows {
        for seed in seeds {
            let recording = RecordingGenerator.recording(seed: seed, records: records)
            guard var reason = try breaks(recording, seed) else { continue }
            var kept = recording.records
            var step = max(1, kept.count / 2)
            while step > 0 {
                var start = 0
                while start < kept.count {
                    let fewer = Array(kept[..<start] + kept[min(start + step, kept.count)...])
                    if let other = try breaks(recording.keeping(fewer), seed) {
                        kept = fewer
                        reason = other
                    } else {
                        start += step
                    }
                }
                step /= 2
            }
            var text = TraceTextWriter()
            for record in recording.keeping(kept).records { text.append(record, definitions: recording.definitions) }
            Issue.record(
                "seed \(seed): \(reason)\n\(String(decoding: text.bytes, as: UTF8.self))",
                sourceLocation: sourceLocation)
            return
        }
    }
}

/// Traces with known content.
struct KeyTrace {
    var recording = Recording()
    var header = TraceHeader(level: .calls, isMasked: false)
    private var press: UInt32 = 0
    private var modifiers: KeyModifiers = []

    mutating func append(_ body: TraceRecord.Body, _ milliseconds: Int64) {
        recording.append(body, at: TraceTime(nanoseconds: milliseconds * 1_000_000))
    }

    mutating func key(_ usage: KeyUsage, _ phase: KeyPhase, _ milliseconds: Int64, press: UInt32?, device: UInt16 = 1) {
        if let own = usage.modifierKey {
            if phase == .down { modifiers.formUnion(own.modifiers) } else { modifiers.subtract(own.modifiers) }
        }
        append(
            .key(KeyRecord(device: device, key: .clear(usage), phase: phase, modifiers: modifiers, press: press)),
            milliseconds)
    }

    /// A press of 30 ms, with its resolution.
    mutating func type(_ usage: KeyUsage, at milliseconds: Int64, character: String, device: UInt16 = 1) {
        press += 1
        key(usage, .down, milliseconds, press: press, device: device)
        var resolution = ResolutionRecord(
            at: PressTick(press: press, tick: 0), outcome: .consumedByText, takenBy: .text, state: 7)
        resolution.character = recording.definitions.intern(character)
        resolution.text = recording.definitions.intern(character)
        append(.resolution(resolution), milliseconds)
        key(usage, .up, milliseconds + 30, press: press, device: device)
    }

    mutating func chord(_ usage: KeyUsage, at milliseconds: Int64) {
        key(.leftGUI, .down, milliseconds, press: nil)
        type(usage, at: milliseconds, character: "w")
        key(.leftGUI, .up, milliseconds + 30, press: nil)
    }

    func bytes() throws -> [UInt8] { try recording.bytes(header: header) }
}

extension KeyUsage {
    static let letterA = KeyUsage.keyboard(0x04)
    static let letterW = KeyUsage.keyboard(0x1A)
    static let rightArrow = KeyUsage.keyboard(0x4F)
}

/// Times and bodies, so that what a tool made can be compared and read.
func lines(_ bytes: [UInt8]) throws -> [String] {
    var reader = try TraceReader(bytes)
    var lines: [String] = []
    while let record = reader.next() {
        var text = TraceTextWriter()
        text.append(record, definitions: reader.definitions)
        lines.append(String(decoding: text.bytes.dropLast(), as: UTF8.self))
    }
    #expect(reader.report.complete, "\(reader.report.damages)")
    return lines
}
