import FlightRecorder
import Foundation
import Testing

/// One recording at a time is all that a process has, so all tests of it run one after the other.
@Suite(.serialized) struct RecorderTests {}

/// A recording into memory, and what is in it afterwards.
func recorded(
    level: TraceLevel = .calls, _ change: (inout RecorderOptions) -> Void = { _ in }, _ body: (Flight) throws -> Void
) throws -> Recording {
    var options = RecorderOptions(.memoryRing(RingBounds()), level: level)
    change(&options)
    let flight = try Keyflight.start(options)
    do {
        try body(flight)
    } catch {
        try flight.stop()
        throw error
    }
    let bytes = try flight.snapshot()
    try flight.stop()
    let (recording, report) = try Recording.read(bytes)
    #expect(report.complete)
    return recording
}

extension Recording {
    var keys: [KeyRecord] { records.compactMap { if case .key(let key) = $0.body { key } else { nil } } }
    var stages: [StageRecord] { records.compactMap { if case .stage(let stage) = $0.body { stage } else { nil } } }
    var calls: [CallRecord] { records.compactMap { if case .call(let call) = $0.body { call } else { nil } } }
    var resolutions: [ResolutionRecord] {
        records.compactMap { if case .resolution(let resolution) = $0.body { resolution } else { nil } }
    }
    var losses: [(record: LossRecord, time: TraceTime)] {
        records.compactMap { if case .loss(let loss) = $0.body { (loss, $0.time) } else { nil } }
    }
    var marks: [String] { records.compactMap { if case .mark(let mark) = $0.body { mark.name } else { nil } } }

    /// True when the order of the trace is (time, sequence).
    var isInOrder: Bool {
        zip(records, records.dropFirst()).allSatisfy { $0.time <= $1.time && $0.sequence < $1.sequence }
    }
}

func press(_ usage: UInt16, with modifiers: [UInt16] = []) {
    for modifier in modifiers { Keyflight.key(.keyboard(modifier), .down) }
    Keyflight.key(.keyboard(usage), .down)
    Keyflight.key(.keyboard(usage), .up)
    for modifier in modifiers.reversed() { Keyflight.key(.keyboard(modifier), .up) }
}

/// A folder of the test's own.
func withFolder<R>(_ body: (String) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory.appending(path: "keyflight-recorder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.path)
}

/// A responder of a synthetic app.
final class Pane {}

struct PaneCommand: RecordedCommand {
    var recordedInput: String?
    var recordedModifiers: KeyModifiers
    var recordedAction: String
    var title: String?
    var isTitlePublic = false
    var publicTitle: String? { isTitlePublic ? title : nil }
}

/// What an indicator was told.
final class StateLog: @unchecked Sendable {
    private let lock = NSLock()
    private var states: [RecorderState] = []
    func append(_ state: RecorderState) { lock.withLock { states.append(state) } }
    var all: [RecorderState] { lock.withLock { states } }
}
