import KeyModel
import TraceFormat
import TracePresses

/// Stored values of one press.
struct TailRow: Sendable {
    var press: UInt32
    /// Number of calls of `costliest`.
    var costliestCalls: UInt32 = 0
    var time: TraceTime
    var total: TraceDuration
    var costliestTime: TraceDuration?
    /// Time that keeping the costliest responder's list would have saved this press.
    var savedTime = TraceDuration.zero
    /// By `TailAnalysis.Feature.Kind.rawValue`: the number of the word; `noWord` for none.
    var features = FeatureWords()
    fileprivate var chord: UInt32 = 0
    /// A bit for each stage that it has, by `LatencyStage.rawValue`, and where their durations begin.
    fileprivate var stages: UInt16 = 0
    /// Those of them that are the time of their calls.
    fileprivate(set) var derived: UInt16 = 0
    fileprivate var firstDuration: UInt32 = 0
    var isWrong = false

    static let noWord = UInt32.max

    init(press: UInt32, time: TraceTime, total: TraceDuration) {
        (self.press, self.time, self.total) = (press, time, total)
    }
}

/// One number for each kind of feature, in place: there may be millions of rows.
struct FeatureWords: Sendable {
    private var first = SIMD4<UInt32>(repeating: TailRow.noWord)
    private var last = SIMD4<UInt32>(repeating: TailRow.noWord)

    subscript(kind: Int) -> UInt32 {
        get { kind < 4 ? first[kind] : last[kind - 4] }
        set { if kind < 4 { first[kind] = newValue } else { last[kind - 4] = newValue } }
    }
}

/// The presses of a trace, of which there may be millions: shared values are stored once.
struct TailRows: Sendable {
    private(set) var rows = PagedArray<TailRow>()
    private var durations = PagedArray<TraceDuration>()
    private var chords: [PressChord] = []
    /// Number of the text of each of `chords`.
    private var chordWords: [UInt32] = []
    private var chordNumbers: [ChordParts: UInt32] = [:]
    private var words: [ByteName: UInt32] = [:]
    private var texts: [String] = []
    /// Words that were looked up before, by handle.
    private var names = HandleTable<ResponderDefinition, UInt32>()
    private var outcomes: [Outcome: UInt32] = [:]
    private var actionPlaces: [ActionName: UInt32] = [:]

    /// Parts of a chord; the character by handle.
    private struct ChordParts: Hashable, Sendable {
        var modifiers: KeyModifiers
        var key: KeyIdentity?
        var character: StringRef?
    }

    private struct ActionName: Hashable, Sendable {
        var target: ResponderRef
        var action: StringRef?
    }

    private mutating func word(_ text: String) -> UInt32 {
        if let known = words[ByteName(text)] { return known }
        let number = UInt32(clamping: texts.count)
        texts.append(text)
        words[ByteName(text)] = number
        return number
    }

    func text(_ word: UInt32) -> String { Int(word) < texts.count ? texts[Int(word)] : "" }

    private mutating func word(
        _ responder: ResponderRef?, _ definitions: TraceDefinitions, otherwise: String
    ) -> UInt32 {
        guard let responder else { return word(otherwise) }
        if let known = names[responder] { return known }
        let number = word(definitions.name(responder))
        names[responder] = number
        return number
    }

    private mutating func word(_ outcome: Outcome?) -> UInt32 {
        guard let outcome else { return word("") }
        if let known = outcomes[outcome] { return known }
        let number = word(outcome.name)
        outcomes[outcome] = number
        return number
    }

    /// Name of the performed action, if it has a target.
    private mutating func actionName(_ resolution: ResolutionRecord?, _ definitions: TraceDefinitions) -> UInt32 {
        guard let resolution, let target = resolution.target else { return word("") }
        let actionName = ActionName(target: target, action: resolution.action)
        if let known = actionPlaces[actionName] { return known }
        let number = word(definitions.actionName(resolution))
        actionPlaces[actionName] = number
        return number
    }

    private mutating func chord(_ tick: TracePress, _ definitions: TraceDefinitions) -> UInt32 {
        let parts = ChordParts(
            modifiers: tick.modifiers, key: tick.key?.key, character: tick.resolution?.character)
        if let known = chordNumbers[parts] { return known }
        let number = UInt32(clamping: chords.count)
        chordNumbers[parts] = number
        let chord = tick.chord(definitions)
        chords.append(chord)
        chordWords.append(word(chord.text ?? ""))
        return number
    }

    mutating func append(
        _ row: TailRow, _ tick: TracePress, costliest: ResponderRef?, _ definitions: TraceDefinitions
    ) {
        var row = row
        row.chord = chord(tick, definitions)
        row.features[0] = word(
            tick.start, definitions, otherwise: tick.chainGap == nil ? "no responder" : "not recorded")
        let window = tick.resolution?.keyWindow ?? tick.context.keyWindow?.window
        row.features[1] = word(window, definitions, otherwise: "")
        row.features[2] = chordWords[Int(row.chord)]
        row.features[3] = word(tick.resolution?.outcome)
        row.features[4] = actionName(tick.resolution, definitions)
        if let costliest { row.features[5] = word(costliest, definitions, otherwise: "") }
        if let function = tick.slowFunction { row.features[6] = word(function) }
        row.firstDuration = UInt32(clamping: durations.count)
        row.stages = tick.stages.present
        row.derived = tick.stages.derived
        tick.stages.forEach { durations.append($1) }
        rows.append(row)
    }

    func chord(of row: TailRow) -> PressChord { chords[Int(row.chord)] }

    func duration(_ stage: LatencyStage, of row: TailRow) -> TraceDuration? {
        let bit = UInt16(1) << stage.rawValue
        guard row.stages & bit != 0 else { return nil }
        return durations[Int(row.firstDuration) + (row.stages & (bit - 1)).nonzeroBitCount]
    }

    /// Stages of a row, as stored.
    func stages(of row: TailRow) -> StageSplit {
        var split = StageSplit()
        forEachStage(of: row) { split.add($1, to: $0) }
        return split
    }

    @inline(__always) func forEachStage(of row: TailRow, _ body: (LatencyStage, TraceDuration) -> Void) {
        var (left, place) = (row.stages, Int(row.firstDuration))
        while left != 0 {
            if let stage = LatencyStage(rawValue: UInt8(left.trailingZeroBitCount)) { body(stage, durations[place]) }
            left &= left &- 1
            place += 1
        }
    }
}
