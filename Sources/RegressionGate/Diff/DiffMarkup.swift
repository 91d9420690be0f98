import TraceReports

extension TraceDiff {
    /// For a comment or a step summary. Text of a trace stays text.
    package func markdown(extent: Extent = .some) -> String {
        var text = "**Resolutions** \(summary)\n\n"
        for line in missingLines { text += "Left out: \(Markup.markdown(line))\n\n" }
        for rename in renames { text += "Renamed: \(Markup.markdown(DiffFormatter.rename(rename)))\n\n" }
        if !changes.isEmpty {
            text += "| press | was | is | why |\n|---|---|---|---|\n"
            for change in changes.prefix(extent.limit) {
                let row = DiffRow(change)
                let cells = [row.label, row.base, row.head, row.why]
                text += "| " + cells.map(Markup.markdown).joined(separator: " | ") + " |\n"
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

    private var countSummary: String {
        guard let counts else { return "not compared: the two do not record the same calls" }
        return counts.isEmpty
            ? "the same in every paired press" : HumanNumbers.counted(counts.count, "count differs", "counts differ")
    }

    /// A page of its own: no script, nothing from elsewhere.
    package func html(extent: Extent = .everything) -> String {
        var body = "<h1>\(Markup.html(base.name)) → \(Markup.html(head.name))</h1>\n"
        body += "<p>Resolutions: \(Markup.html(summary))</p>\n"
        for line in missingLines { body += "<p>Left out: \(Markup.html(line))</p>\n" }
        for rename in renames { body += "<p>Renamed: \(Markup.html(DiffFormatter.rename(rename)))</p>\n" }
        if !changes.isEmpty {
            body += "<table><thead><tr><th>press<th>was<th>is<th>why</thead>\n"
            for change in changes.prefix(extent.limit) {
                let row = DiffRow(change)
                let cells = [("", row.label), ("was", row.base), ("is", row.head), ("", row.why)]
                body += "<tr>" + cells.map { "<td class=\"\($0.0)\">\(Markup.html($0.1))" }.joined() + "\n"
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
        return Markup.page(title: "keyflight diff", body: body)
    }
}

/// One change in four cells.
struct DiffRow {
    var label: String
    var base = "–"
    var head = "–"
    var why = ""

    init(_ change: TraceDiff.Change) {
        switch change {
        case .removed(let result):
            label = DiffFormatter.label(result)
            base = DiffFormatter.outcome(result)
            why = "no longer there"
        case .added(let result):
            label = DiffFormatter.label(result)
            head = DiffFormatter.outcome(result)
            why = "was not there"
        case .changed(let old, let new, let fields, let reason):
            label = DiffFormatter.label(new)
            base = DiffFormatter.outcome(old)
            head = DiffFormatter.outcome(new)
            why =
                reason ?? fields.map { "\($0.field): \($0.base) → \($0.head)" }.joined(separator: "; ")
        }
    }
}

/// Text of strangers in Markdown and HTML.
enum Markup {
    static func html(_ text: String) -> String {
        var safe = ""
        for character in SafeText.escaped(text, limit: 2000).unicodeScalars {
            switch character {
            case "<": safe += "&lt;"
            case ">": safe += "&gt;"
            case "&": safe += "&amp;"
            case "\"": safe += "&quot;"
            case "'": safe += "&#39;"
            default: safe.unicodeScalars.append(character)
            }
        }
        return safe
    }

    /// Escapes everything that could begin markup, and removes line breaks.
    static func markdown(_ text: String) -> String {
        var safe = ""
        for character in SafeText.escaped(text, limit: 2000).unicodeScalars {
            switch character {
            case "<": safe += "&lt;"
            case ">": safe += "&gt;"
            case "&": safe += "&amp;"
            case "\\", "`", "*", "_", "[", "]", "|", "#", "!", "~", "@":
                safe += "\\"
                safe.unicodeScalars.append(character)
            default: safe.unicodeScalars.append(character)
            }
        }
        return safe
    }

    static func page(title: String, body: String) -> String {
        """
        <!doctype html>
        <html lang="en"><meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width">
        <title>\(html(title))</title>
        <style>
        :root { color-scheme: light dark }
        body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em }
        table { border-collapse: collapse } th, td { text-align: left; padding: .2em .8em .2em 0; vertical-align: top }
        tr { border-top: 1px solid #8884 } .was::before { content: "− " } .is::before { content: "+ " }
        </style>
        \(body)</html>

        """
    }
}
