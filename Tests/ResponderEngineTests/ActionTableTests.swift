import Testing

@testable import ResponderEngine

/// The actions of a responder, found by their selector.
@Suite("Action table") struct ActionTableTests {
    private func action(_ name: String, _ run: @escaping () -> Void = {}) -> Action {
        Action(Selector(name), performing: { (_: Responder, _) in run() })
    }

    @Test("each action is found under its own name, and no other is")
    func eachIsFound() {
        let names = (0..<500).map { "action\($0):" }
        let table = ActionTable(names.map { action($0) })
        for name in names { #expect(table[Selector(name)]?.selector.name == name) }
        for name in names { #expect(!table.contains(Selector("other." + name))) }
        #expect(ActionTable([])["action0:"] == nil)
    }

    @Test("of several with one name the last counts, also one that is added later")
    func theLastCounts() {
        var run: [Int] = []
        var table = ActionTable([action("a:") { run.append(1) }, action("b:"), action("a:") { run.append(2) }])
        table["a:"]?.run(Responder(), nil, nil)
        table.add(action("a:") { run.append(3) })
        table["a:"]?.run(Responder(), nil, nil)
        #expect(run == [2, 3])
    }
}
