import HIDCapture
import KeyModel
import Testing
import TraceFormat

@testable import CaptureImport

/// Recordings that lack the release of ⌃: what is typed after it is not in clear in a masked trace.
struct LostReleaseTests {
    /// Keys by code and usage.
    private static let codes: [Character: (code: Int, usage: Int)] = [
        "^": (29, 0xE0), "c": (46, 6), "p": (25, 0x13), "e": (18, 8), "n": (49, 0x11), "i": (23, 0x0C), "l": (38, 0x0F),
        "\n": (28, 0x28),
    ]

    /// A form of text: its head, and the line of an event.
    struct Form: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var head: String
        /// A line that cannot be read.
        var broken: String
        var line: @Sendable (_ milliseconds: Int, _ type: Int, _ code: Int, _ value: Int) -> String
    }

    private static func seconds(_ milliseconds: Int) -> String {
        "\(1_700_000_000 + milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())000"
    }

    private static func hexadecimal(_ value: Int) -> String { String(String(value + 0x10000, radix: 16).dropFirst()) }

    static let forms: [Form] = [
        Form(
            testDescription: "evtest",
            head: "Input driver version is 1.0.1\nInput device name: \"Keyboard\"\nTesting ... (interrupt to exit)\n",
            broken: "Event: time 1, type\n",
            line: { time, type, code, value in
                let words = type == 0 ? "-------------- SYN_REPORT ------------"
                    : "type \(type) (T), code \(code) (C), value \(type == 4 ? String(value, radix: 16) : "\(value)")"
                return "Event: time \(seconds(time)), \(code == 3 && type == 0 ? ">>> SYN_DROPPED <<<" : words)\n"
            }),
        Form(
            testDescription: "evemu", head: "# EVEMU 1.3\nN: Keyboard\nI: 0003 046d c31c 0110\n", broken: "E: 1 x\n",
            line: { "E: \(seconds($0)) \(hexadecimal($1)) \(hexadecimal($2)) \($3)\n" }),
        Form(
            testDescription: "libinput",
            head: "version: 1\ndevices:\n- node: /dev/input/event3\n  events:\n  - evdev:\n", broken: "    - [1, x]\n",
            line: { "    - [\($0 / 1000), \($0 % 1000 * 1000), \($1), \($2), \($3)]\n" }),
    ]

    /// Keys go down and up, those before ↓ or ↑ one way only.
    private static func events(_ keys: String, from start: Int, _ form: Form) -> String {
        var text = ""
        var time = start
        let characters = Array(keys)
        for (at, character) in characters.enumerated() {
            guard let (code, usage) = codes[character] else { continue }
            let way = at + 1 < characters.count ? characters[at + 1] : " "
            for value in way == "↓" ? [1] : way == "↑" ? [0] : [1, 0] {
                text += form.line(time, 4, 4, 0x70000 + usage) + form.line(time, 1, code, value)
                text += form.line(time, 0, 0, 0)
                time += 10
            }
        }
        return text
    }

    /// The keys of a masked trace: names in clear, `.` for each that is masked, `!` behind what is synthetic.
    private static func masked(_ bytes: [UInt8]) throws -> String {
        var trace: [UInt8] = []
        let result = try CaptureImporter().run([.init(name: "recording", .bytes(bytes))]) { trace += $0 }
        guard case .imported = result else { return "" }
        return try CaptureImporterTests.keys(trace).filter { $0.key.phase != .repeat }.map { _, key in
            let name = key.key.usage.map(\.name) ?? "."
            return (key.phase == .down ? "" : "-") + name + (key.isSynthetic ? "!" : "")
        }.joined(separator: " ")
    }

    private static let word = Array(repeating: ". -.", count: 6).joined(separator: " ")

    @Test("a second recording in the same file begins with nothing held, and the chord that ended the first stays",
        arguments: forms)
    func twice(_ form: Form) throws {
        let first = form.head + Self.events("\n↑e^↓c↓", from: 0, form)
        let second = form.head + Self.events("\n↑pencil^↓c↓", from: 60_000, form)
        let chord = "LeftControl C -C! -LeftControl!"
        #expect(try Self.masked(Array((first + second).utf8)) == ". -. \(chord) \(Self.word) \(chord)")
    }

    @Test("after a loss ⌃ is held by nothing that was seen, however little is typed", arguments: forms)
    func loss(_ form: Form) throws {
        let before = form.head + Self.events("^↓c", from: 0, form)
        let lost = [form.line(500, 0, 3, 0) + form.line(510, 0, 0, 0), form.broken]
        for lost in lost {
            let after = Self.events("pen", from: 1000, form)
            let keys = try Self.masked(Array((before + lost + after).utf8))
            // The hold of which the end was lost is no evidence as a whole.
            #expect(keys == "LeftControl! . -. -LeftControl! LeftControl! . -. . -. . -. -LeftControl!")
        }
        // Without a trace of the loss: ⌃ goes down again, or more is typed under it than anybody holds it for.
        let again = Self.events("^↓cpe", from: 0, form) + Self.events("^", from: 900, form)
        let keys = try Self.masked(Array((form.head + again).utf8))
        #expect(keys == "LeftControl! . -. . -. . -. -LeftControl! LeftControl -LeftControl")
        let long = try Self.masked(Array((form.head + Self.events("^↓pencil", from: 0, form)).utf8))
        #expect(long == "LeftControl! \(Self.word) -LeftControl!")
        // A person's chords stay.
        let chords = form.head + Self.events("^↓pecn^↑^↓ilpc^↑i", from: 0, form)
        let all = "LeftControl P -P E -E C -C N -N -LeftControl LeftControl I -I L -L P -P C -C -LeftControl . -."
        #expect(try Self.masked(Array(chords.utf8)) == all)
    }

    @Test("boot reports, then reports with an id: most of what is typed comes without ⌃, and yet the rest is no chord")
    func changedLayout() throws {
        var typed = WrongGuessTests.Typed()
        func type(_ usages: [UInt8], id: UInt8) {
            for usage in usages {
                for key in [usage, 0] {
                    let time = Int64(typed.reports.count + 1) * 10_000_000
                    typed.reports.append(.init(time: time, stream: 0, bytes: [id, 0, key, 0, 0, 0, 0, 0]))
                }
            }
        }
        type(Array(4..<30), id: 0)
        for id in [UInt8(1), 8, 0x10, 0x80] {
            let before = typed
            type([0x13, 8, 0x11, 6, 0x0C, 0x0F], id: id)
            for interface in WrongGuessTests.Interface.allCases {
                var trace: [UInt8] = []
                let bytes = WrongGuessTests.capture(typed, interface)
                let input = CaptureImporter.Input(name: "ids", .bytes(bytes))
                guard case .imported = try CaptureImporter().run([input], to: { trace += $0 }) else { continue }
                let clear = try CaptureImporterTests.keys(trace).compactMap(\.key.key.usage).filter { !$0.isModifier }
                #expect(clear.isEmpty, "\(id) \(interface)")
            }
            typed = before
        }
    }

    @Test("captures that are joined have as many events as packets, or some, and a trace in memory has a limit")
    func events() throws {
        // A bitmap of 224 keys, all of which change with each report.
        let bits = [String(repeating: " ff", count: 28), String(repeating: " 00", count: 28)]
        let text = "R: 23 05 01 09 06 a1 01 05 07 19 00 29 df 15 00 25 01 75 01 95 e0 81 02 c0\n"
            + (0..<600).map { (number: Int) -> String in "E: 0.\(number + 1000) 28\(bits[number % 2])\n" }.joined()
        let input = CaptureImporter.Input(name: "bits", .bytes(Array(text.utf8)))
        var job = CaptureImporter()
        _ = try job.run([input]) { _ in }
        job.traceLimit = 1 << 16
        let trace = try #require(throws: ImportError.self) { try job.run([input]) { _ in } }
        #expect(trace.reason == "trace: expected at most 0 MiB in memory; use import first")
        let error = try #require(throws: ImportError.self) { try CaptureImporter().run([input, input]) { _ in } }
        #expect(error.reason.contains("key events: expected at most 262144 in captures that are joined; import each"))
    }
}
