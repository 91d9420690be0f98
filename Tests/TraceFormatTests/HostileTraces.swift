import KeyModel
import Testing

@testable import TraceFormat

/// Traces with one thing wrong, built with right checksums, so that it is the content that is met. They stand in
/// `Traces/hostile/trace-NAME.keyflight`; set `KEYFLIGHT_WRITE_HOSTILE` to write them anew.
struct HostileTrace {
    enum Expected {
        case refused(TraceError.Code)
        /// Records delivered, offset and reason of the first damage.
        case damaged(records: Int, offset: UInt64, reason: String)
    }

    var name: String
    var bytes: [UInt8]
    var expected: Expected

    init(_ name: String, _ bytes: [UInt8], _ expected: Expected) {
        self.name = name
        self.bytes = bytes
        self.expected = expected
    }

    /// Its line in `Traces/hostile/README.md`.
    var row: String {
        let words: String
        switch expected {
        case .refused(let code): words = "refused: \(code.words)"
        case .damaged(let records, let offset, let reason):
            words = "\(records == 1 ? "1 record" : "\(records) records"); byte \(offset): \(reason)"
        }
        return "| `trace-\(name).keyflight` | \(words) |"
    }

    static let header = TraceFrame.header(TraceHeader(level: .calls, isMasked: false)).withBytes { Array($0) }

    static func block(
        _ payload: [UInt8], count: UInt32, sequence: UInt64 = 0, time: Int64 = 0, kind: UInt8 = 1, flags: UInt8 = 2,
        kinds: RecordKinds = .moments
    ) -> [UInt8] {
        var buffer = ByteBuffer()
        payload.withUnsafeBytes { buffer.append(contentsOf: $0) }
        let header = BlockHeader(
            kind: kind, flags: flags, kinds: kinds, count: count, firstTime: time, firstSequence: sequence)
        return TraceFrame.block(header, buffer).withBytes { Array($0) }
    }

    /// The index of one block at 28, and the end marker.
    static func end(after bytes: [UInt8], records: UInt64, time: Int64 = 0) -> [UInt8] {
        let payload = [28, 0, 0, 1, 16] + totals(of: bytes)
        let index = block(payload, count: 1, sequence: records, time: time, kind: 2, flags: 0)
        let end = TraceFrame.end(indexOffset: UInt64(bytes.count)).withBytes { Array($0) }
        return bytes + index + end
    }

    /// What an index says after its entries, of the records that stand before it.
    static func totals(of bytes: [UInt8]) -> [UInt8] {
        var out = ByteBuffer()
        var totals = TraceTotals()
        if var reader = try? TraceReader(bytes) {
            while let record = reader.next() { totals.note(record.body) }
        }
        totals.append(to: &out)
        return out.withBytes { Array($0) }
    }

    /// A mark, and an index with this payload.
    private static func index(_ payload: [UInt8]) -> [UInt8] {
        header + block([0] + mark, count: 1) + block(payload, count: 1, sequence: 1, kind: 2, flags: 0)
            + TraceFrame.end(indexOffset: 70).withBytes { Array($0) }
    }

    /// A whole file around one block, whose payload this is; `00` in front of it is an empty context.
    static func file(_ payload: [UInt8], count: UInt32, kinds: RecordKinds = .moments) -> [UInt8] {
        end(after: header + block(payload, count: count, kinds: kinds), records: UInt64(count))
    }

    /// A mark named "a", and where the payload of the first block begins.
    static let mark: [UInt8] = [18, 0, 2, 1, 0x61]
    static let payloadStart: UInt64 = 28 + 36

    private static func inRecord(
        _ name: String, _ record: [UInt8], at offset: UInt64, _ reason: String
    ) -> HostileTrace {
        HostileTrace(
            name, file([0] + mark + record, count: 2),
            .damaged(records: 1, offset: payloadStart + 1 + UInt64(mark.count) + offset, reason: reason))
    }

    /// The same in a trace of version 2, after an invocation.
    private static func afterInvocation(
        _ name: String, _ record: [UInt8], at offset: UInt64, _ reason: String
    ) -> HostileTrace {
        let first: [UInt8] = [58, 0, 15, 0, 1, 0, 1, 1, 0x72, 1, 0x6B, 0, 0, 0, 1, 0, 0, 0]
        let bytes = file([0] + first + record, count: 2)
        return HostileTrace(
            name, resealed(bytes) { $0[8] = 2 } + bytes[28...],
            .damaged(records: 1, offset: payloadStart + 1 + UInt64(first.count) + offset, reason: reason))
    }

