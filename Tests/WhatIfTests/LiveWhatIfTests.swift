import FlightReplay
import Foundation
import KeyLayout
import KeyModel
import LatencyAnalysis
import ResponderEngine
import Testing
import TraceFormat
import WhatIf

/// What-ifs on the recording of an app that was not prepared: TextEdit on GNUstep.
@Suite struct LiveWhatIfTests {
    private static let trace = recorded("textedit")
    private static let reader = recorded("reader")

    private static func recorded(_ app: String) -> RecordedTrace? {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Traces/apps/\(app).keyflight")
        let bytes = (try? Data(contentsOf: file)).map(Array.init) ?? []
        return (try? Recording.read(TraceBytes(bytes)).recording).map { RecordedTrace($0) }
    }

    private func answer(
        of app: RecordedTrace? = trace, _ change: (inout WhatIfReplay) -> Void
    ) throws -> WhatIfResult {
        var whatIf = WhatIfReplay(question: "test")
        change(&whatIf)
        let layout = try #require(ShippedLayouts.named("us"))
        let trace = try #require(app)
        return try #require(try whatIf.answer(trace, otherwise: (Profile(), layout)))
    }

    @Test func nothingIsAskedTwiceInVain() throws {
        let result = try answer { $0.costs.kept = ["mainMenu"] }
        #expect(result.changes.isEmpty && result.stalePresses == [])
        // ⌘S, ⌘W and ⌘V were taken; the arrows, Escape and Tab came once each, so that nothing was asked twice in vain.
        #expect(result.callsSaved == 0)
    }

    @Test func aMessageThatCostsNothingIsSaved() throws {
        let place = CostChanges.Place(responder: "mainMenu", call: "keyEquivalent")
        let result = try answer { $0.costs.costs[place] = .zero }
        #expect(result.changes.isEmpty)
        let (before, after) = (try #require(result.before), try #require(result.after))
        #expect(after.sum < before.sum)
        let slower = try answer { $0.costs.costs[place] = TraceDuration(nanoseconds: 5_000_000) }
        #expect(try #require(slower.after).sum > before.sum)
    }

    @Test func anotherRoleLeavesShortcutsOpen() throws {
        let result = try answer { $0.roles = [(.leftAlt, .option)] }
        let shortcuts = result.changes.filter { $0.after.hasPrefix("unrecorded") }
        #expect(shortcuts.map(\.press) == [14, 15, 16, 18, 19, 20, 24, 25, 40, 73, 74])
        #expect(result.changes.count == shortcuts.count)
    }

    /// A menu whose items are not recorded may have one for a chord that it was never offered.
    @Test func anotherChordMayBeOfAnUnknownMenu() throws {
        let layout = try #require(ShippedLayouts.named("fr"))
        for result in [
            try answer(of: Self.reader) { $0.roles = [(.leftGUI, .control)] },
            try answer(of: Self.reader) { $0.layout = layout },
        ] {
            #expect([9, 10, 13, 15].contains { press in result.changes.contains { $0.press == press } })
            #expect(!result.changes.contains { $0.after.hasPrefix("unhandled") }, "\(result.changes)")
        }
    }
}
