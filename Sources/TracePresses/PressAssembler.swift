import KeyModel
package import TraceFormat

/// Assembles the records of presses, repeats and texts, though presses may overlap, and delivers each one once.
///
/// A press is opened by its key event, or by its first record where the key is not there. Its context is the one before
/// the first receiver, candidate or call: presses that were being handled when its key went down may have changed it.
package struct PressAssembler: Sendable {
    /// The context after the records consumed so far.
    package private(set) var context: PressContext
    private let parts: PressParts
    private let delivery: Delivery
    private let selection: Selection?
    private var level: TraceLevel
    /// In the order of arrival. Those before `first` have left, and `removed` were removed before the first element.
    var waiting: [TracePress?] = []
    /// State of each of `waiting`.
    var states: [State] = []
    var first = 0
    var removed = 0
    /// Presses from `first` on that have left before one that still waits.
    private var holes = 0
    /// Presses that wait for their keys to come up.
    private var heldCount = 0
    /// The highest ordinal of the presses that have left.
    private var lastToLeave: UInt32 = 0
    /// By press, one more than the last tick that has left resolved.
    private var resolvedTicks = PressNumbers<UInt32>()
    /// By press, 1 for one that has left resolved without its key.
    private var keyless = PressNumbers<UInt8>()
    /// Index of each waiting press, counted from the beginning of the reading.
    var places: [PressTick: Int] = [:]
    /// By ordinal; text has 0.
    private var sequences: [UInt32: TickSequence] = [:]
    /// The press that the last record of a decision belonged to, as most of those that follow do.
    private var currentAt: PressTick?
    private var current: Int?
    /// The press that the last key record released, counted from the beginning of the reading.
    var released: Int?
    @usableFromInline var finished: [TracePress?] = []
    @usableFromInline var taken = 0
    /// Calls of the press that the last record belonged to, and of the one before it: the next has about as many.
    private var callCount = 0
    private var formerCallCount = 0

    /// - Parameters:
    ///   - level: The level at the beginning, for `released`.
    ///   - context: The context at the beginning.
    ///   - selection: `nil` assembles every press.
    package init(
        _ parts: PressParts, _ delivery: Delivery, level: TraceLevel = .calls, from context: PressContext,
        selection: Selection? = nil
    ) {
        (self.parts, self.delivery, self.level, self.selection) = (parts, delivery, level, selection)
        self.context = context
    }

    package mutating func consume(_ record: TraceRecord) {
        switch record.body {
        case .call(let call): consume(call, at: record.time)
        case .stage(let stage):
            if isOfRelease(stage) { return noteRelease(stage) }
            guard let place = place(of: stage.at, record.time) else { return }
            waiting[place]?.append(stage, at: record.time, parts)
            return
        case .key(let key):
            // Press 0 is none.
            released = nil
            if parts.contains(.keys), let press = key.press, press > 0 { consume(key, press, record.time) }
        case .text(let text):
            if parts.contains(.texts) { arrive(PressTick(press: 0, tick: nextTick(of: 0)), record.time, text: text) }
        case .receiver(let receiver):
            // Modifier keys are passed along the chain as well, and are no presses.
            guard !parts.isDisjoint(with: [.receivers, .swallowing]), receiver.phase == .down, receiver.at.press > 0
            else { return }
            if let place = decide(receiver.at, record.time) { waiting[place]?.append(receiver, parts) }
        case .candidate(let candidate) where parts.contains(.candidates):
            let place = candidate.isDerived ? follow(candidate.at, record.time) : decide(candidate.at, record.time)
            if let place { waiting[place]?.append(candidate) }
        case .effect(let effect):
            guard parts.contains(.effects), let place = follow(effect.at, record.time) else { return }
            waiting[place]?.append(effect)
        case .cache(let counts):
            if parts.contains(.cache), let place = knownPlace(of: counts.at) { waiting[place]?.append(counts) }
        case .samples(let samples):
            if let place = knownPlace(of: samples.at) { waiting[place]?.append(samples, at: record.time, parts) }
        case .cost(let cost): if let place = knownPlace(of: cost.at) { waiting[place]?.append(cost, parts) }
        case .resolution(let resolution):
            guard let place = follow(resolution.at, record.time), !states[place].isClosed else { return }
            states[place].isResolved = true
            waiting[place]?.append(resolution, at: record.time, parts)
        case .invocation(let invocation): consume(invocation, at: record.time)
        case .level(let change): level = change.level
        default: break
        }
        if parts.contains(.context) { context.consume(record) }
    }

    @inline(__always) private mutating func consume(_ call: CallRecord, at time: TraceTime) {
        switch call.occasion {
        case .down, .repeatTick:
            guard let place = decide(call.at, time) else { return }
            callCount &+= 1
            waiting[place]?.append(call, at: time, parts)
        case .release:
            guard call.kind == .keyCommands, let place = knownPlace(of: call.at) else { return }
            waiting[place]?.countOnRelease(call, parts)
        case .shadow:
            if call.kind == .keyCommands, let place = knownPlace(of: call.at) { waiting[place]?.countShadowRead() }
            guard call.kind == .buildMenu, case .commands(let list) = call.answer, currentAt == call.at,
                let current
            else { return }
            waiting[current - removed]?.menu = list
        }
    }

    /// Messages between presses belong to none.
    private mutating func consume(_ invocation: InvocationRecord, at time: TraceTime) {
        let at = invocation.at
        guard at.press > 0 else { return }
        // One that returned after its press had left does not make another one of it.
        let isLate = invocation.occasion == .release || places[at] == nil && hasLeft(at)
        if let place = isLate ? knownPlace(of: at) : decide(at, time) {
            waiting[place]?.append(invocation, at: time, parts)
        }
    }

    /// A repeat comes after its press and, under `decided`, perhaps after presses with higher ordinals.
    private func hasLeft(_ at: PressTick) -> Bool {
        let resolved = resolvedTicks[at.press]
        return resolved > 0 ? at.tick < resolved : at.press <= lastToLeave
    }

    /// Delivers the waiting presses, at the end of a reading.
    package mutating func finish() {
        (current, currentAt) = (nil, nil)
        if delivery == .decided {
            // Unresolved presses come in the order of their ordinals.
            var rest = (first..<waiting.count).compactMap { states[$0].isDecided ? waiting[$0] : nil }
            for place in rest.indices { rest[place].deriveStages(parts) }
            finished += rest.sorted { $0.at < $1.at }
            (first, holes, heldCount) = (waiting.count, 0, 0)
            places.removeAll()
        } else {
            while first < waiting.count { leave(first) }
        }
        compact()
    }

    /// The next press to be delivered; `nil` when more records must be consumed before.
    @inlinable package mutating func next() -> TracePress? {
        // Called after every record: most often there is none, and no storage is made for one.
        taken < finished.count ? takeNext() : nil
    }

    @usableFromInline mutating func takeNext() -> TracePress? {
        defer {
            taken += 1
            if taken == finished.count {
                finished.removeAll(keepingCapacity: true)
                taken = 0
            }
        }
        return finished[taken].take()
    }
}

