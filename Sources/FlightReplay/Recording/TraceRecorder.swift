import KeyModel
import ResponderEngine
public import TraceFormat

/// Records a replay as a trace: its inputs and the environment they ran in, and the decisions of the engine, all of
/// them at level `calls`, the outcome of each press at level `resolutions`.
///
/// Decisions carry the time at which their press arrived; its wait and service are in its stages. Unless keys are
/// shown, keys that type text, texts and titles are left out (`KeyboardState`), and so is what would give a masked key
/// away: the command that it met, and which actions were asked about.
///
/// One thread uses a recorder. As with the engine, its state is read or written in one go, and none of it is
/// under access while code of a responder runs, so that no access is checked at run time.
public final class TraceRecorder {
    /// The recording so far.
    @exclusivity(unchecked) public private(set) var recording = Recording()
    let showsKeys: Bool
    let level: TraceLevel
    let keyboard = ReplayKeyboard()
    private var subject: (any ReplaySubject)?
    @exclusivity(unchecked) private var responders = RecordedResponders()
    @exclusivity(unchecked) private var commands = RecordedCommands()
    /// Kept with the handles that commands have in this recording: they may outlive the recorder.
    let identity = RecorderIdentity()
    @exclusivity(unchecked) private var selectors: [Selector: StringRef] = [:]
    /// Characters by the usage of the key that typed them last, on the layout of now.
    @exclusivity(unchecked) private var characters: [(text: String, ref: StringRef)?] = TraceRecorder.noCharacters
    /// Reasons for which commands lost, once interned: sixteen fixed sentences, then those that name the taker.
    @exclusivity(unchecked) private var reasons: [StringRef?] = Array(repeating: nil, count: 16 + 256)
    @exclusivity(unchecked) private(set) var costs = ServiceCosts()
    /// Responders whose links are followed, with the links recorded last.
    @exclusivity(unchecked) var links: [FollowedLink] = []
    @exclusivity(unchecked) var context = FollowedContext()

    /// The press, repeat or release that decisions belong to.
    @exclusivity(unchecked) private(set) var tick = PressTick(press: 0, tick: 0)
    @exclusivity(unchecked) var time = TraceTime.zero
    @exclusivity(unchecked) private(set) var occasion = CallOccasion.down
    /// The key of `tick` is kept by its class only.
    @exclusivity(unchecked) private(set) var isMasked = false
    @exclusivity(unchecked) var decisions = MaskedDecisions()
    private var followedMenu: UInt64?
    @exclusivity(unchecked) private var secureEntry = SecureEntry()
    /// The current input may not be kept, but for changes around it.
    @exclusivity(unchecked) var isSkipping = false
    /// A repeat that the engine has not taken yet.
    @exclusivity(unchecked) private var refusable: KeyRecord?
    private var texts: UInt32 = 0
    /// The key of `tick` is a modifier that a command matches.
    private var isHeard = false
    /// Between the begin and the end of a context step nothing belongs to a press.
    @exclusivity(unchecked) var isInStep = false
    /// Start and chain of the press that is handled.
    @exclusivity(unchecked) var start: Responder?
    @exclusivity(unchecked) var chain: [Responder] = []
    /// Declared time of the `keyCommands` reads of what is handled.
    @exclusivity(unchecked) var readTime = TraceDuration.zero
    /// Receiver of the records while the replay goes on; `nil` keeps all of them.
    @exclusivity(unchecked) private var handedOn: RecordBatches?
    /// Presses whose down read key commands, so that their release may; the last ones, if many are not released.
    var readPresses: Set<UInt32> = []

    /// Records the lists that responders answered; else their calls have no answer. Readers that need no lists are
    /// spared the time and the memory, which long lists take.
    var keepsLists = true

