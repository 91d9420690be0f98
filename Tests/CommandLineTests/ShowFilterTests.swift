import Foundation
import Testing

@testable import TraceFormat
@testable import keyflight

/// What of a trace `show` shows, and `show --follow` on a trace that is being written.
@Suite struct ShowFilterTests {
    @Test func pressesAreNamedByRange() {
        let trace = CommandRun(
            ["replay", "-", "--scene", ShowTests.scene, "--show-keys", "-o", "-"],
            stdin: Array("type abcdef\n".utf8)
        ).output
        func presses(_ range: String...) -> Set<String> {
            let run = CommandRun(
                ["show", "-", "--format", "jsonl", "--kind", "resolution"] + range.flatMap { ["--press", $0] },
                stdin: trace)
            return Set(run.lines.compactMap { $0.firstMatch(of: /"press":([0-9]+)/).map { String($0.1) } })
        }
        #expect(presses("2-4") == ["2", "3", "4"])
        #expect(presses("5", "1-2") == ["1", "2", "5"])
        for wrong in ["4-2", "-", "1-2-3", "a", "1-"] {
            #expect(CommandRun(["show", "-", "--press", wrong], stdin: trace).status == 64, "\(wrong)")
        }
    }

    @Test func pressesAreChosenByWhatBecameOfThem() {
        let trace = CommandRun(
            ["replay", "-", "--scene", ShowTests.scene, "--show-keys", "-o", "-"],
            stdin: Array("type ab\npress cmd+w\n".utf8)
        ).output
        let run = CommandRun(
            ["show", "-", "--format", "jsonl", "--where", #"chord == "cmd+w""#], stdin: trace)
        #expect(run.status == 0, "\(run.notes)")
        #expect(!run.lines.isEmpty && run.lines.allSatisfy { $0.contains(#""press":3"#) })
        #expect(run.lines.contains { $0.contains(#""kind":"key""#) } && run.text.contains(#""kind":"resolution""#))
        #expect(CommandRun(["show", "-", "--where", #"chord == "cmd+q""#], stdin: trace).status == 3)
        #expect(CommandRun(["show", "-", "--where", "chord =="], stdin: trace).status == 64)
    }

    @Test func recordsOfOneKeyboardAreShown() {
        let capture = Files.path("Traces/captures/usb-keyboard-viewer.pcap")
        let trace = CommandRun("import", capture, "-o", "-").output
        let all = CommandRun(["show", "-", "--format", "jsonl", "--kind", "key"], stdin: trace)
        let one = CommandRun(["show", "-", "--format", "jsonl", "--kind", "key", "--device", "1"], stdin: trace)
        #expect(one.lines == all.lines.filter { $0.contains(#""device":1,"#) })
        #expect(CommandRun(["show", "-", "--device", "99"], stdin: trace).status == 3)
        #expect(CommandRun(["show", "-", "--device", "1:2"], stdin: trace).status == 64)
    }

    @Test func theDeltaColumnSaysHowLongAfterTheLineBefore() {
        let run = CommandRun(["show", "-", "--delta", "--kind", "key"], stdin: ShowTests.script)
        #expect(run.status == 0)
        #expect(run.lines.first?.contains("+Δ") == true)
        #expect(run.lines.dropFirst().first?.contains("–") == true)
        #expect(run.lines.contains { $0.contains("+") && $0.contains("ms") }, "\(run.text)")
        #expect(CommandRun(["assemble", "-", "-o", "-"], stdin: run.output).status == 2, "it is not the text format")
        #expect(CommandRun(["show", "-", "--delta", "--format", "jsonl"], stdin: ShowTests.script).status == 64)
    }

    @Test func followingShowsWhatIsWrittenMeanwhileAndEndsWithTheRecording() async throws {
        let bytes = ShowTests.trace()
        let whole = CommandRun(["show", "-"], stdin: bytes)
        let folder = FileManager.default.temporaryDirectory.appending(path: "keyflight-follow-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "live.keyflight").path
        try Files.write(Array(bytes.prefix(10)), to: path)
        async let followed = Task.detached { CommandRun(["show", path, "--follow"]) }.value
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        for start in stride(from: 10, to: bytes.count, by: 211) {
            try handle.write(contentsOf: Data(bytes[start..<min(bytes.count, start + 211)]))
            try await Task.sleep(for: .milliseconds(2))
        }
        let run = await followed
        #expect(run.status == 0, "\(run.notes)")
        #expect(run.output == whole.output)
        #expect(run.notes == "")
    }

    @Test func onlyATraceIsFollowed() {
        let run = CommandRun(["show", "-", "--follow"], stdin: ShowTests.script)
        #expect(run.status == 64)
        #expect(run.noteLines.count == 1)
    }
}
