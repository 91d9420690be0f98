import KeyModel
import Testing
import TraceFormat

@testable import keyflight

/// What takes a letter alone before a text does, besides commands: of two scripts that differ in one letter the masked
/// traces are the same, whether a replay masks them or a tool that is given one in clear.
@Suite struct MaskedTakersTests {
    struct Taker: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The responder with the keyboard, and more of the controller above it.
        var first = "kind: textField"
        var above = ""
        var kind = "viewController"
        var rest = ""
        var profile = "ios15"
        /// The letters that are typed: one that is taken, and one that is not.
        var letters = ("press r", "press x")

        init(
            _ name: String, first: String = "kind: textField", above: String = "", kind: String = "viewController",
            rest: String = "", profile: String = "ios15", letters: (String, String) = ("press r", "press x")
        ) {
            testDescription = name
            (self.first, self.above, self.kind, self.rest) = (first, above, kind, rest)
            (self.profile, self.letters) = (profile, letters)
        }

        var scene: String {
            """
            scene: 1
            name: takers
            profile: \(profile)
            responders:
              - {id: app, kind: application}
              - {id: scn, kind: windowScene}
              - {id: win, kind: window, keyWindow: true, rootViewController: vc}
              - id: vc
                kind: \(kind)
                view: v
                actions: ["open:", "act:"]
                cost: {keyCommands: 20us, "open:": 2ms, "act:": 9ms, presses: 3us}
                keyCommands: [{input: o, modifiers: [command], action: "open:"}]
                \(above)
              - {id: v, kind: view}
              - {id: field, superview: v, \(first)}
            firstResponder: field
            \(rest)

            """
        }

        /// The same, and its last key is held.
        private func hold(_ letter: String) -> String {
            var lines = letter.split(separator: "\n").map(String.init)
            guard let place = lines.lastIndex(where: { $0.hasPrefix("press ") }) else { return letter }
            lines[place] = "hold \(lines[place].dropFirst("press ".count)) 900ms"
            return lines.joined(separator: "\n")
        }

