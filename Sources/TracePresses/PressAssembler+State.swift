import KeyModel
package import TraceFormat

extension PressAssembler {
    /// The moment at which a press is delivered.
    package enum Delivery: Sendable {
        /// After its resolution, at the first record of another press's decision, since a press whose action runs twice
        /// is resolved twice. Presses without decisions are left out.
        case decided
        /// In the order in which keys and texts came, when it was resolved and its key is up.
        case released

        /// Presses and repeats that wait. Real ones overlap by a handful, but for the repeats of a held key; a damaged
        /// trace may never resolve any. The oldest one leaves when there are too many.
        package var limit: Int { self == .decided ? 1_024 : 16_384 }
    }

    /// Begins in an initial context.
    package init(
        _ parts: PressParts, _ delivery: Delivery, level: TraceLevel = .calls, context entries: [ContextEntry] = [],
        selection: Selection? = nil
    ) {
        let context = parts.contains(.context) ? PressContext(entries) : PressContext()
        self.init(parts, delivery, level: level, from: context, selection: selection)
    }

    /// Presses that wait for their keys to come up: as many as there are fingers, unless a source never reports that.
    package static let heldLimit = 1_024

    /// Selects the presses to assemble, by their ordinal and, where that is in the trace, their key-down.
    package typealias Selection = @Sendable (_ press: UInt32, _ down: KeyRecord?) -> Bool

    /// A stage of no press behind the record of a key. A text without a key has the same number, and is there before
    /// its stages.
    func isOfRelease(_ stage: StageRecord) -> Bool {
        stage.stage == .inputDelay && stage.at == PressTick(press: 0, tick: 0) && places[stage.at] == nil
    }

    /// How late the event of a release was handled.
    mutating func noteRelease(_ stage: StageRecord) {
        guard let released, released >= removed + first else { return }
        waiting[released - removed]?.noteRelease(delay: stage.duration)
    }

    /// A press is waiting, and something was decided about it.
    package func isOpen(_ tick: PressTick) -> Bool {
        places[tick].map { states[$0 - removed].isDecided } ?? false
    }

    /// A press that waits, with its records so far.
    package func waitingPress(at tick: PressTick) -> TracePress? { places[tick].flatMap { waiting[$0 - removed] } }

    /// State that decides when a press leaves. It is apart from the press, which is large and must not be copied to
    /// look.
    struct State: Sendable {
        let isText: Bool
        let level: TraceLevel
        /// Its key or text is in the trace.
        private(set) var hasArrived: Bool
        /// Its key is down.
        var isHeld: Bool
        /// Something was decided about it.
        var isDecided = false
        /// Its context is that of the first record about its decision, and stays.
        var isContextFixed = false
        var isResolved = false
        /// It was resolved, and another press's decision began: what comes to it from then on is no run of it.
        var isClosed = false
        /// Another press took its number.
        var isAbandoned = false
        var hasLeft = false
        /// Late records of a press that has left resolved.
        var isRemainder = false

        init(_ press: TracePress, hasText: Bool) {
            (isText, level) = (press.isText, press.level)
            isHeld = press.key != nil && !press.isRepeat
            hasArrived = press.key != nil || hasText
        }

        /// Its key came after its decision.
        mutating func arrive() { (hasArrived, isHeld) = (true, true) }

        var isWhole: Bool {
            if isAbandoned || hasLeft || isRemainder { return true }
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
