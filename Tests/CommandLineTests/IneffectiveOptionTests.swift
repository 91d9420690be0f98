import Testing

/// An option without effect is a usage error: its user relies on it.
@Suite struct IneffectiveOptionTests {
    private static let (trace, scene) = (
        "Traces/compatibility/v1/calls.keyflight", "Traces/golden/g24-main-menu-keeps-its-keys/scene.yaml"
    )

    @Test(arguments: [
        ["gate", "Traces/golden", "--time", "fail"], ["gate", "Traces/golden", "--margin", "1"],
        ["gate", "Traces/golden", "--runs", "12"], ["gate", "Traces/golden", "--strict"],
        ["gate", "Traces/golden", "--label", "a"], ["gate", "Traces/golden", "--allow-text"],
        ["import", "x", "-o", "-", "--time-col", "1"], ["import", "x", "-o", "-", "--edge-col", "2"],
        ["import", "x", "-o", "-", "--time-unit", "us"], ["import", "x", "-o", "-", "--active-low"],
        ["info", trace, "--layout", "fr"], ["show", trace, "--layout", "fr"],
        ["show", trace, "--layout", "fr", "--delta"],
    ])
    func isRefused(arguments: [String]) {
        let run = CommandRun(arguments.map { $0.hasPrefix("Traces") ? Files.path($0) : $0 })
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(run.noteLines.count == 1)
        #expect(arguments.contains { $0.hasPrefix("--") && run.notes.contains($0) }, "\(run.notes)")
    }

    /// Only a capture has keyboards to choose from.
    @Test(arguments: ["replay", "verify", "stats", "explain"]) func aKeyboardOfAScriptIsRefused(_ verb: String) throws {
        let golden = Files.path("Traces/golden/g24-main-menu-keeps-its-keys")
        let more = verb == "explain" ? ["--press", "1"] : []
        let run = CommandRun(
            [verb, golden + "/input.keys", "--scene", golden + "/scene.yaml", "--device", "1"] + more)
        #expect(run.status == 64 && run.notes.contains("--device: expected a capture"), "\(run.notes)")
    }

    @Test(arguments: ["stats", "top", "replay", "verify", "info", "show"])
    func aSceneIsAnInputWithoutKeys(verb: String) {
        let run = CommandRun([verb, Files.path(Self.scene)])
        #expect(run.status == 64)
        #expect(run.notes.contains("keys: expected a trace, a capture or a key script, found a scene"), "\(run.notes)")
    }
}
