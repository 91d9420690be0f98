import KeyModel

/// What is kept of one press.
struct TailRow: Sendable {
    var press: UInt32
    /// Of `costliest`: how often it was asked.
    var costliestCalls: UInt32 = 0
    var time: TraceTime
    var total: TraceDuration
    var costliestTime: TraceDuration?
    /// What keeping the costliest responder's list would have spared this press.
    var savedTime = TraceDuration.zero
    /// By `TailAnalysis.Feature.Kind.rawValue`: the number of the word; `noWord` for none.
    var features = FeatureWords()
    fileprivate var chord: UInt32 = 0
    /// A bit for each stage that it has, by `LatencyStage.rawValue`, and where their durations begin.
    fileprivate var stages: UInt16 = 0
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
    private var last = SIMD2<UInt32>(repeating: TailRow.noWord)

    subscript(kind: Int) -> UInt32 {
        get { kind < 4 ? first[kind] : last[kind - 4] }
        set { if kind < 4 { first[kind] = newValue } else { last[kind - 4] = newValue } }
    }
}

/// The presses of a trace, of which there may be millions: what they share stands once.
struct TailRows: Sendable {
    private(set) var rows: [TailRow] = []
    private var durations: [TraceDuration] = []
    private var chords: [PressChord] = []
    private var chordNumbers: [PressChord: UInt32] = [:]
    private var words: [String: UInt32] = [:]
    private var texts: [String] = []

    mutating func word(_ text: String) -> UInt32 {
        if let known = words[text] { return known }
        let number = UInt32(clamping: texts.count)
        texts.append(text)
        words[text] = number
        return number
    }

    func text(_ word: UInt32) -> String { Int(word) < texts.count ? texts[Int(word)] : "" }

    mutating func append(_ row: TailRow, _ chord: PressChord, _ stages: StageSplit) {
        var row = row
        if let known = chordNumbers[chord] {
            row.chord = known
        } else {
            row.chord = UInt32(clamping: chords.count)
            chordNumbers[chord] = row.chord
            chords.append(chord)
        }
        row.firstDuration = UInt32(clamping: durations.count)
        for stage in LatencyStage.allCases {
            guard let duration = stages[stage] else { continue }
            row.stages |= 1 << stage.rawValue
            durations.append(duration)
        }
        rows.append(row)
    }

    func chord(of row: TailRow) -> PressChord { chords[Int(row.chord)] }

    func duration(_ stage: LatencyStage, of row: TailRow) -> TraceDuration? {
        let bit = UInt16(1) << stage.rawValue
        guard row.stages & bit != 0 else { return nil }
        return durations[Int(row.firstDuration) + (row.stages & (bit - 1)).nonzeroBitCount]
    }

    /// All of them, as they were.
    func stages(of row: TailRow) -> StageSplit {
        var split = StageSplit()
        for stage in LatencyStage.allCases {
            if let duration = duration(stage, of: row) { split.add(duration, to: stage) }
        }
        return split
    }
}
