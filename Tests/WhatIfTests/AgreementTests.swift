import SceneGeneration
import Testing

/// Each chord of a scene, in each focus context: `bindings`, the overlay, `explain` and `replay` agree. `Scripts/soak
/// agreement` does the same with more scenes.
@Suite struct AgreementTests {
    @Test(arguments: 0..<10) func generatedScenesAgree(_ lot: UInt64) throws {
        var pressed = 0
        for seed in (lot * 50 + 1)...(lot * 50 + 50) {
            let generated = AgreementProperty.scene(seed, commands: 2)
            let failure = try AgreementProperty.failure(
                of: generated, profile: AgreementProperty.profile(seed), hasSystemItems: seed % 7 == 0,
                pressed: &pressed)
            if let failure { Issue.record("seed \(seed): \(failure)\n\(generated.text)") }
        }
        #expect(pressed > 50, "\(pressed) chords are too few to show anything")
    }
}
