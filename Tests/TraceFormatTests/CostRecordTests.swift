import KeyModel
import Testing

@testable import TraceFormat

@Suite struct CostRecordTests {
    private static let at = PressTick(press: 1, tick: 0)

    @Test(arguments: [nil, 0, UInt64(Int64.max)] as [UInt64?])
    func `a count that was not made is not 0`(count: UInt64?) throws {
        var recording = Recording()
        let cost = CostRecord(
            at: Self.at, stage: .action, allocations: 498, bytes: .init(Int64.max), read: count, written: nil,
            faults: count, switches: 3)
        recording.append(.cost(cost), at: .zero)
        for form in [TraceForm.canonical, .live] {
            let bytes = try recording.bytes(header: TraceHeader(form: form, level: .stages, isMasked: false))
            #expect(bytes[8] == 2)
            #expect(try Recording.read(bytes).recording.records.map(\.body) == [.cost(cost)])
            for length in 0..<bytes.count { _ = try? Recording.read(Array(bytes[..<length])) }
        }
        let body = TraceRecord.Body.cost(cost)
        #expect(body.decided == Self.at && body.decided(at: PressTick(press: 2, tick: 1)).decided?.tick == 1)
    }

    @Test func `of a masked press no counts are kept`() {
        var decisions = MaskedDecisions()
        let cost = TraceRecord.Body.cost(CostRecord(at: Self.at, stage: .action, allocations: 1, bytes: 1))
        decisions.follow(1, isMasked: true)
        #expect(decisions.kept(cost, TraceDefinitions()) == nil)
        decisions.follow(1, isMasked: false)
        #expect(decisions.kept(cost, TraceDefinitions()) == cost)
    }
}
