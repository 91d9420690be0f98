import KeyModel
import TraceReports

extension GateHistory {
    /// The most gates of one chart and the most machines of a page: the latest ones.
    fileprivate static let limits = (gates: 400, machines: 4)

    /// A page of charts, one for each stage and each count that changed, for each machine, the last one first, with
    /// marks at steps.
    ///
    /// - Throws: `VerdictError` for a file in which no line is a gate's.
    package static func page(_ bytes: [UInt8], file: String) throws(VerdictError) -> [UInt8] {
        let machines = machines(bytes)
        var body = "<main>\n<div class=\"head\"><h1>\(Markup.html(DiffFormatter.safe(file)))</h1></div>\n"
        body += "<p class=\"note\">Medians of head as points, of base as the grey line, by gate; vertical lines mark"
        body += " steps. A point has its label, date and verdict.</p>\n"
        if machines.count > limits.machines {
            let others = HumanNumbers.counted(machines.count - limits.machines, "machine", "machines")
            body += "<p class=\"note\">\(others) with earlier gates left out.</p>\n"
        }
        for machine in machines.isEmpty ? [""] : machines.suffix(limits.machines).reversed() {
            let history = try GateHistory(bytes, file: file, machine: machine)
            body += "<section>\n<h2>\(Markup.html(DiffFormatter.safe(machine)))</h2>\n\(history.charts)</section>\n"
        }
        return StaticPage.bytes(title: "keyflight history", body: body + "</main>\n")
    }

    private var charts: String {
        let steps = [String: [Step]](grouping: steps, by: \.stage)
        var text = ""
        for series in times {
            let found = steps[series.name] ?? []
            let marks = found.map { step in
                HistoryChart.Mark(
                    place: series.points.count - step.runs,
                    text: step.label + DiffFormatter.percent(step.before, step.after))
            }
            text += HistoryChart(series, marks, notes: found.map(\.line)) {
                HumanNumbers.duration(TraceDuration(nanoseconds: $0))
            }.figure
        }
        var constant: [String] = []
        for series in counts {
            let marks = GateHistory.changes(of: series)
            if let last = marks.last {
                text += HistoryChart(series, marks, notes: ["last changed at \(last.text)"]) {
                    HumanNumbers.count($0)
                }.figure
            } else if let last = series.points.last {
                constant.append("\(series.name) \(HumanNumbers.count(HistoryChart.integer(last.value)))")
            }
        }
        if !constant.isEmpty {
            let list = HumanNumbers.first(100, of: constant, DiffFormatter.safe).joined(separator: " · ")
            text += "<p class=\"note\">Without a change: \(Markup.html(list))</p>\n"
        }
        return text.isEmpty ? "<p class=\"note\">No gate of this machine has times or counts.</p>\n" : text
    }

    /// Places where a count is another than in the gate before. Instructions are the same to a few thousandths only.
    private static func changes(of series: Series) -> [HistoryChart.Mark] {
        let tolerance = series.name == "instructions" ? 0.01 : 0
        return series.points.indices.dropFirst().compactMap { place in
            let (old, new) = (series.points[place - 1].value, series.points[place].value)
            guard abs(new - old) > tolerance * abs(old) else { return nil }
            let numbers = [old, new].map { HumanNumbers.count(HistoryChart.integer($0)) }
            return HistoryChart.Mark(
                place: place, text: "\(series.points[place].label) (\(numbers.joined(separator: " → ")))")
        }
    }
}

/// One series of a history as a figure with SVG.
private struct HistoryChart {
    /// A vertical line at a gate.
    struct Mark {
        /// Of the point in the whole series, from 0.
        var place: Int
        var text: String
    }

    private static let (width, height) = (1200.0, 170.0)
    /// The area of the points.
    private static let (left, right, top, bottom) = (90.0, 1188.0, 22.0, 146.0)
    private static let mostNotes = 12

    private let name: String
    private let points: ArraySlice<GateHistory.Series.Point>
    private let marks: [Int: String]
    private let notes: [String]
    private let format: (Int64) -> String
    /// Values at the lower and the upper edge of the grid.
    private let least: Double
    private let most: Double

