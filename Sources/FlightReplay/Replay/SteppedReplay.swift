import TraceFormat

/// The records of a replay at level `calls`, in clear, made on demand.
final class SteppedReplay: RecordStream {
    private let recorder: TraceRecorder
    private let replayer: Replayer
    private let made = Made()
    private var place = 0
    private var isOver = false
    /// Error that stopped it; it then has no more records.
    private(set) var failure: (any Error)?

    /// One press may make tens of thousands, of which an array keeps two or three times the bytes while it grows.
    private final class Made {
        var records = PagedArray<TraceRecord>()
    }

    /// `keepsLists`: with the lists that were answered.
    init(_ plan: any ReplayPlan, _ timeline: ReplayTimeline, keepsLists: Bool = false) throws {
        let made = self.made
        recorder = TraceRecorder(showsKeys: true) { records, _ in
            for record in records { made.records.append(record) }
        }
        recorder.keepsLists = keepsLists
        replayer = try plan.makeReplayer(recorder: recorder)
        replayer.begin(timeline)
    }

    var definitions: TraceDefinitions { recorder.recording.definitions }
    var initialContext: [ContextEntry] { [] }
    /// Its first records contain the level.
    var level: TraceLevel { .keys }

    func next() -> TraceRecord? {
        while place == made.records.count {
            guard !isOver else { return nil }
            do {
                var silence = SilentVisitor()
                isOver = try !replayer.advance(&silence)
                if isOver { try replayer.subject.checkAfterRun() }
                try recorder.handOn()
            } catch {
                isOver = true
                failure = error
                made.records.removeAll()
            }
        }
        let record = made.records[place]
        place += 1
        // Who reads several replays holds the records of one at a time.
        if place == made.records.count {
            made.records.removeAll()
            place = 0
        }
        return record
    }
}
