/// Numbers from a seed, the same on every machine.
struct SeededNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % max(1, bound)
    }
}

/// Pieces that join with one another in every way that characters join.
enum GeneratedText {
    static let pieces = [
        "a", "B", "e", "é", "e\u{301}", "\u{301}", "\u{308}", "n\u{303}", "ss", "İ", "word",
        "don't", "x y", " ", "  ", ".", "!", "? ", "\"", "'", "-", "3", "12", "\n", "\r", "\r\n",
        "\u{2028}", "\u{2029}", "\t", "👩", "👧", "\u{200D}", "👩‍👩‍👧", "👍🏽", "🏽", "🇩", "🇪", "🇩🇪",
        "❤️", "\u{FE0F}", "1️⃣", "あ", "日本", "カナ", "語。", "に", "한", "\u{1112}", "\u{1161}",
        "\u{11AB}", "א", "שלום", "ש\u{5C1}", "مرحبا", "٣", "\u{200F}", "नि", "क\u{94D}", "ष", "ภุ",
        "ʼ", "\u{0}", "\u{AD}", "𝒳", "\u{600}",
    ]

    static func text(_ numbers: inout SeededNumbers, pieces count: Int) -> String {
        (0..<count).map { _ in pieces[numbers.next(pieces.count)] }.joined()
    }

    /// The shortest list of steps that still fails: parts are left out as long as that goes on failing.
    static func shrink<Step>(_ steps: [Step], fails: ([Step]) -> Bool) -> [Step] {
        var smallest = steps
        var part = max(1, steps.count / 2)
        while part > 0 {
            var start = 0
            while start < smallest.count {
                let shorter = Array(smallest[..<start] + smallest[min(start + part, smallest.count)...])
                if fails(shorter) { smallest = shorter } else { start += part }
            }
            part /= 2
        }
        return smallest
    }
}
