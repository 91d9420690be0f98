package import KeyModel
import TraceFormat
import TracePresses

extension BindingsAnalysis {
    /// A press of a chord that no command of the app has.
    package struct Unoffered: Hashable, Sendable {
        /// The responder that keys start from; `nil` where there is none.
        package var context: String?
        package var chord: CommandChord
        package var answer: Answer

        package init(context: String?, chord: CommandChord, answer: Answer) {
            (self.context, self.chord, self.answer) = (context, chord, answer)
        }

        /// An item of the system's menu, or a key that the system keeps.
        package var isOfSystem: Bool { answer.takenBy == .system || answer.takenBy == .standardEdit }
        /// What the system has on it.
        package var item: String? {
            answer.action ?? SystemChord.name(input: chord.input, modifiers: chord.modifiers)
        }
    }

    /// The result of one press, in the terms of a line of `replay`.
    package struct Answer: Hashable, Sendable {
        package var outcome: Outcome
        package var takenBy: TakenBy?
        package var supplier: String?
        package var action: String?
        package var target: String?
        /// The responder that did not pass the press on.
        package var swallower: String?
        /// A command matched, and no responder performs it.
        package var isUnperformable: Bool

        package init(
            outcome: Outcome, takenBy: TakenBy?, supplier: String?, action: String?, target: String?,
            swallower: String?, isUnperformable: Bool
        ) {
            (self.outcome, self.takenBy, self.supplier) = (outcome, takenBy, supplier)
            (self.action, self.target, self.swallower) = (action, target, swallower)
            self.isUnperformable = isUnperformable
        }

        init?(_ tick: TracePress, _ names: TraceDefinitions) {
            guard let resolution = tick.resolution else { return nil }
            (outcome, takenBy) = (resolution.outcome, resolution.takenBy)
            let isOfMenu = takenBy == .mainMenu
                || resolution.command.flatMap { names[$0] }?.attributes.contains(.mainMenu) ?? false
            supplier = names.id(of: resolution.supplier) ?? (isOfMenu ? "mainMenu" : nil)
            action = resolution.action.flatMap { names[$0] }
            target = names.id(of: resolution.target)
            swallower = outcome.isSwallowed
                ? names.id(of: tick.receivers.first(where: \.isSwallowed)?.responder) : nil
            isUnperformable = tick.candidates.contains { $0.verdict == .unperformable }
        }
    }
}
