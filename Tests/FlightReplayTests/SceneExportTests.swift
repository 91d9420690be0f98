import FlightReplay
import Foundation
import KeyModel
import ResponderEngine
import Scenes
import Testing
import TraceFormat

/// Recordings as scenes with key scripts.
@Suite struct SceneExportTests {
    static func export(_ recording: Recording, _ name: String = "recorded") throws -> SceneExport {
        let layout = try TestReplay.resources.layoutNamed("us")
        return try #require(
            try SceneExport(
                RecordedTrace(recording), named: name, otherwise: (Profile(), layout),
                resources: TestReplay.resources))
    }

    /// What the presses come to, a line each.
    static func resolutions(_ lines: [ReplayLine]) -> [String] {
        lines.map { line in
            let names = [line.takenBy?.name, line.action, line.supplier, line.target].map { $0 ?? "-" }
            return "\(line.isRepeat ? "repeat " : "")\(line.outcome.name) \(names.joined(separator: " "))"
        }
    }

    /// Presses that an exported golden scene resolves otherwise, and what the export says of them.
    private static let different: [String: (count: Int, why: String)] = [
        "key-bindings": (8, "the key bindings of text: no trace has the file that keyBindings names"),
        "key-bindings-emacs": (16, "the key bindings of text: no trace has the file that keyBindings names"),
        "swiftui-shortcuts": (
            5, "keys that onKeyPress of detail handles: here they are swallowed, and not repeated"
        ),
    ]

    @Test(arguments: Golden.all) func aGoldenSceneComesBackFromItsRecording(_ golden: Golden) throws {
        let (replay, timeline) = try golden.prepare()
        let own = try replay.lines(of: timeline)
        let made = try Self.export(try replay.record(timeline, showsKeys: true), golden.name)
        let wanted = Self.different[golden.name]
        #expect(made.counts.different == wanted?.count ?? 0, "\(made.scene)\n\(made.script)")
        if let wanted { return #expect(made.omissions.contains(wanted.why), "\(made.omissions)") }
        let again = try TestReplay(made.scene, made.script)
        #expect(Self.resolutions(try again.lines()) == Self.resolutions(own), "\(made.scene)\n\(made.script)")
    }

    @Test func aTextEditSessionIsAScene() throws {
        let made = try Self.export(try AppKitReplayTests.recorded())
        #expect(made.counts.same == 74 && made.counts.different == 0, "\(made.omissions.joined(separator: "\n"))")
    }

    /// Find and Find Next of an AppKit app send one action.
    @Test func itemsWithOneActionAreInTheScene() throws {
        let scene = """
            scene: 1
            name: finding
            profile: gnustep
            responders:
              - {id: app, kind: application}
              - {id: win, kind: window, next: app, keyWindow: true, actions: ["performFindPanelAction:"]}
              - {id: canvas, kind: view, superview: win, canBecomeFirstResponder: true}
            firstResponder: canvas
            mainMenu:
              - menu: edit
                children:
                  - {input: f, modifiers: [command], action: "performFindPanelAction:", title: Find}
                  - {input: g, modifiers: [command], action: "performFindPanelAction:", title: Find Next}
            """
        let test = try TestReplay(scene, "press cmd+f\npress cmd+g")
        let own = try test.lines()
        #expect(own.map(\.takenBy) == [.mainMenu, .mainMenu])
        let made = try Self.export(try test.replay.record(test.timeline, showsKeys: true))
        #expect(made.counts.same == 2 && made.counts.different == 0, "\(made.scene)\n\(made.script)")
        #expect(Self.resolutions(try TestReplay(made.scene, made.script).lines()) == Self.resolutions(own))
    }

    /// Held keys, a command of the main menu, and what comes after a secure field.
    @Test func aUIKitSessionIsAScene() throws {
        let made = try Self.export(try LiveUIKitTests.recorded())
        #expect(made.counts.same == 27 && made.counts.different == 0, "\(made.omissions.joined(separator: "\n"))")
        #expect(!made.omissions.contains { $0.contains("does not decide") }, "\(made.omissions)")
        #expect(made.script.contains("hold a 600ms") && made.script.contains("hold cmd+down 600ms"), "\(made.script)")
        let lines = try TestReplay(made.scene, made.script).lines()
        #expect(lines.count == 27 && lines.count { $0.takenBy == .mainMenu } == 1)
    }

    /// A repeat that the script does not have is one that the scene does not resolve as recorded.
    @Test func nothingRecordedIsLeftUncounted() throws {
        let original = try LiveUIKitTests.recorded()
        var made = Recording()
        made.definitions = original.definitions
        made.initialContext = original.initialContext
        for record in original.records {
            if case .key(let key) = record.body, key.phase == .repeat, key.press == 5 { continue }
            made.append(record.body, at: record.time)
        }
        let export = try Self.export(made)
        #expect(export.counts.same == 24 && export.counts.different == 3)
        #expect(
            export.omissions.contains { $0.hasPrefix("press 5, repeat 1 (a): recorded consumedByText") },
            "\(export.omissions)")
    }
}
