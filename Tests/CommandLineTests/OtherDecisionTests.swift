import TestRequirements
import Testing

/// Two builds, and two traces, that seem to be the same because something is in neither, or in another place.
extension TwoBuildVerdictTests {
    private static let tabs = "{\"id\":\"tabs\""
    private static let other = "{\"id\":\"other\""

    /// A responder that both traces know is another one, and none that was renamed.
    @Test func anotherResponderIsADifference() throws {
        var base = try recorded()
        let place = try #require(base.firstIndex { $0.contains(" link responder=\(Self.tabs)") })
        base.insert(base[place].replacing(Self.tabs, with: Self.other), at: place)
        let head = base.map { $0.contains(" link ") ? $0 : $0.replacing(Self.tabs, with: Self.other) }
        let run = try gate(base, head, [])
        #expect(run.status == 1 && run.text.contains("- tabs.newTab: + other.newTab:"), "\(run.text)")
        #expect(!run.text.contains("renamed"), "\(run.text)")
        // Nor is one that is new in the second run of a build.
        let lines = try recorded()
        let fickle = try gate(lines, lines, odd: lines.map { $0.replacing(Self.tabs, with: Self.other) }, [])
        #expect(fickle.status == 1 && fickle.notes.contains(" in place of "), "\(fickle.notes)")
    }

    @Test func resolutionsThatNeitherTraceHasAreNotTheSame() throws {
        try withTrace { folder in
            try assemble(folder, "undecided") { lines in lines.removeAll { $0.contains(" resolution ") } }
            let trace = folder + "/undecided.keyflight"
            let diff = CommandRun("diff", trace, trace)
            let line = "Left out      resolutions: expected some, found keys alone in both builds"
            #expect(diff.status == 4 && diff.text.contains(line), "\(diff.text)")
            for scene in [[], ["--scene", folder + "/record.yaml"]] {
                let verify = CommandRun(["verify", trace, "--format", "json"] + scene)
                #expect(verify.status == 4 && verify.text.contains("\"identical\":false"), "\(verify.text)")
            }
            // A capture of a keyboard has keys alone.
            try assemble(folder, "keys") { lines in
                lines = lines.filter { !$0.contains("press=") || $0.contains(" key ") }
                    .map { $0.replacing("level=calls", with: "level=keys") }
            }
            let keys = folder + "/keys.keyflight"
            #expect(CommandRun("diff", keys, keys).status == 0)
            #expect(CommandRun("verify", keys, "--scene", folder + "/record.yaml").status == 0)
        }
    }

    @Test(arguments: ["environment name=\"profile\"", "layout "])
    func conditionsOfOneBuildAloneAreNamed(_ condition: String) throws {
        let base = try recorded()
        let head = base.filter { !$0.contains(" \(condition)") }
        #expect(base.count == head.count + 1)
        let name = condition.contains("profile") ? "profile" : "layout"
        for (old, new) in [(base, head), (head, base)] {
            let run = try gate(old, new, [])
            #expect(run.status == 4 && run.text.contains("\(name): expected "), "\(run.text)\(run.notes)")
        }
    }

    /// A build that does less under valgrind alone has not become cheaper.
    @Test(.needs("valgrind")) func whatIsCountedIsWhatWasCompared() throws {
        try withTrace { folder in
            func copy(_ name: String) -> String { "cp '\(folder)/\(name).keyflight' \"$KEYFLIGHT_OUTPUT\"" }
            let less = "if [ -n \"$KEYFLIGHT_COMMAND\" ]; then \(copy("resolutions")); else \(copy("calls")); fi"
            let run = CommandRun("gate", "--runs", "12", "--instructions", "--base", copy("calls"), "--head", less)
            #expect(run.status == 1 && run.notes.contains("it is not a function of its input"), "\(run.notes)")
        }
    }
}
