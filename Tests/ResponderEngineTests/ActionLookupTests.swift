import Testing

@testable import ResponderEngine

/// The actions of a responder, found by their selector.
@Suite("Action lookup") struct ActionLookupTests {
    private final class Many: Responder {
        static let names = (0..<500).map { "action\($0):" }
        var performed: [String] = []

        override class var actions: [Action] {
            names.map { name in Action(Selector(name), performing: { (many: Many, _) in many.performed.append(name) }) }
        }
    }

    private final class Twice: Responder {
        var run: [Int] = []

        override class var actions: [Action] {
            [
                Action("a:", performing: { (twice: Twice, _) in twice.run.append(1) }),
                Action("b:", performing: { (_: Twice, _) in }),
                Action("a:", performing: { (twice: Twice, _) in twice.run.append(2) }),
            ]
        }
    }

    @Test("each action is found under its own name, and no other is")
    func eachIsFound() {
        let responder = Many()
        for name in Many.names {
            #expect(responder.responds(to: Selector(name)))
            #expect(!responder.responds(to: Selector("other." + name)))
            responder.perform(Selector(name), sender: nil, event: nil)
        }
        #expect(responder.performed == Many.names)
        #expect(!Responder().responds(to: "action0:"))
    }

    @Test("of several with one name the last counts, also one that is added later")
    func theLastCounts() {
        let responder = Twice()
        responder.perform("a:", sender: nil, event: nil)
        responder.addAction(Action("a:", performing: { (twice: Twice, _) in twice.run.append(3) }))
        responder.perform("a:", sender: nil, event: nil)
        #expect(responder.run == [2, 3])
    }
}
