import KeyModel
import Testing
import TraceFormat

@testable import TracePresses

@Suite struct ChainTests {
    private static func context(links count: UInt32, of size: UInt32) -> PressContext {
        var context = PressContext()
        for number in 0..<count {
            consume(.link(LinkRecord(responder: ref(number), next: ref((number + 1) % size), window: nil)), &context)
        }
        consume(.firstResponder(FirstResponderRecord(responder: ref(0), cause: .start)), &context)
        return context
    }

    private static func ref(_ number: UInt32) -> ResponderRef { ResponderRef(rawValue: number) }

    private static func consume(_ body: TraceRecord.Body, _ context: inout PressContext) {
        context.consume(TraceRecord(time: .zero, sequence: 0, body: body))
    }

    private static func press(_ number: UInt32, _ context: inout PressContext) {
        let key = KeyRecord(
            device: 1, key: .clear(.keyboard(0x1A)), phase: .down, modifiers: [], press: number, isSynthetic: false)
        consume(.key(key), &context)
    }

    /// Where the elements of an array are: a walk makes another one.
    private static func place(_ chain: [ResponderRef]) -> UnsafePointer<ResponderRef>? {
        chain.withUnsafeBufferPointer(\.baseAddress)
    }

    @Test func aChainIsWalkedOnceUntilItChanges() {
        var context = Self.context(links: 3, of: 100)
        Self.press(1, &context)
        let first = context.chain(from: Self.ref(0))
        #expect(first == [0, 1, 2, 3].map(Self.ref))
        Self.press(2, &context)
        #expect(Self.place(context.chain(from: Self.ref(0))) == Self.place(first))
        let former = context
        Self.consume(.link(LinkRecord(responder: Self.ref(1), next: nil, window: nil)), &context)
        #expect(context.chain(from: Self.ref(0)) == [0, 1].map(Self.ref))
        Self.press(3, &context)
        #expect(context.chain(from: Self.ref(0)) == [0, 1].map(Self.ref))
        #expect(former.chain(from: Self.ref(0)) == first)
        #expect(context.chain(from: Self.ref(2)) == [2, 3].map(Self.ref))
        #expect(context.chain(from: nil).isEmpty)
    }

    @Test func aChainIsFollowedToItsLimit() {
        let limit = UInt32(TraceLimits.chainResponders)
        let long = Self.context(links: 3 * limit, of: .max)
        #expect(long.chain(from: Self.ref(0)) == (0..<limit).map(Self.ref))
        #expect(long.isOnChain(Self.ref(5), from: Self.ref(0)))
        // In a circle, each once.
        let circle = Self.context(links: 10, of: 10)
        #expect(circle.chain(from: Self.ref(4)) == [4, 5, 6, 7, 8, 9, 0, 1, 2, 3].map(Self.ref))
        #expect(!circle.isOnChain(Self.ref(11), from: Self.ref(0)))
    }
}
