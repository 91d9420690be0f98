/// The exact counters as text: one line each, `case | counter | total | per`. Compared for equality.
enum CounterGolden {
    static let header = """
        # Exact counters of keyflight-bench, the same in every run. Written by: keyflight-bench --counters
        # row | counter | total | per how many units (1: a plain number); + marks counts of release builds

        """

    static func text(_ cases: [BenchCase]) -> String { header + lines(cases).map { $0 + "\n" }.joined() }

    static func lines(_ cases: [BenchCase]) -> [String] {
        cases.flatMap { bench in
            bench.counters.map { counter in
                let mark = counter.isOfReleaseBuilds ? " | +" : ""
                return "\(bench.name) | \(counter.name) | \(counter.total) | \(counter.per)\(mark)"
            }
        }
    }

    /// The differences, as lines `expected …, found …`; empty when there are none. Rows of workloads that were not run
    /// are left out of the comparison.
    static func differences(of cases: [BenchCase], from golden: String) -> [String] {
        let rows = Set(cases.map(\.name))
        let expected = comparable(golden.split(separator: "\n").map(String.init)).filter { line in
            rows.contains(key(line).row)
        }
        let found = comparable(lines(cases))
        let foundByKey = Dictionary(found.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
        let expectedKeys = Set(expected.map(key))
        var differences: [String] = []
        for line in expected {
            let other = foundByKey[key(line)]
            if other != line { differences.append("expected \(line), found \(other ?? "nothing")") }
        }
        for line in found where !expectedKeys.contains(key(line)) {
            differences.append("expected nothing, found \(line)")
        }
        return differences
    }

    private struct Key: Hashable {
        let row: String
        let counter: String
    }

    private static func key(_ line: String) -> Key {
        let fields = line.split(separator: "|", maxSplits: 2).map { field in
            String(field.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        return Key(row: fields.first ?? "", counter: fields.count > 1 ? fields[1] : "")
    }

    private static func comparable(_ lines: [String]) -> [String] {
        lines.filter { line in
            guard !line.isEmpty, !line.hasPrefix("#") else { return false }
            #if DEBUG
            return !line.hasSuffix("| +")
            #else
            return true
            #endif
        }
    }
}
