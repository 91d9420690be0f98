import KeyModel
import TraceFormat

extension EntryKind {
    /// The lowest level that has entries of this kind.
    var level: TraceLevel {
        switch self {
        case .stage, .inputDelay, .samples, .stacks, .cost: .stages
        case .call, .cache, .invocation: .calls
        case .resolution, .receiver, .gesture, .candidate, .effect: .resolutions
        default: .keys
        }
    }
}

/// Decoding of the entries, word by word; they are encoded in `Keyflight`.
extension RecordAssembly {
    mutating func contextBody(
        _ kind: EntryKind, _ head: EntryHead, _ entry: UnsafePointer<UInt64>
    ) -> TraceRecord.Body? {
        switch kind {
        case .text: return .text(TextRecord(text: content(low(entry[2]))))
        case .firstResponder:
            return .firstResponder(FirstResponderRecord(responder: responder(low(entry[2])), cause: cause(head)))
        case .keyWindow: return .keyWindow(KeyWindowRecord(window: responder(low(entry[2])), cause: cause(head)))
        case .mainWindow:
            return storesInvocations ? .mainWindow(MainWindowRecord(window: responder(low(entry[2])))) : nil
        case .link:
            return .link(
                LinkRecord(
                    responder: known(low(entry[2])), next: responder(high(entry[2])),
                    window: responder(low(entry[3]))))
        case .presentation:
            return .presentation(
                PresentationRecord(presenter: known(low(entry[2])), presented: responder(high(entry[2]))))
        case .textInput:
            return .textInput(TextInputRecord(responder: responder(low(entry[2])), isSecure: head.small != 0))
        case .markedText: return .markedText(MarkedTextRecord(isMarked: head.small != 0))
        case .hardware:
            let device = head.wide == 0 ? nil : UInt16(truncatingIfNeeded: head.wide - 1)
            return .hardware(HardwareRecord(device: device, isAttached: head.small != 0))
        case .invalidation:
            let scope = InvalidationScope(rawValue: UInt8(truncatingIfNeeded: head.small)) ?? .responder
            return .invalidation(InvalidationRecord(scope: scope, responder: responder(low(entry[2]))))
        case .mark: return .mark(MarkRecord(name: word(low(entry[2]))))
        case .keyboardFrame: return keyboardFrame(head, entry)
        case .fact:
            let fact = EnvironmentRecord(name: word(low(entry[2])), value: word(high(entry[2])))
            keyboard.modifiers.roles.apply(fact: fact.name, fact.value)
            return .environment(fact)
        case .device:
            let device = UInt16(truncatingIfNeeded: head.wide)
            return .device(DeviceRecord(device: device, name: word(low(entry[2])), source: "recorder"))
        case .layout:
            return .layout(
                LayoutRecord(name: word(low(entry[2])), hash: entry[3], table: content(high(entry[2]))))
        default: return nil
        }
    }

    private func keyboardFrame(_ head: EntryHead, _ entry: UnsafePointer<UInt64>) -> TraceRecord.Body {
        func coordinate(_ place: Int) -> Int64 { Int64(bitPattern: entry[2 + place]) }
        let frame = KeyboardFrameRecord.Frame(
            x: coordinate(0), y: coordinate(1), width: coordinate(2), height: coordinate(3))
        return .keyboardFrame(
            KeyboardFrameRecord(
                state: KeyboardFrameState(rawValue: UInt8(truncatingIfNeeded: head.wide)) ?? .hidden,
                frame: head.small == 0 ? nil : frame,
                cause: KeyboardFrameCause(rawValue: UInt8(truncatingIfNeeded: head.wide >> 8)) ?? .unknown))
    }

