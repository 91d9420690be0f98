/// Makes a failing input small: leaves out as much as it can while a predicate still holds (Zeller and Hildebrandt's
/// ddmin). What is left is 1-minimal: no single element can be left out any more.
package enum DeltaDebugging {
    /// `holds` returns true if the fault remains with these elements. It is not called for all of them, and not once
    /// `mayAsk` returns false.
    package static func minimised<Element>(
        _ elements: [Element], while mayAsk: () -> Bool, _ holds: ([Element]) throws -> Bool
    ) rethrows -> [Element] {
        var kept = elements
        var pieces = 2
        while !kept.isEmpty, mayAsk() {
            let size = max(1, (kept.count + pieces - 1) / pieces)
            var isReduced = false
            var start = 0
            while start < kept.count, mayAsk() {
                let rest = Array(kept[..<start] + kept[min(start + size, kept.count)...])
                if try holds(rest) {
                    kept = rest
                    isReduced = true
                } else {
                    start += size
                }
            }
            if isReduced {
                pieces = max(2, pieces - 1)
            } else if size == 1 {
                break
            } else {
                pieces = min(kept.count, pieces * 2)
            }
        }
        return kept
    }
}

/// Lines with what is indented below them, so that a text structured by indentation can be reduced from the outside in.
package struct IndentedText: Sendable {
    private var lines: [Substring]

    package init(_ text: String) { lines = text.split(separator: "\n", omittingEmptySubsequences: true) }

    package var text: String { lines.joined(separator: "\n") + "\n" }

    /// Leaves out what it can, block by block, the outer blocks first.
    package func minimised(
        while mayAsk: () -> Bool, _ holds: (String) throws -> Bool
    ) rethrows -> IndentedText {
        var result = self
        let depths = Set(lines.map(IndentedText.indentation)).sorted()
        for depth in depths {
            let blocks = result.blocks(at: depth)
            let kept = try DeltaDebugging.minimised(
                blocks.indices.filter { blocks[$0].isRemovable }, while: mayAsk
            ) { left in
                let wanted = Set(left)
                let some = blocks.indices.filter { !blocks[$0].isRemovable || wanted.contains($0) }
                return try holds(some.flatMap { blocks[$0].lines }.joined(separator: "\n") + "\n")
            }
            let wanted = Set(kept)
            result.lines = blocks.indices.filter { !blocks[$0].isRemovable || wanted.contains($0) }
                .flatMap { blocks[$0].lines }
        }
        return result
    }

    private struct Block {
        var lines: [Substring]
        /// True if it begins at the current depth.
        var isRemovable: Bool
    }

    private func blocks(at depth: Int) -> [Block] {
        var blocks: [Block] = []
        for line in lines {
            let indentation = IndentedText.indentation(line)
            if indentation == depth {
                blocks.append(Block(lines: [line], isRemovable: true))
            } else if indentation > depth, blocks.last?.isRemovable == true {
                blocks[blocks.count - 1].lines.append(line)
            } else {
                blocks.append(Block(lines: [line], isRemovable: false))
            }
        }
        return blocks
    }

    private static func indentation(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }
}
