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

/// A property of a press or repeat, by which a filter compares and a list has a column.
struct PressField: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case text, number, duration, flag, chord }

    let name: String
    let kind: Kind
    /// It is a stage or the sum of the stages.
    private(set) var isTimeTaken = false
    let value: @Sendable (TracePress, TraceDefinitions) -> PressRow.Value

    static func == (one: PressField, other: PressField) -> Bool { one.name == other.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }

    init?(name: String) {
        guard let field = PressField.all.first(where: { $0.name == name }) else { return nil }
        self = field
    }

    private init(
        _ name: String, _ kind: Kind, _ value: @escaping @Sendable (TracePress, TraceDefinitions) -> PressRow.Value
    ) {
        (self.name, self.kind, self.value) = (name, kind, value)
    }

    private static func text(
        _ name: String, _ kind: Kind = .text, _ text: @escaping @Sendable (TracePress, TraceDefinitions) -> String?
    ) -> PressField { PressField(name, kind) { .text(text($0, $1)) } }

    private static func number(_ name: String, _ number: @escaping @Sendable (TracePress) -> Int?) -> PressField {
        PressField(name, .number) { tick, _ in .number(number(tick).map { Int64($0) }) }
    }

    private static func flag(_ name: String, _ flag: @escaping @Sendable (TracePress) -> Bool) -> PressField {
        PressField(name, .flag) { tick, _ in .flag(flag(tick)) }
    }

    private static func taken(
        _ name: String, _ duration: @escaping @Sendable (TracePress) -> TraceDuration?
    ) -> PressField {
        var field = PressField(name, .duration) { tick, _ in .duration(duration(tick)) }
        field.isTimeTaken = true
        return field
    }

    /// Of two with the same name the first one counts.
    static let all = others + LatencyStage.allCases.map { stage in taken(stage.name) { $0.stages[stage] } }

    private static let others: [PressField] = [
        number("press") { Int($0.at.press) }, flag("repeat") { $0.isRepeat },
        PressField("time", .duration) { tick, _ in .duration(tick.time.since(.zero)) },
        text("chord", .chord) { $0.chord($1).text }, text("key") { tick, _ in tick.key?.key.usage?.name },
        text("character") { tick, names in tick.resolution?.character.flatMap { names[$0] } },
        text("outcome") { tick, _ in tick.resolution?.outcome.name },
        text("takenBy") { tick, _ in tick.resolution?.takenBy?.name },
        text("responder") { $1.id(of: $0.start) },
        text("window") { $1.id(of: $0.resolution?.keyWindow ?? $0.context.keyWindow?.window) },
        text("supplier") { tick, names in
            let supplier = tick.resolution?.supplier
            return supplier == nil && tick.resolution?.takenBy == .mainMenu ? "mainMenu" : names.id(of: supplier)
        },
        text("target") { $1.id(of: $0.resolution?.target) },
        text("action") { tick, names in tick.resolution?.action.flatMap { names[$0] } },
        text("layout") { tick, _ in tick.context.layoutName },
        text("profile") { tick, _ in tick.context.environment["profile"] }, taken("total") { $0.stages.total },
        number("keyCommands") { tick in
            // Without a question nothing may have been recorded either, unless a cache answered for the responders.
            tick.calls.isEmpty && (tick.decidedCache.isEmpty || !tick.wasOffered)
                ? nil : tick.calls.count { $0.kind == .keyCommands }
        },
        flag("masked") { $0.key?.key.maskedClass != nil },
        number("runs") { $0.resolutions.count { $0.outcome == .performed } },
        flag("swallowed") { $0.receivers.contains(where: \.isSwallowed) },
        flag("marked") { $0.context.isTextMarked },
    ]

    /// The value of a field of texts.
    func text(of tick: TracePress, _ names: TraceDefinitions) -> String? {
        if case .text(let text) = value(tick, names) { text } else { nil }
    }
}

extension PressFilter {
    func matches(_ tick: TracePress, _ names: TraceDefinitions) -> Bool { PressFilter.holds(root, tick, names) }

    private static func holds(_ node: Node, _ tick: TracePress, _ names: TraceDefinitions) -> Bool {
        switch node {
        case .or(let nodes): nodes.contains { holds($0, tick, names) }
        case .and(let nodes): nodes.allSatisfy { holds($0, tick, names) }
        case .not(let node): !holds(node, tick, names)
        case .comparison(_, let comparison, .chord(let query)): compare(tick.chord(names), comparison, query)
        case .comparison(let field, let comparison, let literal):
            compare(field.value(tick, names), comparison, literal)
        }
    }

    private static func compare(_ found: PressRow.Value, _ comparison: Comparison, _ literal: Literal) -> Bool {
        switch (found, literal) {
        case (.text(let found?), .text(let wanted)):
            switch comparison {
            case .like: GlobPattern(wanted).matches(found)
            case .unlike: !GlobPattern(wanted).matches(found)
            default: (found.byteNames == wanted.byteNames) == (comparison == .equal)
            }
        case (.number(let found?), .number(let wanted)): order(found, comparison, wanted)
        case (.duration(let found?), .duration(let wanted)): order(found.nanoseconds, comparison, wanted.nanoseconds)
        case (.flag(let found), .flag(let wanted)): (found == wanted) == (comparison == .equal)
        default: false
        }
    }

    private static func compare(_ chord: PressChord, _ comparison: Comparison, _ query: ChordQuery) -> Bool {
        guard let key = chord.key else { return false }
        let isSame = query.admits(chord.modifiers)
            && (query.matchesCharacter(chord.character) || chord.character == nil && query.matchesPosition(key)
                || query.character == nil && query.matchesPosition(key))
        return isSame == (comparison == .equal)
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
