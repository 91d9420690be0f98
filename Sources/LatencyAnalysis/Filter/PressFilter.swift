import KeyModel
import TraceFormat
import TracePresses

/// A filter of presses, as an expression: `chord == "cmd+w" and total > 8ms and responder ~ "Tab*"`.
///
/// A comparison with something that a press does not have is false, `!=` and `!~` included: an absent value is neither
/// like anything nor unlike it.
package struct PressFilter: Hashable, Sendable {
    /// The text as written.
    package var text: String
    var root: Node

    /// Most characters of an expression.
    package static let lengthLimit = 4096
    /// And brackets and `not` nest at most so deep.
    package static let depthLimit = 32

    indirect enum Node: Hashable, Sendable {
        case or([Node])
        case and([Node])
        case not(Node)
        case comparison(PressField, Comparison, Literal)
    }

    /// An operator that begins as another one does comes before it.
    enum Comparison: String, CaseIterable, Hashable, Sendable {
        case equal = "=="
        case unequal = "!="
        case atMost = "<="
        case atLeast = ">="
        case less = "<"
        case greater = ">"
        case like = "~"
        case unlike = "!~"

        var isOrder: Bool { [.atMost, .atLeast, .less, .greater].contains(self) }
        var isPattern: Bool { self == .like || self == .unlike }
    }

    enum Literal: Hashable, Sendable {
        case text(String)
        case number(Int64)
        case duration(TraceDuration)
        case flag(Bool)
        case chord(ChordQuery)
    }
}

/// A property of a press or repeat in a filter.
enum PressField: Hashable, Sendable {
    case press, `repeat`, time, chord, key, character, outcome, takenBy, responder, window, supplier, target, action
    case layout, profile, total, keyCommands, masked, run, swallowed, marked
    case stage(LatencyStage)

    enum Kind: Hashable, Sendable { case text, number, duration, flag, chord }

    static let names: [(name: String, field: PressField)] =
        [
            ("press", .press), ("repeat", .repeat), ("time", .time), ("chord", .chord), ("key", .key),
            ("character", .character), ("outcome", .outcome), ("takenBy", .takenBy), ("responder", .responder),
            ("window", .window), ("supplier", .supplier), ("target", .target), ("action", .action),
            ("layout", .layout), ("profile", .profile), ("total", .total), ("keyCommands", .keyCommands),
            ("masked", .masked), ("runs", .run), ("swallowed", .swallowed), ("marked", .marked),
        ] + LatencyStage.allCases.map { ($0.name, .stage($0)) }

    init?(name: String) {
        guard let entry = PressField.names.first(where: { $0.name == name }) else { return nil }
        self = entry.field
    }

    var kind: Kind {
        switch self {
        case .press, .keyCommands, .run: .number
        case .time, .total, .stage: .duration
        case .repeat, .masked, .swallowed, .marked: .flag
        case .chord: .chord
        default: .text
        }
    }
}

extension PressFilter {
    func matches(_ tick: TracePress, _ names: TraceDefinitions) -> Bool { PressFilter.holds(root, tick, names) }

    private static func holds(_ node: Node, _ tick: TracePress, _ names: TraceDefinitions) -> Bool {
        switch node {
        case .or(let nodes): nodes.contains { holds($0, tick, names) }
        case .and(let nodes): nodes.allSatisfy { holds($0, tick, names) }
        case .not(let node): !holds(node, tick, names)
        case .comparison(let field, let comparison, let literal): compare(field, comparison, literal, tick, names)
        }
    }

    private static func compare(
        _ field: PressField, _ comparison: Comparison, _ literal: Literal, _ tick: TracePress,
        _ names: TraceDefinitions
    ) -> Bool {
        switch literal {
        case .text(let wanted):
            guard let found = field.text(of: tick, names) else { return false }
            switch comparison {
            case .like: return GlobPattern(wanted).matches(found)
            case .unlike: return !GlobPattern(wanted).matches(found)
            default: return (found == wanted) == (comparison == .equal)
            }
        case .number(let wanted): return field.number(of: tick).map { order($0, comparison, wanted) } ?? false
        case .duration(let wanted):
            return field.duration(of: tick).map { order($0.nanoseconds, comparison, wanted.nanoseconds) } ?? false
        case .flag(let wanted): return (field.flag(of: tick) == wanted) == (comparison == .equal)
        case .chord(let query):
            let chord = tick.chord(names)
            guard let key = chord.key else { return false }
            let isSame = query.admits(chord.modifiers)
                && (query.matchesCharacter(chord.character) || chord.character == nil && query.matchesPosition(key)
                    || query.character == nil && query.matchesPosition(key))
            return isSame == (comparison == .equal)
        }
    }

    private static func order(_ found: Int64, _ comparison: Comparison, _ wanted: Int64) -> Bool {
        switch comparison {
        case .equal: found == wanted
        case .unequal: found != wanted
        case .atMost: found <= wanted
        case .atLeast: found >= wanted
        case .less: found < wanted
        case .greater: found > wanted
        case .like, .unlike: false
        }
    }
}

extension PressField {
    func text(of tick: TracePress, _ names: TraceDefinitions) -> String? {
        let resolution = tick.resolution
        switch self {
        case .chord: return tick.chord(names).text
        case .key: return tick.key?.key.usage?.name
        case .character: return resolution?.character.flatMap { names[$0] }
        case .outcome: return resolution?.outcome.name
        case .takenBy: return resolution?.takenBy?.name
        case .responder: return names.id(of: tick.start)
        case .window: return names.id(of: resolution?.keyWindow ?? tick.context.keyWindow?.window)
        case .supplier:
            guard resolution?.supplier == nil, resolution?.takenBy == .mainMenu else {
                return names.id(of: resolution?.supplier)
            }
            return "mainMenu"
        case .target: return names.id(of: resolution?.target)
        case .action: return resolution?.action.flatMap { names[$0] }
        case .layout: return tick.context.layoutName
        case .profile: return tick.context.environment["profile"]
        default: return nil
        }
    }

    func number(of tick: TracePress) -> Int64? {
        switch self {
        case .press: Int64(tick.at.press)
        case .keyCommands:
            // Without a question nothing may have been recorded either, unless a cache answered for the responders.
            tick.calls.isEmpty && (tick.decidedCache.isEmpty || !tick.wasOffered)
                ? nil : Int64(tick.calls.count { $0.kind == .keyCommands })
        case .run: Int64(tick.resolutions.count { $0.outcome == .performed })
        default: nil
        }
    }

    func duration(of tick: TracePress) -> TraceDuration? {
        switch self {
        case .time: tick.time.since(.zero)
        case .total: tick.stages.total
        case .stage(let stage): tick.stages[stage]
        default: nil
        }
    }

    func flag(of tick: TracePress) -> Bool {
        switch self {
        case .repeat: tick.isRepeat
        case .masked: tick.key?.key.maskedClass != nil
        case .swallowed: tick.receivers.contains(where: \.isSwallowed)
        case .marked: tick.context.isTextMarked
        default: false
        }
    }
}