    init(
        _ series: GateHistory.Series, _ marks: [Mark], notes: [String], _ format: @escaping (Int64) -> String
    ) {
        points = series.points.suffix(GateHistory.limits.gates)
        self.marks = [Int: String](marks.map { ($0.place, $0.text) }) { $1 }
        (name, self.notes, self.format) = (series.name, notes, format)
        let values = points.map(\.value) + points.compactMap(\.base)
        (least, most) = (values.min() ?? 0, values.max() ?? 0)
    }

    static func integer(_ value: Double) -> Int64 { Int64(min(max(value, 0), 9e18)) }

    var figure: String {
        var svg = "<svg viewBox=\"0 0 \(Int(HistoryChart.width)) \(Int(HistoryChart.height))\" role=\"img\">\n"
        for value in Set([least, ((least + most) / 2).rounded(.down), most]).sorted() {
            svg += "<line class=\"grid\" x1=\"\(HistoryChart.left)\" x2=\"\(HistoryChart.right)\" y1=\"\(y(value))\""
                + " y2=\"\(y(value))\"/>" + text(0, y(value), format(HistoryChart.integer(value)))
        }
        let bases = points.indices.compactMap { place in points[place].base.map { "\(x(place)),\(y($0))" } }
        svg += "<g class=\"soft\" fill=\"none\" stroke=\"currentColor\" opacity=\".5\"><polyline points=\""
            + bases.joined(separator: " ") + "\"/></g>\n"
        for place in points.indices {
            if let mark = marks[place] { svg += line(place, mark) }
            svg += circle(place)
        }
        if let first = points.first, let last = points.last, points.count > 1 {
            svg += text(HistoryChart.left, "\(HistoryChart.height - 6)", first.label)
            svg += text(HistoryChart.right, "\(HistoryChart.height - 6)", last.label, isEnd: true)
        }
        let lines = HumanNumbers.first(HistoryChart.mostNotes, of: notes) { $0 }
        return "<figure class=\"map\">\n<h3>\(safe(name))</h3>\n\(svg)</svg>\n"
            + lines.map { "<p class=\"note\">\(safe($0))</p>\n" }.joined() + "</figure>\n"
    }

    private func line(_ place: Int, _ mark: String) -> String {
        "<g class=\"bad\" stroke=\"currentColor\"><line x1=\"\(x(place))\" x2=\"\(x(place))\""
            + " y1=\"\(HistoryChart.top)\" y2=\"\(HistoryChart.bottom)\"/></g>"
            + text(position(place), "14", mark, isEnd: (place - points.startIndex) * 2 > points.count)
    }

    private func circle(_ place: Int) -> String {
        let point = points[place]
        let base = point.base.map { "base " + format(HistoryChart.integer($0)) }
        let facts = [point.label, point.date, format(HistoryChart.integer(point.value)), base, point.verdict]
        let title = "<title>\(facts.compactMap { $0.map(safe) }.joined(separator: " · "))</title>"
        let circle = "<circle cx=\"\(x(place))\" cy=\"\(y(point.value))\""
        return point.verdict == "failed"
            ? "<g class=\"bad\">\(circle) r=\"4\" fill=\"currentColor\">\(title)</circle></g>\n"
            : "\(circle) r=\"3\" class=\"dot\">\(title)</circle>\n"
    }

    private func text(_ x: Double, _ y: String, _ words: String, isEnd: Bool = false) -> String {
        "<text x=\"\(DiffFormatter.decimal(x, places: 1))\" y=\"\(y)\"\(isEnd ? " text-anchor=\"end\"" : "")>"
            + "\(safe(words))</text>\n"
    }

    private func safe(_ text: String) -> String { Markup.html(DiffFormatter.safe(text)) }

    private func position(_ place: Int) -> Double {
        let part = points.count > 1 ? Double(place - points.startIndex) / Double(points.count - 1) : 0.5
        return HistoryChart.left + part * (HistoryChart.right - HistoryChart.left)
    }

    private func x(_ place: Int) -> String { DiffFormatter.decimal(position(place), places: 1) }

    private func y(_ value: Double) -> String {
        let part = most > least ? (value - least) / (most - least) : 0.5
        let height = HistoryChart.bottom - HistoryChart.top
        return DiffFormatter.decimal(HistoryChart.bottom - 4 - part * (height - 8), places: 1)
    }
}
