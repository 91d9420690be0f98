import FlightReplay
import Testing

@Suite struct ReplayComparisonTests {
    private func compare(_ profiles: [String], _ scene: String, _ script: String) throws -> ReplayComparison {
        var comparison = ReplayComparison()
        for profile in profiles {
            comparison.begin(profile: profile, layout: "us")
            for line in try TestReplay(scene, script, .profile(profile)).lines() { comparison.add(line) }
        }
        return comparison
    }

    @Test func pressesThatResolveDifferentlyAreNamed() throws {
        let comparison = try compare(["ios134", "ios15"], fieldScene(), "press cmd+k\npress f\n")
        #expect(
            comparison.json == """
                {"kind":"comparison","runs":[{"profile":"ios134","layout":"us","lines":2},\
                {"profile":"ios15","layout":"us","lines":2}],"different":[{"press":2,"chord":"f","repeat":false,\
                "results":["performed flag: at vc","consumedByText at field"]}]}
                """)
    }

    /// Golden vectors G15 and G16 side by side: the repeats are missing on iOS 7, the press after them is the same.
    @Test func repeatsOfOneRunShiftNothing() throws {
        let script = "hold cmd+g 600ms\npress cmd+w\n"
        let comparison = try compare(["ios7", "ios9"], chainOfFive(profile: "ios7"), script)
        #expect(comparison.text.split(separator: "\n").count == 4)
        #expect(comparison.text.contains("1 | cmd+g | - | performed go: at vc"))
        #expect(!comparison.text.contains("cmd+w"))
    }

    @Test func equalRunsSaySo() throws {
        let comparison = try compare(["ios15", "ios26"], fieldScene(), "press cmd+k\n")
        #expect(comparison.text == "# ios15/us and ios26/us resolve every press alike\n")
        #expect(comparison.json.hasSuffix(#""different":[]}"#))
    }
}
