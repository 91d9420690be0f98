import KeyModel
import TraceFormat
import TraceReports

extension GateReport {
    /// One object, `keyflight.gate/1`.
    public var json: String {
        var json = JSONText()
        json.object { json in
            json.member("schema", "keyflight.gate/1")
            json.member("verdict", verdict.rawValue)
            json.member("goldens", comparisons.count)
            json.member("presses", presses)
            json.member("same", passed)
            json.member("findings", array: findings) { json, finding in
                json.object { json in
                    json.member("kind", finding.sort.rawValue)
                    json.member("golden", finding.golden)
                    json.member("file", finding.file)
                    json.member("message", finding.line)
                    json.member("remedy", finding.remedy)
                }
            }
            json.key("instructions")
            if let instructions {
                json.object { json in
                    json.member("base", instructions.base)
                    json.member("head", instructions.head)
                }
            } else {
                json.null()
            }
            json.key("time")
            if let time { json.object { time.write(to: &$0) } } else { json.null() }
        }
        return json.text
    }

    /// A test suite with a case for each golden and each stage, as JUnit readers understand it.
    public var junit: String {
        let failures = findings.count + (time?.rows.count { failsOnTime && $0.verdict == .worse } ?? 0)
        let cases = comparisons.count + (time?.rows.count ?? 0)
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        text += "<testsuites><testsuite name=\"keyflight gate\" tests=\"\(cases)\" failures=\"\(failures)\">\n"
        for comparison in comparisons {
            let name = Markup.html(comparison.golden.title)
            guard let finding = Finding(comparison) else {
                text += "<testcase classname=\"goldens\" name=\"\(name)\"/>\n"
                continue
            }
            text += "<testcase classname=\"goldens\" name=\"\(name)\">"
            text += "<failure type=\"\(finding.sort.rawValue)\" message=\"\(Markup.html(finding.line))\">"
            text += Markup.html("\(finding.file): \(finding.remedy)") + "</failure></testcase>\n"
        }
        for row in time?.rows ?? [] {
            let name = row.stage?.name ?? "total"
            text += "<testcase classname=\"time\" name=\"\(name)\">"
            let line = Markup.html(TimeWords.line(row))
            if row.verdict == .worse, failsOnTime {
                text += "<failure type=\"time\" message=\"\(line)\"/>"
            } else if row.verdict == .inconclusive {
                text += "<skipped message=\"\(line)\"/>"
            } else {
                text += "<system-out>\(line)</system-out>"
            }
            text += "</testcase>\n"
        }
        return text + "</testsuite></testsuites>\n"
    }

    /// Workflow commands of GitHub Actions. It shows at most ten errors a step and drops the rest without a word, so
    /// the tenth says how many more there are. What a trace says cannot become a command of its own.
    public var github: String {
        let most = 10
        var lines: [String] = []
        let found = findings
        for finding in found.prefix(found.count > most ? most - 1 : most) {
            let title = Annotation.property("keyflight: " + finding.sort.words)
            let message = Annotation.message("\(finding.golden): \(finding.line). \(finding.remedy)")
            lines.append("::error file=\(Annotation.property(finding.file)),title=\(title)::\(message)")
        }
        if found.count > most {
            lines.append("::error title=keyflight::and \(found.count - most + 1) more findings in the summary")
        }
        for row in (time?.rows ?? []).filter({ $0.verdict == .worse }).prefix(most) {
            let level = failsOnTime && found.count < most ? "error" : "warning"
            lines.append("::\(level) title=keyflight%3A time::\(Annotation.message(TimeWords.line(row)))")
        }
        lines.append(Annotation.message("gate: \(verdictWords)"))
        return lines.joined(separator: "\n") + "\n"
    }

    /// Markdown for a step summary, below `limit` bytes: GitHub drops a larger one as a whole.
    public func summary(limit: Int = 900 << 10) -> String {
        var text = "### keyflight gate: \(verdictWords)\n\n"
        text += "\(comparisons.count) goldens, \(presses) presses, \(passed) goldens the same.\n\n"
        if let time {
            text += "**Time**, \(time.pairs) runs of each build in turn\n\n"
            for row in time.rows { text += "- \(Markup.markdown(TimeWords.line(row)))\n" }
            text += "\n"
        }
        let found = findings
        for (place, finding) in found.enumerated() {
            let line = Markup.markdown("\(finding.sort.words): \(finding.golden): \(finding.line)")
            let part = "- \(line)  \n  `\(finding.remedy.replacing("`", with: "'"))`\n"
            // Room for the line that says that there are more.
            guard text.utf8.count + part.utf8.count + 80 <= limit else {
                text += "\nand \(found.count - place) more findings\n"
                break
            }
            text += part
        }
        return text
    }

    /// Counts as OpenMetrics text. GitLab compares values as strings: no times, which differ always.
    public var metrics: String {
        var text = "# TYPE keyflight_goldens gauge\nkeyflight_goldens \(comparisons.count)\n"
        text += "# TYPE keyflight_presses gauge\nkeyflight_presses \(presses)\n"
        text += "# TYPE keyflight_findings gauge\nkeyflight_findings \(findings.count)\n"
        return text + "# EOF\n"
    }
}

extension TimeGate {
    fileprivate func write(to json: inout JSONText) {
        json.member("verdict", verdict.rawValue)
        json.member("pairs", pairs)
        json.member("rows", array: rows) { json, row in
            json.object { json in
                json.member("stage", row.stage?.name ?? "total")
                json.member("verdict", row.verdict.rawValue)
                for (name, value) in [
                    ("ratio", row.ratio), ("low", row.low), ("high", row.high), ("noise_floor", row.noiseFloor),
                    ("detectable", row.detectable),
                ] {
                    json.key(name)
                    let digits = DiffWords.decimal(value, places: 6).replacing("−", with: "-")
                    if value.isFinite { json.raw(digits) } else { json.null() }
                }
                json.member("base_ns", Int64(min(row.base, 9e18)))
                json.member("head_ns", Int64(min(row.head, 9e18)))
                json.member("pairs_needed", row.pairsNeeded)
            }
        }
    }
}

/// Text of strangers in workflow commands.
enum Annotation {
    static func message(_ text: String) -> String {
        SafeText.escaped(text, limit: 4000).replacing("%", with: "%25").replacing("\r", with: "%0D")
            .replacing("\n", with: "%0A")
    }

    static func property(_ text: String) -> String {
        message(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
