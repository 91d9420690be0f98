import KeyModel
import TraceFormat
import TraceReports

extension GateReport {
    /// One object, `keyflight.gate/1`.
    package var json: String {
        let object: JSONObject = [
            "schema": "keyflight.gate/1", "verdict": verdict.rawValue, "goldens": comparisons.count,
            "presses": presses, "same": passed, "checked_by_tests": checkedByTests,
            "ignored": relaxed.objects {
                ["golden": $0.golden.title, "fields": $0.fields.map(\.rawValue), "message": $0.line]
            },
            "findings": findings.objects {
                [
                    "kind": $0.kind.rawValue, "golden": $0.golden, "file": $0.file, "line": $0.lineNumber,
                    "message": $0.line, "remedy": $0.remedy, "accept": $0.accept,
                ]
            },
            "not_compared": (builds?.incomparable ?? []) + notCompared,
            "instructions": instructions.object {
                [
                    "base": $0.base, "head": $0.head, "ratio": JSONNumber($0.ratio), "margin": JSONNumber($0.margin),
                    "verdict": $0.verdict.rawValue,
                ]
            },
            "time": time?.json, "history": history?.json,
        ]
        return object.text
    }

    /// A test suite with a case for each golden and each stage, as JUnit readers understand it.
    package var junit: String {
        let builds = buildFindings.filter { $0.kind != .time }
        let cases = comparisons.count + refused.count + builds.count + orphans.count + (time?.rows.count ?? 0)
            + notCompared.count
        let open = failsOnUndecided ? undecided : nil
        let errors = findings.count { $0.kind.isError } + (open == nil ? 0 : 1)
        let failures = findings.count { !$0.kind.isError }
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        text += "<testsuites><testsuite name=\"keyflight gate\" tests=\"\(cases + (open == nil ? 0 : 1))\""
        text += " failures=\"\(failures)\""
        text += " errors=\"\(errors)\">\n"
        func add(_ type: String, _ name: String, _ content: String) {
            text += "<testcase classname=\"\(type)\" name=\"\(Markup.html(name))\""
            text += content.isEmpty ? "/>\n" : ">\(content)</testcase>\n"
        }
        for finding in refused { add("gate", finding.golden, finding.junit) }
        for comparison in comparisons {
            var content = Finding(comparison)?.junit ?? ""
            if case .checkedByTest = comparison.verdict { content = "<skipped message=\"checked by its test\"/>" }
            if let line = comparison.ignoredLine { content += "<system-out>\(line)</system-out>" }
            add("goldens", comparison.golden.title, content)
        }
        for finding in findings where finding.kind == .orphan || builds.contains(finding) {
            add(finding.kind.rawValue, finding.golden, finding.junit)
        }
        for line in notCompared { add("not compared", line, "<skipped message=\"not compared\"/>") }
        for row in time?.rows ?? [] {
            let line = Markup.html(TimingFormatter.line(row))
            var content = "<system-out>\(line)</system-out>"
            if row.verdict == .worse, failsOnTime {
                content = "<failure type=\"time\" message=\"\(line)\"/>"
            } else if [.inconclusive, .tooShort, .notFoundWorse].contains(row.verdict) {
                content = "<skipped message=\"\(line)\"/>"
            }
            add("time", TimingFormatter.name(row), content)
        }
        if let open { add("time", "undecided", "<error type=\"undecided\" message=\"\(Markup.html(open))\"/>") }
        return text + "</testsuite></testsuites>\n"
    }

