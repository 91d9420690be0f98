/// Numbers for names, which a sequence of packets tells once and means from then on.
struct PerfettoNames {
    struct Fresh {
        var data: Keyflight_Perfetto_InternedData
        /// Numbers told before mean nothing any more.
        var isAfterClearing: Bool
    }

    private var categories: [String: UInt64] = [:]
    private var events: [String: UInt64] = [:]
    private var annotations: [String: UInt64] = [:]
    private var values: [String: UInt64] = [:]
    private var fresh = Keyflight_Perfetto_InternedData()
    private var hasFresh = false
    private var isCleared = true
    /// So many names are kept; then they are forgotten, and told anew.
    private static let limit = 65_536

    mutating func category(_ text: StaticString) -> UInt64 {
        PerfettoNames.number(of: "\(text)", in: &categories, fresh: &fresh, &hasFresh) { data, number, name in
            var entry = Keyflight_Perfetto_EventCategory()
            (entry.iid, entry.name) = (number, name)
            data.eventCategories.append(entry)
        }
    }

    mutating func event(_ text: String) -> UInt64 {
        PerfettoNames.number(of: text, in: &events, fresh: &fresh, &hasFresh) { data, number, name in
            var entry = Keyflight_Perfetto_EventName()
            (entry.iid, entry.name) = (number, name)
            data.eventNames.append(entry)
        }
    }

    mutating func annotation(_ text: StaticString) -> UInt64 {
        PerfettoNames.number(of: "\(text)", in: &annotations, fresh: &fresh, &hasFresh) { data, number, name in
            var entry = Keyflight_Perfetto_DebugAnnotationName()
            (entry.iid, entry.name) = (number, name)
            data.debugAnnotationNames.append(entry)
        }
    }

    mutating func value(_ text: String) -> UInt64 {
        PerfettoNames.number(of: text, in: &values, fresh: &fresh, &hasFresh) { data, number, name in
            var entry = Keyflight_Perfetto_InternedString()
            (entry.iid, entry.str) = (number, name)
            data.debugAnnotationStringValues.append(entry)
        }
    }

    /// Names that no packet has told yet; the first packet tells at least that there are none from before.
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

    /// `tell` adds a name that has not been told to what the next packet tells.
    private static func number(
        of text: String, in table: inout [String: UInt64], fresh: inout Keyflight_Perfetto_InternedData,
        _ hasFresh: inout Bool, _ tell: (inout Keyflight_Perfetto_InternedData, UInt64, String) -> Void
    ) -> UInt64 {
        if let known = table[text] { return known }
        let number = UInt64(table.count) + 1
        table[text] = number
        tell(&fresh, number, text)
        hasFresh = true
        return number
    }
}
