package import FlightReplay
package import KeyModel
package import LatencyAnalysis
package import ResponderEngine
package import TraceFormat

extension OtherProfiles {
    /// The shipped profiles of UIKit but the one of another framework, whose commands run beside those of the system:
    /// every key would have another outcome under it.
    package static let comparableNames = Profile.uiKitNames.filter { $0 != "react-native-dev" }

    /// Names of the profiles of this profile's toolkit: an app on one toolkit has no answers for the other.
    private static func names(for profile: Profile?) -> [String] {
        profile?.appKit == nil ? comparableNames : Profile.appKitNames
    }

    /// Runs the press again under the other profiles. `excerpt` holds this press alone, as `PressExcerpt` cuts it
    /// out; its recorded answers are the responders.
    package init(
        of press: UInt32, in excerpt: Recording, otherwise: (profile: Profile, layout: Layout)
    ) throws {
        guard let plan = RecordedReplay(excerpt, otherwise: otherwise) else {
            self.init(unknown: .noCalls)
            return
        }
        let timeline = try plan.timeline()
        guard var recorded = excerpt.outcome(of: press) else {
            self.init(unknown: .notReproduced)
            return
        }
        func lines(_ profile: Profile?) throws -> [ReplayLine] {
            var plan = plan
            plan.options.profile = profile
            plan.options.maximumRepeats = PressExcerpt.mostRepeats
            return try plan.lines(of: timeline).filter { $0.press == press }
        }
        let own = plan.environment.profile
        let repeats = excerpt.repeats(of: press)
        var isExact = false
        if own != nil {
            guard let again = PressOutcome(try lines(nil)), again.isSame(as: recorded) else {
                self.init(unknown: .notReproduced)
                return
            }
            isExact = again.repeats == repeats
        }
        // How often is compared where the rules bring about as many repeats as were recorded; else whether at all.
        if isExact || repeats ?? 0 > 0 { recorded.repeats = repeats }
        self.init(own: own?.name)
        for name in OtherProfiles.names(for: own) where name != own?.name {
            guard let profile = Profile.named(name) else { continue }
            var lines = try lines(profile)
            if recorded.repeats == nil { lines.removeAll(where: \.isRepeat) }
            guard var outcome = PressOutcome(lines) else { continue }
            let isShortened = outcome.repeats ?? 0 >= UInt64(PressExcerpt.mostRepeats)
            let isComparable = isExact || outcome.repeats == 0
            if recorded.repeats == nil || outcome.outcome == .unrecorded || isShortened || !isComparable {
                outcome.repeats = nil
            }
            // Whether a repeat comes that did not come then is known, what it finds is not.
            let open = lines.first { $0.outcome == .unrecorded }
            note(open ?? lines[0], outcome, under: name, instead: recorded)
        }
    }

    /// The same with live responders: those of a scene, brought to the press under their own rules.
    package init(of press: UInt32, by plan: any ReplayPlan, _ timeline: ReplayTimeline) throws {
        let checkpoint = ReplayCheckpoint(plan, timeline, before: press)
        guard let now = PressOutcome(try checkpoint.linesOfPress(under: nil)) else {
            self.init(unknown: .notReproduced)
            return
        }
        let own = try plan.makeSubject().engine.profile
        self.init(own: own.name)
        for name in OtherProfiles.names(for: own) where name != own.name {
            guard var profile = Profile.named(name) else { continue }
            // Whether the app would start is another question.
            profile.requiresWindowScene = false
            let lines = try checkpoint.linesOfPress(under: profile)
            if let outcome = PressOutcome(lines), let line = lines.first {
                note(line, outcome, under: name, instead: now)
            }
        }
    }

    private mutating func note(
        _ line: ReplayLine, _ outcome: PressOutcome, under name: String, instead recorded: PressOutcome
    ) {
        let question = line.outcome == .unrecorded ? line.unrecorded.first?.words : nil
        add(outcome, under: name, instead: recorded, openQuestion: question)
    }
}

extension PressOutcome {
    /// Outcome of a press and its repeats; `nil` without lines.
    init?(_ lines: [ReplayLine]) {
        guard let line = lines.first(where: { !$0.isRepeat }) else { return nil }
        self.init(line)
        repeats = UInt64(lines.count { $0.isRepeat })
    }

    package init(_ line: ReplayLine) {
        self.init(
            outcome: line.outcome, action: line.action, supplier: line.supplier, target: line.target, text: line.text,
            takenBy: line.takenBy)
    }
}

extension Recording {
    /// Recorded repeats of a press; `nil` where its release is not in the recording.
    fileprivate func repeats(of press: UInt32) -> UInt64? {
        var count: UInt64 = 0
        var isReleased = false
        for record in records {
            switch record.body {
            case .resolution(let resolution) where resolution.at.press == press && resolution.at.tick > 0: count += 1
            case .key(let key) where key.press == press: isReleased = key.phase == .up || key.phase == .cancel
            default: break
            }
        }
        return isReleased ? count : nil
    }

    /// Recorded outcome of a press itself, as `replay` would name it; `nil` where it is not recorded.
    fileprivate func outcome(of press: UInt32) -> PressOutcome? {
        for case .resolution(let record) in records.map(\.body) where record.at == PressTick(press: press, tick: 0) {
            return PressOutcome(record, definitions)
        }
        return nil
    }
}
