import TraceFormat

/// The records of a replay at level `calls`, in clear and without the lists that were answered, made as they are asked
/// for.
final class SteppedReplay: RecordStream {
    private let subject: any ReplaySubject
    private let recorder: TraceRecorder
    private let replayer: Replayer
    /// Of the recorder's records, the next one to give.
    private var place = 0
    private var isOver = false
    /// Why it stopped; it then has no more records.
    private(set) var failure: (any Error)?

    init(_ plan: any ReplayPlan, _ timeline: ReplayTimeline) throws {
        subject = try plan.makeSubject()
        var costs = subject.costs
        costs.fill(from: plan.recordedCosts)
        recorder = TraceRecorder(showsKeys: true)
        recorder.keepsLists = false
        replayer = Replayer(
            subject, costs: costs, recorder: recorder, cadence: plan.options.cadence,
            maximumRepeats: plan.options.maximumRepeats)
        replayer.begin(timeline)
    }

    var definitions: TraceDefinitions { recorder.recording.definitions }
    var initialContext: [ContextEntry] { [] }

    func next() -> TraceRecord? {
        while place == recorder.recording.records.count {
            guard !isOver else { return nil }
            recorder.forgetRecords()
            place = recorder.recording.records.count
            do {
                var silence = SilentVisitor()
                isOver = try !replayer.advance(&silence)
                if isOver { try subject.checkAfterRun() }
            } catch {
                isOver = true
                failure = error
                place = recorder.recording.records.count
            }
        }
        defer { place += 1 }
        return recorder.recording.records[place]
    }
}
