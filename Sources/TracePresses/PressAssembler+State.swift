import TraceFormat

extension PressAssembler {
    /// State that decides when a press leaves. It is apart from the press, which is large and must not be copied to
    /// look.
    struct State: Sendable {
        let isText: Bool
        let level: TraceLevel
        /// Its key or text is in the trace.
        let hasArrived: Bool
        /// Its key is down.
        var isHeld: Bool
        /// Something was decided about it.
        var isDecided = false
        /// Its context is that of the first record about its decision, and stays.
        var isContextFixed = false
        var isResolved = false
        /// Another press took its number.
        var isAbandoned = false
        var hasLeft = false

        init(_ press: TracePress, hasText: Bool) {
            (isText, level) = (press.isText, press.level)
            isHeld = press.key != nil && !press.isRepeat
            hasArrived = press.key != nil || hasText
        }

        var isWhole: Bool {
            if isAbandoned || hasLeft { return true }
            // A text that was not taken is never decided.
            if isText { return isResolved || !isDecided }
            return !isHeld && (isResolved || level <= .keys)
        }
    }

    /// The ticks of a press that came so far.
    struct TickSequence: Sendable {
        var last: UInt32 = 0
        var down: TracePress.KeyEvent?
    }
}
