package import KeyModel
package import TraceFormat
package import TracePresses

/// One press or repeat as a list shows it and as a filter evaluates it.
package struct PressRow: Sendable {
    package var at: PressTick
    package var chord: PressChord
    package var stages: StageSplit
    /// Value of each of `PressRow.fields` for this press, in their order.
    package var values: [Value]

    /// Value of a field; `nil` where the press has no such thing.
    package enum Value: Hashable, Sendable {
        case text(String?)
        case number(Int64?)
        case duration(TraceDuration?)
        case flag(Bool)
    }

    init(_ tick: TracePress, _ names: TraceDefinitions) {
        at = tick.at
        chord = tick.chord(names)
        stages = tick.stages
        values = PressField.ofPress.map { $0.value(tick, names) }
    }
}

extension PressFilter {
    /// Fields of a filter, by name, and the kind of their values: `text`, `number`, `duration`, `flag` or
    /// `chord`. Of two with the same name the first one counts.
    package static let fields: [(name: String, kind: String)] = PressField.all.map { ($0.name, "\($0.kind)") }
}

extension PressRow {
    /// The names of `values`: of the fields of a filter those that are neither a stage nor the sum of them.
    package static let fields: [String] = PressField.ofPress.map(\.name)
}

extension PressField {
    fileprivate static let ofPress: [PressField] = all.filter { !$0.isTimeTaken }
}