// MARK: Arrival

extension PressAssembler {
    private mutating func consume(_ key: KeyRecord, _ press: UInt32, _ time: TraceTime) {
        switch key.phase {
        case .down:
            guard selection?(press, key) ?? true else { return }
            let down = TracePress.KeyEvent(record: key, time: time)
            sequences[press] = TickSequence(last: 0, down: down)
            if isOfEarlierDecision(down, press) { return }
            arrive(PressTick(press: press, tick: 0), time, key: key)
        case .repeat:
            guard sequences[press] != nil || selection?(press, nil) ?? true else { return }
            arrive(PressTick(press: press, tick: nextTick(of: press)), time, key: key)
        case .up, .cancel:
            guard let place = places[PressTick(press: press, tick: 0)] else {
                if delivery == .decided, let last = sequences[press]?.last,
                    places[PressTick(press: press, tick: last)] == nil
                {
                    sequences[press] = nil
                }
                return
            }
            guard states[place - removed].isHeld else { return }
            states[place - removed].isHeld = false
            heldCount -= 1
            waiting[place - removed]?.noteRelease(TracePress.KeyEvent(record: key, time: time))
            released = place
        }
    }

    /// A decision may come before its key, which then belongs to it and is no other press.
    private mutating func isOfEarlierDecision(_ down: TracePress.KeyEvent, _ press: UInt32) -> Bool {
        guard let known = places[PressTick(press: press, tick: 0)] else {
            defer { keyless[press] = 0 }
            return keyless[press] > 0
        }
        guard !states[known - removed].hasArrived else { return false }
        states[known - removed].arrive()
        heldCount += 1
        waiting[known - removed]?.noteDown(down)
        return true
    }