    mutating func decisionBody(
        _ kind: EntryKind, _ head: EntryHead, _ entry: UnsafePointer<UInt64>, _ press: HandledPress
    ) -> TraceRecord.Body? {
        // A message that returns after a secure entry was sent for a key of it.
        if press.isLeftOut, kind.level == .resolutions || kind == .invocation || kind == .cost { return nil }
        let at = press.at
        switch kind {
        case .inputDelay:
            let now = clock.nanoseconds(entry[0])
            // How late its release is handled is no part of how late a press is.
            let isOfRelease = press.occasion == .release
            return .stage(
                StageRecord(
                    at: isOfRelease ? PressTick(press: 0, tick: 0) : at, stage: .inputDelay,
                    duration: exactly(now > entry[2] ? now - entry[2] : 0)))
        case .receiver:
            let phase = KeyPhase(rawValue: UInt8(truncatingIfNeeded: head.small & 3)) ?? .down
            return .receiver(
                ReceiverRecord(
                    at: at, responder: known(low(entry[2])), phase: phase, isSwallowed: head.small >> 8 != 0))
        case .gesture:
            let phase = KeyPhase(rawValue: UInt8(truncatingIfNeeded: head.small & 3)) ?? .down
            return .gesture(
                GestureRecord(
                    at: at, responder: known(low(entry[2])), recognizer: text(high(entry[2])) ?? intern(""),
                    phase: phase, isTaken: head.small >> 8 != 0))
        case .call: return call(head, entry, press)
        case .invocation: return storesInvocations ? invocation(head, entry, press) : nil
        case .resolution: return resolution(head, entry, press)
        case .stacks: return storesInvocations ? samples(head, entry) : nil
        case .cost: return storesInvocations ? cost(head, entry, at) : nil
        case .candidate:
            guard let verdict = CandidateVerdict(rawValue: UInt8(truncatingIfNeeded: head.small)) else { return nil }
            // The commands that have a masked key's character would give the key away; those that some key of its class
            // has do not.
            if press.isMasked, verdict != .possible {
                decisions.follow(command(low(entry[2])).flatMap { definitions[$0] })
                return nil
            }
            return .candidate(
                CandidateRecord(
                    at: at, supplier: responder(high(entry[2])),
                    command: command(low(entry[2])) ?? intern(.unnamed), verdict: verdict,
                    reason: text(low(entry[3])) ?? intern("")))
        case .effect:
            return .effect(
                EffectRecord(
                    at: at, responder: responder(low(entry[3])), kind: text(low(entry[2])) ?? intern(""),
                    value: content(high(entry[2]))))
        case .cache:
            return .cache(
                CacheRecord(
                    at: at, hits: low(entry[2]), misses: high(entry[2]), stale: low(entry[3]),
                    invalidations: high(entry[3]), shadowReads: low(entry[4]), callsSaved: head.wide,
                    timeSaved: exactly(entry[5])))
        default: return nil
        }
    }

    /// The stage that an entry reports, of the press that it names or that its thread handles.
    mutating func stage(
        _ head: EntryHead, _ entry: UnsafePointer<UInt64>, _ thread: inout ThreadPresses
    ) -> TraceRecord.Body? {
        guard let stage = LatencyStage(rawValue: UInt8(truncatingIfNeeded: head.small)) else { return nil }
        let isOfOther = head.words == StageEntry.wordsWithPress
        let press = isOfOther ? thread.handling(UInt32(truncatingIfNeeded: entry[3])).at : thread.handled.at
        if head.small & StageEntry.isNanoseconds != 0 {
            return .stage(StageRecord(at: press, stage: stage, duration: exactly(entry[2])))
        }
        // What comes between an action and its settling is not inside it.
        let length = stage == .settle ? entry[2] : thread.ownLength(entry[2], endingAt: entry[0], of: press)
        return .stage(StageRecord(at: press, stage: stage, duration: duration(ticks: length)))
    }

    private mutating func resolution(
        _ head: EntryHead, _ entry: UnsafePointer<UInt64>, _ press: HandledPress
    ) -> TraceRecord.Body {
        var record = ResolutionRecord(
            at: press.at, outcome: Outcome(rawValue: UInt8(truncatingIfNeeded: head.small)),
            takenBy: head.wide == 0 ? nil : TakenBy(rawValue: UInt8(truncatingIfNeeded: head.wide - 1)),
            state: entry[5] == 0 ? nil : entry[5])
        record.target = responder(high(entry[2]))
        record.start = responder(low(entry[3]))
        record.keyWindow = responder(high(entry[3]))
        record.text = content(high(entry[6]))
        // What a masked key led to identifies it.
        guard !press.isMasked else {
            decisions.follow(command(high(entry[4])).flatMap { definitions[$0] })
            return .resolution(record)
        }
        record.supplier = responder(low(entry[2]))
        record.action = text(low(entry[4]))
        record.command = command(high(entry[4]))
        record.character = content(low(entry[6]))
        return .resolution(record)
    }

    private mutating func samples(_ head: EntryHead, _ entry: UnsafePointer<UInt64>) -> TraceRecord.Body? {
        // In memory of another process they are behind names that were not read yet.
        updateNames()
        guard let at = takeSampled(head.wide), let text = StackTexts.shared.take(head.wide) else { return nil }
        let now = clock.nanoseconds(entry[0])
        return .samples(
            SamplesRecord(
                at: at, age: exactly(now > entry[2] ? now - entry[2] : 0), interval: exactly(entry[3]), stacks: text))
    }