    static let invocations: [HostileTrace] = [
        afterInvocation("invocation-never-seen", [0x6D, 1, 0, 0], at: 2, "invocation: wrong field"),
        afterInvocation("invocation-run-of-none", [0x6D, 0], at: 2, "run: value out of range"),
        afterInvocation("invocation-run-beyond-longest", [0x6D, 33], at: 2, "run: value out of range"),
        afterInvocation("invocation-undefined", [0x6E, 1, 0, 0], at: 2, "invocation: unknown reference"),
        afterInvocation("invocation-time-negative", [0x6E, 0, 1, 0], at: 3, "delta_ns: value out of range"),
        afterInvocation("invocation-duration-negative", [0x6E, 0, 0, 2], at: 4, "duration_ns: value out of range"),
        afterInvocation(
            "invocation-kind-unknown", [58, 0, 15, 0, 99, 0, 1, 1, 0x72, 1, 0x6B, 0, 0, 0, 1, 0, 0, 0], at: 5,
            "invocation: value out of range"),
        afterInvocation(
            "invocation-count-0", [58, 0, 11, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0], at: 11,
            "count: value out of range"),
        afterInvocation("invocation-tag-free", [0x6F, 0, 0], at: 3, "kind: value out of range"),
    ]

    static let records: [HostileTrace] = [
        inRecord("string-length-huge", [18, 0, 2, 0xFF, 0x1F], at: 5, "name: cut short"),
        inRecord(
            "string-length-beyond-limit", [18, 0, 6, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0x61], at: 8,
            "name: limit exceeded"),
        inRecord(
            "name-too-long", [18, 0, 0x83, 0x20, 0x81, 0x20] + [UInt8](repeating: 0x61, count: 4097), at: 6,
            "name: limit exceeded"),
        inRecord(
            "name-marks-endless",
            [18, 0, 64, 63, 0x61] + String(repeating: "\u{301}\u{323}", count: 16).utf8.dropLast(2), at: 67,
            "name: invalid text"),
        HostileTrace(
            "reference-to-long-text",
            file(
                [0, 2, 0, 0x84, 0x20, 1, 0x81, 0x20] + [UInt8](repeating: 0x61, count: 4097) + [9, 0, 1, 1], count: 2,
                kinds: [.input, .moments]),
            .damaged(records: 1, offset: payloadStart + 8 + 4097 + 4, reason: "step: limit exceeded")),
        inRecord("string-not-utf8", [18, 0, 3, 2, 0xC3, 0x28], at: 6, "name: invalid text"),
        inRecord("reference-undefined", [9, 0, 1, 9], at: 4, "step: unknown reference"),
        inRecord("reference-absent", [9, 0, 1, 0], at: 4, "step: wrong field"),
        inRecord("record-length-huge", [18, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], at: 7, "record_bytes: limit exceeded"),
        inRecord("record-leftover", [18, 0, 4, 1, 0x61, 0, 0], at: 5, "bytes left over"),
        inRecord("record-length-too-small", [18, 0, 1, 1, 0x61], at: 4, "name: cut short"),
        inRecord("number-overlong", [18, 0x80, 0x00, 2, 1, 0x61], at: 3, "delta_ns: overlong number"),
        inRecord(
            "number-of-65-bits", [18] + [UInt8](repeating: 0xFF, count: 9) + [0x03, 2, 1, 0x61], at: 11,
            "delta_ns: value out of range"),
        inRecord(
            "time-beyond-range", [18] + [UInt8](repeating: 0xFF, count: 9) + [0x01, 2, 1, 0x61], at: 11,
            "delta_ns: value out of range"),
        inRecord("kind-0", [0, 0, 0], at: 3, "kind: value out of range"),
        inRecord("kind-of-no-record", [0x6D, 0, 0], at: 3, "kind: value out of range"),
        inRecord("code-unknown", [8, 0, 1, 9], at: 4, "level: value out of range"),
        inRecord("key-extra-0", [0xC0, 0x04, 0], at: 3, "extra: value out of range"),
        inRecord("key-class-unknown", [0xA0, 9], at: 2, "code: value out of range"),
        inRecord("key-time-not-shortest", [0x82, 5, 0, 0x04], at: 3, "delta_ns: overlong number"),
        inRecord("key-press-beyond", [0xC0, 4, 2, 0x82, 0x80, 0x80, 0x80, 0x10], at: 8, "press: value out of range"),
        inRecord("key-cut", [0x84, 1, 2], at: 1, "delta_ns: cut short"),
        inRecord(
            "list-count-huge",
            [56, 0, 20, 1, 0, 0, 0, 1, 1, 0x72, 1, 0x6B, 1, 0, 0, 0, 0, 3, 1, 0xFF, 0xFF, 0xFF, 0x7F], at: 23,
            "list: value out of range"),
        inRecord("call-extra-0", [0x41, 0], at: 2, "extra: value out of range"),
        inRecord("call-extra-unknown", [0x41, 0x80], at: 2, "extra: value out of range"),
        inRecord("call-of-nobody", [0x40], at: 1, "responder: wrong field"),
        inRecord("call-kind-unknown", [0x41, 0x23, 0x94], at: 3, "call: value out of range"),
        inRecord("call-answer-untold", [0x41, 2, 1, 1, 0x72, 1, 0x6B], at: 7, "answer: wrong field"),
        inRecord("call-time-not-shortest", [0x48, 0], at: 2, "delta_ns: overlong number"),
        inRecord(
            "call-duration-unexpected", [0x43, 0x22, 1, 1, 0x72, 1, 0x6B, 2], at: 8, "duration_ns: value out of range"),
        inRecord(
            "call-duration-negative", [0x45, 4, 0x22, 1, 1, 0x72, 1, 0x6B, 2], at: 9,
            "duration_ns: value out of range"),
        inRecord("stages-never-seen", [0x60, 5], at: 1, "stage: wrong field"),
        inRecord("stage-unknown", [0x68, 11, 0, 0], at: 2, "stage: value out of range"),
        inRecord("stage-duration-negative", [0x68, 1, 0, 2], at: 4, "duration_ns: value out of range"),
        inRecord("decision-never-seen", [0x6A, 5], at: 2, "decision: wrong field"),
        inRecord("decision-undefined", [0x6B, 0, 0], at: 3, "decision: unknown reference"),
        inRecord("run-of-none", [0x69, 0], at: 2, "run: value out of range"),
        inRecord("run-beyond-longest", [0x69, 33], at: 2, "run: value out of range"),
        inRecord("state-cut", [0x69, 1, 0, 0], at: 2, "decision: wrong field"),
    ]

