import Testing

@testable import ResponderEngine

@Suite("Windows of many responders")
struct WindowSearchTests {
    private final class CountingResponder: Responder {
        private(set) var reads = 0
        override var next: Responder? {
            reads += 1
            return super.next
        }
    }

    @Test("Windows of a whole chain are found without following each link for every responder")
    func windowsOfAChain() {
        let responders = (0..<500).map { CountingResponder(id: "r\($0)") }
        let window = Window(id: "win")
        for (responder, next) in zip(responders, responders.dropFirst()) { responder.explicitNext = next }
        responders.last?.explicitNext = window
        let before = responders.reduce(0) { $0 + $1.reads }
        var search = WindowSearch()
        for responder in responders { #expect(search.window(of: responder) === window) }
        #expect(responders.reduce(0) { $0 + $1.reads } - before <= 3 * responders.count)
        // A circle has no window, wherever it is entered.
        responders.last?.explicitNext = responders[100]
        var circle = WindowSearch()
        for responder in responders { #expect(circle.window(of: responder) == nil) }
    }

    private final class CountingView: View {
        private(set) var reads = 0
        override var container: Responder? {
            reads += 1
            return super.container
        }
    }

    @Test("Windows of views inside one another are found by following each container once")
    func windowsOfContainers() {
        let views = (0..<500).map { CountingView(id: "v\($0)") }
        let window = Window(id: "win")
        window.addSubview(views[0])
        for (outer, inner) in zip(views, views.dropFirst()) { outer.addSubview(inner) }
        let before = views.reduce(0) { $0 + $1.reads }
        var search = WindowSearch()
        for view in views.reversed() { #expect(search.window(of: view) === window) }
        #expect(views.reduce(0) { $0 + $1.reads } - before <= 2 * views.count)
    }
}
