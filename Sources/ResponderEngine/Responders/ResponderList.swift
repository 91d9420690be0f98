/// Responders in order, visited without counting a reference for each.
///
/// A responder that is read from an array is retained while it is called, which takes longer than most calls. An
/// element that cannot be copied is called where it is.
package final class ResponderList {
    package let array: [Responder]
    private let elements: UnsafeMutableBufferPointer<Element>

    private struct Element: ~Copyable {
        let responder: Responder

        @inline(__always)
        borrowing func visit<Answer>(_ body: (Responder) -> Answer?) -> Answer? { body(responder) }
    }

    init(_ array: [Responder]) {
        self.array = array
        elements = .allocate(capacity: array.count)
        for (place, responder) in array.enumerated() {
            elements.initializeElement(at: place, to: Element(responder: responder))
        }
    }

    deinit { elements.deinitialize().deallocate() }

    /// Calls `body` with each until it gives an answer, and returns that.
    @inline(__always) @discardableResult
    func first<Answer>(_ body: (Responder) -> Answer?) -> Answer? {
        for place in elements.indices { if let answer = elements[place].visit(body) { return answer } }
        return nil
    }

    /// The same responders in the same order.
    func isSame(as other: ResponderList) -> Bool {
        self === other || array.count == other.array.count && zip(array, other.array).allSatisfy { $0 === $1 }
    }
}
