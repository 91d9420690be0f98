package import KeyModel

/// The recorded answers to an engine's questions about responders that are not there.
package protocol RecordedAnswerSource: AnyObject {
    /// The deepest responder in the key window (spec §6.3), where containment is not known; `nil` when it is unknown.
    func deepestResponder() -> Responder?
    /// Questions that were asked for this press and that the recording never answered, as far as what the press came
    /// to depends on them.
    func openQuestions(of resolution: Resolution) -> [OpenQuestion]
    /// The open questions of the press that was resolved last.
    var questions: [OpenQuestion] { get }
    /// The effect of a key binding on this press; `nil` when none had to do with it.
    func recordedKeyBinding() -> RecordedKeyBinding?
    /// The receivers that answer at this press of an AppKit app.
    var keyEventReceivers: any KeyEventReceivers { get }
    /// The focus went to another item.
    func focusMoves()
    /// False when the action of a system key was not asked about, because its default menu was removed.
    func defaultMenuKeeps(_ action: Selector) -> Bool
    func isWindowScene(_ responder: Responder) -> Bool
    /// SwiftUI's shortcuts as they were at this press, with the responders that perform them.
    func hostedShortcuts() -> [(host: Responder, shortcuts: [KeyCommand])]
    /// The application's commands of the main menu at this press.
    func mainMenuCommands() -> [KeyCommand]
    /// Repeats of held keys are in the recording, and come from it.
    var recordsRepeats: Bool { get }
    /// The state after the press as it was recorded; `nil` when what was recorded did not happen.
    var recordedState: UInt64? { get }
}

/// The recorded effect of a key binding.
package struct RecordedKeyBinding {
    package var match: KeyBindingMatch?
    package var isTaken: Bool
    package var action: Selector?
    package var target: Responder?
    package var text: String?
    /// Responders were asked whether they perform the action.
    package var wasLookedFor = false
    /// Bindings that a masked key could have.
    package var possible: [KeyCommand] = []

    package init(match: KeyBindingMatch?, isTaken: Bool) {
        self.match = match
        self.isTaken = isTaken
    }
}

/// A question that a recording holds no answer to.
public struct OpenQuestion: Hashable, Sendable {
    /// The id of the responder that was asked.
    public var responder: String
    /// `keyCommands`, `canPerformAction`, `pressesBegan`, …
    public var question: String
    /// The action asked about.
    public var action: String?

    public init(responder: String, question: String, action: String? = nil) {
        self.responder = responder
        self.question = question
        self.action = action
    }
}

extension KeyboardEngine {
    /// Gives an unanswerable press an outcome of its own.
    func markUnrecorded(_ resolution: inout Resolution, _ held: PressesEvent?) {
        // Of a key that the system keeps, no answer decides.
        guard let recordedAnswers, resolution.takenBy != .system,
            !recordedAnswers.openQuestions(of: resolution).isEmpty
        else { return }
        resolution.outcome = .unrecorded
        resolution.takenBy = nil
        resolution.action = nil
        resolution.decided = nil
        resolution.sender = nil
        resolution.isSentByMenu = false
        resolution.target = nil
        resolution.text = nil
        resolution.possible = []
        held?.repeats = false
        held?.isUndecided = true
    }

    /// A recorded change of first responder: no one is asked, and nothing is reported.
    package func recordedFirstResponder(_ responder: Responder?) {
        guard tree.firstResponderWithoutWindow !== responder else { return }
        tree.firstResponderWithoutWindow = responder
        if let responder, responder.tree == nil { responder.tree = tree }
        deadSequence = []
        tree.linksChanged(announced: true)
    }

    /// A recorded change of key window. It leaves the application as active as it is.
    package func recordedKeyWindow(_ window: Window?) {
        guard application.keyWindow !== window else { return }
        let wasActive = application.isActive
        if let window {
            activate(window)
        } else if let former = application.keyWindow {
            application.windowRemoved(former)
            tree.linksChanged(announced: true)
        }
        application.receivesKeys = wasActive
    }

    /// The questions without an answer at the press that was resolved last, where a recording answers.
    package var openQuestions: [OpenQuestion] { recordedAnswers?.questions ?? [] }

    /// The chain that was followed last.
    package var recordedChain: ResponderList { followed.members }

    /// Sets whether the application was active when a press came.
    package func recordedActivity(_ isActive: Bool) { application.receivesKeys = isActive }

    /// The application's commands of the main menu, as the last key event that needed them found them.
    package var mainMenuCommands: [KeyCommand] { menu.commands }

    /// Counts how often those were built or validated.
    package var mainMenuVersion: UInt64 { menu.version }
}

extension KeyboardEngine {
    /// An effect that a press had when it was recorded.
    package func recordedEffect(_ effect: Effect) { report(effect) }
}

extension Profile {
    /// The stages that may take a press, in the order in which they are asked (spec §2.2).
    package var takingOrder: [TakenBy] {
        [.presses]
            + DeliveryStage.order(of: self).map { stage in
                switch stage {
                case .priorityKeyCommands: .priorityKeyCommands
                case .inputMethod: .inputMethod
                case .standardEdit, .systemKeys: .standardEdit
                case .builtinText: .builtinText
                case .text, .textCommand: .text
                case .focus: .focus
                case .scroll: .scroll
                case .keyBinding, .lateKeyBinding: .keyBinding
                case .keyCommands: .keyCommands
                case .swallower: .presses
                }
            }
    }
}
