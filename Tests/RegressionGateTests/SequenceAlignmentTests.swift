import Testing

@testable import RegressionGate

@Suite struct SequenceAlignmentTests {
    private func steps(_ first: String, _ second: String, effort: Int = 512) -> SequenceAlignment {
        SequenceAlignment(Array(first), Array(second), effort: effort)
    }

    @Test func anElementLessInFrontIsOneStep() {
        let found = steps("abcdef", "bcdef").steps
        #expect(found.first == .onlyFirst(0))
        #expect(found.dropFirst() == (1..<6).map { .both($0, $0 - 1) }[...])
    }

    @Test func theShortestWayIsFound() {
        let found = steps("abcabba", "cbabac").steps
        #expect(found.count { if case .both = $0 { true } else { false } } == 4)
    }

    /// Every step list must spell both sequences, whatever the effort; with effort to spare it is as short as a table
    /// of all ways says.
    @Test(arguments: 0..<200) func randomSequencesAreSpelled(seed: UInt64) {
        var random = SplitMix(seed: seed)
        func made() -> [UInt64] { (0..<Int(random.next() % 24)).map { _ in random.next() % 4 } }
        let (a, b) = (made(), made())
        for effort in [1, 2, 3, 512] {
            let found = SequenceAlignment(a, b, effort: effort).steps
            #expect(found.compactMap { step -> UInt64? in
                switch step {
                case .both(let x, let y): a[x] == b[y] ? a[x] : nil
                case .onlyFirst(let x): a[x]
                case .onlySecond: nil
                }
            } == a)
            #expect(found.compactMap { step -> UInt64? in
                switch step {
                case .both(_, let y), .onlySecond(let y): b[y]
                case .onlyFirst: nil
                }
            } == b)
            if effort == 512 {
                let common = found.count { if case .both = $0 { true } else { false } }
                #expect(common == longest(a, b))
            }
        }
    }

    private func longest(_ a: [UInt64], _ b: [UInt64]) -> Int {
        var table = Array(repeating: Array(repeating: 0, count: b.count + 1), count: a.count + 1)
        for x in a.indices.reversed() {
            for y in b.indices.reversed() {
                table[x][y] = a[x] == b[y] ? table[x + 1][y + 1] + 1 : max(table[x + 1][y], table[x][y + 1])
            }
        }
        return table[0][0]
    }
}
