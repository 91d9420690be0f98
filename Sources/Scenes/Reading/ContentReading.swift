import ResponderEngine

extension ResponderDescription {
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
        controller.performsActionsWhilePresentingModally =
            try map.take("performsActionsWhilePresentingModally")?.bool()
        controller.transitionDuration = try map.take("transitionDuration")?.duration()
        controller.presentationStyle =
            try map.take("presentationStyle")?.choice(ViewController.PresentationStyle.self).rawValue
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
        text.isSecure = try map.take("secure")?.bool()
        text.isEditable = try map.take("editable")?.bool()
        text.isSingleLine = try map.take("singleLine")?.bool()
        text.allowsEditingTextAttributes = try map.take("allowsEditingTextAttributes")?.bool()
        text.enablesReturnKeyAutomatically = try map.take("enablesReturnKeyAutomatically")?.bool()
        text.hasSmartQuotes = try map.take("smartQuotes")?.bool()
        text.hasSmartDashes = try map.take("smartDashes")?.bool()
        text.hasSmartInsertDelete = try map.take("smartInsertDelete")?.bool()
        if kind == .keyboardTextView {
            text.isSelectable = try map.take("selectable")?.bool()
            text.hasFindInteraction = try map.take("findInteraction")?.bool()
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
