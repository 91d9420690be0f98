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
    private static let trace: RecordedTrace? = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Traces/apps/textedit.keyflight")
        let bytes = (try? Data(contentsOf: file)).map(Array.init) ?? []
        return (try? Recording.read(TraceBytes(bytes)).recording).map { RecordedTrace($0) }
    }()

    private func answer(_ change: (inout WhatIfReplay) -> Void) throws -> WhatIfResult {
        var whatIf = WhatIfReplay(question: "test")
        change(&whatIf)
        let layout = try #require(ShippedLayouts.named("us"))
        let trace = try #require(Self.trace)
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
}
