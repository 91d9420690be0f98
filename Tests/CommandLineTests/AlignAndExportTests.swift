import Foundation
import Testing

@testable import keyflight

@Suite struct AlignAndExportTests {
    static let capture = Files.path("Traces/captures/usb-keyboard-viewer.pcap")

    static func json(_ run: CommandRun) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any], "\(run.notes)")
    }

    /// The capture as a trace, and what evdev would have recorded of it, by another clock.
    static func traces(_ folder: String) throws -> (bus: String, evdev: String) {
        let (bus, evemu, evdev) = ("\(folder)/bus.keyflight", "\(folder)/keys.evemu", "\(folder)/evdev.keyflight")
        #expect(CommandRun("import", capture, "--show-keys", "-o", bus).status == 0)
        let exported = CommandRun("export", bus, "--format", "evemu", "-o", evemu)
        #expect(exported.status == 0, "\(exported.notes)")
        #expect(CommandRun("import", evemu, "--show-keys", "-o", evdev).status == 0)
        return (bus, evdev)
    }

    @Test func `merge --align gives the stage transport, tells the clocks, and masks`() throws {
        try Files.withFolder { folder in
            let (bus, evdev) = try Self.traces(folder)
            let joined = "\(folder)/joined.keyflight"
            let run = CommandRun("merge", "--align", evdev, bus, "-o", joined)
            #expect(run.status == 0, "\(run.notes)")
            #expect(run.notes.contains("usbmon → evdev: "))
            #expect(run.notes.contains("transport: p50 "))
            let info = try Self.json(CommandRun("info", "--format", "json", joined))
            let relation = try #require((info["clock_relations"] as? [[String: Any]])?.first)
            #expect(relation["source"] as? String == "usbmon" && relation["reference"] as? String == "evdev")
            #expect((relation["matches"] as? Int) ?? 0 >= 30)
            #expect(info["masked"] as? Bool == true)
            #expect(info["presses"] as? Int == 37)
            let stats = try Self.json(CommandRun("stats", "--format", "json", joined))
            let transport = (stats["stages"] as? [String: Any])?["transport"] as? [String: Any]
            #expect((transport?["n"] as? Int) ?? 0 >= 25)
            #expect(CommandRun("info", joined).text.contains("aligned"))
            #expect(CommandRun("explain", joined, "--press", "3").text.contains("transport"))
            #expect(CommandRun("verify-format", joined).status == 0)
        }
    }

    @Test func `too few presses in common are status 4, and nothing is written`() throws {
        try Files.withFolder { folder in
            let (bus, evdev) = try Self.traces(folder)
            let (few, joined) = ("\(folder)/few.keyflight", "\(folder)/joined.keyflight")
            #expect(CommandRun("cut", evdev, "--presses", "1-3", "--show-keys", "-o", few).status == 0)
            let run = CommandRun("merge", "--align", bus, few, "-o", joined)
            #expect(run.status == 4)
            #expect(run.notes.contains("expected at least 8 presses in common, found "))
            #expect(!FileManager.default.fileExists(atPath: joined))
            #expect(CommandRun("merge", "--align", bus, few, bus, "-o", joined).status == 64)
        }
    }

    @Test func `the log of a switch and the capture of its keyboard give the stage hid`() throws {
        try Files.withFolder { folder in
            let (bus, _) = try Self.traces(folder)
            var rows = ["ns,edge"]
            for line in CommandRun("show", bus, "--format", "jsonl", "--kind", "key").lines {
                let record = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                let time = try #require(record["t_ns"] as? Int)
                // The report comes 3 ms after the switch, and 5 ms after it opens.
                guard record["press"] as? Int != nil else { continue }
                let isDown = record["phase"] as? String == "down"
                rows.append("\(7_000_000_000 + time - (isDown ? 3_000_000 : 5_000_000)),\(isDown ? "down" : "up")")
            }
            // All times have ten digits.
            rows = [rows[0]] + rows.dropFirst().sorted()
            let (log, joined) = ("\(folder)/switch.csv", "\(folder)/hid.keyflight")
            try Files.write(Array(rows.joined(separator: "\n").utf8), to: log)
            let run = CommandRun("import", Self.capture, "--csv", log, "--as", "stimulus", "-o", joined)
            #expect(run.status == 0, "\(run.notes)")
            #expect(run.notes.contains("stimulus → usbmon: "))
            #expect(run.notes.contains("hid: p50 ") && run.notes.contains("hid of releases: p50 "))
            #expect(run.notes.contains("poll: "))
            let stats = try Self.json(CommandRun("stats", "--format", "json", joined))
            #expect(((stats["stages"] as? [String: Any])?["hid"] as? [String: Any])?["n"] as? Int ?? 0 >= 8)
            let alone = "\(folder)/switch.keyflight"
            #expect(CommandRun("import", "--csv", log, "--as", "stimulus", "-o", alone).status == 0)
            #expect(CommandRun("merge", "--align", alone, bus, "-o", "\(folder)/again.keyflight").status == 0)
        }
    }

    @Test(arguments: [["import", "-o", "x"], ["import", "a", "--csv", "b", "-o", "x"],
        ["import", "--csv", "b", "--as", "stimulus", "--time-col", "0", "-o", "x"],
        ["replay", "x", "--to", "evemu", "-o", "y"], ["replay", "x", "--to", "xtest", "-o", "y"],
        ["replay", "x", "--to", "xtest", "--cadence", "saturated"], ["export", "x", "--format", "nothing", "-o", "y"]])
    func `wrong options are status 64`(arguments: [String]) {
        #expect(CommandRun(arguments).status == 64)
    }

    @Test(arguments: ["evemu", "libinput", "pcapng"])
    func `a masked trace is not exported, and the line says what to do`(format: String) throws {
        try Files.withFolder { folder in
            let (masked, file) = ("\(folder)/masked.keyflight", "\(folder)/out")
            #expect(CommandRun("import", Self.capture, "-o", masked).status == 0)
            let run = CommandRun("export", masked, "--format", format, "-o", file)
            #expect(run.status == 64)
            #expect(run.noteLines.count == 1 && run.notes.contains("--show-keys"), "\(run.notes)")
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }

    /// The program runs without a display here, so that nothing is typed into anybody's window.
    @Test func `replay --to xtest needs a display`() throws {
        let script = Files.path("Traces/golden/pdf-viewer/input.keys")
        let run = try ProgramRun(shell: "$keyflight replay '\(script)' --to xtest")
        #expect(run.status == 5 && run.notes.hasSuffix("[KF0508]\n"), "\(run.notes)")
    }

    @Test(arguments: ["evemu", "hidreports"])
    func `replay --to prints the keys with the error of each event`(form: String) throws {
        try Files.withFolder { folder in
            let (bus, _) = try Self.traces(folder)
            let run = CommandRun("replay", bus, "--to", form, "--cadence", "virtual")
            #expect(run.status == 0, "\(run.notes)")
            #expect(run.lines.count { $0.hasPrefix("# error_ns 0") } == 74)
            let (file, again) = ("\(folder)/played", "\(folder)/again.keyflight")
            try Files.write(run.output, to: file)
            #expect(CommandRun("import", file, "--show-keys", "-o", again).status == 0)
            func keys(_ trace: String) -> [String] {
                CommandRun("show", trace, "--format", "jsonl", "--kind", "key").lines.map { line in
                    line.split(separator: ",").filter { $0.hasPrefix("\"key\"") || $0.hasPrefix("\"phase\"") }
                        .joined(separator: " ")
                }
            }
            #expect(keys(again) == keys(bus))
            #expect(keys(again).count == 74)
        }
    }
}
