import ResponderEngine

/// Makes bindings of a property list. What cannot be understood is left out, and why is kept (spec KB-6).
struct KeyBindingReader {
    let file: String
    private(set) var skipped: [KeyBindings.Skipped] = []

    init(file: String) { self.file = file }

    private mutating func skip(_ reason: String, at place: PropertyList.Place) {
        skipped.append(KeyBindings.Skipped(file: file, place: place, reason: reason))
    }

    private func source(_ place: PropertyList.Place) -> KeyBindings.Source {
        KeyBindings.Source(file: file, line: place.line)
    }

    /// `dialect` is that of the keys around it, which a key of neither follows.
    mutating func table(
        _ entries: [PropertyList.Entry], at place: PropertyList.Place, dialect: KeyBindingDialect?
    ) -> KeyBindings.Table {
        var table = KeyBindings.Table(source: source(place))
        for entry in entries {
            guard let (keys, own) = keys(entry.key) else { continue }
            guard let value = value(entry.value, at: entry.key.place, dialect: own ?? dialect) else { continue }
            table.set(value, for: keys[...])
        }
        return table
    }

    /// One key, or those of an array one after the other (spec KB-8).
    private mutating func keys(_ list: PropertyList) -> (keys: [BoundKey], dialect: KeyBindingDialect?)? {
        let parts: [PropertyList]
        switch list.content {
        case .string: parts = [list]
        case .array(let items): parts = items
        case .dictionary, .other:
            skip("a key is a string or an array of strings, found \(list.kindName)", at: list.place)
            return nil
        }
        var keys: [BoundKey] = []
        var dialect: KeyBindingDialect?
        for part in parts {
            guard case .string(let text) = part.content else {
                skip("a key is a string, found \(part.kindName)", at: part.place)
                return nil
            }
            do throws(BoundKey.Problem) {
                let parsed = try BoundKey.parse(text)
                keys.append(parsed.key)
                dialect = dialect ?? parsed.dialect
            } catch {
                skip("key \(PropertyListError.quoted(text)): \(error.text)", at: part.place)
                return nil
            }
        }
        guard !keys.isEmpty, keys.count <= PropertyList.maximumDepth else {
            skip("1 to \(PropertyList.maximumDepth) keys make a sequence, found \(keys.count)", at: list.place)
            return nil
        }
        return (keys, dialect)
    }

    private mutating func value(
        _ list: PropertyList, at place: PropertyList.Place, dialect: KeyBindingDialect?
    ) -> KeyBindings.Entry? {
        let operations: [KeyBindings.Operation]
        switch list.content {
        case .dictionary(let entries): return .table(table(entries, at: place, dialect: dialect))
        // Disables the key (spec KB-3, KB-8).
        case .string(""): operations = []
        case .string(let name):
            guard let selector = selector(name, at: list.place) else { return nil }
            operations = [.perform(selector)]
        case .array(let items):
            guard let read = self.operations(items, dialect: dialect) else { return nil }
            operations = read
        case .other(let name):
            skip("a binding is a selector, an array of selectors or a dictionary, found \(name)", at: list.place)
            return nil
        }
        return .binding(KeyBindings.Binding(operations: operations, source: source(place)))
    }

    /// On the Mac `insertText:` takes the string after it (spec KB-3); GNUstep performs each string (spec KB-8).
    private mutating func operations(
        _ items: [PropertyList], dialect: KeyBindingDialect?
    ) -> [KeyBindings.Operation]? {
        var operations: [KeyBindings.Operation] = []
        var takesText = false
        for item in items {
            guard case .string(let name) = item.content else {
                skip("an array of selectors holds strings, found \(item.kindName)", at: item.place)
                return nil
            }
            if takesText {
                operations.append(.insert(name))
                takesText = false
            } else if name == "insertText:", dialect != .gnustep {
                takesText = true
            } else if !name.isEmpty {
                guard let selector = selector(name, at: item.place) else { return nil }
                operations.append(.perform(selector))
            }
        }
        if takesText, let last = items.last {
            skip("insertText: needs the text after it", at: last.place)
            return nil
        }
        return operations
    }

    private mutating func selector(_ name: String, at place: PropertyList.Place) -> Selector? {
        let selector = Selector(name)
        guard selector.isValid, name.utf8.count <= 256 else {
            skip("\(PropertyListError.quoted(name)) is no selector", at: place)
            return nil
        }
        return selector
    }
}
