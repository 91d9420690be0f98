/// The answer of a receiver of a key event, as AppKit asks: `performKeyEquivalent:` of views and menus, `keyDown:` of
/// responders.
package enum KeyEventAnswer {
    /// Nothing: the next receiver is asked.
    case passed
    /// It took the event, and what it did with it is its own business.
    case kept
    /// It called `keyDown:` of another responder; `nil`: there is none, and the app beeps.
    case forwarded(to: Responder?)
    case sent(SentAction)
    /// A menu has an item for the key, which is disabled.
    case disabled(Selector?)
    /// A key binding's command, sent to a responder.
    case command(Selector?, to: Responder)
    /// Text was inserted; `nil` where it is not known.
    case inserted(String?, into: Responder)
    /// The first responder is another one.
    case focusMoved
    /// The recording has no answer.
    case unknown

    package struct SentAction {
        package var action: Selector?
        /// `nil` for an item of a menu.
        package var sender: Responder?
        package var isOfMenu: Bool
        package var target: Responder?
        /// True when the action was performed.
        package var isPerformed: Bool

        package init(
            action: Selector?, sender: Responder?, isOfMenu: Bool = false, target: Responder?, isPerformed: Bool
        ) {
            (self.action, self.sender, self.isOfMenu) = (action, sender, isOfMenu)
            (self.target, self.isPerformed) = (target, isPerformed)
        }
    }
}

/// Menus that are asked for a key equivalent.
package enum AskedMenu { case main, services }

/// The receivers that AppKit asks: responders that are there, or a recording of an app.
package protocol KeyEventReceivers {
    /// Asks the views of the key window, innermost first and the window last, until `isTaken` returns true for one.
    func keyEquivalents(_ isTaken: (Responder, KeyEventAnswer) -> Bool)
    func keyEquivalent(of menu: AskedMenu) -> KeyEventAnswer
    func keyDown(of responder: Responder) -> KeyEventAnswer
    /// Tab in a window.
    func moveFocus(backwards: Bool) -> KeyEventAnswer
}
