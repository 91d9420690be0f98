import KeyLayout
import KeyModel
import Testing

@testable import Scenes

/// Whatever the bytes are: a value or an error, never a trap.
@Suite("Damaged scenes and scripts")
struct HostileTextTests {
    static let scene = RepositoryFiles.bytes("Traces/scenes/pdf-viewer.scene.yaml")
    static let keys = RepositoryFiles.bytes("Traces/golden/command-left-tab-or-back/input.keys")

    /// Reads, and builds what can be read.
    func tryScene(_ bytes: some Collection<UInt8>) {
        do {
            let scene = try Scene(bytes, file: "a")
            _ = try scene.instantiate(
                layout: ShippedLayouts.named("us"), resources: SceneInstanceTests.resources)
        } catch { #expect(!"\(error)".isEmpty) }
    }

    func tryScript(_ bytes: some Collection<UInt8>) {
        do {
            let script = try KeyScript(bytes, file: "a")
            let us = try Layout.named("us")
            let timeline = try script.timeline(layout: us) { try Layout.named($0) }
            #expect(zip(timeline.inputs, timeline.inputs.dropFirst()).allSatisfy { $0.time <= $1.time })
            for line in script.steps {
                if case .context(let step) = line.step { #expect(try ContextStep(text: step.text) == step) }
            }
        } catch { #expect(!"\(error)".isEmpty) }
    }

    @Test("every prefix of a scene")
    func scenePrefixes() {
        // Each line's ends and middles; every byte would only repeat them.
        for count in stride(from: 0, through: HostileTextTests.scene.count, by: 7) {
            tryScene(HostileTextTests.scene.prefix(count))
        }
    }

    @Test("bytes of a scene flipped")
    func sceneFlips() {
        var bytes = HostileTextTests.scene
        for at in stride(from: 0, to: bytes.count, by: 5) {
            let original = bytes[at]
            bytes[at] = original ^ UInt8(truncatingIfNeeded: 1 << (at % 8))
            tryScene(bytes)
            bytes[at] = original
        }
    }

    @Test("every prefix of a script, and every byte flipped in every bit")
    func scripts() {
        for count in 0...HostileTextTests.keys.count { tryScript(HostileTextTests.keys.prefix(count)) }
        var bytes = HostileTextTests.keys
        for at in bytes.indices {
            for bit in 0..<8 {
                bytes[at] ^= 1 << bit
                tryScript(bytes)
                bytes[at] ^= 1 << bit
            }
        }
    }

    @Test("lines cut out and repeated")
    func lines() {
        let lines = HostileTextTests.scene.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for at in lines.indices {
            var changed = lines
            changed.remove(at: at)
            tryScene(changed.joined(separator: [UInt8(ascii: "\n")]).map { $0 })
            changed = lines
            changed.insert(lines[at], at: at)
            tryScene(changed.joined(separator: [UInt8(ascii: "\n")]).map { $0 })
        }
    }

    @Test("tokens of YAML in any order")
    func tokens() {
        let tokens = [
            "scene: 1", "responders:", "- ", "{", "}", "[", "]", ": ", ",", "\n", "  ", "id: a", "kind: view", "'",
            "\"", "|\n", ">\n", "#", "%YAML 1.1\n", "---", "...", "&a ", "*a", "!t ", "? ", "\t", "\u{85}", "null", "~",
        ]
        var state: UInt64 = 42
        for _ in 0..<3_000 {
            var text = "scene: 1\n"
            for _ in 0..<24 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += tokens[Int(state >> 33) % tokens.count]
            }
            tryScene(Array(text.utf8))
        }
    }
}