    private func nextTick(of press: UInt32) -> UInt32 { (sequences[press]?.last ?? 0) &+ 1 }

    private mutating func arrive(_ at: PressTick, _ time: TraceTime, key: KeyRecord? = nil, text: TextRecord? = nil) {
        if delivery == .released {
            if currentAt == at { (current, currentAt) = (nil, nil) }
            flush()
        } else if let known = places[at], !states[known - removed].hasArrived {
            // Its decision came before its key.
            return
        }
        open(
            TracePress(
                at: at, time: time, key: key, down: advance(to: at), text: text?.text, level: level, context: context),
            hasText: text != nil)
    }

    /// Stores the tick as the last one of its press, and returns the key-down of that.
    private mutating func advance(to at: PressTick) -> TracePress.KeyEvent? {
        guard at.press == 0 || parts.contains(.keys) else { return nil }
        if sequences.count > 2 * delivery.limit { forgetSequences() }
        var sequence = sequences[at.press] ?? TickSequence()
        sequence.last = max(sequence.last, at.tick)
        sequences[at.press] = sequence
        return sequence.down
    }

    /// Forgets presses that do not wait: their keys may never come up.
    private mutating func forgetSequences() {
        sequences = sequences.filter { $0 == 0 || places[PressTick(press: $0, tick: $1.last)] != nil }
    }

    private mutating func open(_ press: TracePress, hasText: Bool = false) {
        if let former = places[press.at] {
            states[former - removed].isAbandoned = true
            if delivery == .decided { leave(former - removed) }
        }
        places[press.at] = removed + waiting.count
        let state = State(press, hasText: hasText)
        if state.isHeld { heldCount += 1 }
        states.append(state)
        waiting.append(press)
        while waiting.count - first - holes > delivery.limit || heldCount > PressAssembler.heldLimit
            || contextsAreTooLarge
        {
            if !states[first].isWhole { waiting[first]?.markCutShort() }
            leave(first)
        }
        compact()
    }

    private var contextsAreTooLarge: Bool {
        guard first < waiting.count - 1, let oldest = waiting[first]?.context else { return false }
        return context.hasOutgrown(oldest)
    }
}

// MARK: Decisions

extension PressAssembler {
    /// Index of the press of a receiver, candidate or call: the first of these fixes the press's context.
    @inline(__always) private mutating func decide(_ at: PressTick, _ time: TraceTime) -> Int? {
        guard let place = place(of: at, time) else { return nil }
        if !states[place].isContextFixed { fixContext(place) }
        return place
    }

    private mutating func fixContext(_ place: Int) {
        states[place].isContextFixed = true
        if parts.contains(.context) { waiting[place]?.context = context }
        if parts.contains(.calls) { waiting[place]?.reserveCalls(min(formerCallCount, 256)) }
    }

    /// Index of the press of an effect or a resolution, which may have changed the context.
    private mutating func follow(_ at: PressTick, _ time: TraceTime) -> Int? {
        guard let place = place(of: at, time) else { return nil }
        states[place].isContextFixed = true
        return place
    }

    /// Index of the press of a tick, opened where its key is not recorded. `nil` for one that is not assembled.
    @inline(__always) private mutating func place(of at: PressTick, _ time: TraceTime) -> Int? {
        if currentAt == at { return current.map { $0 - removed } }
        return turn(to: at, time)
    }

