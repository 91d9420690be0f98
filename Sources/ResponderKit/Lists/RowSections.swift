import KeyModel

/// A row by its section and its place there.
public struct RowPosition: Hashable, Sendable {
    public var section: Int
    public var row: Int

    public init(section: Int, row: Int) {
        self.section = section
        self.row = row
    }
}

/// The number of rows of each section, and where in the whole list they begin.
struct RowSections: Hashable, Sendable {
    private(set) var counts: [Int]
    /// Rows up to each section's end.
    private var ends: [Int]

    init(_ counts: [Int]) {
        self.counts = counts.map { max(0, $0) }
        ends = []
        ends.reserveCapacity(counts.count)
        var total = 0
        for count in self.counts {
            total = total.addingReportingOverflow(count).partialValue
            ends.append(total)
        }
    }

    var total: Int { ends.last ?? 0 }
    func start(of section: Int) -> Int { ends[section] - counts[section] }

    /// `nil` for a row that does not exist. A look per halving of the sections.
    func position(of row: Int) -> RowPosition? {
        guard row >= 0, row < total else { return nil }
        let section = ends.indices.partitionPoint { ends[$0] <= row }
        return RowPosition(section: section, row: row - start(of: section))
    }

    mutating func change(_ section: Int, by difference: Int) {
        counts[section] += difference
        for index in section..<ends.count { ends[index] += difference }
    }

    /// One row goes from one section to another.
    mutating func transfer(from source: Int, to target: Int) {
        counts[source] -= 1
        counts[target] += 1
        if source < target { for index in source..<target { ends[index] -= 1 } }
        if target < source { for index in target..<source { ends[index] += 1 } }
    }
}
