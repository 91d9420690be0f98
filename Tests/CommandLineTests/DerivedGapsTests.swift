import Testing

@testable import keyflight

/// Presses of which no candidates can be derived: they cost no other press its own, and are said for what they are.
@Suite struct DerivedGapsTests {
    /// A text twin as an app records it that tells lists and answers alone.
    private struct Twin {
        private var lines = ["keyflight-text 1 form=canonical level=calls masked=true first_sequence=0"]
        private var count = 0

        mutating func add(_ record: String) {
            lines.append("\(count) \(count * 1000) \(record)")
            count += 1
        }

        var text: String { (lines + ["end"]).joined(separator: "\n") + "\n" }
    }

    private static let editor = #"{"id":"editor","kind":"Node"}"#
    private static let document = #"{"id":"doc","kind":"Node"}"#
    private static let list = #"[{"input":"x","action":"cut:"},{"input":"w","modifiers":"command","action":"close:"}]"#

    private static func began() -> Twin {
        var twin = Twin()
        twin.add(#"device device=1 name="keyboard" source="recorder""#)
        twin.add("link responder=\(editor) next=\(document)")
        twin.add("link responder=\(document)")
        twin.add("first_responder responder=\(editor) cause=become")
        return twin
    }

    /// Presses of ⌘W, of which the fifth has one more resolution.
    private static func closing(_ presses: Int, _ extra: (String) -> String) -> String {
        var twin = began()
        twin.add("key device=1 phase=down key=LeftGUI modifiers=command")
        for press in 1...presses {
            twin.add("key device=1 press=\(press) phase=down key=W modifiers=command")
            twin.add(
                "call press=\(press) call=keyCommands occasion=down responder=\(document) pass=0 depth=0 duration_ns=18"
                    + " answer=commands list=\(list)")
            if press == 1 {
                twin.add(
                    "call press=1 call=canPerformAction occasion=down responder=\(document) pass=0 depth=0"
                        + #" duration_ns=18 action="close:" answer=yes"#)
            }
            let resolution = "resolution press=\(press) outcome=performed taken_by=keyCommands"
                + #" supplier=\#(document) target=\#(document) action="close:""#
            twin.add(resolution)
            if press == 5 { twin.add(extra(resolution)) }
            twin.add("key device=1 press=\(press) phase=up key=W modifiers=command")
        }
        twin.add("key device=1 phase=up key=LeftGUI")
        return twin.text
    }

    private func withTrace(_ text: String, _ body: (String) throws -> Void) throws {
        try Files.withFolder { folder in
            try TabsApp.put(text, folder + "/a.txt")
            let run = CommandRun("assemble", folder + "/a.txt", "-o", folder + "/a.keyflight")
            #expect(run.status == 0, "\(run.notes)")
            try body(folder + "/a.keyflight")
        }
    }

    @Test(arguments: ["the same press", "a press that is not there"])
    func aResolutionThatNoReplayHasCostsOnePress(_ what: String) throws {
        let trace = Self.closing(1500) {
            what == "the same press" ? $0 : $0.replacing("press=5 ", with: "press=900000 ")
        }
        try withTrace(trace) { path in
            let lint = CommandRun("lint", path)
            #expect(lint.text.contains("none for 1 press that comes to something else"), "\(lint.text)")
            for press in ["6", "700", "1500"] {
                let explain = CommandRun("explain", path, "--press", press)
                #expect(explain.text.contains("close:  won"), "\(explain.text)")
            }
        }
    }

    @Test func aMaskedKeyThatLeavesItOpenIsNoContradiction() throws {
        var twin = Self.began()
        twin.add("key device=1 press=1 phase=down class=letter")
        twin.add(
            "call press=1 call=keyCommands occasion=down responder=\(Self.document) pass=0 depth=0 duration_ns=18"
                + " answer=commands list=\(Self.list)")
        twin.add(
            "resolution press=1 outcome=performed taken_by=keyCommands"
                + #" supplier=\#(Self.document) target=\#(Self.document) action="cut:""#)
        twin.add("key device=1 press=1 phase=up class=letter")
        try withTrace(twin.text) { path in
            let explain = CommandRun("explain", path, "--press", "1")
            #expect(explain.text.contains("the key is masked, or an answer is not recorded"), "\(explain.text)")
            let story = CommandRun("show", "--story", path)
            #expect(story.text.contains("who offers it is not recorded\n"), "\(story.text)")
            for text in [explain.text, story.text, CommandRun("lint", path).text] {
                #expect(!text.contains("something else") && !text.contains("nobody"), "\(text)")
            }
            #expect(CommandRun("verify", path).status == 0)
        }
    }
}
