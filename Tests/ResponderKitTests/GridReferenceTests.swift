import KeyModel
import ResponderEngine
import ResponderKit
import Testing

/// Generated grids of every layout against a search that looks at all items as they are seen.
@Suite("Arrows on generated grids")
struct GridReferenceTests {
    struct Grid: CustomStringConvertible, Sendable {
        enum Kind: Int, Sendable { case flow, compositional, frames }

        var kind: Kind
        var sections: [Int]
        var holes: [Int]
        /// Of frames alone.
        var hidden: [Int] = []
        var perLine: Int
        var spacing: Int
        /// How far frames stand beside their place in the grid.
        var jitter: [Int] = []
        var isHorizontal: Bool
        var flips: Bool
        var rightToLeft: Bool

        var rows: Int { sections.reduce(0, +) }
        var description: String {
            "\(kind) sections \(sections) holes \(holes) hidden \(hidden) perLine \(perLine) spacing \(spacing) "
                + "jitter \(jitter) horizontal \(isHorizontal) flips \(flips) rtl \(rightToLeft)"
        }
    }

    static let item = 40

    static func make(_ seed: UInt64) -> Grid {
        var dice = ListPropertyTests.Dice(state: seed &* 0xD1B5_4A32_D192_ED03 &+ 7)
        let kind = Grid.Kind(rawValue: dice.roll(3)) ?? .flow
        let sections = (0..<(1 + dice.roll(4))).map { _ in dice.roll(10) }
        let rows = sections.reduce(0, +)
        let density = dice.roll(4)
        // Near, out of the first reach of 500 points, and out of both.
        let spacing = [4, 4, 30, 300, 700, 3100][dice.roll(6)]
        var grid = Grid(
            kind: kind, sections: sections, holes: (0..<rows).filter { _ in dice.roll(5) < density },
            perLine: 1 + dice.roll(5), spacing: spacing, isHorizontal: dice.roll(3) == 0, flips: dice.roll(2) == 0,
            rightToLeft: dice.roll(2) == 0)
        guard kind == .frames else { return grid }
        grid.hidden = (0..<rows).filter { _ in dice.roll(8) == 0 }
        if dice.roll(2) == 0 { grid.jitter = (0..<2 * rows).map { _ in dice.roll(min(60, spacing)) } }
        return grid
    }

    static func collection(_ it: Grid) -> KeyboardCollectionView {
        let list = KeyboardCollectionView(id: "grid", sections: it.sections)
        let pitch = item + it.spacing
        let size = Extent(width: item, height: item)
        let layout: CollectionLayout =
            switch it.kind {
            case .flow: FlowLayout(itemSize: size, spacing: it.spacing)
            case .compositional: CompositionalLayout(itemSize: size, spacing: it.spacing)
            case .frames:
                CollectionLayout(
                    frames: (0..<it.rows).map { row in
                        let aside = it.jitter.isEmpty ? [0, 0] : [it.jitter[2 * row], it.jitter[2 * row + 1]]
                        return Frame(
                            x: row % it.perLine * pitch + aside[0], y: row / it.perLine * pitch + aside[1],
                            width: item, height: item)
                    }, hidden: it.hidden)
            }
        layout.scrollDirection = it.isHorizontal ? .horizontal : .vertical
        layout.flipsHorizontally = it.flips
        list.collectionLayout = layout
        let across = it.perLine * pitch - it.spacing
        list.viewport = it.isHorizontal ? Extent(width: 400, height: across) : Extent(width: across, height: 400)
        list.unselectableRows = it.holes
        return list
    }

    /// Answers from the frames as they are seen, by looking at all of them.
    struct Reference {
        let it: Grid
        let list: KeyboardCollectionView
        let selectable: [Int]

        init(_ it: Grid, _ list: KeyboardCollectionView) {
            self.it = it
            self.list = list
            selectable = (0..<it.rows).filter { !it.holes.contains($0) }
        }

        /// What an arrow selects; `nil` where it is free.
        func selection(from row: Int?, _ direction: ArrowDirection, toEnd: Bool) -> Int? {
            let isVertical = direction == .up || direction == .down
            let isMirrored = it.rightToLeft && (it.kind == .compositional || it.flips)
            let isForward = direction == .down || direction == (isMirrored ? .left : .right)
            let isAlongLines = isVertical == it.isHorizontal
            guard let row else {
                guard it.kind == .compositional else { return selectable.first }
                return isAlongLines ? nil : isForward ? selectable.first : selectable.last
            }
            let found =
                it.kind == .flow && isAlongLines
                ? sequential(row, isForward, toEnd) : spatial(row, direction, isVertical, toEnd)
            return found == row ? nil : found
        }

        private func sequential(_ row: Int, _ isForward: Bool, _ toEnd: Bool) -> Int? {
            let ends = isForward ? (selectable.last, selectable.first) : (selectable.first, selectable.last)
            if toEnd { return ends.0 }
            return (isForward ? selectable.first { $0 > row } : selectable.last { $0 < row }) ?? ends.1
        }

