import Foundation
import Testing

/// `verify --script`: did each key that was typed arrive?
@Suite struct KeyDeliveryTests {
    private static let script = "type hello\npress cmd+t\npress cmd+w\nhold down 900ms\ntype world\npress return\n"

    /// The typing as a trace, its text lines changed; `KEYS` and `TRACE` are files of the folder.
    private func verify(
        _ script: String = script, masked: Bool, _ options: [String] = [], _ change: (inout [String]) -> Void = { _ in }
    ) throws -> CommandRun {
        try Files.withFolder { folder in
            try TabsApp.put(script, folder + "/s.keys")
            try TabsApp.put(TabsApp.scene(), folder + "/s.yaml")
            let replay = CommandRun(
                ["replay", folder + "/s.keys", "--scene", folder + "/s.yaml", "-o", folder + "/r.keyflight"]
                    + (masked ? [] : ["--show-keys"]))
            try #require(replay.status == 0, "\(replay.notes)")
            var lines = CommandRun("show", folder + "/r.keyflight").text.split(separator: "\n").map(String.init)
            change(&lines)
            var number = 0
            for place in lines.indices where lines[place].first?.isNumber == true {
                lines[place] = "\(number) " + lines[place].split(separator: " ", maxSplits: 1)[1]
                number += 1
            }
            let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
            let assembled = CommandRun(["assemble", "-", "-o", folder + "/t.keyflight"], stdin: bytes)
            try #require(assembled.status == 0, "\(assembled.notes)")
            return CommandRun(["verify", folder + "/t.keyflight", "--script", folder + "/s.keys"] + options)
        }
    }

    /// Lines of the downs and ups of the keys themselves.
    private static func keys(_ lines: [String], phase: String) -> [Int] {
        lines.indices.filter { lines[$0].contains(" key ") && lines[$0].contains("phase=\(phase)") }
            .filter { lines[$0].contains("press=") }
    }

    @Test(arguments: [true, false])
    func everyKeyOnceInOrderAndReleased(_ masked: Bool) throws {
        let run = try verify(masked: masked)
        #expect(run.status == 0, "\(run.text)\(run.notes)")
        #expect(run.text.hasSuffix(": 14 of 14 keys of s.keys arrived, each once, in order and released\n")
            || run.text.contains("14 of 14 keys"), "\(run.text)")
    }

    /// A trace in clear is as good as the script that it was typed from, also beside one that is masked.
    @Test(arguments: [true, false])
    func aTraceIsAScript(_ masked: Bool) throws {
        try Files.withFolder { folder in
            try TabsApp.put(Self.script, folder + "/s.keys")
            try TabsApp.put(TabsApp.scene(), folder + "/s.yaml")
            let replay = ["replay", folder + "/s.keys", "--scene", folder + "/s.yaml", "-o"]
            #expect(CommandRun(replay + [folder + "/clear.keyflight", "--show-keys"]).status == 0)
            let other = masked ? [] : ["--show-keys"]
            #expect(CommandRun(replay + [folder + "/t.keyflight"] + other).status == 0)
            let run = CommandRun("verify", folder + "/t.keyflight", "--script", folder + "/clear.keyflight")
            #expect(run.status == 0 && run.text.contains("14 of 14 keys"), "\(run.text)\(run.notes)")
            // What is masked cannot be compared with what is not.
            let back = CommandRun("verify", folder + "/clear.keyflight", "--script", folder + "/t.keyflight")
            #expect(back.status == (masked ? 4 : 0), "\(back.text)\(back.notes)")
        }
    }

    @Test(arguments: [true, false])
    func aLostKeyIsNamedWithTheLastGoodOne(_ masked: Bool) throws {
        let run = try verify(masked: masked) { lines in
            // ⌘T is the sixth key.
            let press = lines.first { $0.contains("usage=0x17") || $0.contains("key=T") }
                .flatMap { $0.firstMatch(of: /press=(\d+)/)?.1 } ?? ""
            lines.removeAll { $0.contains("press=\(press) ") || $0.hasSuffix("press=\(press)") }
        }
        #expect(run.status == 1, "\(run.text)\(run.notes)")
        #expect(run.text.contains("\n  lost  ⌘T  key 6 · last good "), "\(run.text)")
    }

    @Test func jsonHasTheFindings() throws {
        let run = try verify(masked: false, ["--format", "json"])
        let start = "{\"schema\":\"keyflight.delivery/1\",\"identical\":true,\"typed\":14"
        #expect(run.text.hasPrefix(start), "\(run.text)")
    }

    @Test(arguments: [
        ("insert ж\ntype a\n", " text ", "text “ж”"), ("down LeftGUI\nup LeftGUI\ntype a\n", " key ", "LeftGUI"),
    ])
    func textAndModifiersAloneArriveAsWell(_ script: String, _ kind: String, _ name: String) throws {
        let whole = try verify(script, masked: false)
        #expect(whole.status == 0, "\(whole.text)\(whole.notes)")
        var left = 2
        let lost = try verify(script, masked: false) { lines in
            lines.removeAll { line in
                guard left > 0, line.contains(kind), !line.contains(" key ") || !line.contains("press=") else {
                    return line.contains("text=") && kind == " text " && line.contains(" resolution ")
                }
                left -= 1
                return true
            }
        }
        #expect(lost.status == 1 && lost.text.contains("\n  lost  \(name)  key 1 · "), "\(lost.text)\(lost.notes)")
    }

    @Test func aReplayHasNoPartInIt() {
        #expect(CommandRun("verify", "a", "--script", "b", "--scene", "c").status == 64)
        #expect(CommandRun(["verify", "-", "--script", "-"], stdin: []).status == 64)
    }
}
