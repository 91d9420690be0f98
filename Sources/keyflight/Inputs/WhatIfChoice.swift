import FlightReplay
import KeyModel
import LatencyAnalysis
import ResponderEngine
import TraceFormat
import TraceReports
import WhatIf

/// What-ifs as the command line names them.
enum WhatIfChoice {
    static let help = """
        Say what would have come of a change: cache=POLICY or cache=RESPONDER keeps answers, \
        cost=RESPONDER.CALL:DURATION changes what a call or an action takes, profile=NAME, layout=NAME, \
        repeat=DELAY/INTERVAL and role=KEY:MODIFIER, such as role=LeftAlt:option, change the rules. May be \
        repeated: all of them hold together, the rules first. Needs a trace at level calls, or --scene.
        """

    /// The changes that are asked for, together.
    ///
    /// - Parameter definitions: The definitions of all records, which name the responders and actions that there are.
    static func read(_ questions: [String], _ definitions: () throws -> TraceDefinitions) throws -> WhatIfReplay {
        var whatIf = WhatIfReplay(question: questions.joined(separator: ", "))
        for question in questions {
            guard let equals = question.firstIndex(of: "=") else { throw wrong(question, "NAME=VALUE") }
            let (name, value) = (question[..<equals], String(question[question.index(after: equals)...]))
            switch name {
            case "cache": try addCache(value, question, definitions, &whatIf)
            case "cost": try addCost(value, question, try definitions(), &whatIf)
            case "profile":
                try expectFirst(whatIf.profile == nil, question)
                whatIf.profile = try ProfileChoice.named(value)
            case "layout":
                try expectFirst(whatIf.layout == nil, question)
                whatIf.layout = try LayoutChoice.named(value)
            case "role":
                let role = try role(value, question)
                try expectFirst(!whatIf.roles.contains { $0.key == role.key }, question)
                whatIf.roles.append(role)
            case "repeat":
                try expectFirst(whatIf.repeats == nil, question)
                let parts = value.split(separator: "/", omittingEmptySubsequences: false).map {
                    TraceDuration(text: $0)
                }
                guard parts.count == 2, let delay = parts[0], let interval = parts[1], interval > .zero else {
                    throw wrong(question, "repeat=DELAY/INTERVAL, such as repeat=250ms/33ms")
                }
                whatIf.repeats = (delay, interval)
            default: throw wrong(question, "cache=…, cost=…, profile=…, layout=…, repeat=… or role=…")
            }
        }
        return whatIf
    }

    /// Refuses a second value for what has one: all changes hold together.
    private static func expectFirst(_ isFirst: Bool, _ question: String) throws {
        if !isFirst { throw wrong(question, "each change once, since all hold together") }
    }

    private static func role(_ value: String, _ question: String) throws -> (key: KeyUsage, role: KeyModifiers) {
        let parts = value.split(separator: ":", omittingEmptySubsequences: false)
        let roles: KeyModifiers = [.shift, .control, .option, .command]
        guard parts.count == 2, let key = KeyUsage(name: parts[0]), key.isModifier,
            let role = parts[1] == "none" ? [] : KeyModifiers(name: String(parts[1])), roles.isSuperset(of: role)
        else { throw wrong(question, "role=KEY:MODIFIER, such as role=LeftAlt:option or role=RightGUI:none") }
        return (key, role)
    }

    private static func addCache(
        _ value: String, _ question: String, _ definitions: () throws -> TraceDefinitions,
        _ whatIf: inout WhatIfReplay
    ) throws {
        if let policy = CachePolicy(rawValue: value) {
            guard policy != .none else { throw wrong(question, "press, responder, chain or a responder") }
            try expectFirst(whatIf.policy == nil, question)
            whatIf.policy = policy
            whatIf.costs.policy = policy.rawValue
        } else {
            whatIf.costs.kept.insert(try responder(value, question, try definitions()))
        }
    }

