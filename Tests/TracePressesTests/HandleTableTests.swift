import TraceFormat
import TracePresses
import Testing

@Suite struct HandleTableTests {
    /// Handles of the first page, of one far behind pages that have no value, and of no page.
    @Test(arguments: [0, 63, 64, 300_000, 1 << 22, UInt32.max])
    func aValueIsFoundByItsHandleAloneAndCopiesAreApart(_ number: UInt32) {
        let handle = ResponderRef(rawValue: number)
        var table = HandleTable<ResponderDefinition, Int>()
        table[ResponderRef(rawValue: 1)] = 1
        table[handle] = 7
        let copy = table
        table[handle] = 8
        #expect(table[handle] == 8 && copy[handle] == 7)
        #expect(table[ResponderRef(rawValue: 1)] == 1)
        // Places on pages that were never written share one page.
        for other in [2, 65, 128, 299_999, (1 << 22) - 1, (1 << 22) + 1] as [UInt32] {
            #expect(table[ResponderRef(rawValue: other)] == nil)
        }
        table[handle] = nil
        #expect(table[handle] == nil && copy[handle] == 7)
    }
}
