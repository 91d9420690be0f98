package import KeyModel
package import TraceFormat

/// Outcomes of one press under the rules of the other profiles, everything else being as it was.
package struct OtherProfiles: Hashable, Sendable {
    /// Outcome under some of the profiles.
    package struct Difference: Hashable, Sendable {
        /// In the order in which profiles are shipped.
        package var profiles: [String]
        package var outcome: PressOutcome
        /// The deciding question, for people; set where it was never asked and the outcome is therefore unknown.
        package var openQuestion: String?
    }

    /// The profile that the press was decided under; `nil` where the recording names none.
    package var own: String?
    /// Profiles with the same outcome.
    package private(set) var same: [String] = []
    package private(set) var differences: [Difference] = []
    /// Reason for which there is no result; then there is nothing else.
    package var unknown: Unknown?

    package enum Unknown: String, Hashable, Sendable {
        /// The character of the key is not in the recording.
        case masked
        /// The recording does not hold what responders answered.
        case noCalls
        /// The recording contains answers, and none to this press.
        case notAsked
        /// The replayed outcome of the press under its own rules is not the recorded one.
        case notReproduced
    }

    /// The outcome under some profile is not known.
    package var isOpen: Bool { unknown != nil || differences.contains { $0.openQuestion != nil } }

    package init(unknown: Unknown) { self.unknown = unknown }

    package init(own: String?) { self.own = own }

    /// Adds the outcome under a profile; `openQuestion` where it is not known.
    package mutating func add(
        _ outcome: PressOutcome, under name: String, instead recorded: PressOutcome, openQuestion: String?
    ) {
        guard openQuestion != nil || !outcome.isSame(as: recorded) else { return same.append(name) }
        if let known = differences.firstIndex(where: { $0.outcome == outcome && $0.openQuestion == openQuestion }) {
            differences[known].profiles.append(name)
        } else {
            differences.append(Difference(profiles: [name], outcome: outcome, openQuestion: openQuestion))
        }
    }
}

/// Outcome of a press, in names.
package struct PressOutcome: Hashable, Sendable {
    package var outcome: Outcome
    package var action: String?
    /// Supplier of the command, `"mainMenu"` for the menu.
    package var supplier: String?
    package var target: String?
    /// The text that was inserted; `nil` where none was, or where it is not recorded.
    package var text: String?
    /// The stage that took the press, where the outcome does not imply it: the system, or `keyDown:` of a responder.
    package var takenBy: TakenBy?
    /// Number of repeats while the key was held; `nil` where that is not known.
    package var repeats: UInt64?

    package init(
        outcome: Outcome, action: String?, supplier: String?, target: String?, text: String? = nil,
        takenBy: TakenBy? = nil, repeats: UInt64? = nil
    ) {
        self.text = text
        self.takenBy = takenBy == .system || takenBy == .keyDown ? takenBy : nil
        self.repeats = repeats
        self.outcome = outcome
        self.action = action
        self.supplier = supplier
        self.target = target
    }

    /// The outcome that a trace has, in its names. The menu is no responder and has no name there.
    package init(_ record: ResolutionRecord, _ names: TraceDefinitions) {
        let isMenu =
            record.supplier == nil
            && (record.takenBy == .mainMenu || record.takenBy == .priorityKeyCommands && record.command != nil)
        self.init(
            outcome: record.outcome, action: record.action.flatMap { names[$0] },
            supplier: isMenu ? "mainMenu" : names.id(of: record.supplier),
            target: names.id(of: record.target), text: record.text.flatMap { names[$0] }, takenBy: record.takenBy)
    }

    /// The same runs, or is taken, at the same place and as often, whichever responder supplied the command.
    package func isSame(as other: PressOutcome) -> Bool {
        if let repeats, let others = other.repeats, repeats != others { return false }
        if let text, let others = other.text, text != others { return false }
        return outcome == other.outcome && action == other.action && target == other.target
            && takenBy == other.takenBy
    }
}

extension PressExplanation {
    /// Other profiles have an outcome of it: what hooks saw is no list that another profile could be asked with.
    package var hasOtherProfiles: Bool { messages.isEmpty && resolution != nil }
}