    /// With `showsKeys`, typed text is in the trace in clear.
    ///
    /// Level `calls` keeps every decision of the engine. Level `resolutions` keeps the inputs and the outcome of each
    /// press, with its effects; receivers, questions and the commands that lost are left out, and the replay takes a
    /// third longer than without a recorder. Other levels are taken for the next of the two.
    public init(showsKeys: Bool = false, level: TraceLevel = .calls) {
        self.showsKeys = showsKeys
        self.level = level <= .resolutions ? .resolutions : .calls
    }

    /// Level `calls`; records go to `receiver` in pieces, and `recording` keeps what their handles mean.
    convenience init(
        showsKeys: Bool, handingOn receiver: @escaping (ArraySlice<TraceRecord>, TraceDefinitions) throws -> Void
    ) {
        self.init(showsKeys: showsKeys)
        handedOn = RecordBatches(receiver)
    }

    /// Passes on the rest. Rethrows the receiver's error.
    func handOn() throws {
        handedOn?.take(from: &recording)
        try handedOn?.check()
    }

    private func handOnPiece() {
        guard handedOn != nil, recording.records.count > RecordBatches.piece else { return }
        handedOn?.take(from: &recording)
    }

    /// The engine must report what it does, not only what comes of it.
    var needsEveryDecision: Bool { level == .calls }

    // MARK: Inputs

    /// `arrivals`: at least so many inputs will come.
    func begin(_ subject: any ReplaySubject, costs: ServiceCosts, arrivals: Int) {
        self.subject = subject
        self.costs = costs
        let isEmpty = recording.records.isEmpty
        recordEnvironment(of: subject)
        recordContext(subject.engine, cause: .start, at: .zero)
        // Once: a recorder of many runs would copy its records at each.
        guard isEmpty, handedOn == nil else { return }
        // One for each, and one more for each key that goes down: what it came to.
        recording.reserveCapacity(recording.records.count + arrivals + arrivals / 2)
    }

    /// `held`: the key that the event belongs to.
    func keyArrives(
        _ event: KeyEvent, of held: KeyboardState.HeldKey?, at tick: PressTick?, in engine: KeyboardEngine
    ) {
        let record = keyRecord(event, held, tick, engine)
        if !isSkipping { append(.key(record), at: event.time) }
        enter(tick ?? PressTick(press: 0, tick: 0), event, masked: record.key.maskedClass != nil)
    }

    /// A repeat that counts only if the engine takes it.
    func repeatArrives(
        _ event: KeyEvent, of held: KeyboardState.HeldKey, at tick: PressTick, in engine: KeyboardEngine
    ) {
        let record = keyRecord(event, held, tick, engine)
        refusable = isSkipping ? nil : record
        enter(tick, event, masked: record.key.maskedClass != nil)
    }

    func repeatIsRefused() { refusable = nil }

    /// The key is held for longer than its repeats are replayed.
    func repeatsEnd(at tick: PressTick, _ time: TraceTime) {
        let number = renumbered(tick).press
        append(
            .loss(
                LossRecord(
                    cause: .dropped, count: nil, duration: nil,
                    detail: "repeats of press \(number) after the first \(tick.tick)")),
            at: time)
    }

    func textArrives(_ text: String?, at time: TraceTime, in engine: KeyboardEngine) {
        isSkipping = isSecure(engine)
        let shown = showsKeys ? text.map { recording.definitions.intern($0) } : nil
        tick = PressTick(press: 0, tick: texts)
        if isSkipping {
            secureEntry.begin(at: time)
        } else {
            closeGap(at: time)
            append(.text(TextRecord(text: shown)), at: time)
            texts &+= 1
        }
        self.time = time
        occasion = .down
        isMasked = shown == nil
    }

    /// A command matches the modifier that went down: it is counted with the texts, which have no press either.
    func modifierIsHeard() {
        guard tick == PressTick(press: 0, tick: 0), !isHeard else { return }
        isHeard = true
        tick = PressTick(press: 0, tick: texts)
        if !isSkipping { texts &+= 1 }
    }