        private func spatial(_ row: Int, _ direction: ArrowDirection, _ isVertical: Bool, _ toEnd: Bool) -> Int? {
            let own = list.frame(ofRow: row)
            func along(_ frame: Frame) -> Int { isVertical ? frame.y : frame.x }
            func across(_ frame: Frame) -> Int { isVertical ? frame.x : frame.y }
            let sign = direction == .down || direction == .right ? 1 : -1
            struct Candidate { var row, distance, aside: Int }
            // All are of one size, so that corners are as far from one another as centres.
            let all = selectable.filter { $0 != row && !it.hidden.contains($0) }.compactMap { other -> Candidate? in
                let frame = list.frame(ofRow: other)
                let aside = abs(across(frame) - across(own))
                let distance = (along(frame) - along(own)) * sign
                return aside < item && distance != 0 ? Candidate(row: other, distance: distance, aside: aside) : nil
            }
            func first(_ candidates: [Candidate], isNearest: Bool) -> Int? {
                candidates.min {
                    let (a, b) = isNearest ? ($0.distance, $1.distance) : (-abs($0.distance), -abs($1.distance))
                    return (a, $0.aside, $0.row) < (b, $1.aside, $1.row)
                }?.row
            }
            let ahead = all.filter { $0.distance > 0 }
            if toEnd { return first(ahead, isNearest: false) }
            // Whose frame a strip from the centre touches.
            let near = ahead.filter { $0.distance - item / 2 < 500 }
            let far = ahead.filter { $0.distance - item / 2 < 3000 && $0.distance + item / 2 > 500 }
            return first(near, isNearest: true) ?? first(far, isNearest: true)
                ?? first(all.filter { $0.distance < 0 }, isNearest: false)
        }
    }

    private static let arrows: [(ArrowDirection, String)] = [
        (.up, "up"), (.down, "down"), (.left, "left"), (.right, "right"),
    ]

    /// What is wrong with a grid; `nil` when nothing is.
    static func problem(_ it: Grid) throws -> String? {
        let list = collection(it)
        let bench = try ComponentBench(view: list, rightToLeft: it.rightToLeft)
        let reference = Reference(it, list)
        for start in [nil] + reference.selectable.filter({ !it.hidden.contains($0) }).map(Optional.some) {
            for (direction, key) in arrows {
                for toEnd in [false, true] {
                    list.select(start.map { [$0] } ?? [])
                    let press = try bench.press(toEnd ? "opt+" + key : key)
                    let expected = reference.selection(from: start, direction, toEnd: toEnd)
                    let place = "\(toEnd ? "opt+" : "")\(key) from \(start.map(String.init) ?? "nothing")"
                    if list.selectedRows != (expected ?? start).map({ [$0] }) ?? [] {
                        return "\(place): \(list.selectedRows), not \(expected.map(String.init) ?? "nowhere")"
                    }
                    if (press.outcome == .performed) != (expected != nil) { return "\(place): \(press.outcome.name)" }
                }
                if let problem = try wayBack(it, list, bench, start, direction) { return problem }
            }
        }
        return nil
    }

    /// On a grid whose items stand in lines both ways, the other arrow goes back, round the ends too. Far apart, where
    /// an arrow reaches no neighbour, it need not.
    private static func wayBack(
        _ it: Grid, _ list: KeyboardCollectionView, _ bench: ComponentBench, _ start: Int?, _ direction: ArrowDirection
    ) throws -> String? {
        guard let start, it.jitter.isEmpty, it.spacing < 200,
            let key = arrows.first(where: { $0.0 == direction })?.1,
            let back = ["up": "down", "down": "up", "left": "right", "right": "left"][key]
        else { return nil }
        list.select([start])
        try bench.press(key)
        let middle = list.selectedRows
        guard middle != [start] else { return nil }
        try bench.press(back)
        return list.selectedRows == [start] ? nil : "\(key) to \(middle), \(back) to \(list.selectedRows)"
    }

    static func shrink(_ it: Grid) throws -> Grid {
        var smallest = it
        var improved = true
        while improved {
            improved = false
            var candidates: [Grid] = []
            for index in smallest.sections.indices {
                var other = smallest
                if other.sections[index] > 0 { other.sections[index] -= 1 } else { other.sections.remove(at: index) }
                let rows = other.rows
                other.holes.removeAll { $0 >= rows }
                other.hidden.removeAll { $0 >= rows }
                candidates.append(other)
            }
            for index in smallest.holes.indices {
                var other = smallest
                other.holes.remove(at: index)
                candidates.append(other)
            }
            var plain = smallest
            plain.jitter = []
            if !smallest.jitter.isEmpty { candidates.append(plain) }
            for candidate in candidates where try problem(candidate) != nil {
                smallest = candidate
                improved = true
                break
            }
        }
        return smallest
    }

    @Test("KK-8 KK-9 every arrow from every item goes where a look at all items says, and nowhere else")
    func everyArrow() throws {
        for seed in UInt64(1)...60 {
            let it = Self.make(seed)
            guard try Self.problem(it) != nil else { continue }
            let smallest = try Self.shrink(it)
            Issue.record("seed \(seed): \(smallest): \(try Self.problem(smallest) ?? "")")
            return
        }
    }

    @Test("KK-8 a grid with one far line, or with very long ones, costs an arrow few looks")
    func farAway() throws {
        let column = KeyboardCollectionView(id: "grid", sections: [2] + Array(repeating: 1, count: 60_000))
        column.collectionLayout = FlowLayout(itemSize: Extent(width: 10_000, height: 10_000), spacing: 10_000)
        column.viewport = Extent(width: 40_000, height: 40_000)
        column.select([1])
        var bench = try ComponentBench(view: column)
        // Nothing else stands in the second column.
        #expect(try bench.came("down") == "unhandled")
        #expect(column.examinedRows < 40, "\(column.examinedRows) items were looked at")
        let line = KeyboardCollectionView(id: "grid", sections: [1_000_000])
        line.collectionLayout = FlowLayout(itemSize: Extent(width: 1, height: 1))
        line.viewport = Extent(width: 900_000, height: 100)
        line.select([899_999])
        bench = try ComponentBench(view: line)
        #expect(try bench.came("down") == "unhandled")
        line.select([1])
        #expect(try bench.came("down") == "selectBelow:" && line.selectedRows == [900_001])
        #expect(line.examinedRows < 40, "\(line.examinedRows) items were looked at")
    }
}
