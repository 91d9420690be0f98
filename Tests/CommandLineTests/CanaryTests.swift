import KeyModel
import Testing
import TraceFormat

@testable import keyflight

/// A secret that is typed, pasted, marked, put into a title and typed into a secure field: no tool gives it back.
@Suite struct CanaryTests {
    static let word = MaskingTests.word

    private static let scene = """
        scene: 1
        name: canary
        responders:
          - {id: app, kind: application}
          - {id: win, kind: window, next: app, keyWindow: true}
          - id: vc
            kind: viewController
            next: win
            actions: ["open:"]
            keyCommands:
              - {input: o, modifiers: [command], action: "open:", title: \(word)}
            cost: {keyCommands: 20us}
          - {id: field, kind: textField, next: vc, text: ""}
          - {id: pin, kind: textField, next: vc, text: "", secure: true}
        firstResponder: field
        """
    private static let script = """
        keys 1
        type \(word)
        insert "\(word)"
        do marktext \(word)
        press escape
        press cmd+o
        do focus pin
        type \(word)
        insert "\(word)"
        do focus field
        press cmd+o
        """

    @Test func noToolGivesTheSecretBack() throws {
        try Files.withFolder { folder in
            let (scene, script) = (folder + "/canary.scene.yaml", folder + "/canary.keys")
            try Files.write(Array(Self.scene.utf8), to: scene)
            try Files.write(Array(Self.script.utf8), to: script)
            var products: [(name: String, bytes: [UInt8])] = []
            for (name, more) in [("masked", []), ("clear", ["--show-keys"])] {
                let trace = "\(folder)/\(name).keyflight"
                let run = CommandRun(["replay", script, "--scene", scene, "-o", trace] + more)
                #expect(run.status == 0, "\(run.notes)")
                for part in [trace] + (try Self.levels(of: trace)) {
                    if name == "masked" { products += Self.readings(of: part, scene) }
                    products += Self.results(of: part, in: folder, scene)
                }
            }
            let (capture, viewer) = (MaskingTests.capture, MaskingTests.scene)
            let (imported, replayed) = (folder + "/imported.keyflight", folder + "/replayed.keyflight")
            #expect(CommandRun("import", capture, "-o", imported).status == 0)
            #expect(CommandRun("replay", imported, "--scene", viewer, "-o", replayed).status == 0)
            products += Self.readings(of: capture, viewer, isTrace: false)
            for trace in [imported, replayed] {
                products += Self.readings(of: trace, viewer) + Self.results(of: trace, in: folder, viewer)
            }
            for product in products {
                for (kind, pattern) in MaskingTests.patterns {
                    #expect(
                        !MaskingTests.contains(pattern, in: product.bytes), "\(product.name) holds the word as \(kind)")
                }
            }
            // It is in the one file that was asked to hold it, or this proves nothing.
            #expect(MaskingTests.contains(Array(Self.word.utf8), in: Files.bytes(folder + "/clear.keyflight")))
        }
    }

    /// The same at the levels below `calls`, each in a file of its own.
    private static func levels(of trace: String) throws -> [String] {
        let (whole, report) = try Recording.read(Files.bytes(trace))
        return try [TraceLevel.resolutions, .stages].map { level in
            var part = Recording()
            part.definitions = whole.definitions
            for record in whole.records where (record.body.kind?.level ?? .keys) <= level {
                if case .level = record.body { continue }
                part.append(record.body, at: record.time)
            }
            let stages = part.records.count { if case .stage = $0.body { true } else { false } }
            #expect(stages > 0 || level < .stages)
            let header = TraceHeader(level: level, isMasked: report.header?.isMasked ?? false)
            let path = trace.replacing(".keyflight", with: "-\(level.name).keyflight")
            try Files.write(try part.bytes(header: header), to: path)
            return path
        }
    }

    /// What the verbs that make traces make of one: files, what they say, and what readers say of the files.
    private static func results(of trace: String, in folder: String, _ scene: String)
        -> [(name: String, bytes: [UInt8])]
    {
        var products: [(name: String, bytes: [UInt8])] = []
        let tools: [[String]] = [
            ["cut", trace, "--from", "0s"], ["cut", trace, "--presses", "2-8"], ["merge", trace, trace],
            ["repair", trace], ["redact", trace], ["redact", trace, "--text"], ["redact", trace, "--timing"],
        ]
        for (number, tool) in tools.enumerated() {
            let out = "\(trace)-\(number).keyflight"
            let run = CommandRun(tool + ["-o", out])
            #expect(run.status == 0, "\(tool): \(run.notes)")
            products.append((tool.joined(separator: " "), Files.bytes(out) + run.output + Array(run.notes.utf8)))
            products += readings(of: out, scene)
        }
        let check = CommandRun("redact", trace, "--check")
        products.append(("redact --check", check.output + Array(check.notes.utf8)))
        return products
    }

    private static func readings(
        of trace: String, _ scene: String, isTrace: Bool = true
    ) -> [(name: String, bytes: [UInt8])] {
        let runs = (isTrace ? [["verify-format", trace]] : []) + [
            ["info", trace, "--format", "json"], ["show", trace], ["show", trace, "--format", "jsonl"],
            ["stats", trace, "--scene", scene], ["stats", trace, "--scene", scene, "--format", "json"],
            ["explain", trace, "--scene", scene, "--press", "2"],
            ["verify", trace, "--scene", scene],
            ["replay", trace, "--scene", scene, "--format", "jsonl"],
        ]
        return (isTrace ? [(trace, Files.bytes(trace))] : []) + runs.map { arguments in
            let run = CommandRun(arguments)
            // Of a part the press may not be there, or what it came to in the whole.
            let said = "\(arguments): \(run.status) \(run.notes)\(run.text.prefix(300))"
            // What its recorder hid is compared with nothing.
            let isOpen = run.status == 4 && arguments[0] == "verify" && run.text.contains("masked press not compared")
            #expect(isOpen || [0, 1, 3].contains(run.status), "\(said)")
            return (arguments.joined(separator: " "), run.output + Array(run.notes.utf8))
        }
    }
}
