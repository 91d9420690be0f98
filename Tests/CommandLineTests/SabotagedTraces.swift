/// What two builds are compared by, read from the text form of the traces that they write.
struct SabotagedTraces {
    private var base: [Trace] = []
    private var head: [Trace] = []

    private struct Trace {
        /// The level, the presses and what came of them, in any order.
        var results: [String] = []
        /// Values by the names of what must be the same where both record it.
        var rules: [String: String] = [:]
        /// Nanoseconds by stage and press.
        var times: [String: [String: UInt64]] = [:]
    }

    /// `nil` where one cannot be read.
    init?(_ folder: String) {
        for number in 0...1 {
            guard let old = Self.trace("\(folder)/Builds/base-\(number).keyflight"),
                let new = Self.trace("\(folder)/Builds/head-\(number).keyflight")
            else { return nil }
            base.append(old)
            head.append(new)
        }
    }

    private var all: [Trace] { base + head }

    /// The same results in each run of both, and no rule that differs.
    var areAlike: Bool {
        let rules = Set(all.flatMap(\.rules.keys))
        return all.allSatisfy { $0.results == all[0].results }
            && rules.allSatisfy { rule in Set(all.compactMap { $0.rules[rule] }).count == 1 }
    }

    var recordSameRules: Bool { all.allSatisfy { $0.rules == all[0].rules } }
    var haveSameTimes: Bool { base[0].times == base[1].times && head[0].times == head[1].times }

    /// Each stage is one of the same presses, or one that a build never has, and takes no longer by more than 2 %: of
    /// itself, or of the total where some run has none.
    var headIsNoSlower: Bool {
        let total = base.map { $0.times.values.flatMap(\.values).reduce(0, +) }.min() ?? 0
        return Set(all.flatMap(\.times.keys)).allSatisfy { stage in
            let presses = [base, head].map { $0.map { Set((($0.times[stage]) ?? [:]).keys) } }
            let isOfOne = presses.contains { $0.allSatisfy(\.isEmpty) }
            guard isOfOne || Set(presses.joined()).count == 1 else { return false }
            func sums(_ side: [Trace]) -> [UInt64] { side.map { ($0.times[stage] ?? [:]).values.reduce(0, +) } }
            let (old, new) = (sums(base), sums(head))
            let scale = old.contains(0) || new.contains(0) ? total : old.min() ?? 0
            return (new.max() ?? 0) <= (old.min() ?? 0) + scale / 50
        }
    }

    private static func trace(_ path: String) -> Trace? {
        let run = CommandRun("show", path)
        guard run.status == 0 else { return nil }
        var trace = Trace()
        for line in run.lines {
            guard let kind = line.firstMatch(of: /^[0-9]+ -?[0-9]+ ([a-z_]+)/)?.1 else {
                trace.results.append(line)
                continue
            }
            func field(_ name: String) -> String { Self.value(of: name, in: line) }
            func add(_ fields: String...) {
                trace.results.append("\(kind) " + fields.map(field).joined(separator: " "))
            }
            let press = field("press")
            switch kind {
            case "level": add("level")
            case "environment":
                let name = field("name")
                let isRule = name.hasPrefix("parameter.") || ["profile", "direction", "focusSystem"].contains(name)
                if isRule, trace.rules[name] == nil { trace.rules[name] = field("value") }
            case "layout" where trace.rules["layout"] == nil: trace.rules["layout"] = field("name") + field("hash")
            case "key" where press != "-" && ["down", "repeat"].contains(field("phase")):
                add("press", "phase", "key", "class", "modifiers")
            case "receiver" where press != "0" && field("phase") == "down": add("press", "responder")
            case "call" where field("occasion") == "release": add("press", "call", "occasion")
            case "call": add("press", "call", "responder")
            case "candidate" where field("verdict") == "shadowed": add("press", "supplier", "command")
            case "effect": add("press", "responder", "effect", "value")
            case "cache": add("press", "hits", "misses", "stale", "invalidations")
            case "resolution":
                add("press", "outcome", "taken_by", "supplier", "target", "action", "text")
            case "stage":
                let time = UInt64(field("duration_ns")) ?? 0
                trace.times[field("stage"), default: [:]][press, default: 0] += time
            default: break
            }
        }
        trace.results.sort()
        return trace
    }

    private static func value(of field: String, in line: String) -> String {
        guard let start = line.firstRange(of: " \(field)=")?.upperBound else { return "-" }
        let rest = line[start...]
        return String(rest.first == "\"" ? rest.dropFirst().prefix { $0 != "\"" } : rest.prefix { $0 != " " })
    }
}