    private static func addCost(
        _ value: String, _ question: String, _ definitions: TraceDefinitions, _ whatIf: inout WhatIfReplay
    ) throws {
        let form = "cost=RESPONDER.CALL:DURATION, such as cost=nav.keyCommands:2ms"
        guard let colon = value.lastIndex(of: ":"),
            let duration = TraceDuration(text: value[value.index(after: colon)...]),
            let dot = value[..<colon].firstIndex(of: ".")
        else { throw wrong(question, form) }
        let id = try responder(String(value[..<dot]), question, definitions)
        let call = String(value[value.index(after: dot)..<colon])
        guard !call.isEmpty else { throw wrong(question, form) }
        try checkCall(call, question, definitions)
        let place = CostChanges.Place(responder: id, call: call)
        try expectFirst(whatIf.costs.costs[place] == nil, question)
        whatIf.costs.costs[place] = duration
    }

    /// Refuses what is neither the name of a call or message nor an action.
    private static func checkCall(_ call: String, _ question: String, _ definitions: TraceDefinitions) throws {
        let calls = CallKind.allCases.map(\.name)
        let known = calls + InvocationKind.allCases.map(\.name).filter { !calls.contains($0) }
        let isAction = definitions.strings.contains(call) || definitions.commands.contains { $0.action == call }
        guard known.contains(call) || isAction else {
            throw wrong(question, "one of \(known.joined(separator: ", ")) or an action")
        }
    }

    private static func responder(
        _ id: String, _ question: String, _ definitions: TraceDefinitions
    ) throws -> String {
        let known = Set(definitions.responders.lazy.map(\.id))
        guard known.contains(id) else {
            throw wrong(question, "one of \(known.sorted().prefix(20).joined(separator: ", "))")
        }
        return id
    }

    private static func wrong(_ question: String, _ expected: String) -> Failure {
        Failure(.wrongWhatIf, "--what-if \(question): expected \(expected)")
    }
}

extension Replay {
    /// Answers the what-if: the outcomes under the changes that are asked for.
    func answerWhatIf(_ input: Input, on console: Console) throws -> ExitStatus {
        var source = try input.resolutions()
        let answer: WhatIfResult?
        if case .replay(let job) = source.origin {
            let whatIf = try WhatIfChoice.read(self.whatIf) {
                // What a replay defines is known when it is over.
                try source.forEach { _, _ in }
                return source.definitions
            }
            if job.replay is RecordedReplay { try checkRepeats(whatIf, job.recorded) }
            let otherwise = (try ProfileChoice.named("ios15"), try LayoutChoice.named("us"))
            answer = try ReplayJob.explaining(source.name) {
                try whatIf.answer(by: job.replay, job.timeline, otherwise: otherwise)
            }
        } else {
            let trace = source.recorded()
            let whatIf = try WhatIfChoice.read(self.whatIf) { trace.definitions }
            try checkRepeats(whatIf, trace)
            let otherwise = try RecordedEnvironment(trace).defaults()
            answer = try ReplayJob.explaining(source.name) { try whatIf.answer(trace, otherwise: otherwise) }
        }
        let status = source.status(console)
        guard let answer else { throw source.nothingToReplayWith(status) }
        let report = WhatIfReport(answer, name: source.name)
        switch format {
        case .text: try console.show(report.text(console.style))
        case .jsonl: try console.output.write(report.json)
        }
        return status
    }

    /// A live app gets the repeats that were recorded, whatever the rate.
    private func checkRepeats(_ whatIf: WhatIfReplay, _ trace: RecordedTrace?) throws {
        guard whatIf.repeats != nil, let trace, RecordedEnvironment(trace).facts[AdapterFact.toolkit] != nil else {
            return
        }
        throw Failure(
            .wrongWhatIf,
            "--what-if repeat: expected keys that repeat at a profile's rate, found a live app, "
                + "whose repeats are recorded")
    }
}
