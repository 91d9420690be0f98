/// Changes around the presses. All of them are recorded at every level.
extension Keyflight {
    /// An object became first responder; `nil`: there is none.
    public static func firstResponder(_ responder: AnyObject?, cause: FocusCause = .unknown) {
        note { buffer in
            let number = buffer.responder(responder)
            buffer.record(.firstResponder, small: UInt16(cause.rawValue), more: 1, UInt64(number))
        }
    }

    /// A window became key, or none is any more.
    public static func keyWindow(_ window: AnyObject?, cause: FocusCause = .unknown) {
        note { buffer in
            let number = buffer.responder(window)
            buffer.record(.keyWindow, small: UInt16(cause.rawValue), more: 1, UInt64(number))
        }
    }

    /// The responder after `responder` in the chain is `next` from here on, in this window.
    public static func link(_ responder: AnyObject, to next: AnyObject?, window: AnyObject? = nil) {
        note { buffer in
            let numbers = (buffer.responder(responder), buffer.responder(next), buffer.responder(window))
            buffer.record(.link, more: 2, UInt64(numbers.0) | UInt64(numbers.1) << 32, UInt64(numbers.2))
        }
    }

    /// `presenter` presents this, or nothing any more.
    public static func presentation(by presenter: AnyObject, of presented: AnyObject?) {
        note { buffer in
            let numbers = (buffer.responder(presenter), buffer.responder(presented))
            buffer.record(.presentation, more: 1, UInt64(numbers.0) | UInt64(numbers.1) << 32)
        }
    }

    /// A text input has the keyboard, or none has. A secure one is a secure entry: nothing is stored until the next
    /// call that is not secure. `beginSecureEntry` need not be called as well, but may.
    public static func textInput(_ responder: AnyObject?, isSecure: Bool = false) {
        if !isSecure { inputIsSecure(false) }
        note { buffer in
            let number = buffer.responder(responder)
            buffer.record(.textInput, small: isSecure ? 1 : 0, more: 1, UInt64(number))
        }
        if isSecure { inputIsSecure(true) }
    }

    /// Marked text began or ended.
    public static func markedText(_ isMarked: Bool) {
        note { buffer in buffer.record(.markedText, small: isMarked ? 1 : 0) }
    }

    /// Text came without a key: paste, dictation, an emoji picker. What it was is stored only where keys are shown.
    public static func textWithoutKey(_ text: @autoclosure () -> String? = nil) {
        note { buffer in
            let number = buffer.pointee.keys.showsKeys ? buffer.text(text()) : 0
            buffer.record(.text, more: 1, UInt64(number))
        }
    }

    /// A hardware keyboard was attached or detached.
    public static func hardwareKeyboard(isAttached: Bool, device: UInt16? = nil) {
        note { buffer in
            buffer.record(.hardware, small: isAttached ? 1 : 0, wide: device.map { UInt32($0) + 1 } ?? 0)
        }
    }

    /// The keyboard on the screen came, went or changed its shape; its frame in thousandths of a point.
    public static func keyboardFrame(
        _ state: KeyboardFrameState, _ frame: KeyboardFrameRecord.Frame? = nil, cause: KeyboardFrameCause = .unknown
    ) {
        note { buffer in
            let kinds = UInt32(state.rawValue) | UInt32(cause.rawValue) << 8
            buffer.record(
                .keyboardFrame, small: frame == nil ? 0 : 1, wide: kinds, more: 4,
                UInt64(bitPattern: frame?.x ?? 0), UInt64(bitPattern: frame?.y ?? 0),
                UInt64(bitPattern: frame?.width ?? 0), UInt64(bitPattern: frame?.height ?? 0))
        }
    }

    /// Something was declared out of date.
    public static func invalidation(_ scope: InvalidationScope, of responder: AnyObject? = nil) {
        note { buffer in
            let number = buffer.responder(responder)
            buffer.record(.invalidation, small: UInt16(scope.rawValue), more: 1, UInt64(number))
        }
    }

    /// A named moment. The name is stored as it is.
    public static func mark(_ name: @autoclosure () -> String) {
        note { buffer in
            let number = buffer.text(name())
            buffer.record(.mark, more: 1, UInt64(number))
        }
    }
}

/// The same for responders that are no objects, or known by number.
extension Keyflight {
    public static func firstResponder(_ responder: RecordedResponder, cause: FocusCause = .unknown) {
        note { buffer in
            buffer.record(
                .firstResponder, small: UInt16(cause.rawValue), more: 1, UInt64(responder.number))
        }
    }

    public static func keyWindow(_ window: RecordedResponder, cause: FocusCause = .unknown) {
        note { buffer in
            buffer.record(.keyWindow, small: UInt16(cause.rawValue), more: 1, UInt64(window.number))
        }
    }

    /// A window became main, or none is any more. Recorded with `RecorderOptions.recordsInvocations`.
    public static func mainWindow(_ window: RecordedResponder?) {
        note { buffer in buffer.record(.mainWindow, more: 1, UInt64(window?.number ?? 0)) }
    }

    public static func link(_ responder: RecordedResponder, to next: RecordedResponder?, window: RecordedResponder?) {
        note { buffer in
            buffer.record(
                .link, more: 2, UInt64(responder.number) | UInt64(next?.number ?? 0) << 32,
                UInt64(window?.number ?? 0))
        }
    }

    public static func presentation(by presenter: RecordedResponder, of presented: RecordedResponder?) {
        note { buffer in
            buffer.record(
                .presentation, more: 1, UInt64(presenter.number) | UInt64(presented?.number ?? 0) << 32)
        }
    }

    public static func invalidation(_ scope: InvalidationScope, of responder: RecordedResponder) {
        note { buffer in
            buffer.record(
                .invalidation, small: UInt16(scope.rawValue), more: 1, UInt64(responder.number))
        }
    }

    public static func textInput(_ responder: RecordedResponder, isSecure: Bool = false) {
        if !isSecure { inputIsSecure(false) }
        note { buffer in
            buffer.record(.textInput, small: isSecure ? 1 : 0, more: 1, UInt64(responder.number))
        }
        if isSecure { inputIsSecure(true) }
    }

    package static func mark(cName: UnsafePointer<CChar>) {
        note { buffer in
            let number = buffer.text(cName)
            buffer.record(.mark, more: 1, UInt64(number))
        }
    }

    @inline(__always) private static func note(_ write: (UnsafeMutablePointer<ThreadBuffer>) -> Void) {
        entry(0, write)
    }
}
