extension ResponderDescription {
    private static let presentationStyles = [
        "automatic", "fullScreen", "pageSheet", "formSheet", "popover", "overFullScreen", "currentContext", "custom",
    ]

    mutating func readController(_ map: inout YAMLMap) throws(SourceTextError) {
        containment.view = try ResponderDescription.readID(map.take("view"))
        containment.presents = try ResponderDescription.readID(map.take("presents"))
        // The columns of a split view controller are its controllers, the primary one first.
        for key in kind.base == .splitViewController ? ["viewControllers", "columns"] : ["viewControllers"] {
            guard let value = map.take(key) else { continue }
            guard containment.viewControllers == nil else {
                throw value.error("viewControllers or columns", found: "both")
            }
            containment.viewControllers = try value.list("a list of ids") { entry throws(SourceTextError) in
                try entry.name("the id of a controller")
            }
        }
        if let value = map.take("performsActionsWhilePresentingModally") {
            controller.performsActionsWhilePresentingModally = try value.bool()
        }
        if let value = map.take("transitionDuration") { controller.transitionDuration = try value.duration() }
        if let value = map.take("presentationStyle") {
            let expected = "one of " + ResponderDescription.presentationStyles.joined(separator: ", ")
            let style = try value.string(expected)
            guard ResponderDescription.presentationStyles.contains(style) else { throw value.error(expected) }
            controller.presentationStyle = style
        }
        try readBars(&map)
        if kind.base == .splitViewController { try readColumns(&map) }
        if kind.base == .tabBarController, let value = map.take("selectedIndex") {
            let count = containment.viewControllers?.count ?? 0
            controller.selectedIndex = try value.integer(
                in: 0...max(0, count - 1), "the index of one of its \(count) viewControllers, from 0")
        }
    }

    mutating func readText(_ map: inout YAMLMap) throws(SourceTextError) {
        let declared = [map.take("text"), map.take("markedText")]
        text.text = try declared[0]?.string()
        text.markedText = try declared[1]?.string()
        if let value = map.take("secure") { text.isSecure = try value.bool() }
        if let value = map.take("editable") { text.isEditable = try value.bool() }
        if let value = map.take("singleLine") { text.isSingleLine = try value.bool() }
        if let value = map.take("allowsEditingTextAttributes") {
            text.allowsEditingTextAttributes = try value.bool()
        }
        if let value = map.take("enablesReturnKeyAutomatically") {
            text.enablesReturnKeyAutomatically = try value.bool()
        }
        if let value = map.take("smartQuotes") { text.hasSmartQuotes = try value.bool() }
        if let value = map.take("smartDashes") { text.hasSmartDashes = try value.bool() }
        if let value = map.take("smartInsertDelete") { text.hasSmartInsertDelete = try value.bool() }
        if kind == .keyboardTextView {
            if let value = map.take("selectable") { text.isSelectable = try value.bool() }
            if let value = map.take("findInteraction") { text.hasFindInteraction = try value.bool() }
        }
        if let value = map.take("keyBindings") {
            keyBindingsLine = value.line
            text.keyBindings = try ResponderDescription.readKeyBindings(value)
        }
        guard text.isSingleLine ?? (kind == .textField) else { return }
        for case let value? in declared where try value.string().contains(where: \.isNewline) {
            throw value.error("one line of text, or singleLine: false", found: "several lines")
        }
    }

    /// A file or a list of them. A name without a slash or a dot is that of a shipped table.
    private static func readKeyBindings(_ value: YAMLValue) throws(SourceTextError) -> [String] {
        let shipped = Scene.shippedKeyBindingNames.joined(separator: ", ")
        let expected = "a key binding file such as DefaultKeyBinding.dict, or \(shipped)"
        func name(_ entry: YAMLValue) throws(SourceTextError) -> String {
            let name = try entry.name(expected)
            let isPath = name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
            guard isPath || Scene.shippedKeyBindingNames.contains(name) else { throw entry.error(expected) }
            return name
        }
        guard case .sequence = value.node.content else { return [try name(value)] }
        let names = try value.list("a list of key binding files", name)
        guard !names.isEmpty, names.count <= maximumKeyBindingFiles else {
            throw value.error("1 to \(maximumKeyBindingFiles) key binding files", found: "\(names.count)")
        }
        return names
    }

    private static let maximumKeyBindingFiles = 16
}
