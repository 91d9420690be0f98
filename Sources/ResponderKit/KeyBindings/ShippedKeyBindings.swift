extension KeyBindings {
    /// The bindings that GNUstep ships (spec KB-10): arrows and their like, and Emacs' keys with Control.
    public static let gnustep: KeyBindings = {
        do { return try KeyBindings(gnustepTable.utf8, file: "gnustep") } catch { return KeyBindings() }
    }()

    /// The editing keys that `interpretKeyEvents:` of AppKit turns into commands whatever file there is.
    public static let editing: KeyBindings = {
        do { return try KeyBindings(editingTable.utf8, file: "editing") } catch { return KeyBindings() }
    }()

    private static let editingTable = """
        {
            CarriageReturn = "insertNewline:";
            Enter = "insertNewline:";
            Tab = "insertTab:";
            BackTab = "insertBacktab:";
            Backspace = "deleteBackward:";
        }
        """

    /// The table as a file would contain it.
    static let gnustepTable = """
        {
            UpArrow = "moveUp:";
            DownArrow = "moveDown:";
            LeftArrow = "moveLeft:";
            RightArrow = "moveRight:";
            "Shift-UpArrow" = "moveUpAndModifySelection:";
            "Shift-DownArrow" = "moveDownAndModifySelection:";
            "Shift-LeftArrow" = "moveLeftAndModifySelection:";
            "Shift-RightArrow" = "moveRightAndModifySelection:";

            "Control-UpArrow" = "scrollPageUp:";
            "Control-DownArrow" = "scrollPageDown:";
            "Control-LeftArrow" = "moveToBeginningOfLine:";
            "Control-RightArrow" = "moveToEndOfLine:";
            "Control-Shift-LeftArrow" = "moveToBeginningOfLineAndModifySelection:";
            "Control-Shift-RightArrow" = "moveToEndOfLineAndModifySelection:";

            "Alternate-LeftArrow" = "moveWordBackward:";
            "Alternate-RightArrow" = "moveWordForward:";
            "Alternate-Shift-LeftArrow" = "moveWordBackwardAndModifySelection:";
            "Alternate-Shift-RightArrow" = "moveWordForwardAndModifySelection:";
            /* One character first, so that pressing again goes on to the next paragraph. */
            "Alternate-UpArrow" = ("moveBackward:", "moveToBeginningOfParagraph:");
            "Alternate-DownArrow" = ("moveForward:", "moveToEndOfParagraph:");
            "Alternate-Shift-UpArrow" =
                ("moveBackwardAndModifySelection:", "moveToBeginningOfParagraphAndModifySelection:");
            "Alternate-Shift-DownArrow" =
                ("moveForwardAndModifySelection:", "moveToEndOfParagraphAndModifySelection:");

            Home = "moveToBeginningOfParagraph:";
            End = "moveToEndOfParagraph:";
            "Control-Home" = "moveToBeginningOfDocument:";
            "Control-End" = "moveToEndOfDocument:";
            "Shift-Home" = "moveToBeginningOfParagraphAndModifySelection:";
            "Shift-End" = "moveToEndOfParagraphAndModifySelection:";
            "Control-Shift-Home" = "moveToBeginningOfDocumentAndModifySelection:";
            "Control-Shift-End" = "moveToEndOfDocumentAndModifySelection:";

            PageUp = "scrollPageUp:";
            PageDown = "scrollPageDown:";
            "Control-PageUp" = "pageUp:";
            "Control-PageDown" = "pageDown:";
            "Alternate-PageUp" = "pageUp:";
            "Alternate-PageDown" = "pageDown:";
            "Shift-PageUp" = "pageUpAndModifySelection:";
            "Shift-PageDown" = "pageDownAndModifySelection:";

            Escape = "complete:";
            Delete = "deleteForward:";

            "Control-a" = "moveToBeginningOfParagraph:";
            "Control-b" = "moveBackward:";
            "Control-d" = "deleteForward:";
            "Control-e" = "moveToEndOfParagraph:";
            "Control-f" = "moveForward:";
            "Control-h" = "deleteBackward:";
            "Control-k" = "deleteToEndOfParagraph:";
            "Control-l" = "centerSelectionInVisibleArea:";
            "Control-n" = "moveDown:";
            "Control-o" = ("insertNewline:", "moveBackward:");
            "Control-p" = "moveUp:";
            "Control-t" = "transpose:";
            "Control-v" = "pageDown:";
            "Control-y" = "yank:";
        }
        """
}