    private mutating func turn(to at: PressTick, _ time: TraceTime) -> Int? {
        guard at.press > 0 || parts.contains(.texts) else { return nil }
        if callCount > 0 { (formerCallCount, callCount) = (callCount, 0) }
        if let current, states[current - removed].isResolved {
            states[current - removed].isClosed = true
            if delivery == .decided { leave(current - removed) }
        }
        let known = knownPlace(of: at)
        (currentAt, current) = (at, nil)
        if let place = known {
            current = removed + place
        } else if selection == nil || sequences[at.press] != nil || selection?(at.press, nil) == true {
            current = removed + waiting.count
            open(TracePress(at: at, time: time, down: advance(to: at), level: level, context: context))
            if at.press <= lastToLeave, at.tick < resolvedTicks[at.press] {
                states[states.count - 1].isRemainder = true
                waiting[waiting.count - 1]?.isRemainder = true
            }
        }
        if let current { states[current - removed].isDecided = true }
        if delivery == .released { flush() }
        return current.map { $0 - removed }
    }

    /// Index of the press of a tick that was opened before.
    private mutating func knownPlace(of at: PressTick) -> Int? {
        if currentAt == at { return current.map { $0 - removed } }
        if let place = places[at] { return place - removed }
        // A part of a trace may begin amid repeats: the first decision then determines the tick of the last key.
        guard !sequences.isEmpty, let last = sequences[at.press]?.last, last > 0,
            let place = places[PressTick(press: at.press, tick: last)], !states[place - removed].isDecided
        else { return nil }
        places[PressTick(press: at.press, tick: last)] = nil
        places[at] = place
        sequences[at.press]?.last = at.tick
        waiting[place - removed]?.at = at
        return place - removed
    }
}

// MARK: Handing over

extension PressAssembler {
    /// Hands over those that are whole, as far as none waits before them.
    private mutating func flush() {
        while first < waiting.count, first + removed != current, states[first].isWhole { leave(first) }
        compact()
    }

    private mutating func leave(_ place: Int) {
        if var press = waiting[place].take() {
            press.deriveStages(parts)
            states[place].hasLeft = true
            if states[place].isHeld { heldCount -= 1 }
            holes += 1
            if places[press.at] == removed + place { places[press.at] = nil }
            if current == removed + place { (current, currentAt) = (nil, nil) }
            forget(press)
            lastToLeave = max(lastToLeave, press.at.press)
            // Late records of a press that has left are no press by themselves.
            let state = states[place]
            if state.isResolved, !press.isText {
                let at = press.at
                resolvedTicks[at.press] = max(resolvedTicks[at.press], at.tick == .max ? .max : at.tick + 1)
                if at.tick == 0, press.key == nil, parts.contains(.keys) { keyless[at.press] = 1 }
            }
            let isPress = state.hasArrived || state.isResolved && !state.isRemainder
            if delivery == .decided ? state.isDecided : isPress { finished.append(press) }
        }
        while first < waiting.count, states[first].hasLeft {
            first += 1
            holes -= 1
        }
    }

    /// No more ticks come of a press that was released.
    private mutating func forget(_ press: TracePress) {
        let at = press.at
        guard at.press > 0, press.release != nil || press.key == nil && press.down == nil else { return }
        if at.tick == 0 || sequences[at.press]?.last == at.tick { sequences[at.press] = nil }
    }

    /// Removes those that have left, now and then.
    private mutating func compact() {
        if holes > delivery.limit { closeHoles() }
        guard first == waiting.count || first >= 64 && first * 2 >= waiting.count else { return }
        removed += first
        waiting.removeFirst(first)
        states.removeFirst(first)
        first = 0
    }

    /// Moves those that wait together: a press that waits for long must not keep the room of all that came after it.
    private mutating func closeHoles() {
        let kept = (first..<waiting.count).filter { !states[$0].hasLeft }
        var moved: [Int: Int] = [:]
        for (place, former) in kept.enumerated() { moved[removed + former] = removed + place }
        waiting = kept.map { waiting[$0] }
        states = kept.map { states[$0] }
        places = places.compactMapValues { moved[$0] }
        current = current.flatMap { moved[$0] }
        (first, holes) = (0, 0)
    }
}