        /// The letter comes first, before anything was read or built, and again among others.
        func script(_ letter: String) -> String {
            """
            \(letter)
            press cmd+o
            press delete
            press cmd+z
            type ab
            \(hold(letter))
            press cmd+o
            press left
            \(letter)
            insert "q"
            press delete

            """
        }
    }

    static let menu = "mainMenu:\n  - {menu: edit, children: [{input: r, action: \"act:\", title: X}]}"
    static let takers = [
        Taker("onKeyPress", above: "onKeyPress: [{keys: [r], result: handled}]", kind: "hostingController"),
        Taker("any key", above: "onKeyPress: [{result: handled, phases: [repeat]}]", kind: "hostingController"),
        Taker("shortcuts", above: "shortcuts: [{input: r, action: \"act:\"}]", kind: "hostingController"),
        Taker("swallower", above: "swallowsPresses: [r]"),
        Taker("swallower of 13.4", above: "swallowsPresses: [r]", profile: "ios134"),
        Taker("all presses", above: "swallowsPresses: true"),
        Taker("page", first: "kind: webView, editable: true, preventsDefault: [r]"),
        Taker("page of 13.4", first: "kind: webView, editable: true, preventsDefault: [r]", profile: "ios134"),
        Taker("bindings", first: "kind: textView, keyBindings: [bare.dict]"),
        Taker("bindings of 13.4", first: "kind: textView, keyBindings: [bare.dict]", profile: "ios134"),
        Taker(
            "sequence", first: "kind: textView, keyBindings: [two.dict]",
            letters: ("press ctrl+x\npress r\npress ctrl+s", "press ctrl+x\npress x\npress ctrl+s")),
        Taker(
            "letter of a sequence", first: "kind: textView, keyBindings: [two.dict]",
            letters: ("press r\npress ctrl+s", "press x\npress ctrl+s")),
        Taker("dead key", letters: ("press opt+e\npress e", "press opt+e\npress x")),
        Taker("which is dead", letters: ("press opt+e", "press opt+x")),
        Taker(
            "dashes", first: "kind: textView, smartDashes: true",
            letters: ("press minus\npress minus", "press comma\npress comma")),
        Taker(
            "words", first: "kind: textView",
            letters: ("type ab\npress '\ntype cd\npress opt+delete", "type ab\npress ,\ntype cd\npress opt+delete")),
        Taker(
            "words that are looked for", first: "kind: keyboardTextView",
            letters: (
                "type ab\npress '\ntype cd\npress opt+delete\npress cmd+a\npress cmd+e\npress cmd+g",
                "type ab\npress ,\ntype cd\npress opt+delete\npress cmd+a\npress cmd+e\npress cmd+g"
            )),
        Taker(
            "empty text", first: "kind: keyboardTextView", above: "swallowsPresses: [r]",
            letters: (
                "press r\npress cmd+a\npress cmd+e\npress cmd+c", "press x\npress cmd+a\npress cmd+e\npress cmd+c"
            )),
        Taker("menu of 13.4", rest: menu, profile: "ios134"),
        Taker("menu of catalyst", rest: menu, profile: "catalyst"),
        Taker(
            "other list", above: "variants: {busy: [{input: r, action: \"act:\", wantsPriority: true}]}",
            profile: "ios134",
            letters: ("press r\ndo set vc keyCommands busy", "press x\ndo set vc keyCommands busy")),
    ]

    @Test(arguments: takers, ["none", "responder", "chain"])
    func aTakerDoesNotNameTheLetter(_ taker: Taker, _ cache: String) throws {
        try Files.withFolder { folder in
            try Files.write(Array(taker.scene.utf8), to: folder + "/s.yaml")
            try Files.write(Array("{ \"r\" = \"moveLeft:\"; }".utf8), to: folder + "/bare.dict")
            let two = "{ \"^x\" = { \"r\" = \"moveLeft:\"; }; \"r\" = { \"^s\" = \"moveRight:\"; }; }"
            try Files.write(Array(two.utf8), to: folder + "/two.dict")
            let runs = try [taker.letters.0, taker.letters.1].map { letter in
                try Self.products(Array(taker.script(letter).utf8), in: folder, ["--cache", cache])
            }
            for (one, other) in zip(runs[0], runs[1]) {
                let lines = [one, other].map { CommandRun(["show", "-", "--format", "text"], stdin: $0.bytes).lines }
                let place = zip(lines[0], lines[1]).first { $0 != $1 }
                #expect(one.bytes == other.bytes, "\(one.name): \(place.map { "\($0)\n\($1)" } ?? "")")
            }
        }
    }

    /// The masked trace, and what tools make of the one in clear and of variants of it.
    private static func products(
        _ script: [UInt8], in folder: String, _ options: [String]
    ) throws -> [(name: String, bytes: [UInt8])] {
        let replay = ["replay", "-", "--scene", folder + "/s.yaml", "-o", "-"] + options
        let masked = CommandRun(replay, stdin: script)
        let clear = CommandRun(replay + ["--show-keys"], stdin: script)
        try #require(masked.status == 0 && clear.status == 0, "\(masked.notes)\(clear.notes)")
        let check = CommandRun(["redact", "-", "--text", "--check"], stdin: masked.output)
        #expect(!check.text.contains("characters:"), "\(check.text)")
        #expect(CommandRun(["redact", "-", "--text", "-o", "-"], stdin: masked.output).output == masked.output)
        #expect(CommandRun(["verify-format", "-"], stdin: masked.output).status == 0)
        let verified = CommandRun(["verify", "-", "--scene", folder + "/s.yaml"], stdin: masked.output)
        #expect([0, 4].contains(verified.status), "\(verified.text)")
        var products = [("replay", masked.output)]
        for (name, bytes) in try variants(of: clear.output) {
            for tool in [["redact", "-"], ["redact", "-", "--text"], ["cut", "-", "--from", "0s"], ["repair", "-"]] {
                let run = CommandRun(tool + ["-o", "-"], stdin: bytes)
                #expect(run.status == 0, "\(tool): \(run.notes)")
                products.append(("\(tool) of \(name)", run.output))
            }
        }
        return products
    }

    private static func variants(of clear: [UInt8]) throws -> [(name: String, bytes: [UInt8])] {
        let (whole, report) = try Recording.read(clear)
        func variant(_ level: TraceLevel, _ edit: (inout [TraceRecord]) -> Void) throws -> [UInt8] {
            var part = Recording()
            part.definitions = whole.definitions
            part.initialContext = whole.initialContext
            var records = whole.records.filter { record in
                if case .level = record.body { return false }
                return record.body.kind?.level ?? .keys <= level
            }
            edit(&records)
            for record in records { part.append(record.body, at: record.time) }
            var header = try #require(report.header)
            header.level = level
            return try part.bytes(header: header)
        }
        func isDown(_ record: TraceRecord) -> Bool {
            if case .key(let key) = record.body { key.phase == .down && key.press == 1 } else { false }
        }
        func isOutcome(_ record: TraceRecord) -> Bool {
            if case .resolution(let outcome) = record.body { outcome.at.press == 1 } else { false }
        }
        return [
            ("clear", clear),
            ("outcomes alone", try variant(.resolutions) { _ in }),
            ("no down", try variant(.calls) { $0.removeAll(where: isDown) }),
            ("late down", try variant(.calls) { records in
                guard let down = records.firstIndex(where: isDown) else { return }
                let record = records.remove(at: down)
                guard let outcome = records.firstIndex(where: isOutcome) else { return }
                records.insert(record, at: outcome + 1)
                records[outcome + 1].time = records[outcome].time
            }),
            ("no number", try variant(.calls) { records in
                for place in records.indices {
                    guard case .key(var key) = records[place].body, key.press == 1 else { continue }
                    key.press = nil
                    records[place].body = .key(key)
                }
            }),
        ]
    }

    /// Where nothing takes a letter alone, outcomes and lengths stay, and no fact is recorded.
    @Test func ordinaryTextKeepsItsOutcomes() throws {
        try Files.withFolder { folder in
            let taker = Taker("none")
            try Files.write(Array(taker.scene.utf8), to: folder + "/s.yaml")
            let replay = ["replay", "-", "--scene", folder + "/s.yaml", "-o", "-"]
            let trace = CommandRun(replay, stdin: Array("press r\npress cmd+o\ntype ab\n".utf8)).output
            let shown = CommandRun(["show", "-", "--format", "text"], stdin: trace)
            #expect(shown.lines.count { $0.contains("outcome=consumedByText") } == 3, "\(shown.text)")
            #expect(!shown.text.contains("undetermined") && !shown.text.contains(EnvironmentFact.bareKeys))
            #expect(shown.lines.contains { $0.contains(" effect ") && $0.contains("value=") }, "\(shown.text)")
        }
    }
}
