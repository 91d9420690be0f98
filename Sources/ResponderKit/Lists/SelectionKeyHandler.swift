import KeyModel
public import ResponderEngine

/// Selects, opens and moves rows by keys (spec KK-5, KK-6).
public final class SelectionKeyHandler: InjectedResponder {
    private unowned let list: ListView

    init(owner id: String, list: ListView) {
        self.list = list
        super.init(id: id + ".selection")
        followsStructure = true
    }

    // MARK: Commands

    private struct Arrow {
        let direction: ArrowDirection
        let toEnd: Bool
        let command: KeyCommand
    }

    private lazy var arrows: [Arrow] = ArrowKeys.inputs.flatMap { input, direction in
        [false, true].map { toEnd in
            let command = KeyCommand(
                input: input, modifierFlags: toEnd ? .option : [],
                action: SelectionKeyHandler.selector("select", direction, toEnd: toEnd))
            return Arrow(direction: direction, toEnd: toEnd, command: command.unmirrored())
        }
    }

    private lazy var openCommands = [
        KeyCommand(input: " ", modifierFlags: [], action: "openSelectedRow:"),
        KeyCommand(input: "\r", modifierFlags: [], action: "openSelectedRow:"),
    ]

    private lazy var clearCommand = KeyCommand(
        input: KeyCommand.inputEscape, modifierFlags: [], action: "clearSelection:")

    private lazy var moves: [KeyCommand] = ArrowKeys.inputs.map { input, direction in
        let side = input.dropFirst("UIKeyInput".count).dropLast("Arrow".count)
        return KeyCommand(
            title: "Move \(side)", action: SelectionKeyHandler.selector("moveRow", direction, toEnd: false),
            input: input, modifierFlags: [.option, .command]
        ).unmirrored()
    }

    public override var keyCommands: [KeyCommand]? {
        let inherited = super.keyCommands
        guard list.isSelectionAllowed, isInResponderChain else { return inherited }
        var commands = inherited ?? []
        if !keyboardEnvironment.usesFocusSystem, !isTextInputActive {
            for arrow in arrows where list.rowToSelect(arrow.direction, toEnd: arrow.toEnd) != nil {
                commands.append(arrow.command)
            }
            if list.selectedRows.count == 1 { commands += openCommands }
            if !list.selectedRows.isEmpty, list.shouldClearSelection() { commands.append(clearCommand) }
        }
        if canMove { commands += moves }
        return commands
    }

    private var canMove: Bool { list.allowsMovingRows && !list.usesDiffableDataSource }

    private static func selector(_ verb: String, _ direction: ArrowDirection, toEnd: Bool) -> Selector {
        let names: [ArrowDirection: String] = [.up: "Above", .down: "Below", .left: "Left", .right: "Right"]
        let ends: [ArrowDirection: String] = [.up: "Top", .down: "Bottom", .left: "Leftmost", .right: "Rightmost"]
        return Selector(verb + ((toEnd ? ends : names)[direction] ?? "") + ":")
    }

    // MARK: Actions

    public override class var actions: [Action] {
        let selections = ArrowDirection.allCases.flatMap { direction in
            [false, true].map { toEnd in
                Action(selector("select", direction, toEnd: toEnd), performing: { (handler: SelectionKeyHandler, _) in
                    if let row = handler.list.rowToSelect(direction, toEnd: toEnd) {
                        handler.list.selectByKeyboard(row)
                    }
                })
            }
        }
        let moves = ArrowDirection.allCases.map { direction in
            Action(selector("moveRow", direction, toEnd: false), performing: { (handler: SelectionKeyHandler, _) in
                if let (row, position) = handler.move(direction) { handler.list.moveRow(row, to: position) }
            })
        }
        return super.actions + selections + moves + [
            Action("openSelectedRow:", performing: { (handler: SelectionKeyHandler, _) in
                if let row = handler.list.selectedRows.first { handler.list.didSelectRow(row) }
            }),
            Action("clearSelection:", performing: { (handler: SelectionKeyHandler, _) in
                handler.list.select([])
                handler.list.selectionDidChangeByKeyboard()
            }),
            Action("selectAll:", performing: { (handler: SelectionKeyHandler, _) in
                handler.list.selectAllRows()
                handler.list.selectionDidChangeByKeyboard()
            }),
        ]
    }

    private func move(_ direction: ArrowDirection) -> (row: Int, position: RowPosition)? {
        guard canMove, list.selectedRows.count == 1, let row = list.selectedRows.first,
            let position = list.positionToMove(row, direction)
        else { return nil }
        return (row, position)
    }

    public override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        guard super.canPerformAction(action, withSender: sender) else { return false }
        switch action.name {
        case "selectAll:": return list.isMultipleSelectionAllowed && list.rowCount > 0
        case "openSelectedRow:": return list.selectedRows.count == 1
        case "clearSelection:": return !list.selectedRows.isEmpty && list.shouldClearSelection()
        case "moveRowAbove:": return move(.up) != nil
        case "moveRowBelow:": return move(.down) != nil
        case "moveRowLeft:": return move(.left) != nil
        case "moveRowRight:": return move(.right) != nil
        default:
            guard let arrow = arrows.first(where: { $0.command.action == action }) else { return true }
            return list.rowToSelect(arrow.direction, toEnd: arrow.toEnd) != nil
        }
    }
}
