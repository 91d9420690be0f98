import KeyModel
public import ResponderEngine

/// A press that a replay of recorded answers cannot decide, with the first question that has none.
public struct UnansweredPress: Hashable, Sendable {
    /// `nil` for text without a key.
    public var press: UInt32?
    public var question: OpenQuestion
}

extension UnansweredPress {
    /// Most questions that are named.
    private static let limit = 20

    /// The first ones of a timeline.
    static func all(of timeline: ReplayTimeline, by plan: any ReplayPlan) throws -> [UnansweredPress] {
        var found: [UnansweredPress] = []
        try plan.run(timeline) { row in
            guard case .resolution(let line) = row, line.outcome == .unrecorded, found.count < limit,
                let question = line.unrecorded.first
            else { return }
            found.append(UnansweredPress(press: line.press, question: question))
        }
        return found
    }

    /// `press 71: mainMenu was not asked performKeyEquivalent`
    var text: String { (press.map { "press \($0)" } ?? "text without a key") + ": " + question.words }
}

extension OpenQuestion {
    /// `nav was not asked canPerformAction(goBack:)`
    public var words: String {
        if question == "start" { return "where the chain starts is not recorded" }
        if question == "next" { return "who follows \(responder) on the chain is not recorded" }
        let what = question + (action.map { "(\($0))" } ?? "")
        return responder.isEmpty ? "\(what) is not recorded" : "\(responder) was not asked \(what)"
    }
}
