public import FlightReplay
public import KeyModel
public import LatencyAnalysis
public import ResponderEngine
public import TraceFormat

extension OtherProfiles {
    /// The shipped profiles but the one of another framework, whose commands run beside those of the system: every key
    /// would come to something else under it.
    static let comparable = Profile.shippedNames.filter { $0 != "react-native-dev" }

    /// Runs the press again under the other profiles. `excerpt` holds this press alone, as `PressExcerpt` cuts it
    /// out; its recorded answers are the responders.
    public init(
        of press: UInt32, in excerpt: Recording, otherwise: (profile: Profile, layout: Layout)
    ) throws {
        guard let plan = RecordedReplay(excerpt, otherwise: otherwise) else {
            self.init(unknown: .noCalls)
            return
        }
        let timeline = try plan.timeline()
        let recorded = excerpt.outcome(of: press)
        func outcome(_ profile: Profile?) throws -> ReplayLine? {
            var plan = plan
            plan.options.profile = profile
            return try plan.lines(of: timeline).first { $0.press == press && !$0.isRepeat }
        }
        let own = plan.environment.profile
        if own != nil {
            guard let again = try outcome(nil), let recorded, PressOutcome(again).isSame(as: recorded) else {
                self.init(unknown: .notReproduced)
                return
            }
        }
        guard let recorded else {
            self.init(unknown: .notReproduced)
            return
        }
        self.init(own: own?.name)
        for name in OtherProfiles.comparable where name != own?.name {
            guard let profile = Profile.named(name), let line = try outcome(profile) else { continue }
            note(line, under: name, instead: recorded)
        }
    }

    /// The same with live responders: those of a scene, brought to the press under their own rules.
    public init(of press: UInt32, by plan: any ReplayPlan, _ timeline: ReplayTimeline) throws {
        let checkpoint = ReplayCheckpoint(plan, timeline, before: press)
        guard let now = try checkpoint.line(under: nil) else {
            self.init(unknown: .notReproduced)
            return
        }
        let own = try plan.makeSubject().engine.profile.name
        self.init(own: own)
        for name in OtherProfiles.comparable where name != own {
            guard let profile = Profile.named(name), let line = try checkpoint.line(under: profile) else { continue }
            note(line, under: name, instead: PressOutcome(now))
        }
    }

    private mutating func note(_ line: ReplayLine, under name: String, instead recorded: PressOutcome) {
        let question = line.outcome == .unrecorded ? line.unrecorded.first?.words : nil
        add(PressOutcome(line), under: name, instead: recorded, openQuestion: question)
    }
}

extension OpenQuestion {
    /// `nav was not asked canPerformAction(goBack:)`
    var words: String {
        if question == "start" { return "where the chain starts is not recorded" }
        if question == "next" { return "who follows \(responder) on the chain is not recorded" }
        let what = question + (action.map { "(\($0))" } ?? "")
        return responder.isEmpty ? "\(what) is not recorded" : "\(responder) was not asked \(what)"
    }
}

extension PressOutcome {
    public init(_ line: ReplayLine) {
        self.init(outcome: line.outcome, action: line.action, supplier: line.supplier, target: line.target)
    }
}

extension Recording {
    /// What the recording says of a press itself, as `replay` would name it; `nil` where it says nothing.
    fileprivate func outcome(of press: UInt32) -> PressOutcome? {
        for case .resolution(let record) in records.map(\.body) where record.at == PressTick(press: press, tick: 0) {
            func id(_ ref: ResponderRef?) -> String? { ref.flatMap { definitions[$0]?.id } }
            let isMenu = record.takenBy == .mainMenu && record.supplier == nil
            return PressOutcome(
                outcome: record.outcome, action: record.action.flatMap { definitions[$0] },
                supplier: isMenu ? Resolution.mainMenuID : id(record.supplier), target: id(record.target))
        }
        return nil
    }
}