    /// Workflow commands of GitHub Actions. It shows at most ten errors and ten warnings a step, fifty of a job, and
    /// drops the rest without notice, so the tenth contains the number of the others. Text of a trace cannot become a
    /// command of its own.
    package var github: String {
        let errors = findings.map { finding in
            let title = Annotation.property("keyflight: " + finding.kind.words)
            let message = Annotation.message("\(finding.golden): \(finding.line). \(finding.remedy)")
            let file = "file=\(Annotation.property(Annotation.path(finding.file))),line=\(finding.lineNumber),"
            return "::error \(finding.isOfFile ? file : "")title=\(title)::\(message)"
        }
        let open = [failsOnUndecided ? undecided : nil].compactMap(\.self).map {
            "::error title=keyflight::\(Annotation.message($0))"
        }
        var reported: [String] = []
        if let instructions, instructions.isReported { reported.append(instructions.line) }
        if let undecided, !failsOnUndecided { reported.append(undecided) }
        if !failsOnTime { reported += (time?.rows ?? []).filter { $0.verdict == .worse }.map(TimingFormatter.line) }
        let warnings = reported.map { "::warning title=keyflight::\(Annotation.message($0))" }
        let noticed = relaxed.map { "\($0.golden.title): \($0.line)" }
            + notCompared.map { "not compared: " + $0 }
        let notices = noticed.map { "::notice title=keyflight::\(Annotation.message($0))" }
        let lines = Annotation.limited(open + errors, "error") + Annotation.limited(warnings, "warning")
            + Annotation.limited(notices, "notice")
        return (lines + [Annotation.message("gate: \(verdictWords)")]).joined(separator: "\n") + "\n"
    }

    /// Findings as GitLab shows them beside the lines of a merge request: a code quality report. Equal findings have
    /// equal fingerprints, so that it distinguishes new ones from old ones.
    package var codeQuality: String {
        let ignored = relaxed.map {
            Finding(kind: .ignored, golden: $0.golden.title, file: $0.golden.path, line: $0.line, remedy: "")
        }
        let open = [undecided].compactMap(\.self).map { (failsOnUndecided ? Finding.Kind.time : .ignored, $0) }
            + notCompared.map { (.ignored, $0) }
        let others = open.map {
            Finding(kind: $0.0, golden: Finding.ofBuilds, file: builds?.head.name ?? "head", line: $0.1, remedy: "")
        }
        var json = JSONText()
        (findings + ignored + others).objects { finding in
            var hash = StableHash()
            for byte in "\(finding.kind.rawValue)\n\(finding.golden)\n\(finding.file)\n\(finding.line)".utf8 {
                hash.combine(byte: byte)
            }
            return [
                "description": SafeText.escaped("\(finding.golden): \(finding.line)", limit: 2000),
                "check_name": "keyflight." + finding.kind.rawValue, "fingerprint": hash.hexadecimal,
                "severity": finding.kind.severity,
                "location": [
                    "path": finding.isOfFile ? Annotation.path(finding.file) : ".",
                    "lines": ["begin": finding.lineNumber] as JSONObject,
                ] as JSONObject,
            ]
        }.write(to: &json)
        return json.text
    }

    /// Markdown for a step summary, below `limit` bytes: GitHub drops a larger one as a whole.
    package func summary(limit: Int = 900 << 10) -> String {
        var text = "### keyflight gate: \(verdictWords)\n\n"
        text += "\(HumanNumbers.counted(comparisons.count, "golden", "goldens")), "
        text += "\(HumanNumbers.counted(presses, "press", "presses")), "
        text += "\(HumanNumbers.counted(passed, "golden", "goldens")) the same.\n\n"
        if !checkedByTests.isEmpty {
            text += "Checked by their tests, not here: "
            text += Markup.markdown(checkedByTests.joined(separator: ", ")) + "\n\n"
        }
        for golden in relaxed { text += "- " + Markup.markdown("\(golden.golden.title): \(golden.line)") + "\n" }
        if !relaxed.isEmpty { text += "\n" }
        for line in notCompared { text += "Not compared: \(Markup.markdown(line))\n\n" }
        if let instructions { text += "**Instructions** \(Markup.markdown(instructions.line))\n\n" }
        if let time {
            text += "**Time**, \(time.pairs) runs of each build in turn\n\n"
            for line in time.lines + [undecided].compactMap(\.self) { text += "- \(Markup.markdown(line))\n" }
            text += "\n"
        }
        for line in history?.lines ?? [] { text += "- \(Markup.markdown(line))\n" }
        if history?.lines.isEmpty == false { text += "\n" }
        let found = findings
        for (place, finding) in found.enumerated() {
            let line = Markup.markdown("\(finding.kind.words): \(finding.golden): \(finding.line)")
            let steps = [finding.remedy, finding.accept].compactMap(\.self)
            let part = "- \(line)" + steps.map { "  \n  " + GateReport.markdown(step: $0) }.joined() + "\n"
            // Room for the line with the number of the others.
            guard text.utf8.count + part.utf8.count + 80 <= limit else {
                text += "\nand \(found.count - place) more findings\n"
                break
            }
            text += part
        }
        return text
    }

