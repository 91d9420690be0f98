import Foundation
import Testing

/// `gate --patch` on one machine, `accept --from` on another.
extension GoldenExistenceTests {
    /// The scene of `a` and of `b` has another action for ⌘T; `a` has a budget of time.
    private func withChange(_ body: (Place, _ patch: String) throws -> Void) throws {
        try withGoldens { place in
            try place.put(
                place.text("a/expected.txt").replacing("\n1 |", with: "\n# latency total 9ms\n1 |"), "a/expected.txt")
            for name in ["a", "b"] {
                let scene = place.text("\(name)/scene.yaml")
                try place.put(scene.replacing("newTab:", with: "openTab:"), "\(name)/scene.yaml")
            }
            try place.remove("c/expected.txt")
            let patch = place.folder + "/p.patch"
            // No variable of a service keeps it from being written: it changes nothing.
            let run = try ProgramRun(
                shell: "CI=1 \"$keyflight\" gate '\(place.goldens)' --patch '\(patch)'; echo $?")
            #expect(run.output.hasSuffix("4\n"), "\(run.output)")
            try body(place, patch)
        }
    }

    @Test func aPatchGivesTheBytesOfALocalProposal() throws {
        try withChange { place, patch in
            func texts() -> [String] { ["a", "b", "c"].map { place.text("\($0)/expected.txt") } }
            let before = texts()
            #expect(place.gate("--propose").status != 0)
            #expect(CommandRun("accept", "*", "--goldens", place.goldens).status == 0)
            let local = texts()
            #expect(local != before && local[0].contains("# latency total 9ms"))
            for (name, text) in zip(["a", "b"], before) { try place.put(text, "\(name)/expected.txt") }
            try place.remove("c/expected.txt")
            let run = CommandRun("accept", "--from", patch, "--goldens", place.goldens)
            #expect(run.status == 0 && run.text == "accepted a\naccepted b\naccepted c\n", "\(run.text)\(run.notes)")
            #expect(texts() == local)
            // It was made for another text.
            #expect(CommandRun("accept", "--from", patch, "--goldens", place.goldens).status == 4)
            for (name, text) in zip(["a", "b"], before) { try place.put(text, "\(name)/expected.txt") }
            let one = CommandRun("accept", "b", "--from", patch, "--goldens", place.goldens)
            #expect(one.status == 4 || one.text == "accepted b\n", "\(one.notes)")
        }
    }

    @Test func aForgedPatchWritesNothing() throws {
        try withChange { place, patch in
            let text = Files.text(patch)
            func state() throws -> [String] {
                try FileManager.default.subpathsOfDirectory(atPath: place.folder).filter { $0 != "f.patch" }.sorted()
            }
            let before = try state()
            let forged = [
                text.replacing("a/expected.txt", with: "a/scene.yaml"),
                text.replacing("a/expected.txt", with: "a/../../Tests/GoldenTests.swift"),
                text.replacing("a/expected.txt", with: "a/budgets.txt"), text.replacing("+2 |", with: "+two"),
                text.replacing("\n-", with: "\n "), String(text.dropLast(40)), "", "rm -rf /\n", text + "x\n",
                // One file twice, also where its path is written otherwise.
                text + text, text + text.replacing("/Goldens/a/", with: "/elsewhere/a/"),
            ]
            for forgery in forged where forgery != text {
                try forgery.write(toFile: place.folder + "/f.patch", atomically: true, encoding: .utf8)
                let run = CommandRun("accept", "--from", place.folder + "/f.patch", "--goldens", place.goldens)
                #expect(run.status == 4, "\(forgery.prefix(300)): \(run.status) \(run.notes)")
                #expect(try state() == before)
            }
        }
    }

    @Test func typedTextOfOneGoldenKeepsNoOtherBack() throws {
        try withGoldens { place in
            try place.put(place.text("a/scene.yaml").replacing("newTab:", with: "openTab:"), "a/scene.yaml")
            let field = "scene: 1\nname: b\nresponders:\n  - {id: app, kind: application}\n"
                + "  - {id: win, kind: window, keyWindow: true}\n  - {id: field, kind: textField, superview: win}\n"
                + "firstResponder: field\n"
            try place.put(field, "b/scene.yaml")
            try place.put("keys 1\ntype jan\n", "b/input.keys")
            // What an earlier run left is not what this one proposes.
            try place.put("stale\n", "b/expected.txt.new")
            let run = place.gate("--propose")
            #expect(run.status == 1, "\(run.notes)")
            #expect(run.notes.contains("pending: a\n"), "\(run.notes)")
            #expect(run.notes.contains(
                "not proposed: b: it would keep “jan” in clear; --allow-text --filter b proposes it\n"), "\(run.notes)")
            #expect(Files.names(place.goldens + "/a").contains { $0.hasSuffix(".new") })
            #expect(!Files.names(place.goldens + "/b").contains { $0.hasSuffix(".new") })
            // The command that the report advises is one that does it.
            #expect(run.text.contains("--filter b --propose --allow-text"), "\(run.text)")
            #expect(run.text.contains("--filter a --propose\n") || !run.text.contains("--filter a --propose --allow"))
            // A patch has the others as well.
            let patch = place.folder + "/p.patch"
            let patched = place.gate("--patch", patch)
            #expect(patched.status == 1 && patched.notes.contains("“jan”"), "\(patched.notes)")
            #expect(Files.text(patch).contains("a/expected.txt") && !Files.text(patch).contains("b/expected.txt"))
            let allowed = place.gate("--propose", "--allow-text", "--filter", "b")
            #expect(allowed.notes.contains("pending: b\n"), "\(allowed.notes)")
        }
    }
}
