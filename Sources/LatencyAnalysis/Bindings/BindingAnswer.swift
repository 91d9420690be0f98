package import KeyModel
import TraceFormat
import TracePresses

extension BindingsAnalysis {
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
