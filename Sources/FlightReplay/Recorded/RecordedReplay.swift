public import KeyModel
public import ResponderEngine
public import TraceFormat
import TracePresses

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

    /// - Throws: `TooLarge`.
    public func makeSubject() throws -> any ReplaySubject {
        if let tooLarge = TooLarge(trace) { throw tooLarge }
        let app = RecordedApp(
            trace, profile: options.profile ?? environment.profile ?? otherwise.profile,
            layout: options.layout ?? environment.layout ?? otherwise.layout, recordedLayout: otherwise.layout,
            cachePolicy: options.cachePolicy)
        app.engine.shadowCheck = options.shadowCheck
        return app
    }

    public var recordedCosts: ServiceCosts { environment.costs }

    /// A trace names more than a replay has: a file holds a responder in ten bytes, and a press is offered to each; a
    /// different command takes twenty, and an object of a kilobyte in a replay.
    public struct TooLarge: Error, Hashable, Sendable, CustomStringConvertible {
        public static let responderLimit = 8_192
        /// Different commands.
        public static let commandLimit = 32_768
        public let description: String

        /// Responders that are offered presses, one for each press: what a scene is made of is kept in memory.
        public static let offerLimit = 1 << 20

        init?(offersOf trace: RecordedTrace) {
            var context = PressContext(trace.initialContext)
            var records = trace.records()
            var offers = 0
            while let record = records.next() {
                context.consume(record)
                guard case .key(let key) = record.body, key.phase == .down || key.phase == .repeat else { continue }
                offers += context.chain(from: context.firstResponder?.responder).count
            }
            guard offers > TooLarge.offerLimit else { return nil }
            description =
                "presses: expected at most \(TooLarge.offerLimit) responders that get one, in all, to make a scene of, "
                + "found \(offers); cut out a part with keyflight cut"
        }

        init?(_ trace: RecordedTrace) {
            let (responders, commands) = (trace.definitions.responders.count, trace.definitions.commands.count)
            if responders > TooLarge.responderLimit {
                description = "responders: expected at most \(TooLarge.responderLimit) to replay, found \(responders)"
            } else if commands > TooLarge.commandLimit {
                description =
                    "commands: expected at most \(TooLarge.commandLimit) different ones to replay, found \(commands)"
            } else {
                return nil
            }
        }
    }
}
