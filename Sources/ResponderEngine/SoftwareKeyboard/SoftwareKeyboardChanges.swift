import KeyModel

/// The software keyboard of an engine: its changes and its observers.
final class SoftwareKeyboardControl {
    var keyboard = SoftwareKeyboard()
    /// The responder that has the keyboard.
    var client: Responder?
    /// A hardware keyboard is attached.
    var isHardwareAttached = true
    var observers: [(KeyboardNotification) -> Void] = []
    /// False where a recording contains where the keyboard was.
    var isModelled = true
    /// The cause of the present frame.
    var lastCause = SoftwareKeyboard.Cause.bringUp
}

extension KeyboardEngine {
    /// The software keyboard as it is now. Its `geometry` may be set.
    public var softwareKeyboard: SoftwareKeyboard { keyboardControl.keyboard }

    /// The cause of the last change of the keyboard's frame.
    public var softwareKeyboardCause: SoftwareKeyboard.Cause { keyboardControl.lastCause }

    /// Calls the observer for every notification, in the order of spec §9.1, for those of the animation's end when
    /// virtual time reaches it.
    public func observeKeyboard(_ observer: @escaping (KeyboardNotification) -> Void) {
        keyboardControl.observers.append(observer)
    }

    /// Sets the sizes, as a rotation or another device would. Nothing is announced: they are what the model begins
    /// with.
    public func setKeyboardGeometry(_ geometry: SoftwareKeyboard.Geometry) {
        keyboardControl.keyboard.geometry = geometry
    }

    /// The candidate bar comes, changes or, with 0, goes (spec TX-2).
    public func setCandidateBar(height: Int) {
        changeKeyboard(.candidateBar) { $0.candidateHeight = max(0, min(height, InputView.maximumHeight)) }
    }

    /// The person docks the keyboard, lifts it off the edge, splits it, or joins its halves where they are.
    public func placeKeyboard(_ placement: SoftwareKeyboard.Placement) {
        let cause: SoftwareKeyboard.Cause =
            switch placement {
            case .docked: .dock
            case .split: .split
            case .undocked: softwareKeyboard.placement == .split ? .join : .undock
            }
        changeKeyboard(cause) { $0.placement = placement }
    }

    /// Looks the input views up again, if this is the first responder (spec TX-4).
    public func reloadInputViews(of responder: Responder) {
        guard responder === firstResponder else { return }
        lookUpInputViews(.accessory)
    }

    /// Leaves the software keyboard alone from now on: what it did is known.
    package func forgoKeyboardModel() { keyboardControl.isModelled = false }

    func hardwareKeyboardChanged() {
        let isAttached = isKeyboardAttached
        changeKeyboard(isAttached ? .hardwareAttach : .hardwareDetach) { $0.isHardwareAttached = isAttached }
    }

    /// Another responder has the keyboard, or none.
    func settleKeyboardClient() {
        let first = firstResponder
        guard keyboardControl.client !== first else { return }
        keyboardControl.client = first
        lookUpInputViews(nil)
    }

    /// The input view and the accessory are those of the nearest responder that has one (spec TX-4). Without a cause,
    /// it is derived from whether the keyboard comes or goes.
    private func lookUpInputViews(_ cause: SoftwareKeyboard.Cause?) {
        let first = firstResponder
        var input: View?
        var accessory: View?
        var walk = ChainWalk(from: first)
        while let responder = walk.step() {
            if input == nil { input = responder.inputView }
            if accessory == nil { accessory = responder.inputAccessoryView }
            if input != nil, accessory != nil { break }
        }
        let takesText = first?.textInput?.isEditable == true
        changeKeyboard(cause) {
            $0.wantsKeys = takesText || input != nil
            $0.inputViewHeight = input?.heightAsInput
            $0.accessoryHeight = accessory?.heightAsInput ?? 0
        }
    }

    // MARK: Transitions

    private func changeKeyboard(_ cause: SoftwareKeyboard.Cause?, _ change: (inout SoftwareKeyboard) -> Void) {
        guard keyboardControl.isModelled else { return }
        let before = keyboardControl.keyboard
        change(&keyboardControl.keyboard)
        let after = keyboardControl.keyboard
        let flips = (before.state == .docked) != (after.state == .docked)
        guard before.frame != after.frame || flips else { return }
        let cause = cause ?? (after.state == .hidden ? .dismissal : before.state == .hidden ? .bringUp : .accessory)
        keyboardControl.lastCause = cause
        func notification(_ name: KeyboardNotification.Name, after delay: TraceDuration) -> KeyboardNotification {
            KeyboardNotification(
                name: name, time: tree.now.advanced(by: delay), frameBegin: before.frame, frameEnd: after.frame,
                animationDuration: after.geometry.animationDuration, state: after.state, cause: cause)
        }
        let names = profile.keyboardNotifications(shows: after.state == .docked, flips: flips)
        for name in names where !name.isDid { post(notification(name, after: .zero)) }
        for name in names where name.isDid {
            let later = notification(name, after: after.geometry.animationDuration)
            tree.run(at: later.time) { [unowned self] in post(later) }
        }
    }

    private func post(_ notification: KeyboardNotification) {
        if !notification.name.isDid, let client = keyboardControl.client ?? firstResponder {
            report(Effect(id: client.id, kind: .keyboard, value: .text(notification.name.rawValue)))
        }
        for observer in keyboardControl.observers { observer(notification) }
    }
}

extension Profile {
    /// The notifications of a transition, in the order of `notificationOrder`; those of showing and hiding only where
    /// the docked keyboard comes or goes.
    func keyboardNotifications(shows: Bool, flips: Bool) -> [KeyboardNotification.Name] {
        notificationOrder.split(separator: " ").compactMap { word in
            switch word {
            case "willShowHide": flips ? (shows ? .willShow : .willHide) : nil
            case "didShowHide": flips ? (shows ? .didShow : .didHide) : nil
            default: KeyboardNotification.Name(rawValue: String(word))
            }
        }
    }
}

extension Responder {
    /// Looks `inputView` and `inputAccessoryView` up again along the chain; nothing unless this is the first responder
    /// (spec TX-4).
    public final func reloadInputViews() { findTree()?.observer?.inputViewsChanged(of: self) }
}
