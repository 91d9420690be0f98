package import KeyModel

/// A pick of a menu item, explained: what the menu bar did to the first responder, and who was asked (spec I27-3).
package struct PickExplanation: Hashable, Sendable {
    /// The item as the script names it.
    package var item: String
    package var time: TraceTime
    package var profile: String
    package var outcome: PressOutcome
    /// The first responder that resigned as the bar took the focus; `nil` where it stayed, or there was none.
    package var resigned: String?
    /// The responder where the action began to be looked for.
    package var start: String?
    /// The reason for which nothing was performed; `nil` where something was.
    package var failure: Failure?
    /// The responder that performs the action for its key, and was not asked for the pick.
    package var notAsked: String?
    /// Outcomes under the profiles that have a menu bar with the item.
    package var others: OtherProfiles

    package enum Failure: String, Hashable, Sendable {
        /// Building the main menu raised.
        case ended
        /// The target, or the menu, disables the item.
        case disabled
        /// No responder from the start on performs the action.
        case noTarget
    }

    package init(item: String, time: TraceTime, profile: String, outcome: PressOutcome) {
        (self.item, self.time, self.profile, self.outcome) = (item, time, profile, outcome)
        others = OtherProfiles(own: profile)
    }
}
