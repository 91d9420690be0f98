import Foundation
import Testing

@testable import keyflight

/// The reader beside Python's `tomllib`, which reads all of TOML 1.0: whatever ours accepts means the same there.
@Suite struct TOMLComparisonTests {
    private static let samples = [
        "profile = \"ios26\"\nscene = 'a/b.yaml' # c\n\n[gate]\nmargin = 3.50\nruns=48\nstrict = true\n",
        "[redact]\nremove = [\"text\", 'titles', # x\n  \"runs\",\n]\n[gate]\n",
        "a = \"\\u00e9\\U0001F600\\t\\n\\\"\\\\\"\r\n",
        "# only a comment", "\tkey-1 = -0\nkey_2 = +1.0\n1 = false\n", "a = '⌘' # ⌘\nb = \"\"\nc = ''\nd = []\n",
        "[ a ] # b\nx = [ ]\n[b]\nx = [\n\n'y'\n]", "a = 9223372036854775807\nb = -9223372036854775808\nc = 0.1\n",
    ]

    /// Characters that mean something in TOML, and some that mean nothing.
    private static let alphabet = Array("\n\r\t \"'\\[]{}=,.#+-_:0123456789abeftrulnUuxinf⌘\u{0}\u{7F}\u{FEFF}".utf8)

    /// Texts near the samples: bytes replaced, put in, taken out and copied, the same ones in every run.
    private static func texts() -> [[UInt8]] {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func draw(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % max(bound, 1)
        }
        var texts = samples.map { Array($0.utf8) }
        for sample in texts {
            for _ in 0..<500 {
                var text = sample
                for _ in 0...draw(3) {
                    let place = draw(text.count)
                    switch draw(4) {
                    case 0 where !text.isEmpty: text[place] = alphabet[draw(alphabet.count)]
                    case 1: text.insert(alphabet[draw(alphabet.count)], at: place)
                    case 2 where !text.isEmpty: text.remove(at: place)
                    default: text.insert(contentsOf: text[place...].prefix(draw(8)), at: draw(text.count))
                    }
                }
                texts.append(text)
            }
        }
        return texts
    }

    private static let reader = """
        import base64, json, sys, tomllib
        def form(value):
            if isinstance(value, bool): return ["flag", value]
            if isinstance(value, int): return ["integer", str(value)]
            if isinstance(value, float): return ["number", value.hex()]
            if isinstance(value, str): return ["text", value]
            if isinstance(value, list) and all(isinstance(item, str) for item in value): return ["list", value]
            return ["other"]
        def read(text):
            try: found = tomllib.loads(base64.b64decode(text).decode("utf-8").replace("\\r\\n", "\\n"))
            except Exception: return None
            rows = []
            for key, value in found.items():
                if isinstance(value, dict): rows += [[key + "." + k, form(v)] for k, v in value.items()]
                else: rows.append([key, form(value)])
            return sorted(rows)
        json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)
        """

    /// What `tomllib` makes of texts; `nil` without Python 3.11.
    private static func answers(_ texts: [[UInt8]]) throws -> [Any]? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", reader]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let question = try JSONSerialization.data(withJSONObject: texts.map { Data($0).base64EncodedString() })
        // Python reads all of it before it writes. Without tomllib it is gone already.
        try? input.fileHandleForWriting.write(contentsOf: question)
        try? input.fileHandleForWriting.close()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return try JSONSerialization.jsonObject(with: data) as? [Any]
    }

    @Test func whatIsAcceptedMeansTheSameToPython() throws {
        signal(SIGPIPE, SIG_IGN)
        let texts = Self.texts()
        guard let answers = try Self.answers(texts) else {
            print("no Python 3.11 here: the reader of settings was not compared with tomllib")
            return
        }
        try #require(answers.count == texts.count)
        var accepted = 0
        for (text, answer) in zip(texts, answers) {
            guard let ours = try? SettingsText(text, file: "a.toml") else { continue }
            accepted += 1
            let shown = String(decoding: text, as: UTF8.self)
            guard let rows = answer as? [[Any]] else {
                Issue.record("accepted, but no TOML: \(shown.debugDescription)")
                continue
            }
            let expected = ours.entries.sorted { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }
            #expect(rows.count == expected.count, "\(shown.debugDescription)")
            for (row, entry) in zip(rows, expected) {
                #expect(row.first as? String == entry.name, "\(shown.debugDescription)")
                let theirs = row.last as? [Any] ?? []
                #expect(Self.isSame(theirs, entry.value), "\(theirs) and \(entry.value) in \(shown.debugDescription)")
            }
        }
        #expect(accepted > 500, "\(accepted) of \(texts.count) were accepted: too few to say anything")
    }

    private static func isSame(_ theirs: [Any], _ ours: SettingsText.Value) -> Bool {
        switch (theirs.first as? String, ours) {
        case ("text", .text(let text)): theirs.last as? String == text
        case ("flag", .flag(let isSet)): theirs.last as? Bool == isSet
        case ("integer", .integer(let number)): theirs.last as? String == "\(number)"
        case ("number", .number(let number)): (theirs.last as? String).flatMap { Double($0) } == number
        case ("list", .list(let items)): theirs.last as? [String] == items
        default: false
        }
    }
}
