/// The tables of a trace: for SQL, and as CSV.
package enum TraceTable: String, CaseIterable, Sendable {
    case trace, environment, devices, clocks, layouts
    case presses, repeats, runs, texts, keys
    case receivers, candidates, calls, invocations, stages, costs, effects
    case responders, commands, lists
    case focus, links, marks, context
    case loss, findings, evidence

    package var name: String { rawValue }

    /// The meaning of a row.
    package var meaning: String {
        switch self {
        case .trace: "one row: the facts that stand above every report"
        case .environment: "how the trace came to be: profile, scene, cache, parameters"
        case .devices: "keyboards"
        case .clocks: "the clocks that sources stamped their events with"
        case .layouts: "layouts in use, from a moment on"
        case .presses: "presses, one row each: what was pressed, what it came to, what it cost"
        case .repeats: "repeats of held keys, with the columns of presses"
        case .runs: "the second and later actions of a press or repeat that ran more than one"
        case .texts: "texts that came without a key: paste, dictation"
        case .keys: "key events as they came, modifier keys and releases among them"
        case .receivers: "who got a press in pressesBegan and its siblings, in order"
        case .candidates: "key commands that had to do with a press, with verdict and reason"
        case .calls: "questions that the system asked responders"
        case .invocations: "messages of a toolkit that hooks of an adapter saw"
        case .stages: "time that a press spent in each stage"
        case .costs: "exact counts of the thread that handled a press, in each stage"
        case .effects: "what changed because of a press"
        case .responders: "objects on the responder chain"
        case .commands: "key commands by content"
        case .lists: "answers to keyCommands: lists of commands by content"
        case .focus: "first responder, key and main window and text input, from a moment on"
        case .links: "links of the responder chain, from a moment on"
        case .marks: "named moments"
        case .context: "all other records, with their fields as JSON"
        case .loss: "what is missing, and why"
        case .findings: "what lint finds"
        case .evidence: "the first presses that prove a finding"
        }
    }

    /// Columns that together name a row, for an index; empty where rows are only read in order.
    var key: [String] {
        switch self {
        case .presses, .repeats, .stages, .costs, .candidates, .calls, .invocations: ["press", "tick"]
        case .commands: ["command"]
        case .findings: ["finding"]
        default: []
        }
    }

    /// The lowest level of a trace that has rows here; `nil` where every trace may.
    package var neededLevel: String? {
        switch self {
        case .runs, .receivers, .candidates, .effects: "resolutions"
        case .stages, .costs: "stages"
        case .calls, .invocations, .lists: "calls"
        default: nil
        }
    }
}
