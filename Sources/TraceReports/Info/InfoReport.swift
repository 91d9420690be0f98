import KeyModel
package import LatencyAnalysis
package import TraceFormat
import TracePresses

/// The report of `info`: one screen of facts, loss first.
package struct InfoReport: FittedReport, Sendable {
    package var info: TraceInfo
    /// Name of the trace, usually its file name.
    package var name: String
    /// True to list the recorder's counters of itself among the settings. A page reports the recorder's cost instead.
    var showsRecorderCounters = true

    package init(_ info: TraceInfo, name: String) {
        self.info = info
        self.name = name
    }

    package func body(_ style: ReportStyle) -> String {
        let completeness = info.file.isComplete ? "complete" : "not complete"
        return ReportHeader(name: name, info: info).line(style, tail: completeness) + "\n\n"
            + TextTable(facts: facts.map { ($0.label, TextTable.Cell($0.value)) }).rendered(style)
    }

    /// Loss comes before where the trace is from.
    var facts: [(label: String, value: String)] {
        (contentFacts + lossFacts + originFacts).map { (label: $0.0, value: $0.1) }
    }

    private var contentFacts: [(String, String)] {
        let keys = HumanNumbers.counted(info.presses, "key down", "key downs")
        let events = HumanNumbers.counted(info.keyEvents, "key event", "key events")
        var presses = "\(HumanNumbers.count(info.numberedPresses)) (\(keys) and \(events), modifier keys included)"
        if info.repeats > 0 { presses += ", " + HumanNumbers.counted(info.repeats, "repeat", "repeats") }
        if info.cancels > 0 { presses += ", \(HumanNumbers.count(info.cancels)) cancelled" }
        var facts = [("presses", presses), ("time", HumanNumbers.duration(info.duration))]
        if let end = info.environment(AdapterFact.end) { facts.append(("ended", "by " + SafeText.escaped(end))) }
        if info.texts > 0 { facts.append(("texts", "\(HumanNumbers.count(info.texts)) without a key")) }
        facts.append(("level", InfoReport.words(info.level)))
        for span in info.levels {
            let from = HumanNumbers.time(span.from)
            facts.append(("", "\(span.level.name) from \(from) to \(HumanNumbers.time(span.to))"))
        }
        if info.level > .keys { facts.append(("resolved", HumanNumbers.count(info.resolutions))) }
        facts.append(
            ("text", info.isMasked ? "masked: of keys that type text only the class is kept" : "in clear"))
        return facts
    }

    private var lossFacts: [(String, String)] {
        var facts: [(String, String)] = []
        if let damage = info.loss.damage {
            let lost = damage.recordsLost.map { "\(HumanNumbers.counted($0, "record", "records")) lost" }
            let what = SafeText.escaped(damage.reason)
            let place = "at byte \(HumanNumbers.count(damage.offset))"
            facts.append(("damage", "\(place): \(what), \(lost ?? "how much is lost is unknown")"))
        }
        let gaps = info.loss.gaps.prefix(InfoReport.gapLimit).map { gap in
            var words = "\(HumanNumbers.time(gap.time)) \(LossLine.words(gap.cause))"
            if let duration = gap.duration { words += ", \(HumanNumbers.duration(duration))" }
            if let count = gap.count {
                let missing = "\(HumanNumbers.count(count)) missing"
                words += ", " + (gap.cause == .clockStep ? HumanNumbers.counted(count, "time", "times") : missing)
            }
            if !gap.detail.isEmpty { words += " (\(SafeText.escaped(gap.detail)))" }
            return words
        }
        facts += InfoReport.facts("gaps", gaps)
        if info.loss.gapCount > UInt64(InfoReport.gapLimit) {
            let more = info.loss.gapCount - UInt64(InfoReport.gapLimit)
            let rest = "--format json lists \(info.loss.gapsLeftOut == 0 ? "all" : "\(LossSummary.gapLimit)")"
            facts.append(("", "and \(HumanNumbers.count(more)) more (\(rest))"))
        }
        return facts
    }

    /// Facts of which the first has a label, which is valid for the lines below it too.
    static func facts(_ label: String, _ words: [String]) -> [(String, String)] {
        words.enumerated().map { ($0.offset == 0 ? label : "", $0.element) }
    }

    /// One screen has no room for more.
    private static let gapLimit = 5

    private var originFacts: [(String, String)] {
        var facts: [(String, String)] = []
        facts += InfoReport.facts("devices", info.devices.map(InfoReport.words))
        facts += InfoReport.facts("clocks", info.clocks.map(InfoReport.words))
        facts += InfoReport.facts("aligned", info.clockRelations.map(InfoReport.words))
        if !info.layouts.isEmpty {
            let names = info.layouts.map { KeyFormatter.layout($0.name, isStored: $0.isStored) }
            facts.append(("layout", names.joined(separator: ", ")))
        }
        for name in ["profile", "scene", "cache"] {
            if let value = info.environment(name) { facts.append((name, SafeText.escaped(value))) }
        }
        if let adapter = info.adapter { facts += InfoReport.facts(of: adapter) }
        if let settings { facts.append(("settings", settings)) }
        if info.idleReports > 0 {
            let reports = HumanNumbers.counted(info.idleReports, "report", "reports")
            facts.append(("idle", "\(reports) that changed nothing"))
        }
        facts.append(("file", fileWords))
        return facts
    }

    private static func facts(of adapter: AdapterDescription) -> [(String, String)] {
        let on = adapter.hooks.filter { $0.state == .on }
        var words = [adapter.toolkit, adapter.version].compactMap { $0.map { SafeText.escaped($0, limit: 40) } }
            .joined(separator: " ")
        let methods = HumanNumbers.counted(UInt64(max(0, on.reduce(0) { $0 + $1.methods })), "method", "methods")
        let hooks = HumanNumbers.counted(UInt64(on.count), "hook", "hooks")
        words += (words.isEmpty ? "" : ", ") + "\(hooks) of \(methods)"
        if let time = adapter.installTime {
            let duration = TraceDuration(nanoseconds: Int64(clamping: time))
            words += ", installed in \(HumanNumbers.duration(duration))"
        }
        var facts = [("adapter", words)]
        if adapter.isAttached { facts.append(("", "attached to the running app: nothing from before")) }
        for hook in adapter.blindHooks { facts.append(("", hook.absence)) }
        return facts
    }

    /// The rest of the environment. One screen has no room for the forty parameters of a profile.
    private var settings: String? {
        let others = info.environment.filter { fact in
            !["profile", "scene", "cache", AdapterFact.end].contains(fact.name) && !fact.name.hasPrefix("adapter.")
                && (showsRecorderCounters || !fact.name.hasPrefix("recorder."))
        }
        let parameters = others.count { EnvironmentRecord.isProfileParameter($0.name) }
        let rest = others.filter { !EnvironmentRecord.isProfileParameter($0.name) }
        var words = rest.prefix(InfoReport.settingLimit).map { fact in
            "\(SafeText.escaped(fact.name, limit: 40)) \(SafeText.escaped(fact.value, limit: 40))"
        }
        if parameters > 0 { words.append(HumanNumbers.counted(parameters, "parameter", "parameters")) }
        return words.isEmpty ? nil : words.joined(separator: ", ") + " (--format json lists all)"
    }

    private static let settingLimit = 12

    private var fileWords: String {
        var parts: [String] = []
        if info.file.bytes > 0 { parts.append(HumanNumbers.bytes(info.file.bytes)) }
        parts.append(HumanNumbers.counted(info.records, "record", "records"))
        if let version = info.file.version { parts.append("format version \(version)") }
        if let form = info.file.form { parts.append("\(form) form") }
        if info.unknownRecords > 0 {
            parts.append("\(HumanNumbers.count(info.unknownRecords)) of a kind this version does not know")
        }
        return parts.joined(separator: ", ")
    }

    private static func words(_ level: TraceLevel) -> String {
        switch level {
        case .keys: "keys: what was pressed, not yet what came of it"
        case .resolutions: "resolutions: what was pressed and what came of it"
        case .stages: "stages: resolutions and where the time went"
        case .calls: "calls: resolutions, times, and every question asked"
        }
    }

    private static func words(_ device: DeviceRecord) -> String {
        var parts = ["\(device.device)"]
        if !device.name.isEmpty { parts.append(SafeText.escaped(device.name)) }
        var place = SafeText.escaped(device.source, limit: 40)
        if let bus = device.bus, let address = device.address {
            place += " \(bus):\(address)"
            if let endpoint = device.endpoint { place += ":0x" + String(endpoint, radix: 16) }
        } else if let handle = device.handle {
            place += " " + (device.transport.map { SafeText.escaped($0, limit: 20) + " " } ?? "") + "handle \(handle)"
        }
        parts.append(place)
        if let vendor = device.vendor, let product = device.product {
            parts.append("\(vendor.hexadecimal(4)):\(product.hexadecimal(4))")
        }
        return parts.joined(separator: "  ")
    }

    private static func words(_ clock: ClockRecord) -> String {
        var parts = [SafeText.escaped(clock.source, limit: 40)]
        if let start = clock.unixTime { parts.append("begins \(HumanNumbers.date(unixTime: start))") }
        if let step = clock.granularity {
            let gap = HumanNumbers.duration(TraceDuration(nanoseconds: Int64(clamping: step)))
            parts.append("stamps \(gap) apart at least")
        }
        if clock.backwardSteps > 0 {
            parts.append("stepped back \(HumanNumbers.counted(clock.backwardSteps, "time", "times"))")
        }
        return parts.joined(separator: ", ")
    }

    /// The clocks, how they agree, and by how many presses that was found.
    static func words(_ relation: ClockRelationRecord) -> String {
        let names = [relation.source, relation.reference].map { SafeText.escaped($0, limit: 40) }
        return "\(names[0]) → \(names[1])  \(clockWords(relation))\(matchWords(relation))"
    }

    /// Offset and drift of one clock to another, and how sure they are.
    package static func clockWords(_ relation: ClockRelationRecord) -> String {
        var words = "offset \(relation.offset < 0 ? "−" : "+")\(exactSeconds(relation.offset.magnitude)) s"
        if let uncertainty = relation.uncertainty { words += " ± \(HumanNumbers.duration(uncertainty))" }
        if let drift = relation.drift {
            words += ", drift \(drift < 0 ? "−" : "+")\(drift.magnitude / 1000)."
                + "\(HumanNumbers.padded(drift.magnitude % 1000, 3)) ppm"
        }
        if let residual = relation.residual { words += ", residual \(HumanNumbers.duration(residual))" }
        return words
    }

    /// By how many presses that was found; nothing where a redaction took the number out.
    private static func matchWords(_ relation: ClockRelationRecord) -> String {
        relation.matches == 0 ? "" : ", by " + HumanNumbers.counted(relation.matches, "press", "presses")
    }

    private static func exactSeconds(_ nanoseconds: UInt64) -> String {
        "\(nanoseconds / 1_000_000_000).\(HumanNumbers.padded(nanoseconds % 1_000_000_000, 9))"
    }
}

