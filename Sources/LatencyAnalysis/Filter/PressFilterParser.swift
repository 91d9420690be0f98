import KeyModel

/// Syntax error of a filter, and its column.
package struct PressFilterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// 1-based, in characters.
    package var column: Int
    package var expected: String
    package var found: String

    package var description: String { "column \(column): expected \(expected), found \(found)" }
}

extension PressFilter {
    /// Reads an expression. `and` binds tighter than `or`, `not` and brackets tighter than both.
    package init(_ text: String) throws(PressFilterError) {
        self.text = text
        let characters = Array(text)
        guard characters.count <= PressFilter.lengthLimit else {
            throw PressFilterError(
                column: PressFilter.lengthLimit + 1, expected: "at most \(PressFilter.lengthLimit) characters",
                found: "\(characters.count)")
        }
        var parser = PressFilterParser(characters)
        root = try parser.expression(depth: 0)
        try parser.expectEnd()
    }
}

/// Reads one expression from left to right.
private struct PressFilterParser {
    private let characters: [Character]
    private var place = 0

    init(_ characters: [Character]) { self.characters = characters }

    mutating func expression(depth: Int) throws(PressFilterError) -> PressFilter.Node {
        var nodes = [try conjunction(depth: depth)]
        while takeWord("or") { nodes.append(try conjunction(depth: depth)) }
        return nodes.count == 1 ? nodes[0] : .or(nodes)
    }

    private mutating func conjunction(depth: Int) throws(PressFilterError) -> PressFilter.Node {
        var nodes = [try term(depth: depth)]
        while takeWord("and") { nodes.append(try term(depth: depth)) }
        return nodes.count == 1 ? nodes[0] : .and(nodes)
    }

    private mutating func term(depth: Int) throws(PressFilterError) -> PressFilter.Node {
        guard depth < PressFilter.depthLimit else {
            throw error("at most \(PressFilter.depthLimit) levels of brackets")
        }
        if takeWord("not") { return .not(try term(depth: depth + 1)) }
        skipBlanks()
        guard place < characters.count, characters[place] == "(" else { return try comparison() }
        place += 1
        let inner = try expression(depth: depth + 1)
        skipBlanks()
        guard place < characters.count, characters[place] == ")" else { throw error(")") }
        place += 1
        return inner
    }

    private mutating func comparison() throws(PressFilterError) -> PressFilter.Node {
        skipBlanks()
        let start = place
        let name = word()
        guard let field = PressField(name: name) else {
            place = start
            let names = PressField.all.map(\.name).joined(separator: " ")
            throw error("one of \(names)", found: name.isEmpty ? nil : name)
        }
        skipBlanks()
        let operatorPlace = place
        guard let comparison = takeOperator() else {
            // A flag alone is an expression.
            guard field.kind == .flag else { throw error("== != < <= > >= ~ or !~") }
            return .comparison(field, .equal, .flag(true))
        }
        if let wrong = PressFilterParser.refusal(of: comparison, for: field.kind) {
            place = operatorPlace
            throw error(wrong, found: comparison.rawValue)
        }
        skipBlanks()
        return .comparison(field, comparison, try literal(field, comparison))
    }

    private static func refusal(of comparison: PressFilter.Comparison, for kind: PressField.Kind) -> String? {
        switch kind {
        case .text: comparison.isOrder ? "== != ~ or !~ for a text" : nil
        case .number, .duration: comparison.isPattern ? "== != < <= > or >= for a number" : nil
        case .flag: comparison.isOrder || comparison.isPattern ? "== or != for true and false" : nil
        case .chord: comparison.isOrder ? "== != ~ or !~ for a chord" : nil
        }
    }

    private mutating func literal(
        _ field: PressField, _ comparison: PressFilter.Comparison
    ) throws(PressFilterError) -> PressFilter.Literal {
        let start = place
        switch field.kind {
        case .text: return .text(try quotedText())
        case .chord:
            let text = try quotedText()
            if comparison.isPattern { return .text(text) }
            do { return .chord(try ChordQuery(text)) } catch {
                place = start
                throw self.error("a chord such as \"cmd+w\"", found: "\"\(text)\"")
            }
        case .number:
            guard let number = Int64(numberWord()) else { throw wrong(start, "a whole number") }
            return .number(number)
        case .duration:
            guard let duration = TraceDuration(text: durationWord()) else {
                throw wrong(start, "a duration such as 8ms or 120us")
            }
            return .duration(duration)
        case .flag:
            switch word() {
            case "true": return .flag(true)
            case "false": return .flag(false)
            default: throw wrong(start, "true or false")
            }
        }
    }

    private mutating func quotedText() throws(PressFilterError) -> String {
        guard place < characters.count, characters[place] == "\"" || characters[place] == "'" else {
            throw error("a text in quotation marks")
        }
        let (mark, start) = (characters[place], place)
        place += 1
        var text = ""
        while place < characters.count, characters[place] != mark {
            if characters[place] == "\\", place + 1 < characters.count { place += 1 }
            text.append(characters[place])
            place += 1
        }
        guard place < characters.count else {
            place = start
            throw error("a closing \(mark)", found: "the end")
        }
        place += 1
        return text
    }

    mutating func expectEnd() throws(PressFilterError) {
        skipBlanks()
        if place < characters.count { throw error("and, or, or the end") }
    }

    // MARK: Words

    private mutating func skipBlanks() { while place < characters.count, characters[place] == " " { place += 1 } }

    private mutating func word() -> String { take(while: \.isLetter) }

    private mutating func numberWord() -> String { take { $0.isLetter || $0.isNumber } }

    private mutating func take(while isTaken: (Character) -> Bool) -> String {
        let taken = characters[place...].prefix(while: isTaken)
        place = taken.endIndex
        return String(taken)
    }

    /// A blank may precede the unit.
    private mutating func durationWord() -> String {
        let number = numberWord()
        guard number.allSatisfy(\.isNumber) else { return number }
        let end = place
        skipBlanks()
        let unit = word()
        if ["ns", "us", "ms", "s"].contains(unit) { return number + unit }
        place = end
        return number
    }

    private mutating func takeWord(_ wanted: String) -> Bool {
        skipBlanks()
        let start = place
        if word() == wanted { return true }
        place = start
        return false
    }

    private mutating func takeOperator() -> PressFilter.Comparison? {
        let rest = String(characters[place...].prefix(2))
        for comparison in PressFilter.Comparison.allCases where rest.hasPrefix(comparison.rawValue) {
            place += comparison.rawValue.count
            return comparison
        }
        return nil
    }

    private func error(_ expected: String, found: String? = nil) -> PressFilterError {
        let next = place < characters.count ? String(characters[place]) : "the end"
        return PressFilterError(column: place + 1, expected: expected, found: found ?? next)
    }

    private func wrong(_ start: Int, _ expected: String) -> PressFilterError {
        let found = String(characters[start...].prefix(12))
        return PressFilterError(column: start + 1, expected: expected, found: found.isEmpty ? "the end" : found)
    }
}