    private func cost(_ head: EntryHead, _ entry: UnsafePointer<UInt64>, _ at: PressTick) -> TraceRecord.Body? {
        guard let stage = LatencyStage(rawValue: UInt8(truncatingIfNeeded: head.small)) else { return nil }
        func count(_ place: UInt64) -> UInt64? {
            guard place < head.words, entry[Int(place)] != .max else { return nil }
            return min(entry[Int(place)], UInt64(Int64.max))
        }
        return .cost(
            CostRecord(
                at: at, stage: stage, allocations: count(2) ?? 0, bytes: count(3) ?? 0, read: count(4),
                written: count(5), faults: count(6), switches: count(7)))
    }

    private mutating func call(
        _ head: EntryHead, _ entry: UnsafePointer<UInt64>, _ press: HandledPress
    ) -> TraceRecord.Body? {
        guard let kind = CallKind(rawValue: UInt8(truncatingIfNeeded: head.small)) else { return nil }
        let answer: CallRecord.Answer =
            switch head.small >> 8 {
            case 1: .no
            case 2: .yes
            case 3: list(high(entry[2])).map { .commands($0) } ?? .none
            default: .none
            }
        return .call(
            CallRecord(
                at: press.at, kind: kind, occasion: press.occasion, responder: known(low(entry[2])),
                pass: UInt16(truncatingIfNeeded: head.wide), depth: UInt16(truncatingIfNeeded: head.wide >> 16),
                duration: duration(ticks: entry[4]), action: press.isMasked ? nil : text(low(entry[3])),
                answer: answer))
    }

    private mutating func invocation(
        _ head: EntryHead, _ entry: UnsafePointer<UInt64>, _ press: HandledPress
    ) -> TraceRecord.Body? {
        guard let kind = InvocationKind(rawValue: UInt8(truncatingIfNeeded: head.small)) else { return nil }
        let isMasked = press.isMasked
        var record = InvocationRecord(
            at: press.at, kind: kind, occasion: press.occasion, responder: known(low(entry[2])),
            duration: duration(ticks: entry[4]))
        record.depth = UInt8(truncatingIfNeeded: head.wide)
        record.count = max(1, head.wide >> 8)
        if !isMasked || !kind.isAboutSelector { record.selector = text(high(entry[2])) }
        if !isMasked {
            record.sender = responder(low(entry[3]))
            record.path = text(high(entry[3]))
        }
        switch head.small >> 8 {
        case 1: record.answer = .no
        case 2: record.answer = .yes
        case 3: record.answer = .responder(known(low(entry[5])))
        case 4: record.answer = .list(low(entry[5]))
        default: record.answer = .nothing
        }
        return .invocation(record)
    }

    private func low(_ word: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: word) }
    private func high(_ word: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: word >> 32) }
    private func cause(_ head: EntryHead) -> FocusCause {
        FocusCause(rawValue: UInt8(truncatingIfNeeded: head.small)) ?? .unknown
    }
    private func duration(ticks: UInt64) -> TraceDuration { exactly(clock.duration(ticks)) }
    private func exactly(_ nanoseconds: UInt64) -> TraceDuration {
        TraceDuration(nanoseconds: Int64(clamping: nanoseconds))
    }

    // Past the limit of names there is a responder whose name is not known.
    private mutating func responder(_ number: UInt32) -> ResponderRef? {
        number == NameTable.unnamed ? intern(.unnamed) : look(number) { $0.responders }
    }
    private mutating func text(_ number: UInt32) -> StringRef? {
        number == NameTable.unnamed ? intern("unnamed") : content(number)
    }
    /// A text in a format of its own, which a substitute would not have.
    private mutating func content(_ number: UInt32) -> StringRef? { look(number) { $0.texts } }
    private mutating func list(_ number: UInt32) -> CommandListRef? { look(number) { $0.lists } }
    /// A command is kept as a list of one.
    private mutating func command(_ number: UInt32) -> CommandRef? {
        number == NameTable.unnamed ? intern(.unnamed) : list(number).flatMap { definitions[$0]?.first }
    }
    /// A text that is required.
    private mutating func word(_ number: UInt32) -> String { text(number).flatMap { definitions[$0] } ?? "" }

    /// A responder that is required.
    private mutating func known(_ number: UInt32) -> ResponderRef { responder(number) ?? intern(.unnamed) }

    /// Numbers are 1-based, 0 is none. A name that is newer than those known is fetched.
    private mutating func look<T>(_ number: UInt32, _ table: (NameTable.Names) -> [TraceHandle<T>]) -> TraceHandle<T>? {
        guard number != 0 else { return nil }
        let index = Int(number) - 1
        if index >= table(names).count { updateNames() }
        let handles = table(names)
        return index < handles.count ? handles[index] : nil
    }
}

extension ResponderDefinition {
    fileprivate static let unnamed = ResponderDefinition(id: "unnamed", kind: "unnamed")
}

extension CommandDefinition {
    fileprivate static let unnamed = CommandDefinition(input: nil, modifiers: [], action: "unnamed")
}
