import Testing

@testable import keyflight

/// `info`, `show` and `assemble`: a trace as facts, as lines, and back.
@Suite struct ShowTests {
    static let scene = Files.path("Traces/scenes/pdf-viewer.scene.yaml")
    static let script = Array("press cmd+w\nwait 100ms\npress char:f\n".utf8)

    /// A trace of level `calls`, in clear.
    static func trace() -> [UInt8] {
        CommandRun(["replay", "-", "--scene", scene, "--show-keys", "-o", "-"], stdin: script).output
    }

    @Test func aKeyRecordHasTheFieldsOfTheContract() {
        let run = CommandRun(["show", "-", "--kind", "key", "--format", "jsonl"], stdin: Self.script)
        #expect(run.status == 0)
        let down = #""t_ns":0,"kind":"key","device":1,"press":1,"phase":"down","page":7,"usage":26,"key":"W","#
        #expect(run.lines.contains { $0.contains(down + #""modifiers":["command"],"masked":false"#) }, "\(run.text)")
    }

    @Test func filtersNarrowWhatIsShown() {
        let bytes = Self.trace()
        func lines(_ filters: String...) -> [String] {
            CommandRun(["show", "-", "--format", "jsonl"] + filters, stdin: bytes).lines
        }
        let all = lines()
        let resolutions = lines("--kind", "resolution")
        #expect(resolutions.count == 2)
        #expect(lines("--kind", "resolution", "--kind", "cache").count == 4)
        #expect(lines("--kind", "resolution", "--press", "2") == Array(resolutions.suffix(1)))
        #expect(lines("--to", "0ns").count + lines("--from", "1ns").count == all.count)
        #expect(lines("--kind", "resolution", "--from", "100ms", "--to", "1s").count == 1)
        for line in lines("--press", "1") { #expect(line.contains(#""press":1"#)) }
    }

    @Test(arguments: [["--kind", "keys"], ["--from", "12"], ["--press", "-1"], ["--format", "yaml"]])
    func aWrongFilterIsWrongUsage(_ filter: [String]) {
        #expect(CommandRun(["show", "-"] + filter, stdin: Self.trace()).status == 64)
    }

    @Test func anIncompleteTraceShowsWhatIsWholeAndEndsWith2() {
        let bytes = Self.trace()
        let cut = Array(bytes.dropLast(3))
        for verb in [["info"], ["info", "--format", "json"], ["show"], ["show", "--format", "jsonl"], ["stats"]] {
            let run = CommandRun(verb + ["-"], stdin: cut)
            #expect(run.status == 2, "\(verb)")
            #expect(run.text != "")
            #expect(run.noteLines.count == 1)
            #expect(run.notes.hasPrefix("standard input: byte "))
        }
        let info = CommandRun(["info", "-", "--format", "json"], stdin: cut)
        #expect(info.text.contains(#""complete":false"#))
        #expect(info.text.contains(#""reason":"no end marker""#))
    }

    @Test func infoTellsWhatAScriptAndACaptureHold() {
        let script = CommandRun(["info", "-", "--format", "json"], stdin: Self.script)
        #expect(script.text.contains(#""presses":3"#), "⌘ counts as a key")
        #expect(script.text.contains(#""source":"script""#))
        let capture = CommandRun("info", Files.path("Traces/captures/usb-keyboard-viewer.pcap"), "--format", "json")
        #expect(capture.text.contains(#""source":"usbmon""#))
        #expect(capture.text.contains(#""level":"keys""#))
    }
}
