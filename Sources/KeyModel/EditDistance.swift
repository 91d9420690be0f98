/// Optimal string alignment distance of two words, for "did you mean".
public enum EditDistance {
    /// The word that is nearest, if it is near: at most a third of its letters are other ones.
    public static func nearest(to word: String, among words: [String]) -> String? {
        // Longer than any name is no slip of the finger.
        guard word.utf8.count <= 64 else { return nil }
        let found = words.map { (word: $0, steps: steps(word.lowercased(), $0.lowercased())) }
            .min { ($0.steps, $0.word) < ($1.steps, $1.word) }
        guard let found, found.steps <= max(1, found.word.count / 3) else { return nil }
        return found.word
    }

    /// Letters to put in, take out, replace or swap with their neighbour.
    private static func steps(_ first: String, _ second: String) -> Int {
        let (a, b) = (Array(first.utf8), Array(second.utf8))
        var before: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var least = min(last[j] + (a[i] == b[j] ? 0 : 1), min(row[j], last[j + 1]) + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, before[j - 1] + 1) }
                row.append(least)
            }
            (before, last) = (last, row)
        }
        return last[b.count]
    }
}
