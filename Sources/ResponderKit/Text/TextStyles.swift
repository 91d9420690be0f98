/// Styles of text that ⌘B, ⌘I and ⌘U change (spec TX-11).
public struct TextStyle: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let bold = TextStyle(rawValue: 1)
    public static let italics = TextStyle(rawValue: 2)
    public static let underline = TextStyle(rawValue: 4)
}

/// Characters in a row that look alike.
struct TextStyleRun: Equatable {
    var count: Int
    var style: TextStyle
}

/// The styles of a document's characters. Text without styles costs nothing; otherwise a change costs as many steps
/// as there are runs of one style.
struct TextStyles {
    private var runs: [TextStyleRun] = []

    var isPlain: Bool { runs.isEmpty }

    func style(at offset: Int) -> TextStyle { runs(in: offset..<offset + 1).first?.style ?? [] }

    /// The runs of a range; none where all is plain.
    func runs(in range: Range<Int>) -> [TextStyleRun] {
        guard !isPlain, !range.isEmpty else { return [] }
        var found: [TextStyleRun] = []
        var start = 0
        for run in runs {
            let part = (start..<start + run.count).clamped(to: range)
            if !part.isEmpty { found.append(TextStyleRun(count: part.count, style: run.style)) }
            start += run.count
        }
        return found
    }

    /// Puts runs in the place of `count` characters from `start`. `documentCount` is the length before that.
    mutating func replace(_ start: Int, _ count: Int, with new: [TextStyleRun], documentCount: Int) {
        if isPlain {
            guard new.contains(where: { !$0.style.isEmpty }) else { return }
            runs = [TextStyleRun(count: documentCount, style: [])]
        }
        let all = runs(in: 0..<start) + new + runs(in: start + count..<max(documentCount, start + count))
        runs = []
        for run in all where run.count > 0 {
            if let last = runs.last, last.style == run.style {
                runs[runs.count - 1].count += run.count
            } else {
                runs.append(run)
            }
        }
        if !runs.contains(where: { !$0.style.isEmpty }) { runs = [] }
    }
}
