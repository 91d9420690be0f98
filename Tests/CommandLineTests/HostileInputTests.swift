import GeneratedTraces
import Testing

@testable import keyflight

/// Whatever the bytes, every verb ends with a documented status and says in one line each what is wrong.
@Suite struct HostileInputTests {
    static let scene = Files.path("Traces/scenes/pdf-viewer.scene.yaml")

    static let verbs: [[String]] = [
        ["info", "-"], ["info", "-", "--format", "json"], ["show", "-"], ["show", "-", "--format", "jsonl"],
        ["import", "-", "-o", "-"], ["assemble", "-", "-o", "-"], ["replay", "-", "--scene", scene],
        ["replay", "-", "--scene", scene, "--format", "jsonl"], ["replay", "-", "--scene", scene, "-o", "-"],
        ["stats", "-"], ["stats", "-", "--scene", scene], ["explain", "-", "--press", "1"],
        ["explain", "-", "--scene", scene, "⌘W", "--last"],
    ]

    /// Statuses that an input can cause.
    static let expected: Set<Int32> = [0, 2, 3, 64]

    static func check(_ bytes: [UInt8], _ what: String, _ verbs: [[String]] = HostileInputTests.verbs) {
        for verb in verbs {
            let run = CommandRun(verb, stdin: bytes)
            #expect(expected.contains(run.status), "\(verb) of \(what) ended with \(run.status): \(run.notes)")
            #expect(run.status == 0 || !run.noteLines.isEmpty, "\(verb) of \(what) does not say what is wrong")
            for line in run.noteLines {
                #expect(line.utf8.count < 1000, "\(verb) of \(what): a line of \(line.utf8.count) bytes")
            }
        }
    }

    @Test func odds() {
        Self.check([], "nothing")
        Self.check([0], "a zero")
        Self.check([0x89], "the first byte of a trace")
        Self.check(Array(repeating: 0xFF, count: 70_000), "ones")
        Self.check(Array(repeating: 0x0A, count: 70_000), "line ends")
        Self.check([0xEF, 0xBB, 0xBF], "a byte order mark")
        Self.check(Array("keys 99\n".utf8), "a script of another version")
        Self.check(Array("press \u{1B}[31m\u{202E}\n".utf8), "escapes")
        Self.check(Array("keyflight-text 1".utf8), "the beginning of a trace as text")
        Self.check([0xD4, 0xC3, 0xB2, 0xA1], "the magic of a capture")
        Self.check([0x0A, 0x0D, 0x0D, 0x0A], "the magic of a pcapng")
    }

    @Test func hugeLines() {
        let letters = isOptimisedBuild ? 3_000_000 : 500_000
        Self.check(Array(repeating: 0x61, count: letters), "one line of \(letters) letters")
        Self.check(Array(("press " + String(repeating: "cmd+", count: 50_000)).utf8), "a chord of 50,000 modifiers")
        Self.check(Array(("hold a 9223372036s\n").utf8), "a key held for centuries")
        Self.check(Array(String(repeating: "wait 9223372036s\n", count: 50).utf8), "times beyond the range")
    }

    static let files = Files.names(Files.path("Traces/hostile")).filter { name in
        ["capture-", "presses-", "trace-"].contains { name.hasPrefix($0) }
    }

    @Test func thereAreHostileFiles() { #expect(Self.files.count > 150) }

    @Test(arguments: HostileInputTests.files)
    func hostileFiles(_ name: String) {
        // Keys that are held for years repeat a million times in a replay, which takes its time.
        var verbs = name.hasPrefix("capture-time-") ? Array(Self.verbs.prefix(5)) : Self.verbs
        // A third of them without optimisation, which verb meets which file by the file's name.
        if !isOptimisedBuild {
            let length = name.utf8.count
            verbs = verbs.indices.filter { ($0 + length) % 3 == 0 }.map { verbs[$0] }
        }
        Self.check(Files.bytes(Files.path("Traces/hostile/\(name)")), name, verbs)
    }

    /// Numbers at the ends of what the format holds, met by the verbs that add them up or write them elsewhere.
    @Test(arguments: ["durations-huge", "repeats-dense", "keyboard-name-wide"])
    func extremes(_ name: String) {
        let exports = ["pcapng", "evemu", "perfetto", "speedscope", "csv", "openmetrics"].map {
            ["export", "-", "--format", $0, "-o", "-"]
        }
        let tables = [
            ["tail", "-", "--above", "p50"], ["stats", "-", "--repeat"], ["stats", "-", "--by", "chord"], ["top", "-"],
            ["query", "-", "select sum(duration_ns) from calls"], ["report", "-", "-o", "-"],
        ]
        let path = Files.path("Traces/hostile/presses-\(name).keyflight")
        Self.check(Files.bytes(path), name, exports + tables)
    }

    /// The log of a switch whose times do not fit, and a power of ten that has no opposite.
    @Test func hostileStimuli() throws {
        try Files.withFolder { folder in
            let path = folder + "/switch.csv"
            for rows in ["0,1\n9223372036854775807,0\n", "1e-9223372036854775808,1\n"] {
                try Files.write(Array(rows.utf8), to: path)
                Self.check([], rows, [["import", "--csv", path, "--as", "stimulus", "-o", "-"]])
            }
        }
    }

    /// A trace of level `calls`, cut and with single bits turned. The format's own tests do every byte; this is
    /// about the verbs.
    @Test func damagedTraces() {
        let script = Array("press cmd+w\ntype ab\n".utf8)
        let trace = CommandRun(["replay", "-", "--scene", Self.scene, "-o", "-"], stdin: script).output
        #expect(trace.count > 100)
        for cut in stride(from: 0, to: trace.count, by: max(1, trace.count / 12)) {
            Self.check(Array(trace[..<cut]), "a trace of which \(cut) bytes are left")
        }
        for at in stride(from: 0, to: trace.count, by: max(1, trace.count / 24)) {
            var bytes = trace
            bytes[at] ^= 0x40
            Self.check(bytes, "a trace with another byte \(at)")
        }
    }

    @Test func hostileScenes() throws {
        try Files.withFolder { folder in
            let path = folder + "/a.scene.yaml"
            for text in [
                "", "\u{0}", "scene: 2\n", "[", "&a [*a, *a]\n", "scene: 1\nresponders: []\n", "scene: 1\nbogus: 2\n",
                "scene: 1\nresponders:\n  - {id: a, kind: view, next: a}\n", String(repeating: "[", count: 100_000),
                "a: &a [1]\n" + String(repeating: "b: [*a, *a]\n", count: 10_000),
                String(repeating: "# much\n", count: 200_000),
            ] {
                try Files.write(Array(text.utf8), to: path)
                let run = CommandRun(["replay", "-", "--scene", path], stdin: Array("press a\n".utf8))
                #expect(run.status == 2, "\(text.prefix(40)): \(run.notes)")
                #expect(run.noteLines.count == 1, "\(run.notes)")
                #expect(run.notes.hasPrefix(path), "\(run.notes)")
            }
        }
    }
}
