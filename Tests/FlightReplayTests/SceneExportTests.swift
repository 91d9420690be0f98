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

    /// Presses that an exported golden scene resolves otherwise, and why a scene cannot say them.
    private static let different: [String: Int] = [
        // The default menu has the key of the command at first, and no recording has the default menu.
        "g24-main-menu-keeps-its-keys": 1,
        // A file has the bindings.
        "key-bindings": 8, "key-bindings-emacs": 16,
        // Handlers of onKeyPress hear repeats.
        "swiftui-shortcuts": 3,
    ]

    @Test(arguments: Golden.all) func aGoldenSceneComesBackFromItsRecording(_ golden: Golden) throws {
        let (replay, timeline) = try golden.prepare()
        let own = try replay.lines(of: timeline)
        let made = try Self.export(try replay.record(timeline, showsKeys: true), golden.name)
        let wanted = Self.different[golden.name] ?? 0
        #expect(made.counts.different == wanted, "\(made.scene)\n\(made.script)")
        guard wanted == 0 else { return }
        let again = try TestReplay(made.scene, made.script)
        #expect(Self.resolutions(try again.lines()) == Self.resolutions(own), "\(made.scene)\n\(made.script)")
    }

    @Test func aTextEditSessionIsAScene() throws {
        let made = try Self.export(try AppKitReplayTests.recorded())
        #expect(made.counts.same == 70 && made.counts.different == 0, "\(made.omissions.joined(separator: "\n"))")
        print(made.scene)
        print(made.script)
    }
}