    /// A record of the input that changes nothing, such as a loss.
    func recordArrives(_ body: TraceRecord.Body, at time: TraceTime) {
        self.time = time
        // Of a recording it is known from the beginning.
        if case .environment(let fact) = body, context.environment[fact.name] == fact.value { return }
        append(body, at: time)
    }

    // MARK: Secure entry

    /// A secure field has the keyboard, and what is typed must not be kept.
    private func isSecure(_ engine: KeyboardEngine) -> Bool {
        !showsKeys && engine.firstResponder?.textInput?.isSecureTextEntry == true
    }

    /// Ends the gap of a secure entry.
    private func closeGap(at time: TraceTime) {
        guard secureEntry.isOpen,
            let (gap, begin, waiting) = secureEntry.close(at: time, last: recording.records.last?.time ?? .zero)
        else { return }
        recording.append(.loss(gap), at: begin)
        for record in waiting { recording.append(record.body, at: record.time) }
    }

    /// The gap ends with the step that takes the keyboard from the secure field.
    func stepIsDone(at time: TraceTime, in engine: KeyboardEngine) { if !isSecure(engine) { closeGap(at: time) } }

    /// The press under its recorded number.
    private func renumbered(_ tick: PressTick) -> PressTick {
        PressTick(press: secureEntry.number(of: tick.press), tick: tick.tick)
    }

    private func enter(_ tick: PressTick, _ event: KeyEvent, masked: Bool) {
        self.tick = renumbered(tick)
        time = event.time
        isHeard = false
        readTime = .zero
        isMasked = masked
        occasion =
            switch event.phase {
            case .down: .down
            case .repeat: .repeatTick
            case .up, .cancel: .release
            }
    }

    private func keyRecord(
        _ event: KeyEvent, _ held: KeyboardState.HeldKey?, _ tick: PressTick?, _ engine: KeyboardEngine
    ) -> KeyRecord {
        let isDown = event.phase == .down
        isSkipping = secureEntry.leavesOut(
            event.key, event.phase, device: event.device, press: tick?.press, isSecure: isDown && isSecure(engine))
        if isDown, isSkipping { secureEntry.begin(at: event.time) } else if isDown { closeGap(at: event.time) }
        return keyboard.state.record(of: event, held, press: tick.map { renumbered($0).press }, showsKeys: showsKeys)
    }

    // MARK: Decisions

    func append(_ body: consuming TraceRecord.Body, at time: TraceTime) {
        if !showsKeys {
            if case .key(let key) = body { decisions.follow(key) }
            decisions.follow(body, recording.definitions)
            guard let kept = decisions.kept(body, recording.definitions) else { return }
            body = kept
        }
        if secureEntry.isOpen {
            secureEntry.wait(TraceRecord(time: time, sequence: 0, body: body))
        } else {
            recording.append(body, at: time)
            // One press may have tens of thousands.
            handOnPiece()
        }
    }

    /// Appends a record of the press that is being handled, unless nothing of it may be kept.
    func append(_ body: consuming TraceRecord.Body) {
        guard !isSkipping else { return }
        if isMasked, !showsKeys { followMenu() }
        if let key = refusable {
            refusable = nil
            append(.key(key), at: time)
        }
        append(body, at: time)
    }

    /// Its commands are recorded with the outcome of the press that built it, which is too late for what hides a press.
    private func followMenu() {
        guard let engine = subject?.engine, engine.mainMenuVersion != followedMenu else { return }
        followedMenu = engine.mainMenuVersion
        for command in engine.mainMenuCommands {
            for var definition in definitions(of: command) {
                definition.attributes.insert(.mainMenu)
                decisions.follow(definition)
            }
        }
    }

    /// The press has ended: the number under which it was recorded.
    func endPress(_ press: UInt32) -> UInt32 {
        defer { secureEntry.end(press: press) }
        return secureEntry.number(of: press)
    }

    func string(_ text: String) -> StringRef { recording.definitions.intern(text) }

    private static let noCharacters: [(text: String, ref: StringRef)?] = Array(repeating: nil, count: 256)

