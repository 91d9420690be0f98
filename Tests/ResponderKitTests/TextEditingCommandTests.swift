import ResponderEngine
import ResponderKit
import Testing

@Suite("Editing commands by name")
struct TextEditingCommandTests {
    @Test("each selector is valid, named once, and takes the sender")
    func selectors() {
        var seen: Set<Selector> = []
        for (selector, command) in TextEditingCommands.all {
            #expect(selector.isValid && selector.arity == 1, "\(selector)")
            #expect(seen.insert(selector).inserted, "\(selector) twice")
            #expect(TextEditingCommands.command(for: selector) == command)
        }
        #expect(TextEditingCommands.command(for: "closeTab:") == nil)
    }

    @Test("the names that shipped key binding tables use are there")
    func shipped() {
        let names = """
            moveUp moveDown moveLeft moveRight moveForward moveBackward moveWordForward moveWordBackward moveWordLeft \
            moveWordRight moveToBeginningOfLine moveToEndOfLine moveToBeginningOfParagraph moveToEndOfParagraph \
            moveToBeginningOfDocument moveToEndOfDocument pageUp pageDown scrollPageUp scrollPageDown scrollLineUp \
            scrollLineDown moveUpAndModifySelection moveDownAndModifySelection moveLeftAndModifySelection \
            moveRightAndModifySelection moveWordForwardAndModifySelection moveWordBackwardAndModifySelection \
            moveToBeginningOfParagraphAndModifySelection moveToEndOfDocumentAndModifySelection \
            pageUpAndModifySelection pageDownAndModifySelection complete deleteForward deleteBackward \
            deleteWordBackward deleteWordForward deleteToEndOfParagraph deleteToBeginningOfLine \
            centerSelectionInVisibleArea insertNewline insertTab insertBacktab transpose yank setMark swapWithMark \
            deleteToMark selectToMark cancelOperation insertNewlineIgnoringFieldEditor uppercaseWord lowercaseWord \
            capitalizeWord transposeWords selectAll noop
            """
        for name in names.split(separator: " ") {
            #expect(TextEditingCommands.command(for: Selector(name + ":")) != nil, "\(name):")
        }
        #expect(TextEditingCommands.selector(for: .move(.up, by: .character, extending: true))
            == "moveUpAndModifySelection:")
    }
}
