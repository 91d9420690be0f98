import TraceFormat

/// The records of a replay at level `calls`, in clear and without the lists that were answered, made as they are asked
/// for.
final class SteppedReplay: RecordStream {
    private let subject: any ReplaySubject
    private let recorder: TraceRecorder
    private let replayer: Replayer
    private let made = Made()
    private var place = 0
    private var isOver = false
    /// Why it stopped; it then has no more records.
    private(set) var failure: (any Error)?

    private final class Made {
        var records: [TraceRecord] = []
    }

    init(_ plan: any ReplayPlan, _ timeline: ReplayTimeline) throws {
        subject = try plan.makeSubject()
        var costs = subject.costs
        costs.fill(from: plan.recordedCosts)
        let made = self.made
        recorder = TraceRecorder(showsKeys: true) { records, _ in made.records.append(contentsOf: records) }
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
            made.records.removeAll(keepingCapacity: true)
            place = 0
            do {
                var silence = SilentVisitor()
                isOver = try !replayer.advance(&silence)
                if isOver { try subject.checkAfterRun() }
                try recorder.handOn()
            } catch {
                isOver = true
                failure = error
            }
        }
        defer { place += 1 }
        return made.records[place]
    }
}
