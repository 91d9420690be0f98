import CaptureImport
import HIDCapture
import KeyModel
import SystemPackage
import TraceFormat

/// A usbmon capture → a masked canonical trace, the path of `keyflight import`.
enum ImportWorkload {
    private static let countedTransfers = 20_000

    static func cases(isQuick: Bool) throws -> [BenchCase] {
        let folder = try InputFolder()
        let (small, large) = ("\(folder.path)/counted.pcap", "\(folder.path)/timed.pcap")
        let transfers = isQuick ? 50_000 : 250_000
        try FileBytes.store(TypistCapture.bytes(transfers: countedTransfers), at: small)
        try FileBytes.store(TypistCapture.bytes(transfers: transfers), at: large)
        let summary = try run(small, to: "\(folder.path)/out.keyflight")
        let bytes = try FileBytes.contents(of: "\(folder.path)/out.keyflight").count
        return [
            BenchCase(
                workload: .import, name: "import usbmon pcap", unit: "packet", unitsPerRun: 2 * transfers,
                counters: [
                    ExactCounter("packets", summary.packets), ExactCounter("key events", summary.keyEvents),
                    ExactCounter("presses", summary.presses), ExactCounter("idle reports", summary.idleReports),
                    ExactCounter("trace bytes per key event", bytes, per: summary.keyEvents),
                ],
                run: {
                    let summary = try run(large, to: "\(folder.path)/out.keyflight")
                    try BenchFailure.check(
                        summary.packets == UInt64(2 * transfers), "\(summary.packets) of \(2 * transfers) packets")
                })
        ]
    }

    private static func run(_ capture: String, to trace: String) throws -> ImportSummary {
        let input = try FileDescriptor.open(FilePath(capture), .readOnly)
        let output = try FileDescriptor.open(
            FilePath(trace), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
        return try output.closeAfter {
            try input.closeAfter {
                try summary(.descriptor(input), named: capture) { _ = try output.writeAll($0) }
            }
        }
    }

    private static func summary(
        _ content: CaptureImporter.Input.Content, named name: String, showsKeys: Bool = false,
        to sink: @escaping TraceWriter.Sink
    ) throws -> ImportSummary {
        var job = CaptureImporter()
        job.showsKeys = showsKeys
        switch try job.run([.init(name: name, content)], to: sink) {
        case .imported(let summary): return summary
        case .noKeyboard(let nothing): throw BenchFailure("\(name): \(nothing.reason)")
        }
    }

    /// Packets of a capture, and the nanoseconds of the fastest of some rounds.
    static func walk(_ path: String, rounds: Int) throws -> String {
        var packets: UInt64 = 0
        let fastest = try FastestRound(of: rounds) { packets = try Capture(FilePath(path)).facts.packets }
        return "packets \(packets) \(fastest.words)\n"
    }

    /// Count and order of the key events of a capture, and the nanoseconds of the fastest of some rounds.
    static func keys(_ path: String, rounds: Int) throws -> String {
        var order = EventOrder()
        let fastest = try FastestRound(of: rounds) {
            order = EventOrder()
            try Capture(FilePath(path)).forEachBatch { events in
                for event in events where !event.isSynthetic {
                    guard let usage = event.key.usage else { continue }
                    order.add(usage: usage, isUp: event.phase == .up, time: event.time)
                }
            }
        }
        return "\(order.text) \(fastest.words)\n"
    }

    /// Count and order of the key events of a capture, read back from its trace.
    static func order(ofCapture path: String) throws -> EventOrder {
        let input = try FileDescriptor.open(FilePath(path), .readOnly)
        var bytes: [UInt8] = []
        _ = try input.closeAfter {
            try summary(.descriptor(input), named: path, showsKeys: true) { bytes.append(contentsOf: $0) }
        }
        var reader = try TraceReader(TraceBytes(bytes, file: path))
        var order = EventOrder()
        while let record = reader.next() {
            guard case .key(let key) = record.body, let usage = key.key.usage, !key.isSynthetic else { continue }
            order.add(usage: usage, isUp: key.phase == .up, time: record.time)
        }
        return order
    }
}
