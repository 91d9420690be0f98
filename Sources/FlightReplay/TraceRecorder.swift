import KeyModel
import ResponderEngine
import Scenes
public import TraceFormat

/// Records a replay as a trace at level `calls`: its inputs and the environment they ran in, and every decision of
/// the engine.
///
/// Decisions carry the time at which their press arrived; how long it waited and took stands in its stages. Unless
/// keys are shown, keys that type text, texts and titles are left out (`KeyMask`), and so is what would give a
/// masked key away: the command that it met, and which actions were asked about.
public final class TraceRecorder {
    /// What has been recorded so far.
    public private(set) var recording = Recording()
    let showsKeys: Bool
    private var keys: RecordedKeys
    private var subject: (any ReplaySubject)?
    private(set) var engine: KeyboardEngine?
    /// Responders that were recorded, kept so that no other one can come to their address.
    private var refs: [ObjectIdentifier: (responder: Responder, ref: ResponderRef)] = [:]
    private(set) var costs = ServiceCosts()
    /// Responders whose links are followed, with the links recorded last.
    var links: [FollowedLink] = []
    var context = FollowedContext()

    /// The press, repeat or release that decisions belong to.
    private(set) var tick = PressTick(press: 0, tick: 0)
    private(set) var time = TraceTime.zero
    private(set) var occasion = CallOccasion.down
    /// The key of `tick` is kept by its class only.
    private(set) var isMasked = false
    private var secureEntry = SecureEntry()
    /// A repeat that the engine has not taken yet.
    private var refusable: KeyRecord?
    private var texts: UInt32 = 0
    /// Between the begin and the end of a context step nothing belongs to a press.
    var isInStep = false
    /// Where the press that is handled starts, and its chain.
    var start: Responder?
    var chain: [Responder] = []
    /// Declared time of the `keyCommands` reads of what is handled.
    var readTime = TraceDuration.zero
    /// Presses whose down read key commands, so that their release may.
    var readPresses: Set<UInt32> = []

    /// With `showsKeys`, what was typed stands in the trace in clear.
    public init(showsKeys: Bool = false) {
        self.showsKeys = showsKeys
        keys = RecordedKeys(showsKeys: showsKeys)
    }

    // MARK: Inputs

    func begin(_ subject: any ReplaySubject, costs: ServiceCosts) {
        self.subject = subject
        engine = subject.engine
        self.costs = costs
        recordEnvironment(of: subject)
        recordContext(cause: .start, at: .zero)
    }

    func keyArrives(_ event: KeyEvent, at tick: PressTick?) {
        let record = keyRecord(event, tick)
        if !secureEntry.isSkipping { append(.key(record), at: event.time) }
        enter(tick ?? PressTick(press: 0, tick: 0), event, masked: record.key.maskedClass != nil)
    }

    /// A repeat that counts only if the engine takes it.
    func repeatArrives(_ event: KeyEvent, at tick: PressTick) {
        let record = keyRecord(event, tick)
        refusable = secureEntry.isSkipping ? nil : record
        enter(tick, event, masked: record.key.maskedClass != nil)
    }

    func repeatIsRefused() { refusable = nil }

    func textArrives(_ text: String?, at time: TraceTime) {
        secureEntry.textArrives(at: time, isSecure: isSecure)
        let shown = showsKeys ? text.map { recording.definitions.intern($0) } : nil
        if !secureEntry.isSkipping {
            closeGap(at: time)
            append(.text(TextRecord(text: shown)), at: time)
        }
        tick = PressTick(press: 0, tick: texts)
        if !secureEntry.isSkipping { texts &+= 1 }
        self.time = time
        occasion = .down
        isMasked = shown == nil
    }

    // MARK: Secure entry

    /// A secure field has the keyboard, and what is typed must not be kept.
    private var isSecure: Bool { !showsKeys && engine?.firstResponder?.textInput?.isSecureTextEntry == true }

    /// Ends the gap of a secure entry.
    private func closeGap(at time: TraceTime) {
        guard secureEntry.isOpen else { return }
        for record in secureEntry.close(at: time, last: recording.records.last?.time ?? .zero) {
            recording.append(record.body, at: record.time)
        }
    }

    func stepArrives() { secureEntry.stepBegins() }

    /// The gap ends with the step that takes the keyboard from the secure field.
    func stepIsDone(at time: TraceTime) { if !isSecure { closeGap(at: time) } }

    /// The press under its recorded number.
    private func renumbered(_ tick: PressTick) -> PressTick {
        PressTick(press: secureEntry.number(of: tick.press), tick: tick.tick)
    }

    private func enter(_ tick: PressTick, _ event: KeyEvent, masked: Bool) {
        self.tick = renumbered(tick)
        time = event.time
        readTime = .zero
        isMasked = masked
        occasion =
            switch event.phase {
            case .down: .down
            case .repeat: .repeatTick
            case .up, .cancel: .release
            }
    }

    private func keyRecord(_ event: KeyEvent, _ tick: PressTick?) -> KeyRecord {
        let (key, modifiers) = keys.apply(event)
        secureEntry.keyArrives(event, press: tick?.press, isSecure: event.phase == .down && isSecure)
        if event.phase == .down, !secureEntry.isSkipping { closeGap(at: event.time) }
        return KeyRecord(
            device: event.device, key: key, phase: event.phase, modifiers: modifiers,
            press: tick.map { renumbered($0).press },
            isSynthetic: event.isSynthetic)
    }

    /// The system forgot the keys that are down.
    func forgetHeldKeys() { keys.cancelAll() }

    // MARK: Decisions

    func append(_ body: TraceRecord.Body, at time: TraceTime) {
        if secureEntry.isOpen {
            secureEntry.wait(body, at: time)
        } else {
            recording.append(body, at: time)
        }
    }

    /// Appends a record of the press that is being handled, unless nothing of it may be kept.
    func append(_ body: TraceRecord.Body) {
        guard !isSkipping else { return }
        if let key = refusable {
            refusable = nil
            append(.key(key), at: time)
        }
        append(body, at: time)
    }

    /// Nothing that is handled now may be kept but what changes around it.
    var isSkipping: Bool { secureEntry.isSkipping }

    /// The press has ended: the number under which it was recorded.
    func endPress(_ press: UInt32) -> UInt32 {
        defer { secureEntry.released(press: press) }
        return secureEntry.number(of: press)
    }

    func string(_ text: String) -> StringRef { recording.definitions.intern(text) }

    func ref(_ responder: Responder) -> ResponderRef {
        let object = ObjectIdentifier(responder)
        if let known = refs[object] { return known.ref }
        let kind = subject?.kind(of: responder) ?? ""
        let ref = recording.definitions.intern(ResponderDefinition(id: responder.id, kind: kind))
        refs[object] = (responder, ref)
        return ref
    }

    func command(_ definition: CommandDefinition) -> CommandRef { recording.definitions.intern(definition) }
    func list(_ commands: [CommandRef]) -> CommandListRef { recording.definitions.intern(commands) }

    func finished(at time: TraceTime) {
        refusable = nil
        closeGap(at: time)
    }
}
