/// Changes around the presses. All of them are recorded at every level.
extension Keyflight {
    /// An object became first responder; `nil`: there is none.
    public static func firstResponder(_ responder: AnyObject?, cause: FocusCause = .unknown) {
        note(.firstResponder, UInt16(cause.rawValue)) { $0.responder(responder) }
    }

    /// A window became key, or none is any more.
    public static func keyWindow(_ window: AnyObject?, cause: FocusCause = .unknown) {
        note(.keyWindow, UInt16(cause.rawValue)) { $0.responder(window) }
    }

    /// The responder after `responder` in the chain is `next` from here on, in this window.
    public static func link(_ responder: AnyObject, to next: AnyObject?, window: AnyObject? = nil) {
        entry(0) { buffer in
            let numbers = (buffer.responder(responder), buffer.responder(next), buffer.responder(window))
            buffer.link(numbers.0, numbers.1, numbers.2)
        }
    }

    /// `presenter` presents this, or nothing any more.
    public static func presentation(by presenter: AnyObject, of presented: AnyObject?) {
        entry(0) { $0.record(.presentation, more: 1, halves($0.responder(presenter), $0.responder(presented))) }
    }

    /// A text input has the keyboard, or none has. A secure one is a secure entry: nothing is stored until the next
    /// call that is not secure. `beginSecureEntry` need not be called as well, but may.
    public static func textInput(_ responder: AnyObject?, isSecure: Bool = false) {
        textInput(isSecure) { $0.responder(responder) }
    }

    /// Marked text began or ended.
    public static func markedText(_ isMarked: Bool) {
        entry(0) { $0.record(.markedText, small: isMarked ? 1 : 0) }
    }

    /// Text came without a key: paste, dictation, an emoji picker. What it was is stored only where keys are shown.
    public static func textWithoutKey(_ text: @autoclosure () -> String? = nil) {
        note(.text) { $0.pointee.keys.showsKeys ? $0.text(text()) : 0 }
    }

    /// A hardware keyboard was attached or detached.
    public static func hardwareKeyboard(isAttached: Bool, device: UInt16? = nil) {
        entry(0) { $0.record(.hardware, small: isAttached ? 1 : 0, wide: device.map { UInt32($0) + 1 } ?? 0) }
    }

    /// The keyboard on the screen came, went or changed its shape; its frame in thousandths of a point.
    public static func keyboardFrame(
        _ state: KeyboardFrameState, _ frame: KeyboardFrameRecord.Frame? = nil, cause: KeyboardFrameCause = .unknown
    ) {
        entry(0) { buffer in
            let kinds = UInt32(state.rawValue) | UInt32(cause.rawValue) << 8
            buffer.record(
                .keyboardFrame, small: frame == nil ? 0 : 1, wide: kinds, more: 4,
                UInt64(bitPattern: frame?.x ?? 0), UInt64(bitPattern: frame?.y ?? 0),
                UInt64(bitPattern: frame?.width ?? 0), UInt64(bitPattern: frame?.height ?? 0))
        }
    }

    /// Something was declared out of date.
    public static func invalidation(_ scope: InvalidationScope, of responder: AnyObject? = nil) {
        note(.invalidation, UInt16(scope.rawValue)) { $0.responder(responder) }
    }

    /// A named moment. The name is stored as it is.
    public static func mark(_ name: @autoclosure () -> String) { note(.mark) { $0.text(name()) } }
}

/// The same for responders that are no objects, or known by number.
extension Keyflight {
    public static func firstResponder(_ responder: RecordedResponder, cause: FocusCause = .unknown) {
        note(.firstResponder, UInt16(cause.rawValue)) { _ in responder.number }
    }

    public static func keyWindow(_ window: RecordedResponder, cause: FocusCause = .unknown) {
        note(.keyWindow, UInt16(cause.rawValue)) { _ in window.number }
    }

    /// A window became main, or none is any more. Recorded with `RecorderOptions.recordsInvocations`.
    public static func mainWindow(_ window: RecordedResponder?) { note(.mainWindow) { _ in window?.number ?? 0 } }

    public static func link(_ responder: RecordedResponder, to next: RecordedResponder?, window: RecordedResponder?) {
        entry(0) { $0.link(responder.number, next?.number ?? 0, window?.number ?? 0) }
    }

    public static func presentation(by presenter: RecordedResponder, of presented: RecordedResponder?) {
        entry(0) { $0.record(.presentation, more: 1, halves(presenter.number, presented?.number ?? 0)) }
    }

    public static func invalidation(_ scope: InvalidationScope, of responder: RecordedResponder) {
        note(.invalidation, UInt16(scope.rawValue)) { _ in responder.number }
    }

    public static func textInput(_ responder: RecordedResponder, isSecure: Bool = false) {
        textInput(isSecure) { _ in responder.number }
    }

    package static func mark(cName: UnsafePointer<CChar>) { note(.mark) { $0.text(cName) } }
}

extension Keyflight {
    /// An entry with one name, whose number is looked up before it begins.
    @inline(__always) private static func note(
        _ kind: EntryKind, _ small: UInt16 = 0, _ number: (UnsafeMutablePointer<ThreadBuffer>) -> UInt32
    ) { entry(0) { $0.record(kind, small: small, more: 1, UInt64(number($0))) } }

    @inline(__always) private static func textInput(
        _ isSecure: Bool, _ number: (UnsafeMutablePointer<ThreadBuffer>) -> UInt32
    ) {
        if !isSecure { inputIsSecure(false) }
        note(.textInput, isSecure ? 1 : 0, number)
        if isSecure { inputIsSecure(true) }
    }
}

extension UnsafeMutablePointer where Pointee == ThreadBuffer {
    fileprivate func link(_ responder: UInt32, _ next: UInt32, _ window: UInt32) {
        record(.link, more: 2, halves(responder, next), UInt64(window))
    }
}
