/// The order of a line's characters on the screen, from left to right (spec TX-6: text may mix directions).
///
/// A small part of the Unicode bidirectional algorithm: strong characters, numbers, and neutral characters between
/// them; no explicit embeddings or isolates.
struct VisualOrder {
    /// Level of each character, even for left to right.
    let levels: [Int]
    /// Visual position of each character.
    let positions: [Int]
    private let base: Int

    init(_ characters: [Character], isRightToLeft: Bool) {
        base = isRightToLeft ? 1 : 0
        levels = VisualOrder.levels(characters.map(\.directionality), base: base)
        positions = VisualOrder.positions(levels)
    }

    private static func levels(_ classes: [Directionality], base: Int) -> [Int] {
        var levels = [Int](repeating: base, count: classes.count)
        var strong = base == 1 ? Directionality.rightToLeft : .leftToRight
        for (index, found) in classes.enumerated() {
            switch found {
            case .leftToRight:
                levels[index] = base == 0 ? 0 : 2
                strong = .leftToRight
            case .rightToLeft:
                levels[index] = 1
                strong = .rightToLeft
            case .number: levels[index] = strong == .rightToLeft || base == 1 ? 2 : 0
            case .neutral: continue
            }
        }
        // Neutrals between two of one direction run with them, others with the line.
        var index = 0
        while index < classes.count {
            guard classes[index] == .neutral else {
                index += 1
                continue
            }
            var end = index
            while end < classes.count, classes[end] == .neutral { end += 1 }
            if index > 0, end < classes.count {
                // A number counts as right to left beside neutrals in text that runs so.
                func side(_ at: Int) -> Int { classes[at] == .number && levels[at] == 2 ? 1 : levels[at] % 2 }
                let (before, after) = (side(index - 1), side(end))
                if before == after {
                    let level = before == 1 ? 1 : (base == 0 ? 0 : 2)
                    for at in index..<end { levels[at] = level }
                }
            }
            index = end
        }
        return levels
    }

    private static func positions(_ levels: [Int]) -> [Int] {
        var order = Array(levels.indices)
        for level in stride(from: 2, through: 1, by: -1) {
            var index = 0
            while index < order.count {
                guard levels[order[index]] >= level else {
                    index += 1
                    continue
                }
                var end = index
                while end < order.count, levels[order[end]] >= level { end += 1 }
                order[index..<end].reverse()
                index = end
            }
        }
        var positions = order
        for (position, index) in order.enumerated() { positions[index] = position }
        return positions
    }

    /// The gap between visual characters of a caret at an offset: at the leading edge of the character after it, or at
    /// the end of the line at the trailing edge of the last.
    func slot(of offset: Int) -> Int {
        guard !levels.isEmpty else { return 0 }
        if offset < levels.count {
            return levels[offset] % 2 == 0 ? positions[offset] : positions[offset] + 1
        }
        return levels[levels.count - 1] % 2 == 0 ? positions[levels.count - 1] + 1 : positions[levels.count - 1]
    }

    /// The caret one step to the left or right; `nil` where that leaves the line. Of two carets at one place, the
    /// one nearer in the text.
    func step(from offset: Int, left: Bool) -> Int? {
        let here = slot(of: offset)
        var best: (offset: Int, slot: Int)?
        for candidate in 0...levels.count {
            let slot = slot(of: candidate)
            guard left ? slot < here : slot > here else { continue }
            guard let found = best else {
                best = (candidate, slot)
                continue
            }
            let isNearer = left ? slot > found.slot : slot < found.slot
            let isTie = slot == found.slot && abs(candidate - offset) < abs(found.offset - offset)
            if isNearer || isTie { best = (candidate, slot) }
        }
        return best?.offset
    }

    /// A range of characters as ranges of visual positions, as few as there can be, from left to right.
    func spans(of range: Range<Int>) -> [Range<Int>] { RowRanges(range.map { positions[$0] }).ranges }
}
