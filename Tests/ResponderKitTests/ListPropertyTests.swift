import KeyModel
import ResponderEngine
import ResponderKit
import Testing

/// Generated tables and grids with holes and sections, in both directions of the interface.
@Suite("Selections on generated lists")
struct ListPropertyTests {
    struct Case: CustomStringConvertible, Sendable {
        var sections: [Int]
        var holes: [Int]
        /// Items in a line; 0 for a table.
        var perLine: Int
        var isHorizontal = false
        var flips = false
        var rightToLeft = false
        var start: Int

        var description: String {
            "sections \(sections) holes \(holes) perLine \(perLine) horizontal \(isHorizontal) flips \(flips) "
                + "rtl \(rightToLeft) start \(start)"
        }
        var rows: Int { sections.reduce(0, +) }
    }

    /// A small generator with a seed.
    struct Dice {
        var state: UInt64
        mutating func roll(_ sides: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(max(1, sides)))
        }
    }

    static func make(_ seed: UInt64) -> Case {
        var dice = Dice(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
        let sections = (0..<(1 + dice.roll(4))).map { _ in dice.roll(9) }
        let rows = sections.reduce(0, +)
        let density = dice.roll(4)
        let holes = (0..<rows).filter { _ in dice.roll(4) < density }
        return Case(
            sections: sections, holes: holes, perLine: dice.roll(5), isHorizontal: dice.roll(3) == 0,
            flips: dice.roll(2) == 0, rightToLeft: dice.roll(2) == 0, start: dice.roll(max(1, rows)))
    }

    static func list(_ it: Case) -> ListView {
        let list: ListView
        if it.perLine == 0 {
            list = KeyboardTableView(id: "list", sections: it.sections)
        } else {
            let collection = KeyboardCollectionView(id: "list", sections: it.sections)
            let layout = FlowLayout(itemSize: Extent(width: 40, height: 40), spacing: 4)
            layout.scrollDirection = it.isHorizontal ? .horizontal : .vertical
            layout.flipsHorizontally = it.flips
            collection.collectionLayout = layout
            let across = it.perLine * 44 - 4
            collection.viewport = it.isHorizontal
                ? Extent(width: 400, height: across) : Extent(width: across, height: 400)
            list = collection
        }
        list.unselectableRows = it.holes
        return list
    }

    /// What is wrong with this case; `nil` when nothing is.
    static func problem(_ it: Case) throws -> String? {
        let selectable = (0..<it.rows).filter { !it.holes.contains($0) }
        let list = list(it)
        let bench = try ComponentBench(view: list, rightToLeft: it.rightToLeft)
        let pairs = [("up", "down"), ("down", "up"), ("left", "right"), ("right", "left")]
        // Nothing selected: any arrow selects what can be selected, or nothing.
        for (key, _) in pairs {
            list.select([])
            try bench.press(key)
            guard list.selectedRows.allSatisfy(selectable.contains) else { return "\(key) selects a hole" }
        }
        guard selectable.contains(it.start) else { return nil }
        for (there, back) in pairs {
            list.select([it.start])
            try bench.press(there)
            let middle = list.selectedRows
            guard middle.count == 1, middle.allSatisfy(selectable.contains) else { return "\(there) to \(middle)" }
            if middle == [it.start] { continue }
            try bench.press(back)
            if list.selectedRows != [it.start] { return "\(there) to \(middle), \(back) to \(list.selectedRows)" }
        }
        return try wrapping(it, list, bench, selectable)
    }

    /// The sequential arrows go through every row that can be selected, in order, and round.
    static func wrapping(
        _ it: Case, _ list: ListView, _ bench: ComponentBench, _ selectable: [Int]
    ) throws -> String? {
        guard selectable.count > 1, let first = selectable.first, let last = selectable.last else { return nil }
        let isReversed = it.perLine > 0 && it.flips && it.rightToLeft
        let forward = it.perLine == 0 || it.isHorizontal ? "down" : isReversed ? "left" : "right"
        list.select([first])
        var path = [first]
        for _ in selectable {
            try bench.press(forward)
            path += list.selectedRows
        }
        guard path == selectable + [first] else { return "\(forward) goes \(path)" }
        list.select([first])
        try bench.press("opt+" + forward)
        return list.selectedRows == [last] ? nil : "opt+\(forward) to \(list.selectedRows)"
    }

    /// Smaller cases that still go wrong.
    static func shrink(_ it: Case) throws -> Case {
        var smallest = it
        var improved = true
        while improved {
            improved = false
            var candidates: [Case] = []
            for index in smallest.sections.indices {
                var other = smallest
                if other.sections[index] > 0 { other.sections[index] -= 1 } else { other.sections.remove(at: index) }
                let rows = other.rows
                other.holes.removeAll { $0 >= rows }
                other.start = min(other.start, max(0, rows - 1))
                candidates.append(other)
            }
            for index in smallest.holes.indices {
                var other = smallest
                other.holes.remove(at: index)
                candidates.append(other)
            }
            for candidate in candidates where try problem(candidate) != nil {
                smallest = candidate
                improved = true
                break
            }
        }
        return smallest
    }

    @Test("there and back ends where it began, round the ends where the spec says, and never on a hole (KK-7, KK-9)")
    func thereAndBack() throws {
        for seed in UInt64(1)...400 {
            let it = ListPropertyTests.make(seed)
            guard try ListPropertyTests.problem(it) != nil else { continue }
            let smallest = try ListPropertyTests.shrink(it)
            let problem = try ListPropertyTests.problem(smallest) ?? ""
            Issue.record("seed \(seed): \(smallest): \(problem)")
            return
        }
    }
}
