import Testing

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
                if name == "masked" { products += Self.readings(of: trace, scene) }
                products += Self.results(of: trace, in: folder, scene)
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

    private static func readings(of trace: String, _ scene: String) -> [(name: String, bytes: [UInt8])] {
        let runs = [
            ["info", trace, "--format", "json"], ["show", trace], ["show", trace, "--format", "jsonl"],
            ["stats", trace, "--format", "json"], ["explain", trace, "--press", "2"], ["verify-format", trace],
            ["replay", trace, "--scene", scene, "--format", "jsonl"],
        ]
        return [(trace, Files.bytes(trace))] + runs.map { arguments in
            let run = CommandRun(arguments)
            // Of a part the press may not be there.
            #expect([0, 3].contains(run.status), "\(arguments): \(run.status) \(run.notes)\(run.text.prefix(300))")
            return (arguments.joined(separator: " "), run.output + Array(run.notes.utf8))
        }
    }
}
