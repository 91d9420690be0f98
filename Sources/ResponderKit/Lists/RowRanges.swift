import KeyModel

/// Rows, or other numbers, as ascending ranges that neither meet nor touch.
struct RowRanges: Hashable, Sendable {
    private(set) var ranges: [Range<Int>] = []

    init(_ rows: [Int] = []) {
        for row in Set(rows).sorted() {
            if let last = ranges.last, last.upperBound == row {
                ranges[ranges.count - 1] = last.lowerBound..<row + 1
            } else {
                ranges.append(row..<row + 1)
            }
        }
    }

    var isEmpty: Bool { ranges.isEmpty }
    var rows: [Int] { ranges.flatMap { Array($0) } }

    /// The range that has the row; a look per halving.
    func range(around row: Int) -> Range<Int>? {
        let place = ranges.indices.partitionPoint { ranges[$0].upperBound <= row }
        return place < ranges.count && ranges[place].contains(row) ? ranges[place] : nil
    }
}
