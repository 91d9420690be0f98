/// The shortest way to make one sequence out of another by leaving out and putting in, so that one insertion in front
/// is one insertion and not a change of all that follows (Myers 1986, with both ends trimmed).
///
/// Where the sequences have little in common the search is cut off after `effort` edits: what the furthest way has
/// found is kept, and a new search goes on from there. Time is bounded by (n + m) · `effort`, memory by `effort`².
struct SequenceAlignment {
    enum Step: Hashable {
        /// The same element, by place in each.
        case both(Int, Int)
        case onlyFirst(Int)
        case onlySecond(Int)
    }

    private(set) var steps: [Step] = []

    init<Element: Hashable>(
        _ first: some Collection<Element>, _ second: some Collection<Element>, effort: Int = 512
    ) {
        var numbers: [Element: Int] = [:]
        func number(_ element: Element) -> Int {
            if let known = numbers[element] { return known }
            numbers[element] = numbers.count
            return numbers.count - 1
        }
        let a = first.map(number)
        let b = second.map(number)
        var from = 0
        while from < a.count, from < b.count, a[from] == b[from] { from += 1 }
        var (endA, endB) = (a.count, b.count)
        while endA > from, endB > from, a[endA - 1] == b[endB - 1] {
            endA -= 1
            endB -= 1
        }
        steps = (0..<from).map { .both($0, $0) }
        var (x, y) = (from, from)
        while x < endA || y < endB {
            (x, y) = advance(a[..<endA], b[..<endB], from: (x, y), effort: max(effort, 1))
        }
        for offset in 0..<(a.count - endA) { steps.append(.both(endA + offset, endB + offset)) }
    }

    /// Runs one search; appends its steps and returns its end.
    private mutating func advance(
        _ a: ArraySlice<Int>, _ b: ArraySlice<Int>, from start: (Int, Int), effort: Int
    ) -> (Int, Int) {
        let (n, m) = (a.endIndex - start.0, b.endIndex - start.1)
        let limit = min(n + m, effort)
        // On diagonal k = x − y the furthest x reached; one row for each number of edits, to walk back.
        var furthest = [Int](repeating: 0, count: 2 * limit + 3)
        var rows: [[Int]] = []
        let middle = limit + 1
        var best = (x: 0, y: 0, edits: 0)
        for edits in 0...limit {
            rows.append(Array(furthest[(middle - edits - 1)...(middle + edits + 1)]))
            for k in stride(from: -edits, through: edits, by: 2) {
                let goesDown = k == -edits || k != edits && furthest[middle + k - 1] < furthest[middle + k + 1]
                var x = edits == 0 ? 0 : goesDown ? furthest[middle + k + 1] : furthest[middle + k - 1] + 1
                var y = x - k
                guard x <= n, y <= m else {
                    furthest[middle + k] = x
                    continue
                }
                while x < n, y < m, a[start.0 + x] == b[start.1 + y] {
                    x += 1
                    y += 1
                }
                furthest[middle + k] = x
                if x + y > best.x + best.y { best = (x, y, edits) }
                if x == n, y == m {
                    append(rows, to: (x, y), edits: edits, start)
                    return (start.0 + n, start.1 + m)
                }
            }
        }
        append(rows, to: (best.x, best.y), edits: best.edits, start)
        return (start.0 + best.x, start.1 + best.y)
    }

    /// Walks back from where a search ended.
    private mutating func append(_ rows: [[Int]], to end: (Int, Int), edits: Int, _ start: (Int, Int)) {
        var way: [Step] = []
        var (x, y) = end
        for edit in stride(from: edits, through: 0, by: -1) {
            let row = rows[edit]
            func reached(_ k: Int) -> Int { row[k + edit + 1] }
            let k = x - y
            let goesDown = edit > 0 && (k == -edit || k != edit && reached(k - 1) < reached(k + 1))
            let before = edit == 0 ? 0 : goesDown ? reached(k + 1) : reached(k - 1)
            let beforeY = edit == 0 ? 0 : goesDown ? before - k - 1 : before - k + 1
            let from = edit == 0 ? 0 : goesDown ? before : before + 1
            while x > from, y > from - k {
                x -= 1
                y -= 1
                way.append(.both(start.0 + x, start.1 + y))
            }
            guard edit > 0 else { break }
            way.append(goesDown ? .onlySecond(start.1 + beforeY) : .onlyFirst(start.0 + before))
            (x, y) = (before, beforeY)
        }
        steps += way.reversed()
    }
}
