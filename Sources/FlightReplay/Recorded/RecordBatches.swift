public import TraceFormat

/// Takes records in pieces while they are recorded, so that they need not be kept in memory.
struct RecordBatches {
    /// A piece holds about this many records.
    static let piece = 4096

    private let receiver: (ArraySlice<TraceRecord>, TraceDefinitions) throws -> Void
    /// Error with which the receiver stopped.
    private var failure: (any Error)?
    /// The first record that is still there was in the last piece.
    private var hasFirst = false

    init(_ receiver: @escaping (ArraySlice<TraceRecord>, TraceDefinitions) throws -> Void) {
        self.receiver = receiver
    }

    /// Passes new records to the receiver, unless it has failed. The last record stays.
    mutating func take(from recording: inout Recording) {
        if failure == nil {
            do {
                try receiver(recording.records.dropFirst(hasFirst ? 1 : 0), recording.definitions)
            } catch {
                failure = error
            }
        }
        recording.keepLastRecordOnly()
        hasFirst = !recording.records.isEmpty
    }

    func check() throws { if let failure { throw failure } }
}

extension ReplayPlan {
    /// The records of a replay at level `calls`, in pieces in order with what their handles mean; masked unless
    /// `showsKeys`, without the lists that were answered unless `keepsLists`. Memory does not grow with the length of
    /// the replay. The result is what all handles mean.
    @discardableResult
    public func record(
        _ timeline: ReplayTimeline, showsKeys: Bool = false, keepsLists: Bool = true,
        _ receiver: @escaping (ArraySlice<TraceRecord>, TraceDefinitions) throws -> Void
    ) throws -> TraceDefinitions {
        let recorder = TraceRecorder(showsKeys: showsKeys, handingOn: receiver)
        recorder.keepsLists = keepsLists
        try run(timeline, recorder: recorder) { _ in }
        try recorder.handOn()
        return recorder.recording.definitions
    }
}
