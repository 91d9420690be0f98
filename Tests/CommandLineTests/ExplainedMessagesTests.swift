import Foundation
import Testing

/// Messages in an explanation stand below the one that they were sent inside of.
@Suite struct ExplainedMessagesTests {
    /// Menus update themselves while an action runs and once more after it; a target is looked up by a method that
    /// calls its longer form.
    private static let text = """
        keyflight-text 2 form=canonical level=calls masked=true first_sequence=0
        0 0 environment name="adapter.toolkit" value="gnustep"
        1 1000 key device=1 press=1 phase=down key=S modifiers=command
        \(message(2, 3000, "targetForAction", of: app, "saveDocument:", depth: 2, lasting: 100))
        \(message(3, 3100, "targetForAction", of: app, "saveDocument:", depth: 1, lasting: 300))
        \(message(4, 5000, "validate", of: document, "saveDocument:", depth: 2, lasting: 500))
        \(message(5, 5500, "menuUpdate", of: menu, "update", depth: 1, lasting: 1000))
        \(message(6, 6000, "sendAction", of: app, "saveDocument:", depth: 0, lasting: 3500))
        \(message(7, 7500, "validate", of: document, "saveDocument:", depth: 1, lasting: 600))
        \(message(8, 8000, "menuUpdate", of: menu, "update", depth: 0, lasting: 1200))
        9 9000 resolution press=1 outcome=performed taken_by=mainMenu action="saveDocument:"
        10 10000 key device=1 press=1 phase=up key=S
        end

        """
    private static let app = #"{"id":"NSApplication","kind":"NSApplication"}"#
    private static let document = #"{"id":"Document","kind":"Document"}"#
    private static let menu = #"{"id":"mainMenu","kind":"NSMenu"}"#

    private static func message(
        _ sequence: Int, _ time: Int, _ kind: String, of responder: String, _ selector: String, depth: Int,
        lasting duration: Int
    ) -> String {
        "\(sequence) \(time) invocation press=1 invocation=\(kind) occasion=down responder=\(responder) "
            + "selector=\"\(selector)\" depth=\(depth) count=1 duration_ns=\(duration) answer=nothing"
    }

    @Test func eachStandsBelowTheOneAroundIt() throws {
        try Files.withFolder { folder in
            try Self.text.write(toFile: folder + "/t.txt", atomically: true, encoding: .utf8)
            #expect(CommandRun("assemble", folder + "/t.txt", "-o", folder + "/t.keyflight").status == 0)
            let run = CommandRun("explain", folder + "/t.keyflight", "--press", "1", "--format", "json")
            let found = try #require(JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any])
            let messages = try #require(found["messages"] as? [[String: Any]])
            let lines = messages.map { message in
                "\(message["depth"] ?? "") \(message["kind"] ?? "") \(message["count"] ?? "") "
                    + "\(message["duration_ns"] ?? "")"
            }
            #expect(lines == [
                "0 sendAction 1 3500", "1 targetForAction 2 300", "1 menuUpdate 1 1000", "2 validate 1 500",
                "0 menuUpdate 1 1200", "1 validate 1 600",
            ])
        }
    }

    /// The messages of a live app are the ladder: one without a call, a cost or a command is a line of names.
    @Test func aLadderOfNamesAloneIsALine() throws {
        let app = Files.path("Traces/apps/textedit.keyflight")
        let run = CommandRun("explain", app, "--press", "3")
        #expect(!run.text.contains("verdict") && run.text.contains("    keyDown   "), "\(run.text)")
        let names = "NSTextView ◀, NSClipView, ScalingScrollView, NSView, GSBackendWindowDecorationView, NSWindow"
        #expect(run.text.contains("chain            8 responders: \(names), "), "\(run.text)")
        let json = CommandRun("explain", app, "--press", "3", "--format", "json").text
        #expect(json.contains(#""ladder":[{"place":"chain","position":1,"id":"NSTextView""#))
        let page = CommandRun("report", app, "-o", "-").text
        #expect(page.contains(#""ladders":[[]]"#) && page.contains("8 responders: NSTextView ◀, "))
        // Hooks have no lists that another profile could be asked with, on the page as in explain.
        #expect(!page.contains("other profiles") && !run.text.contains("other profiles"))
        // Calls of keyCommands are in no message.
        let reader = CommandRun("explain", Files.path("Traces/apps/reader.keyflight"), "--press", "3").text
        #expect(reader.contains("SearchField ◀      SearchField        UIWindow      1"), "\(reader)")
    }
}