/// The first line of every report: what it is about, and what is missing in it.
struct ReportHeader {
    var name: String
    var info: TraceInfo

    func line(_ style: ReportStyle, tail: String? = nil) -> String {
        let loss = style.paint(LossLine.text(info.loss), info.loss.isNone ? .plain : .bad)
        let title = style.paint(SafeText.escaped(name), .heading)
        return "\(title): \(loss)" + (tail.map { ", " + $0 } ?? "") + (derivation.map { "\n" + $0 } ?? "")
    }

    /// Description of what was derived and not recorded; `nil` where everything shown is recorded.
    var derivation: String? {
        guard let rules = info.file.derivation else { return nil }
        func words(_ kind: String, _ rule: DerivationRules.Rule) -> String {
            let origin =
                switch rule.origin {
                case .recorded: ""
                case .recordedName: " (name only)"
                case .preset: " (the default)"
                }
            return "\(kind) \(SafeText.escaped(rule.name, limit: 40))\(origin)"
        }
        let recorded = HumanNumbers.counted(rules.recorded, "press", "presses")
        var line = "candidates: " + (rules.recorded > 0 ? "recorded for \(recorded), else " : "")
            + "derived from recorded lists under \(words("profile", rules.profile)), \(words("layout", rules.layout))"
        if rules.contradicted > 0 {
            let presses = HumanNumbers.counted(rules.contradicted, "press that comes", "presses that come")
            line += "; none for \(presses) to something else there (keyflight verify says what)"
        }
        if rules.undetermined > 0 {
            let presses = HumanNumbers.counted(rules.undetermined, "press", "presses")
            line += "; none for \(presses) of which a masked key or an answer that is not recorded leaves it open"
        }
        return line
    }
}
