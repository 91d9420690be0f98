/// Numbers for names: a sequence of packets contains each name once and refers to it by number from then on.
struct PerfettoNames {
    struct Fresh {
        var data: Keyflight_Perfetto_InternedData
        /// Numbers of packets before refer to nothing any more.
        var isAfterClearing: Bool
    }

    private var categories: [String: UInt64] = [:]
    private var events: [String: UInt64] = [:]
    private var annotations: [String: UInt64] = [:]
    private var values: [String: UInt64] = [:]
    private var fresh = Keyflight_Perfetto_InternedData()
    private var hasFresh = false
    private var isCleared = true
    /// The most names that are kept; then they are removed, and written again.
    private static let limit = 65_536

    mutating func category(_ text: StaticString) -> UInt64 {
        PerfettoNames.number(of: "\(text)", in: &categories, fresh: &fresh.eventCategories, &hasFresh)
    }

    mutating func event(_ text: String) -> UInt64 {
        PerfettoNames.number(of: text, in: &events, fresh: &fresh.eventNames, &hasFresh)
    }

    mutating func annotation(_ text: StaticString) -> UInt64 {
        PerfettoNames.number(of: "\(text)", in: &annotations, fresh: &fresh.debugAnnotationNames, &hasFresh)
    }

    mutating func value(_ text: String) -> UInt64 {
        if let known = values[text] { return known }
        var entry = Keyflight_Perfetto_InternedString()
        (entry.iid, entry.str) = (UInt64(values.count) + 1, text)
        values[text] = entry.iid
        fresh.debugAnnotationStringValues.append(entry)
        hasFresh = true
        return entry.iid
    }

    /// Names that no packet has written yet; the first packet at least marks the state as cleared.
    mutating func takeFresh() -> Fresh? {
        guard hasFresh || isCleared else { return nil }
        defer {
            fresh = Keyflight_Perfetto_InternedData()
            (hasFresh, isCleared) = (false, false)
        }
        return Fresh(data: fresh, isAfterClearing: isCleared)
    }

    mutating func forgetIfMany() {
        guard events.count + values.count > PerfettoNames.limit else { return }
        self = PerfettoNames()
    }

    /// A name that has no number yet gets one, and is added to what the next packet writes.
    private static func number(
        of text: String, in table: inout [String: UInt64], fresh: inout [Keyflight_Perfetto_InternedName],
        _ hasFresh: inout Bool
    ) -> UInt64 {
        if let known = table[text] { return known }
        var entry = Keyflight_Perfetto_InternedName()
        (entry.iid, entry.name) = (UInt64(table.count) + 1, text)
        table[text] = entry.iid
        fresh.append(entry)
        hasFresh = true
        return entry.iid
    }
}
