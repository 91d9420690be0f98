/// Numbers for names: a sequence of packets contains each name once and refers to it by number from then on.
struct PerfettoNames {
    private typealias Fields = PerfettoFields

    /// The names of one list of `InternedData`.
    private struct List {
        var numbers: [String: UInt64] = [:]
        /// Entries that no packet has written yet.
        var fresh = ProtobufMessage()
    }

    private var lists = [List](repeating: List(), count: Fields.Interned.allCases.count)
    private var isCleared = true
    /// Names of events and texts, which a trace may have many of.
    private var count = 0
    /// The most names that are kept; then they are removed, and written again.
    private static let limit = 65_536

    /// The number of a name. One that has none yet gets it, and is added to what the next packet writes.
    mutating func number(of text: String, in kind: PerfettoFields.Interned) -> UInt64 {
        let place = Fields.Interned.allCases.firstIndex(of: kind) ?? 0
        if let known = lists[place].numbers[text] { return known }
        let number = UInt64(lists[place].numbers.count) + 1
        lists[place].numbers[text] = number
        if kind == .event || kind == .text { count += 1 }
        lists[place].fresh.add(kind.rawValue) { entry in
            entry.add(Fields.internedID, number)
            entry.add(Fields.internedText, text)
        }
        return number
    }

    /// Names that no packet has written yet; the first packet at least marks the state as cleared.
    mutating func takeFresh() -> (data: ProtobufMessage, isAfterClearing: Bool)? {
        var data = ProtobufMessage()
        for place in lists.indices {
            data.append(lists[place].fresh)
            lists[place].fresh.removeAll()
        }
        guard isCleared || !data.bytes.isEmpty else { return nil }
        defer { isCleared = false }
        return (data, isCleared)
    }

    /// Removes the names once there are many: numbers of packets before then refer to nothing any more.
    mutating func forgetIfMany() {
        guard count > PerfettoNames.limit else { return }
        self = PerfettoNames()
    }
}
