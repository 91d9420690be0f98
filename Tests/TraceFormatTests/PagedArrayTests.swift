import KeyModel
import Testing

@testable import TraceFormat

@Suite struct PagedArrayTests {
    /// Lengths around the ends of pages.
    @Test(arguments: [0, 1, 1023, 1024, 1025, 2048, 2049, 5000])
    func isAnArrayInPages(_ count: Int) {
        var paged = PagedArray<Int>()
        for number in 0..<count { paged.append(number) }
        #expect(paged.count == count)
        #expect(Array(paged) == Array(0..<count))
        let copy = paged
        for place in paged.indices { paged[place] = -place }
        #expect(copy.elementsEqual(0..<count) && paged.elementsEqual((0..<count).map { -$0 }))
        paged.append(7)
        #expect(paged.last == 7 && copy.count == count)
    }

    /// What was taken away leaves room again, and keeps the order of what is left.
    @Test func aContextKeepsItsOrderInPages() {
        var definitions = TraceDefinitions()
        let views = (0..<3000).map { definitions.intern(ResponderDefinition(id: "r\($0)", kind: "view")) }
        var context = TraceContext()
        for view in views { context.apply(.presentation(PresentationRecord(presenter: view, presented: view))) }
        for view in views.dropLast(10) {
            context.apply(.presentation(PresentationRecord(presenter: view, presented: nil)))
        }
        let left = context.entries.compactMap { entry -> ResponderRef? in
            if case .record(.presentation(let record)) = entry { record.presenter } else { nil }
        }
        #expect(left == Array(views.suffix(10)))
        let changed = TraceContext(context) { entry in
            if case .record(.presentation(let record)) = entry, record.presenter == views.last { nil } else { entry }
        }
        #expect(changed.entries.count == 9)
    }

    @Test func theLengthOfAListIsKnownWithoutTakingItApart() {
        var definitions = TraceDefinitions()
        let commands = (0..<300).map { number in
            definitions.intern(CommandDefinition(input: "w", modifiers: .command, action: "a\(number)"))
        }
        for count in [0, 1, 256, 257, 300] {
            let list = definitions.intern(Array(commands.prefix(count)))
            #expect(definitions.commandCount(of: list) == count)
        }
        #expect(definitions.commandCount(of: CommandListRef(rawValue: 99)) == 0)
    }
}
