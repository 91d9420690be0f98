/// Rows as ascending ranges that neither meet nor touch.
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
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound <= row { low = middle + 1 } else { high = middle }
        }
        guard low < ranges.count, ranges[low].contains(row) else { return nil }
        return ranges[low]
    }
}
