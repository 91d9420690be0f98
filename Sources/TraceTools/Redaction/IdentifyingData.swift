/// Kinds of data in a trace that identify who typed, what, or where.
package enum IdentifyingData: Int, CaseIterable, Sendable {
    case usages, characters, text, titles, classNames, deviceNames, serialsAndIDs, host, user, paths, interKeyTimes
    case textRunLengths

    /// As `redact --check` calls it.
    package var name: String {
        switch self {
        case .usages: "usages"
        case .characters: "characters"
        case .text: "text"
        case .titles: "titles"
        case .classNames: "class names"
        case .deviceNames: "device names"
        case .serialsAndIDs: "serials and ids"
        case .host: "host"
        case .user: "user"
        case .paths: "paths"
        case .interKeyTimes: "inter-key times"
        case .textRunLengths: "lengths of text runs"
        }
    }

    /// The option that removes it.
    package var option: Redaction.Option {
        switch self {
        case .usages, .characters, .text: .text
        case .titles, .classNames, .deviceNames, .serialsAndIDs, .host, .user, .paths: .titles
        case .interKeyTimes: .timing
        case .textRunLengths: .runs
        }
    }
}

/// Number of occurrences of each kind of identifying data.
package struct IdentifyingDataCounts: Hashable, Sendable {
    private var counts = [UInt64](repeating: 0, count: IdentifyingData.allCases.count)

    package init() {}

    package subscript(_ data: IdentifyingData) -> UInt64 { counts[data.rawValue] }

    mutating func add(_ data: IdentifyingData, _ count: UInt64 = 1) { counts[data.rawValue] &+= count }

    mutating func add(_ other: IdentifyingDataCounts) {
        for data in IdentifyingData.allCases { add(data, other[data]) }
    }

    /// Nothing was met.
    package var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }
}
