import TraceFormat

/// Texts of a page, each once, by number.
struct StringTable {
    private var numbers: [String: Int] = [:]
    private(set) var texts: [String] = []
    /// Bytes of all of them.
    private(set) var bytes = 0
    /// Longer texts are cut, and once there is so much text, shorter ones as well: names are never that long.
    private static let longest = 400
    private static let enough = 400_000

    mutating func number(_ text: String) -> Int {
        if let known = numbers[text] { return known }
        let cut = JSONText.cut(text, to: bytes > StringTable.enough ? 24 : StringTable.longest)
        if cut.utf8.count != text.utf8.count, let known = numbers[cut] { return known }
        numbers[cut] = texts.count
        texts.append(cut)
        bytes += cut.utf8.count + 3
        return texts.count - 1
    }
}

/// Pieces of JSON that a page stores once and refers to by number.
struct FragmentTable: JSONValue {
    private var numbers: [String: Int] = [:]
    private(set) var fragments: [String] = []
    private(set) var bytes = 0

    mutating func number(_ value: some JSONValue) -> Int {
        let fragment = value.jsonText
        if let known = numbers[fragment] { return known }
        numbers[fragment] = fragments.count
        fragments.append(fragment)
        bytes += fragment.utf8.count + 1
        return fragments.count - 1
    }

    func write(to json: inout JSONText) { json.array(fragments) { $0.raw($1) } }
}

/// A column of whole numbers: one number where all are the same, `null` for what is absent.
struct NumberColumn {
    private(set) var numbers: [Int64?] = []

    mutating func append(_ number: Int64?) { numbers.append(number) }

    /// With `asSteps` each number is written as its difference from the one before.
    func write(to json: inout JSONText, asSteps: Bool = false) {
        if let first = numbers.first, numbers.allSatisfy({ $0 == first }), !asSteps { return json.value(first) }
        var last: Int64 = 0
        json.array(numbers) { json, number in
            guard asSteps else { return json.value(number) }
            let now = number ?? last
            json.value(now.subtractingReportingOverflow(last).partialValue)
            last = now
        }
    }
}