    static let blocks: [HostileTrace] = [
        HostileTrace("empty", [], .refused(.notATrace)),
        HostileTrace("magic-only", Array(header[..<8]), .damaged(records: 0, offset: 0, reason: "no end marker")),
        HostileTrace("header-cut", Array(header[..<20]), .damaged(records: 0, offset: 0, reason: "no end marker")),
        HostileTrace("header-only", header, .damaged(records: 0, offset: 28, reason: "no end marker")),
        HostileTrace("no-magic", Array("not a trace of anything at all\n".utf8), .refused(.notATrace)),
        HostileTrace("version-0", resealed(header) { $0[8] = 0 }, .refused(.unsupportedVersion)),
        HostileTrace("version-3", resealed(header) { $0[8] = 3 }, .refused(.unsupportedVersion)),
        HostileTrace(
            "version-damaged", changed(file([0] + mark, count: 1)) { $0[8] = 3 },
            .damaged(records: 1, offset: 0, reason: "file header: wrong checksum")),
        HostileTrace(
            "header-flags-unknown", resealed(header) { $0[12] = 0x80 } + file([0] + mark, count: 1)[28...],
            .damaged(records: 1, offset: 0, reason: "file header: value out of range")),
        HostileTrace(
            "block-length-huge", changed(file([0] + mark, count: 1)) { $0[39] = 0xFF },
            .damaged(records: 0, offset: 28, reason: "payload_bytes: limit exceeded")),
        HostileTrace(
            "block-length-above-file", changed(file([0] + mark, count: 1)) { $0[38] = 0x01 },
            .damaged(records: 0, offset: 28, reason: "payload: cut short")),
        HostileTrace(
            "record-count-huge", header + block([0] + mark, count: .max),
            .damaged(records: 1, offset: payloadStart + 6, reason: "tag: cut short")),
        HostileTrace(
            "block-leftover", file([0] + mark + mark, count: 1),
            .damaged(records: 0, offset: payloadStart + 6, reason: "bytes left over")),
        HostileTrace(
            "context-count-huge", file([0xFF, 0xFF, 0xFF, 0xFF, 0x0F] + mark, count: 1),
            .damaged(records: 0, offset: payloadStart + 10, reason: "kind: cut short")),
        HostileTrace(
            "time-backwards",
            end(
                after: header + block([0] + mark, count: 1, time: 9) + block([0] + mark, count: 1, sequence: 1),
                records: 2, time: 9),
            .damaged(records: 1, offset: 70, reason: "block out of order")),
        HostileTrace(
            "sequence-twice",
            end(after: header + block([0] + mark, count: 1) + block([0] + mark, count: 1), records: 1),
            .damaged(records: 1, offset: 70, reason: "block out of order")),
        HostileTrace(
            "sequence-wraps", header + block([0] + mark + mark, count: 2, sequence: .max, flags: 3),
            .damaged(records: 0, offset: 28, reason: "block out of order")),
        HostileTrace(
            "sequence-last", header + block([0] + mark, count: 1, sequence: .max, flags: 3),
            .damaged(records: 0, offset: 28, reason: "block out of order")),
        HostileTrace(
            "index-lies",
            index([29, 0, 0, 1, 16, 1, 18, 1, 0, 0, 0, 0, 0, 0, 0]),
            .damaged(records: 1, offset: 70, reason: "index: wrong field")),
        HostileTrace(
            "index-kinds-lie", index([28, 0, 0, 1, 17, 1, 18, 1, 0, 0, 0, 0, 0, 0, 0]),
            .damaged(records: 1, offset: 70, reason: "index: wrong field")),
        HostileTrace(
            "index-time-lies", index([28, 1, 0, 1, 16, 1, 18, 1, 0, 0, 0, 0, 0, 0, 0]),
            .damaged(records: 1, offset: 70, reason: "index: wrong field")),
        HostileTrace(
            "index-totals-lie", index([28, 0, 0, 1, 16, 1, 18, 2, 0, 0, 0, 0, 0, 0, 0]),
            .damaged(records: 1, offset: 70, reason: "index: records of mark: wrong field")),
        HostileTrace(
            "index-totals-cut", index([28, 0, 0, 1, 16, 1, 18, 1, 0, 0, 0]),
            .damaged(records: 1, offset: 70, reason: "index: cut short")),
        HostileTrace(
            "index-totals-out-of-order", index([28, 0, 0, 1, 16, 2, 18, 1, 9, 1, 0, 0, 0, 0, 0, 0, 0]),
            .damaged(records: 1, offset: 70, reason: "index: wrong field")),
        HostileTrace(
            "index-totals-contradict", index([28, 0, 0, 1, 16, 1, 18, 1, 1, 0, 0, 0, 0, 0, 0]),
            .damaged(records: 1, offset: 70, reason: "index: wrong field")),
        HostileTrace(
            "bytes-after-end", file([0] + mark, count: 1) + [0, 0, 0],
            .damaged(records: 1, offset: 137, reason: "3 bytes after the end marker")),
        HostileTrace(
            "end-marker-inside",
            end(
                after: header + block([0] + mark, count: 1)
                    + TraceFrame.end(indexOffset: 28).withBytes { Array($0) }
                    + block([0] + mark, count: 1, sequence: 1), records: 2),
            .damaged(records: 2, offset: 70, reason: "end marker: expected the end of the file")),
        HostileTrace(
            "record-late-and-cut",
            end(
                after: header
                    + block([0] + mark + [18, 0x80, 0x80, 0x9A, 0xA6, 0xEA, 0xAF, 0xE3, 0x01, 1, 9], count: 2)
                    + block([0] + mark, count: 1, sequence: 2, time: 5), records: 3, time: 5),
            .damaged(records: 2, offset: payloadStart + 1 + UInt64(mark.count) + 11, reason: "cut short")),
        HostileTrace(
            "record-kinds-wrong", file([0] + mark, count: 1, kinds: [.key, .moments]),
            .damaged(records: 1, offset: 28, reason: "record_kinds: wrong field")),
        HostileTrace(
            "block-magic-everywhere",
            header + (0..<400).flatMap { _ in [0xF5, 0x4B, 0x46, 0x42, 1, 2, 0, 0, 0, 8, 0, 0] as [UInt8] }
                + block([0] + mark, count: 1),
            .damaged(records: 1, offset: 28, reason: "wrong checksum")),
    ]

    static var all: [HostileTrace] { blocks + records + invocations }

    private static func changed(_ bytes: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes = bytes
        change(&bytes)
        return bytes
    }

    /// A file header with something changed and the right checksum.
    private static func resealed(_ header: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes = Array(header[..<24])
        change(&bytes)
        let crc = bytes.withUnsafeBytes { TraceFrame.checksum($0) }
        return bytes + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: crc >> $0) }
    }
}
