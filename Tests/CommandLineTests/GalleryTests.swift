import Foundation
import Testing

@testable import keyflight

/// The scenes of the gallery, at the command line.
@Suite struct GalleryTests {
    private static let folder = Files.path("Traces/scenes/gallery/talk")

    /// Why each of the talk's keys came to what it did, where several responders offer it.
    @Test(arguments: ["ios13", "ios15"]) func explainSaysWhyOfEachKeyOfTheTalk(_ profile: String) {
        var text = ""
        let script = Self.folder + "/input.keys"
        for press in Self.presses {
            let run = CommandRun(
                "explain", script, "--scene", Self.folder + "/scene.yaml", "--profile", profile, "--press", "\(press)")
            #expect(run.status == 0, "\(run.notes)")
            text += run.text.replacing(Files.path("Traces"), with: "Traces") + "\n"
        }
        GoldenFile.expect(text, "reports/explain-talk.\(profile).txt")
    }

    /// The card of every scene is printed; the README of the gallery shows that of the talk.
    @Test func cardsArePrinted() {
        let readme = Files.text(Files.path("Traces/scenes/gallery/README.md"))
        let card = CommandRun("bindings", Self.folder + "/scene.yaml", "--overlay")
        #expect(card.status == 0 && card.lines.count > 10)
        #expect(readme.contains("```text\n" + card.text + "```"))
        let names = Files.names(Files.path("Traces/scenes/gallery")).filter { $0 != "README.md" }
        #expect(names.count > 12)
        for name in names {
            let scene = Files.path("Traces/scenes/gallery/\(name)/scene.yaml")
            // Every key in each focus context, and what a held Command shows; some components show nothing.
            let all = CommandRun("bindings", scene)
            #expect(all.status == 0 && all.lines.count > 1, "\(name): \(all.notes)")
            let overlay = CommandRun("bindings", scene, "--overlay")
            #expect(overlay.status == (overlay.lines.last == "nothing is shown" ? 3 : 0), "\(name): \(overlay.notes)")
        }
    }

    /// ⌘W, ⌘A, ⌘→, ⌘← and ⌘← again of the page; ⌘← and ⌘A of the list; ⌘2; ⌘A, ⌘←, ⌘→ and ⌘W of the field; ⌘3 to ⌘5
    /// and ⌘1; ⌘W over a sheet.
    private static let presses = [1, 2, 6, 7, 8, 9, 10, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]
}
