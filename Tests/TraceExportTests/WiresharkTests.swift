import Foundation
import KeyModel
import TestRequirements
import Testing
import TraceFormat

@testable import TraceExport

/// What Wireshark's own dissectors, and `Scripts/keyflight.lua`, make of an exported capture.
@Suite(.needs("tshark")) struct WiresharkTests {
    static let tshark = ["/usr/bin/tshark", "/usr/local/bin/tshark", "/opt/homebrew/bin/tshark"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    static let script = String(
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/"))
        + "/Scripts/keyflight.lua"

    /// Rows of tab-separated fields.
    static func rows(_ capture: [UInt8], _ filter: String, _ fields: [String], _ tshark: String) throws -> [[String]] {
        let path = NSTemporaryDirectory() + "keyflight-\(UInt64.random(in: .min ... .max)).pcapng"
        try Data(capture).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: tshark)
        process.arguments = ["-X", "lua_script:" + script, "-r", path, "-Y", filter, "-T", "fields"]
            + fields.flatMap { ["-e", $0] }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return text.split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }

    @Test("tshark reads the reports of an exported capture, and the script shows each press with its comment")
    func dissected() throws {
        let tshark = try #require(Self.tshark)
        let recording = MadeUpKeys.recording(seed: 5, presses: 40, most: 5, isPlain: true, step: 1)
        let capture = try KeyExportTests.export(recording, .pcapng)
        let presses = try Self.rows(
            capture, "keyflight.press", ["keyflight.press", "keyflight.chord", "frame.time_epoch"], tshark)
        let expected = recording.records.compactMap { record -> [String]? in
            guard case .key(let key) = record.body, key.phase == .down, let press = key.press, let usage = key.key.usage
            else { return nil }
            let stamp = 1_700_000_000_123_456_000 + record.time.nanoseconds
            let seconds = "\(stamp / 1_000_000_000).\(TextNumbers.padded("\(stamp % 1_000_000_000)", 9, "0"))"
            return ["\(press)", Chord(modifiers: key.modifiers, usage: usage).text, seconds]
        }
        #expect(expected.count > 20)
        #expect(presses == expected)
        // Wireshark decodes each change as a report of a keyboard, by the descriptors in the file.
        let reports = try Self.rows(capture, "usbhid.data", ["usbhid.data", "keyflight.keys"], tshark)
        #expect(reports.count == KeyExportTests.changes(recording).count)
        #expect(reports.last == ["0000000000000000", "none"])
    }

    @Test("what came of a press stands in its comment")
    func outcomes() throws {
        let tshark = try #require(Self.tshark)
        var recording = Recording()
        func key(_ usage: KeyUsage, _ phase: KeyPhase, _ press: UInt32?, _ time: Int64) {
            recording.append(
                .key(KeyRecord(device: 1, key: .clear(usage), phase: phase, modifiers: [.command], press: press)),
                at: TraceTime(nanoseconds: time))
        }
        key(.leftGUI, .down, nil, 0)
        key(.keyboard(0x1A), .down, 1, 1000)
        var resolution = ResolutionRecord(at: PressTick(press: 1, tick: 0), outcome: .performed, takenBy: nil, state: 0)
        resolution.action = recording.definitions.intern("closeTab:")
        recording.append(.resolution(resolution), at: TraceTime(nanoseconds: 1000))
        key(.keyboard(0x36), .down, 2, 2000)
        let rows = try Self.rows(
            try KeyExportTests.export(recording, .pcapng), "keyflight.press",
            ["keyflight.chord", "keyflight.outcome", "keyflight.keys"], tshark)
        #expect(rows == [["cmd+w", "performed closeTab:", "cmd w"], ["cmd+comma", "", "cmd w ,"]])
    }
}
