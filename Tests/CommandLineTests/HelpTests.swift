import Foundation
import KeyModel
import LatencyAnalysis
import ResponderEngine
import Testing
import TraceReports

@testable import keyflight

/// `keyflight help`, and the ids that errors end with.
@Suite struct HelpTests {
    @Test func helpAloneListsVerbsAndTopics() {
        let run = CommandRun("help")
        #expect(run.status == 0)
        for verb in Keyflight.verbs { #expect(run.text.contains("\n  \(verb) "), "\(verb)") }
        for topic in HelpTopic.names { #expect(run.text.contains(topic), "\(topic)") }
    }

    @Test func everyVerbHasHelpAndTakesTheTerminalsOptions() {
        for name in Keyflight.verbs {
            let run = CommandRun("help", name)
            #expect(run.status == 0 && run.text.contains("keyflight \(name)"), "\(name)")
            #expect(run.text.contains("--color") && run.text.contains("--ascii"), "\(name) lacks TerminalOptions")
            #expect(run.text == CommandRun(name, "--help").text, "\(name)")
        }
    }

    @Test(arguments: HelpTopic.names)
    func topics(_ topic: String) {
        let run = CommandRun("help", topic)
        #expect(run.status == 0 && run.lines.count > 2, "\(run.text)")
        for line in run.lines {
            #expect(DisplayWidth.of(line) <= 115, "\(line)")
            #expect(!line.hasPrefix("{") && !line.hasPrefix("```"), "a table or a mark of the page: \(line)")
        }
    }

    @Test func topicsNameEverything() {
        let fields = CommandRun("help", "filters").text
        for field in PressFilter.fields.map(\.name) { #expect(fields.contains(field), "\(field)") }
        let codes = CommandRun("help", "exit-codes").text
        for status in ExitStatus.allCases { #expect(codes.contains("  \(status.rawValue) ")) }
        let rows = [
            ("stages", LatencyStage.allCases.map(\.name)), ("profiles", Profile.shippedNames),
            ("environment", Settings.Variable.allCases.map(\.rawValue)),
        ]
        for (topic, names) in rows {
            let found = CommandRun("help", topic).lines.compactMap { line in
                line.hasPrefix("  ") && !line.hasPrefix("   ") ? String(line.dropFirst(2).prefix { $0 != " " }) : nil
            }
            #expect(found == names, "\(topic)")
        }
    }

    /// A screen has 40 lines. Scripts/golden-cycle runs what can be run.
    @Test func eachPipelineIsWholeAndFitsAScreen() {
        let page = String(decoding: PackageResources.ContinuousIntegration_md, as: UTF8.self)
        let text = CommandRun("help", "ci").text
        let services = ["Plain shell", "GitHub Actions", "GitLab", "Jenkins", "Buildkite"]
        for service in services { #expect(text.contains("\n\(service): "), "\(service)") }
        let blocks = page.split(separator: "```").enumerated().filter { $0.offset % 2 == 1 }
            .map { $0.element.split(separator: "\n").dropFirst() }
        #expect(blocks.count > services.count)
        for block in blocks {
            #expect(block.count <= 40, "\(block.first ?? "")")
            for line in block { #expect(text.contains("\n  \(line)\n"), "\(line)") }
        }
        for pipeline in blocks.prefix(services.count).dropFirst() {
            #expect(pipeline.contains { $0.contains("ci/keyflight") } && pipeline.contains { $0.contains("$PACKAGE") })
        }
    }

    /// Folders and options on several lines, as YAML has them, and a build whose other one was misspelt.
    @Test func theActionHandsOnAllThatItIsGiven() throws {
        try Files.withFolder { folder in
            try Files.write(Array("#!/bin/sh\nprintf '<%s>' \"$@\"\n".utf8), to: folder + "/keyflight")
            try Files.setPermissions(0o755, of: folder + "/keyflight")
            let run = try ProgramRun(
                shell: """
                    cd '\(folder)' && mkdir out && echo yesterday > out/gate.xml && export PATH="$PWD:$PATH"
                    export GOLDENS='A\nB/C\n' ARGUMENTS='--expect 3\n--time fail' BASE_COMMAND= HEAD_COMMAND='./head a'
                    '\(Files.path("Scripts/action/gate"))'; echo; ls out
                    """)
            #expect(run.output.hasPrefix("<gate><A><B/C><--format>"), "\(run.output)\(run.notes)")
            #expect(run.output.contains("<--expect><3><--time><fail><--base><><--head><./head a><--keep>"))
            #expect(!run.output.contains("gate.xml\n"), "\(run.output)")
        }
    }

    @Test func aMisspeltVerbIsSuggested() {
        let run = CommandRun("explian", "x.keyflight")
        #expect(run.status == 64 && run.noteLines.count == 1 && run.notes.contains("such as explain, found explian"))
        #expect(CommandRun("zzzzzz").notes.contains("expected one, found zzzzzz"))
    }

    /// The scene that the topic shows is one.
    @Test func theSceneOfTheTopicIsOne() throws {
        try Files.withFolder { folder in
            let scene = CommandRun("help", "scenes").lines.filter { $0.hasPrefix("  ") }.map { $0.dropFirst(2) }
            try TabsApp.put(scene.joined(separator: "\n") + "\n", folder + "/s.scene.yaml")
            #expect(CommandRun("bindings", folder + "/s.scene.yaml").status == 0)
            let script = CommandRun("help", "keys").lines.drop { !$0.hasPrefix("  ") }.prefix { $0.hasPrefix("  ") }
                .map { $0.dropFirst(2) }.filter { !$0.hasPrefix("do ") && !$0.hasPrefix("   ") }
            try TabsApp.put(script.joined(separator: "\n") + "\n", folder + "/s.keys")
            let run = CommandRun("replay", folder + "/s.keys", "--scene", folder + "/s.scene.yaml")
            #expect(run.status == 0 && run.lines.count > 5, "\(run.notes)")
            let wrong = "scene: 1\nresponders:\n  - {id: a, kind: view, swalowsPresses: true}\n"
            try TabsApp.put(wrong, folder + "/w.scene.yaml")
            #expect(CommandRun("lint", folder + "/w.scene.yaml").notes.contains("it may have to be swallowsPresses"))
            try TabsApp.put(wrong.replacing("responders:", with: "responder:"), folder + "/w.scene.yaml")
            #expect(CommandRun("lint", folder + "/w.scene.yaml").notes.contains("responder may have to be responders"))
        }
    }

    @Test(arguments: FailureID.allCases)
    func everyErrorIsExplained(_ id: FailureID) {
        let run = CommandRun("help", id.rawValue.lowercased())
        #expect(run.status == 0 && run.lines.first == id.rawValue)
        for word in ["what", "why", "remedy", "status"] {
            #expect(run.lines.contains { $0.hasPrefix("  \(word)  ") }, "\(id) lacks \(word)")
        }
        // The first digits are the status.
        let digits = id.rawValue.dropFirst(2).prefix(2)
        #expect(Int32(digits) == id.status.rawValue, "\(id)")
        #expect(id.section?.text().split(separator: "\n").count == 2, "\(id): cause and remedy")
    }

    @Test("EV-8 a rule is printed with its sources, and its parameters with their values")
    func ruleOfTheSpecification() {
        let run = CommandRun("help", "ev-8")
        #expect(run.status == 0 && run.lines.first == "EV-8 commands, text and focus in each version's order")
        for part in [
            "  rule        - From 15,", "  documented  Apple: wantsPriorityOverSystemBehavior",
            "  observed    radar 25463955", "stageOrder = commandsFirst: ios7 ios9",
        ] {
            #expect(run.text.contains(part), "\(part) in \(run.text)")
        }
        #expect(CommandRun("help", "T-4").text.contains("two performs for one key-down"))
        #expect(CommandRun("help", "G15").text.contains("1 + 7 performs"))
        #expect(CommandRun("help", "I27-3").text.contains("rootshell 456"))
        #expect(CommandRun("help", "LA-10").text.contains("disabledItemsKeepKeys = false: appkit; true: gnustep"))
        #expect(CommandRun("help", "KB-2").text.contains("^ ⌃"))
    }

    @Test(arguments: ["EV8", "EV-" + "88", "MT--1"]) func aRuleThatThereIsNotHasANeighbour(_ word: String) {
        let run = CommandRun("help", word)
        #expect(run.status == 64 && run.notes.contains("such as \(word.prefix(2))-"), "\(run.notes)")
    }

    @Test func everyRuleFitsAndIsListed() {
        let list = CommandRun("help", "specification").text
        #expect(SpecificationRule.all.count > 280)
        for rule in SpecificationRule.all {
            #expect(list.contains("  \(rule.id) "), "\(rule.id)")
            #expect(rule.parts.count > 1 && rule.parts[0].label != "", "\(rule.id)")
            for line in Help.text(rule).split(separator: "\n") {
                #expect(DisplayWidth.of(String(line)) <= 80, "\(line)")
            }
        }
    }

    @Test func idsAreNotUsedTwiceAndEachHasItsOwnWords() {
        #expect(Set(FailureID.allCases.map(\.rawValue)).count == FailureID.allCases.count)
        #expect(Set(FailureID.allCases.map(\.section?.summary)).count == FailureID.allCases.count)
    }

    /// Each id stands at a place of the program that can go wrong.
    @Test func everyErrorCanHappen() {
        let folder = Files.path("Sources/keyflight")
        let parts = ["Commands", "Console", "Demo", "Fleet", "Gate", "Help", "Inputs", "Launch", "Typing"]
        let sources = parts.flatMap { part in
            Files.names(folder + "/" + part).filter { !$0.hasPrefix("Failure") || $0 == "Failure.swift" }
                .map { Files.text("\(folder)/\(part)/\($0)") }
        }
        let used = Self.endings(in: sources + [Files.text(folder + "/Keyflight.swift")])
        let idle = FailureID.allCases.filter { !used.contains("\($0)") }
        #expect(idle == [], "nothing ends with these: use them or take them out")
        #expect(Self.endings(in: ["case .a: b.c(.d)\nFailure(\n  x ? .e : .f, .g)\nconsole.fail(.h, i)"])
                == ["e", "f", "h"])
    }

    /// The ids that errors are made with: what stands first behind `Failure(` and `fail(`, and what a switch gives that
    /// chooses one.
    static func endings(in sources: [String]) -> Set<String> {
        var found: Set<String> = []
        for source in sources {
            let text = source.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            for call in ["Failure(", "fail(", "self.init("] {
                for rest in text.components(separatedBy: call).dropFirst() { found.formUnion(members(first(of: rest))) }
            }
            for choice in text.components(separatedBy: ": FailureID = switch").dropFirst() {
                let cases = choice.components(separatedBy: "self.init(").first ?? ""
                for result in cases.components(separatedBy: "case .").dropFirst() {
                    guard let colon = result.firstIndex(of: ":") else { continue }
                    found.formUnion(members(String(result[colon...])))
                }
            }
        }
        return found
    }

    /// The first argument of a call whose bracket was opened.
    private static func first(of call: String) -> String {
        var depth = 0
        for index in call.indices {
            switch call[index] {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "," where depth == 0: return String(call[..<index])
            default: break
            }
            if depth < 0 { return "" }
        }
        return ""
    }

    /// `.name` where it is no member of a value.
    private static func members(_ text: String) -> Set<String> {
        var found: Set<String> = []
        var before: Character = " "
        for index in text.indices {
            defer { before = text[index] }
            guard text[index] == ".", !before.isLetter, !before.isNumber, before != ")", before != "]" else { continue }
            found.insert(String(text[text.index(after: index)...].prefix { $0.isLetter || $0.isNumber }))
        }
        return found
    }

    @Test(arguments: LintRule.allCases)
    func everyRuleIsExplained(_ rule: LintRule) {
        let run = CommandRun("help", rule.rawValue)
        #expect(run.status == 0 && run.lines.first == rule.rawValue && run.text.contains("severity"))
    }

    static let scene = Files.path("Traces/scenes/pdf-viewer.scene.yaml")
    static let script = Files.path("Traces/golden/pdf-viewer/input.keys")
    static let capture = Files.path("Traces/captures/usb-keyboard-viewer.pcap")

    /// Errors that a command line alone brings about, with their ids.
    @Test(arguments: [
        ("KF0201", ["info", "/nowhere/x"]), ("KF0201", ["info", "/"]), ("KF0202", ["info", "-"]),
        ("KF0209", ["cut", scene, "-o", "-", "--press", "1"]), ("KF0206", ["replay", capture, "--scene", capture]),
        ("KF0300", ["show", capture, "--kind", "call"]),
        ("KF0301", ["explain", capture, "--scene", scene, "--press", "9999"]),
        ("KF0303", ["import", "-", "-o", "-"]), ("KF0304", ["gate", "Traces/golden", "--filter", "bogus"]),
        ("KF6400", ["info"]), ("KF6403", ["replay", script]), ("KF6403", ["tail", capture]),
        ("KF6404", ["show", "--device", "1", script]), ("KF6404", ["bindings", capture, "--overlay"]),
        ("KF6405", ["replay", script, "--scene", scene, "--profile", "ios99"]),
        ("KF6406", ["replay", script, "--scene", scene, "--layout", "bogus"]),
        ("KF6407", ["replay", script, "--scene", scene, "--what-if", "bogus=1"]),
        ("KF6408", ["explain", script, "--scene", scene, "cmd+"]),
        ("KF6409", ["export", capture, "--format", "evemu", "-o", "-"]), ("KF6413", ["help", "bogus"]),
        ("KF6414", ["watch", capture]),
        ("KF0300", ["stats", script, "--scene", scene, "--where", "total > 100s"]),
        ("KF0500", ["demo", "--save", "/proc/x"]),
    ])
    func errorsEndWithTheirId(_ id: String, _ arguments: [String]) {
        var stdin = [UInt8]()
        if id == "KF0303" {
            stdin = [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0] + Array(repeating: 0, count: 10) + [4, 0, 220, 0, 0, 0]
        }
        let path = arguments.map { $0 == "Traces/golden" ? Files.path($0) : $0 }
        let run = CommandRun(path, stdin: stdin)
        #expect(run.noteLines.last?.hasSuffix(" [\(id)]") == true, "\(arguments): \(run.notes)")
        #expect(FailureID(rawValue: id)?.status.rawValue == run.status, "\(arguments)")
    }

    @Test func aWordThatATopicIsAboutNamesIt() {
        #expect(CommandRun("help", "scripts").notes.contains("an error id such as keys, found scripts"))
    }
}
