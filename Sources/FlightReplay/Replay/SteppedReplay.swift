import TraceFormat

/// The records of a replay at level `calls`, in clear and without the lists that were answered, made on demand.
final class SteppedReplay: RecordStream {
    private let subject: any ReplaySubject
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

    init(_ plan: any ReplayPlan, _ timeline: ReplayTimeline) throws {
        subject = try plan.makeSubject()
        var costs = subject.costs
        costs.fill(from: plan.recordedCosts)
        let made = self.made
        recorder = TraceRecorder(showsKeys: true) { records, _ in
            for record in records { made.records.append(record) }
        }
        recorder.keepsLists = false
        replayer = Replayer(
            subject, costs: costs, recorder: recorder, cadence: plan.options.cadence,
            maximumRepeats: plan.options.maximumRepeats)
        replayer.begin(timeline)
    }

    var definitions: TraceDefinitions { recorder.recording.definitions }
    var initialContext: [ContextEntry] { [] }

    func next() -> TraceRecord? {
        while place == made.records.count {
            guard !isOver else { return nil }
            made.records.removeAll()
            place = 0
            do {
                var silence = SilentVisitor()
                isOver = try !replayer.advance(&silence)
                if isOver { try subject.checkAfterRun() }
                try recorder.handOn()
            } catch {
                isOver = true
                failure = error
                place = made.records.count
            }
        }
        defer { place += 1 }
        return made.records[place]
    }
}
