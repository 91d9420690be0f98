import FlightReplay
import Foundation
import KeyLayout
import KeyModel
import ResponderEngine
import Scenes
import Testing
import TraceFormat

/// Replays every folder of `Traces/scenes/gallery` under each profile that it has an `expected.PROFILE.txt` for: what
/// the components of the kit do with keys.
@Suite struct GalleryTests {
    /// The folders, with their files.
    static let all = Golden.folders(in: "scenes/gallery").map { folder in
        let path = Golden.root.appending(path: folder).path(percentEncoded: false)
        let files = try? FileManager.default.contentsOfDirectory(atPath: path)
        return Trap(folder: folder, files: (files ?? []).sorted())
    }

    /// The app of the talk tells a story instead.
    private static let components = all.filter { $0.name != "talk" }

    @Test func thereAreComponents() {
        #expect(Self.components.count > 11 && Self.components.count == Self.all.count - 1)
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
        let readme = try String(contentsOf: Golden.root.appending(path: "scenes/gallery/README.md"), encoding: .utf8)
        #expect(readme.contains("| `\(folder.name)/` |"))
    }

    /// Each action that a component offers as the scene begins is pressed, and something that nobody offers is.
    @Test(arguments: all) func everyOfferIsPressed(_ folder: Trap) throws {
        let golden = try #require(folder.goldens.first)
        let pressed = golden.pressedActions
        #expect(pressed.contains("-"), "\(folder.name): every key has an action")
        guard folder.name != "talk" else { return }
        let offered = try golden.offeredActions()
        #expect(!offered.isEmpty)
        #expect(offered.subtracting(pressed).isEmpty, "\(folder.name): \(offered.subtracting(pressed).sorted())")
    }

    /// Each key of a command that any responder lists at any press of the script is pressed.
    @Test(arguments: components) func everyKeyIsPressed(_ folder: Trap) throws {
        let layout = try #require(ShippedLayouts.named("us"))
        var offered: Set<OfferedKey> = []
        var pressed: Set<OfferedKey> = []
        for golden in folder.goldens {
            let (replay, timeline) = try golden.prepare()
            for command in try replay.record(timeline, showsKeys: true).definitions.commands {
                guard let input = command.input, command.attributes.isDisjoint(with: [.mainMenu, .disabled]) else {
                    continue
                }
                offered.insert(OfferedKey(input, command.modifiers))
            }
            for line in try replay.lines(of: timeline) {
                guard let chord = line.chord, let character = line.character else { continue }
                pressed.insert(OfferedKey(character, chord.modifiers))
                guard chord.modifiers.contains(.shift) else { continue }
                let shifted = layout.shiftedText(for: chord.usage)
                pressed.insert(OfferedKey(shifted, chord.modifiers))
                pressed.insert(OfferedKey(shifted, chord.modifiers.subtracting(.shift)))
            }
        }
        #expect(!offered.isEmpty && pressed.count > 2)
        // A true minus sign is shown and never typed (spec MT-6).
        let missed = offered.subtracting(pressed).filter { $0.input != "\u{2212}" }
        #expect(missed.isEmpty, "\(folder.name): press \(missed.map(\.description).sorted()) in its input.keys")
    }

    private struct OfferedKey: Hashable, CustomStringConvertible {
        let input: String
        let modifiers: KeyModifiers

        init(_ input: String, _ modifiers: KeyModifiers) {
            self.input = input.unicodeScalars.count == 1 ? input.lowercased() : input
            self.modifiers = modifiers.intersection(.matchMask)
        }

        var description: String { (modifiers.names + [input]).joined(separator: "+") }
    }

    /// The keys with which text is edited (spec §2.3, §1.6), each in one of the scenes of text at least.
    @Test func everyEditingKeyIsPressed() throws {
        let keys = """
            left right up down ctrl+b ctrl+f ctrl+p ctrl+n opt+left opt+right opt+up opt+down cmd+left cmd+right \
            cmd+up cmd+down ctrl+a ctrl+e delete ctrl+h opt+delete cmd+delete deleteforward ctrl+d \
            opt+deleteforward ctrl+k ctrl+t ctrl+o cmd+z shift+cmd+z cmd+x cmd+c cmd+v cmd+a cmd+b cmd+i cmd+u \
            tab return escape shift+left opt+shift+right shift+cmd+right
            """
        var pressed: Set<Chord> = []
        for folder in Self.all where ["text-field", "text-view", "keyboard-text-view"].contains(folder.name) {
            for golden in folder.goldens {
                let (replay, timeline) = try golden.prepare()
                for line in try replay.lines(of: timeline) where line.takenBy != nil {
                    if let chord = line.chord { pressed.insert(chord) }
                }
            }
        }
        for key in keys.split(separator: " ") {
            guard case (let modifiers, .usage(let usage)) = try Chord.parse(String(key)) else {
                Issue.record("\(key) is no key")
                continue
            }
            #expect(pressed.contains(Chord(modifiers: modifiers, usage: usage)), "\(key)")
        }
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
