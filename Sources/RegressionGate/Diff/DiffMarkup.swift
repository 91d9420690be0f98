import TraceReports

extension TraceDiff {
    /// The same for two traces that cannot be compared at all.
    package static func markdown(incomparable line: String) -> String {
        "**Not comparable** \(Markup.markdown(line))\n"
    }

    package static func html(incomparable line: String) -> [UInt8] {
        StaticPage.bytes(
            title: "keyflight diff", body: "<main>\n<h1>Not comparable</h1>\n<p>\(Markup.html(line))</p>\n</main>\n")
    }

    /// For a comment or a step summary. Text of a trace stays text.
    package func markdown(extent: Extent = .some) -> String {
        var text = "**Resolutions** \(summary)\n\n"
        for line in incomparable { text += "Left out: \(Markup.markdown(line))\n\n" }
        for rename in renames { text += "Renamed: \(Markup.markdown(DiffFormatter.rename(rename)))\n\n" }
        if !changes.isEmpty {
            text += "| press | was | is | why |\n|---|---|---|---|\n"
            for change in changes.prefix(extent.limit) {
                let row = change.row
                let cells = [DiffFormatter.label(row.head ?? row.base, row.key), row.was, row.now, row.why]
                text += "| " + cells.map { Markup.markdown($0) }.joined(separator: " | ") + " |\n"
            }
            if changes.count > extent.limit {
                text += "\nand \(HumanNumbers.counted(changes.count - extent.limit, "change", "changes")) more\n"
            }
            text += "\n"
        }
        text += "**Counts** \(countSummary)\n\n"
        for count in counts ?? [] { text += "- \(Markup.markdown(DiffFormatter.count(count)))\n" }
        if let time {
            text += "\n**Time** (one run of each, which decides nothing)\n\n"
            for row in time.rows { text += "- \(Markup.markdown(DiffFormatter.time(row)))\n" }
        }
        return text
    }

    var countSummary: String {
        guard let counts else { return "not compared: the two do not record the same calls" }
        return counts.isEmpty
            ? "the same in every paired press" : HumanNumbers.counted(counts.count, "count differs", "counts differ")
    }

    /// A page of its own.
    package func html(extent: Extent = .everything) -> [UInt8] {
        var body = "<main>\n<h1>\(Markup.html(base.name)) → \(Markup.html(head.name))</h1>\n"
        body += "<p>Resolutions: \(Markup.html(summary))</p>\n"
        for line in incomparable { body += "<p>Left out: \(Markup.html(line))</p>\n" }
        for rename in renames { body += "<p>Renamed: \(Markup.html(DiffFormatter.rename(rename)))</p>\n" }
        if !changes.isEmpty {
            body += "<table><thead><tr><th>press<th>was<th>is<th>why</thead>\n"
            for change in changes.prefix(extent.limit) {
                let row = change.row
                let label = DiffFormatter.label(row.head ?? row.base, row.key)
                let cells = [label, "− " + row.was, "+ " + row.now, row.why]
                body += "<tr>" + cells.map { "<td>\(Markup.html($0))" }.joined() + "\n"
            }
            body += "</table>\n"
        }
        body += "<h2>Counts</h2>\n<p>\(Markup.html(countSummary))</p>\n<ul>\n"
        for count in counts ?? [] { body += "<li>\(Markup.html(DiffFormatter.count(count)))\n" }
        body += "</ul>\n"
        if let time {
            body += "<h2>Time</h2>\n<p>One run of each, which decides nothing.</p>\n<ul>\n"
            for row in time.rows { body += "<li>\(Markup.html(DiffFormatter.time(row)))\n" }
            body += "</ul>\n"
        }
        return StaticPage.bytes(title: "keyflight diff", body: body + "</main>\n")
    }
}
