public import ResponderEngine

/// Editing commands by their selectors, as AppKit's `NSStandardKeyBindingResponding` and UIKit's
/// `UIResponderStandardEditActions` name them (spec §1.6, §2.3, KB-10).
///
/// A key binding names a selector; what it does in text is `command(for:)`.
public enum TextEditingCommands {
    /// The text command of the selector; `nil` for a selector that is no editing command.
    public static func command(for selector: Selector) -> TextCommand? { bySelector[selector] }

    /// The selector of a command, the first of them where several do the same.
    public static func selector(for command: TextCommand) -> Selector? {
        all.first { $0.command == command }?.selector
    }

    /// All of them, in a fixed order. `insertText:` is not among them, since it takes a text.
    public static let all: [(selector: Selector, command: TextCommand)] =
        movements + extensions + deletions + insertions + marks + cases + scrolling + standardEdit

    private static let bySelector = Dictionary(
        all.map { ($0.selector, $0.command) }, uniquingKeysWith: { first, _ in first })

    private typealias Row = (selector: Selector, command: TextCommand)

    /// Name without `move`, direction and unit.
    private static let steps: [(name: String, direction: TextCommand.Direction, unit: TextCommand.Unit)] = [
        ("moveForward", .forward, .character), ("moveBackward", .backward, .character),
        ("moveRight", .right, .character), ("moveLeft", .left, .character),
        ("moveUp", .up, .character), ("moveDown", .down, .character),
        ("moveWordForward", .forward, .word), ("moveWordBackward", .backward, .word),
        ("moveWordRight", .right, .word), ("moveWordLeft", .left, .word),
        ("moveToBeginningOfLine", .start, .line), ("moveToEndOfLine", .end, .line),
        ("moveToLeftEndOfLine", .left, .line), ("moveToRightEndOfLine", .right, .line),
        ("moveToBeginningOfParagraph", .start, .paragraph), ("moveToEndOfParagraph", .end, .paragraph),
        ("moveToBeginningOfDocument", .start, .document), ("moveToEndOfDocument", .end, .document),
        ("moveParagraphBackward", .up, .paragraph), ("moveParagraphForward", .down, .paragraph),
        ("pageUp", .up, .page), ("pageDown", .down, .page),
    ]

    private static let movements: [Row] = steps.map {
        (Selector($0.name + ":"), .move($0.direction, by: $0.unit, extending: false))
    }

    private static let extensions: [Row] = steps.map {
        (Selector($0.name + "AndModifySelection:"), .move($0.direction, by: $0.unit, extending: true))
    }

    private static let deletions: [Row] = [
        ("deleteBackward:", .delete(.backward, by: .character)),
        ("deleteForward:", .delete(.forward, by: .character)),
        ("deleteBackwardByDecomposingPreviousCharacter:", .deleteByDecomposing),
        ("deleteWordBackward:", .delete(.backward, by: .word)), ("deleteWordForward:", .delete(.forward, by: .word)),
        ("deleteToBeginningOfLine:", .delete(.start, by: .line)), ("deleteToEndOfLine:", .delete(.end, by: .line)),
        ("deleteToBeginningOfParagraph:", .delete(.start, by: .paragraph)),
        ("deleteToEndOfParagraph:", .delete(.end, by: .paragraph)),
    ]

    private static let insertions: [Row] = [
        ("insertNewline:", .insert(.newline)), ("insertParagraphSeparator:", .insert(.newline)),
        ("insertTab:", .insert(.tab)), ("insertBacktab:", .insert(.backtab)),
        ("insertNewlineIgnoringFieldEditor:", .insert(.newlineIgnoringFieldEditor)),
        ("insertTabIgnoringFieldEditor:", .insert(.tabIgnoringFieldEditor)),
        ("insertLineBreak:", .insert(.lineBreak)), ("insertContainerBreak:", .insert(.containerBreak)),
        ("insertSingleQuoteIgnoringSubstitution:", .insert(.singleQuote)),
        ("insertDoubleQuoteIgnoringSubstitution:", .insert(.doubleQuote)), ("indent:", .insert(.tab)),
        ("transpose:", .transpose), ("transposeWords:", .transposeWords), ("yank:", .yank),
    ]

    private static let marks: [Row] = [
        ("setMark:", .setMark), ("deleteToMark:", .deleteToMark), ("selectToMark:", .selectToMark),
        ("swapWithMark:", .swapWithMark), ("selectWord:", .select(.word)), ("selectLine:", .select(.line)),
        ("selectParagraph:", .select(.paragraph)),
    ]

    private static let cases: [Row] = [
        ("uppercaseWord:", .changeCase(.upper)), ("lowercaseWord:", .changeCase(.lower)),
        ("capitalizeWord:", .changeCase(.capitalized)), ("changeCaseOfLetter:", .changeCase(.toggled)),
        ("makeBaseWritingDirectionNatural:", .baseDirection(.natural)),
        ("makeBaseWritingDirectionLeftToRight:", .baseDirection(.leftToRight)),
        ("makeBaseWritingDirectionRightToLeft:", .baseDirection(.rightToLeft)),
        ("makeTextWritingDirectionLeftToRight:", .baseDirection(.leftToRight)),
        ("makeTextWritingDirectionRightToLeft:", .baseDirection(.rightToLeft)),
    ]

    private static let scrolling: [Row] = [
        ("scrollPageUp:", .scroll(.pageUp)), ("scrollPageDown:", .scroll(.pageDown)),
        ("scrollLineUp:", .scroll(.lineUp)), ("scrollLineDown:", .scroll(.lineDown)),
        ("scrollToBeginningOfDocument:", .scroll(.start)), ("scrollToEndOfDocument:", .scroll(.end)),
        ("centerSelectionInVisibleArea:", .centerSelection), ("complete:", .complete),
        ("cancelOperation:", .cancel), ("noop:", .nothing),
    ]

    private static let standardEdit: [Row] = [
        ("cut:", .cut), ("copy:", .copy), ("paste:", .paste), ("pasteAndMatchStyle:", .paste),
        ("delete:", .delete(.backward, by: .character)), ("select:", .select(.word)), ("selectAll:", .selectAll),
        ("undo:", .undo), ("redo:", .redo), ("toggleBoldface:", .toggleBold), ("toggleItalics:", .toggleItalics),
        ("toggleUnderline:", .toggleUnderline),
    ]
}