    /// The character of a key, which mostly is the same each time. On one layout it is in one form, so that `==` does,
    /// which ignores the form.
    func string(_ character: String, of key: KeyIdentity?) -> StringRef {
        guard let usage = key?.usage, usage.isKeyboardPage, Int(usage.usage) < characters.count else {
            return string(character)
        }
        let place = Int(usage.usage)
        if let known = characters[place], known.text == character { return known.ref }
        let ref = string(character)
        characters[place] = (character, ref)
        return ref
    }

    func layoutChanges() { characters = TraceRecorder.noCharacters }

    func string(_ action: Selector) -> StringRef {
        if let known = selectors[action] { return known }
        let ref = string(action.name)
        selectors[action] = ref
        return ref
    }

    /// A reason by its number, interned only the first time.
    func reason(_ number: Int, _ text: @autoclosure () -> String) -> StringRef {
        if let known = reasons[number] { return known }
        let ref = string(text())
        reasons[number] = ref
        return ref
    }

    /// `shadowed by` who supplied the command that won; `nil` is the main menu.
    func shadowing(_ supplier: Responder?, _ id: String) -> StringRef {
        guard let supplier else { return reason(15, "shadowed by \(id)") }
        let place = place(of: supplier)
        if let known = responders[place].shadowing { return known }
        let ref = string("shadowed by \(id)")
        responders[place].shadowing = ref
        return ref
    }

    /// The commands of the main menu as an answer.
    func menuAnswer(_ commands: [KeyCommand]) -> CallRecord.Answer {
        guard keepsLists else { return .none }
        var refs: [CommandRef] = []
        refs.reserveCapacity(commands.count)
        for command in commands {
            for var definition in definitions(of: command) {
                definition.attributes.insert(.mainMenu)
                refs.append(recording.definitions.intern(definition))
            }
        }
        return .commands(recording.definitions.intern(refs))
    }

    func ref(_ responder: Responder) -> ResponderRef {
        // First the place, which may be a new one: `responders` as it is then.
        let place = place(of: responder)
        return responders.ref(at: place)
    }

    /// The main menu of an AppKit app, which is asked as responders are.
    var mainMenuRef: ResponderRef {
        recording.definitions.intern(ResponderDefinition(id: Resolution.mainMenuID, kind: "NSMenu"))
    }

    private func place(of responder: Responder) -> Int {
        let known = responder.recordedPlace
        if responders.holds(responder, at: known) { return known }
        let kind = subject?.kind(of: responder) ?? ""
        let ref = recording.definitions.intern(ResponderDefinition(id: responder.id, kind: kind))
        return responders.add(responder, ref)
    }

    /// Handle of a definition without a command object.
    func command(_ definition: CommandDefinition) -> CommandRef { recording.definitions.intern(definition) }

    /// `definition` is what is kept of `object` or of one of its alternates.
    func command(_ definition: CommandDefinition, of object: KeyCommand) -> CommandRef {
        if let known = commands.ref(definition, of: object) { return known }
        let ref = recording.definitions.intern(definition)
        commands.remember(definition, of: object, as: ref)
        return ref
    }

    /// The list that a responder answered. An answer like its last one is known without a look at the lists.
    func answer(_ answer: [KeyCommand], of responder: Responder) -> CallRecord.Answer {
        guard keepsLists else { return .none }
        let place = place(of: responder)
        var commands: [CommandRef] = []
        commands.reserveCapacity(answer.count)
        for command in answer {
            if command.alternates.isEmpty {
                commands.append(self.command(definition(command), of: command))
            } else {
                for definition in definitions(of: command) {
                    commands.append(self.command(definition, of: command))
                }
            }
        }
        if let last = responders[place].answer, last.commands == commands { return .commands(last.list) }
        let list = recording.definitions.intern(commands)
        responders[place].answer = RecordedAnswer(commands: commands, list: list)
        return .commands(list)
    }

    func finished(at time: TraceTime) {
        refusable = nil
        closeGap(at: time)
    }
}