    /// A command as code, and a sentence as text.
    private static func markdown(step: String) -> String {
        step.hasPrefix("keyflight ") ? "`\(step.replacing("`", with: "'"))`" : Markup.markdown(step)
    }

    /// Counts as OpenMetrics text. GitLab compares values as strings: no times, which differ always.
    package var metrics: String {
        var text = "# TYPE keyflight_goldens gauge\nkeyflight_goldens \(comparisons.count)\n"
        text += "# TYPE keyflight_presses gauge\nkeyflight_presses \(presses)\n"
        text += "# TYPE keyflight_findings gauge\nkeyflight_findings \(findings.count)\n"
        text += "# TYPE keyflight_relaxed_goldens gauge\nkeyflight_relaxed_goldens \(relaxed.count)\n"
        let isPassed = verdict == .passed || verdict == .inconclusive && !failsOnUndecided
        text += "# TYPE keyflight_gate_passed gauge\nkeyflight_gate_passed \(isPassed ? 1 : 0)\n"
        return text + "# EOF\n"
    }
}

extension TimeGate {
    fileprivate var json: JSONObject {
        [
            "verdict": verdict.rawValue, "pairs": pairs, "notes": notes,
            "rows": rows.objects { row in
                [
                    "stage": row.measure.stage?.name ?? "total", "measure": row.measure.statistic.rawValue,
                    "action": row.measure.action, "part_of_total": row.partOfTotal?.rawValue,
                    "decisive": row.isDecisive, "verdict": row.verdict.rawValue, "ratio": JSONNumber(row.ratio),
                    "low": JSONNumber(row.low), "high": JSONNumber(row.high),
                    "noise_floor": JSONNumber(row.noiseFloor), "detectable": JSONNumber(row.detectable),
                    "base_ns": Int64(min(row.base, 9e18)), "head_ns": Int64(min(row.head, 9e18)),
                    "pairs_needed": row.pairsNeeded,
                ]
            },
        ]
    }
}

extension JSONNumber {
    /// With six decimal places; `null` for one that is not finite.
    init(_ value: Double) {
        self.init(value.isFinite ? DiffFormatter.decimal(value, places: 6).replacing("−", with: "-") : nil)
    }
}

extension GateReport.Finding {
    /// `file` is one of the repository, not a command.
    var isOfFile: Bool { golden != GateReport.Finding.ofBuilds && kind != .time && !file.isEmpty }

    fileprivate var junit: String {
        let element = kind.isError ? "error" : "failure"
        return "<\(element) type=\"\(kind.rawValue)\" message=\"\(Markup.html(line))\">"
            + Markup.html((file.isEmpty ? "" : "\(file): ") + remedy) + "</\(element)>"
    }
}

extension GateReport.Finding.Kind {
    /// It prevented a comparison: an error of JUnit, where a difference is a failure.
    var isError: Bool { self == .missing || self == .notComparable }

    /// Severity as in code quality reports.
    var severity: String {
        switch self {
        case .missing, .notComparable, .notDeterministic: "blocker"
        case .resolutions, .counts, .budget, .latency: "critical"
        case .state, .lint, .instructions, .time: "major"
        case .renamed, .orphan: "minor"
        case .ignored: "info"
        }
    }
}

/// Text of strangers in workflow commands.
enum Annotation {
    /// A path as services compare it with those of the repository.
    static func path(_ text: String) -> String {
        var path = text[...]
        while path.hasPrefix("./") { path = path.dropFirst(2) }
        return String(path)
    }

    /// Most annotations of a kind that are shown.
    static let most = 10

    /// The first ones, and as the last how many more there are.
    static func limited(_ lines: [String], _ kind: String) -> [String] {
        guard lines.count > most else { return lines }
        let rest = "::\(kind) title=keyflight::and \(lines.count - most + 1) more findings in the summary"
        return lines.prefix(most - 1) + [rest]
    }

    static func message(_ text: String) -> String {
        SafeText.escaped(text, limit: 4000).replacing("%", with: "%25").replacing("\r", with: "%0D")
            .replacing("\n", with: "%0A")
    }

    static func property(_ text: String) -> String {
        message(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
