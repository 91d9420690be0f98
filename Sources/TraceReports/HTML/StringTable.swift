package import TraceFormat

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
struct FragmentTable {
    private var numbers: [String: Int] = [:]
    private(set) var fragments: [String] = []
    private(set) var bytes = 0

    mutating func number(_ fragment: String) -> Int {
        if let known = numbers[fragment] { return known }
        numbers[fragment] = fragments.count
        fragments.append(fragment)
        bytes += fragment.utf8.count + 1
        return fragments.count - 1
    }

    mutating func number(_ write: (inout JSONText) -> Void) -> Int {
        var json = JSONText()
        write(&json)
        return number(json.text)
    }

    /// The number of an array of what `values` writes.
    mutating func row(_ values: (inout JSONText) -> Void) -> Int { number { $0.row(values) } }

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

extension JSONText {
    /// An array of what `values` writes.
    package mutating func row(_ values: (inout JSONText) -> Void) {
        beginArray()
        values(&self)
        endArray()
    }

    /// A list of arrays, `null` where there is none; `values` writes what is in one of them.
    package mutating func member<S: Sequence>(
        _ name: String, rows elements: S?, _ values: (inout JSONText, S.Element) -> Void
    ) {
        member(name, array: elements) { json, element in json.row { values(&$0, element) } }
    }
}
