import FlightReplay
import Foundation
import ResponderEngine
import Scenes
import Testing

/// Replays every folder of `Traces/scenes/gallery` under each profile that it has an `expected.PROFILE.txt` for: what
/// the components of the kit do with keys.
@Suite struct GalleryTests {
    /// The folders, with their files.
    static let all = Golden.folders(in: "scenes/gallery").map { folder in
        let path = Golden.root.appending(path: folder).path(percentEncoded: false)
        let files = try? FileManager.default.contentsOfDirectory(atPath: path)
        return Trap(folder: folder, files: (files ?? []).sorted())
    }

    @Test(arguments: all.flatMap(\.goldens)) func replayGivesTheCommittedText(_ golden: Golden) throws {
        try golden.compare()
    }

    /// The card of shortcuts as the scene begins.
    @Test(arguments: all.flatMap(\.overlays)) func cardIsAsCommitted(_ golden: Golden) throws {
        let text = try golden.overlay()
        guard text != golden.expected else { return }
        golden.propose(text)
        let difference = Golden.firstDifference(golden.expected ?? "", text)
        Issue.record("\(golden.testDescription): \(difference); \(golden.remedy)")
    }

    @Test(arguments: all) func folderIsWholeAndHasALine(_ folder: Trap) throws {
        #expect(folder.files.contains("scene.yaml") && folder.files.contains("input.keys"))
        #expect(!folder.goldens.isEmpty && !folder.overlays.isEmpty)
        let readme = try String(contentsOf: Golden.root.appending(path: "README.md"), encoding: .utf8)
        #expect(readme.contains("| `scenes/gallery/\(folder.name)/` |"))
    }

    /// Each action that a component offers as the scene begins is pressed, and something that nobody offers is.
    @Test(arguments: all) func everyOfferIsPressed(_ folder: Trap) throws {
        let golden = try #require(folder.goldens.first)
        let pressed = golden.pressedActions
        #expect(pressed.contains("-"), "\(folder.name): every key has an action")
        // The app of the talk tells a story instead.
        guard folder.name != "talk" else { return }
        let offered = try golden.offeredActions()
        #expect(!offered.isEmpty)
        #expect(offered.subtracting(pressed).isEmpty, "\(folder.name): \(offered.subtracting(pressed).sorted())")
    }
}

extension Golden {
    /// The action column of the expected text; `-` for a press without one.
    fileprivate var pressedActions: Set<String> {
        let lines = (expected ?? "").split(separator: "\n").filter { !$0.hasPrefix("#") }
        return Set(lines.compactMap { $0.components(separatedBy: " | ").dropFirst(4).first })
    }

    /// Actions of the key commands on the chain of the scene as it begins.
    fileprivate func offeredActions() throws -> Set<String> {
        let scene = try Scene(try #require(scene), file: "\(name)/scene.yaml")
        let instance = try scene.instantiate(profile: try loadProfile(), resources: TestReplay.resources)
        var offered: Set<String> = []
        var here = instance.engine.firstResponder ?? instance.engine.application.keyWindow
        while let responder = here {
            for command in responder.keyCommands ?? [] { offered.insert(command.action.name) }
            here = responder.next
        }
        return offered
    }
}
