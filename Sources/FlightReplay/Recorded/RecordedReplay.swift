public import KeyModel
public import ResponderEngine
public import TraceFormat

/// Replays a recording at level `calls` without any scene: its recorded answers are the responders.
public struct RecordedReplay: ReplayPlan {
    public let trace: RecordedTrace
    public var options: ReplayRunOptions
    public let environment: RecordedEnvironment
    /// Used where neither the options nor the recording contain one.
    public let otherwise: (profile: Profile, layout: Layout)

    /// `nil` for a recording without the answers of responders.
    public init?(
        _ recording: Recording, otherwise: (profile: Profile, layout: Layout), options: ReplayRunOptions = .init()
    ) {
        self.init(RecordedTrace(recording), otherwise: otherwise, options: options)
    }

    /// The same of a trace that is read piece by piece.
    public init?(
        _ trace: RecordedTrace, otherwise: (profile: Profile, layout: Layout), options: ReplayRunOptions = .init()
    ) {
        guard RecordedApp.canReplay(trace) else { return nil }
        self.trace = trace
        self.options = options
        self.otherwise = otherwise
        environment = RecordedEnvironment(trace)
    }

    /// The inputs of the recording.
    public func timeline() throws -> ReplayTimeline { try ReplayTimeline(trace) }

    /// - Throws: `TooManyResponders`.
    public func makeSubject() throws -> any ReplaySubject {
        if let tooMany = TooManyResponders(trace) { throw tooMany }
        let app = RecordedApp(
            trace, profile: options.profile ?? environment.profile ?? otherwise.profile,
            layout: options.layout ?? environment.layout ?? otherwise.layout, recordedLayout: otherwise.layout,
            cachePolicy: options.cachePolicy)
        app.engine.shadowCheck = options.shadowCheck
        return app
    }

    public var recordedCosts: ServiceCosts { environment.costs }

    /// A trace names more responders than a replay has: a file holds one of them in ten bytes, and a press is offered
    /// to each.
    public struct TooManyResponders: Error, Hashable, Sendable, CustomStringConvertible {
        /// The most there may be.
        public static let limit = 8_192
        public let count: Int

        init?(_ trace: RecordedTrace) {
            count = trace.definitions.responders.count
            if count <= TooManyResponders.limit { return nil }
        }

        public var description: String {
            "responders: expected at most \(TooManyResponders.limit) to replay, found \(count)"
        }
    }
}
