import KeyModel

/// Key bindings of the text that has the keyboard (spec KB-1): they replace what text does with a key. Keys that text
/// has no use for are left to key equivalents first.
extension KeyboardEngine {
    func runKeyBinding(
        _ stroke: Stroke, _ held: PressesEvent, isLate: Bool, into resolution: inout Resolution
    ) -> Bool {
        guard let (responder, input) = editableText else { return false }
        if recordedAnswers != nil { return runRecordedKeyBinding(responder, input, isLate, &resolution) }
        guard let bindings = input.keyBindingInterpreter, isLate == yieldsToKeyEquivalents(stroke, resolution) else {
            return false
        }
        if stroke.usage == nil {
            if noteBound(stroke, bindings, responder, &resolution) {
                bindings.reset()
                return false
            }
            if !bindings.isPending { return false }
        }
        let answer = bindings.interpret(bindingStroke(stroke, at: resolution.time))
        if let began = answer.waitedSince { resolution.chordWait = resolution.time.since(began) }
        if let match = answer.match { probe?.engine(self, reports: .keyBinding(match, of: responder)) }
        for operation in answer.operations { run(operation, responder, input, held, &resolution) }
        guard answer.isTaken else { return false }
        deadSequence = []
        if input.isSecureTextEntry { resolution.text = nil }
        resolution.outcome = .consumedByKeyBinding
        resolution.takenBy = .keyBinding
        if resolution.target == nil { resolution.target = responder }
        return true
    }

    /// Text takes a key of its own before commands do, where the profile has that rule, and so do its bindings. Any
    /// other key goes to key equivalents first: commands that match it, and the system's keys, which all have Command.
    private func yieldsToKeyEquivalents(_ stroke: Stroke, _ resolution: Resolution) -> Bool {
        guard stroke.usage != nil, textEdit(stroke) == nil else { return false }
        if stroke.flags.contains(.command) { return true }
        guard profile.stageOrder == .textFirst, let candidates = resolution.candidates else { return false }
        return !candidates.entries.allSatisfy(\.isDisabled)
    }

    private func bindingStroke(_ stroke: Stroke, at time: TraceTime) -> BindingStroke {
        let modifiers = stroke.flags.intersection([.matchMask, .numericPad])
        guard let usage = stroke.usage else {
            return BindingStroke(usage: nil, modifiers: modifiers, plain: "", shifted: "", time: time)
        }
        return BindingStroke(
            usage: usage, modifiers: modifiers, plain: layout.plainText(for: usage),
            shifted: layout.shiftedText(for: usage), time: time)
    }

    /// Notes whether a key is bound; that is unknown of a masked key, and true where some key of its class is.
    private func noteBound(
        _ stroke: Stroke, _ bindings: any KeyBindingInterpreting, _ responder: Responder,
        _ resolution: inout Resolution
    ) -> Bool {
        guard let maskedClass = stroke.maskedClass else { return false }
        let strokes = rules.strokes(of: maskedClass, flags: stroke.flags).map { bindingStroke($0, at: resolution.time) }
        guard let found = bindings.action(forAnyOf: strokes) else { return false }
        let command = KeyCommand(
            input: found.stroke.plain, modifierFlags: stroke.matchFlags, action: found.action)
        // Bindings come before text takes a key, as commands with priority do.
        command.wantsPriorityOverSystemBehavior = true
        resolution.possible.append(CommandReference(supplier: responder, action: found.action, command: command))
        return true
    }

    // MARK: What a binding does

    private func run(
        _ operation: KeyBindingAnswer.Operation, _ responder: Responder, _ input: any TextInput, _ held: PressesEvent,
        _ resolution: inout Resolution
    ) {
        switch operation {
        case .insert(let text):
            insert(text, isTyped: false, input, &resolution)
            resolution.action = KeyboardEngine.insertTextAction
        case .perform(let action, let command):
            resolution.action = action
            perform(action, command, responder, input, held, &resolution)
        case .literal(let stroke, let insertsControl):
            runLiteral(stroke, insertsControl, responder, input, held, &resolution)
        }
    }

    private static let insertTextAction: Selector = "insertText:"
    private static let helpKey = KeyUsage.keyboard(0x75)

    /// Inserts a binding's text unchanged, a literal key's as it would be typed.
    private func insert(
        _ text: String, isTyped: Bool = true, _ input: any TextInput, _ resolution: inout Resolution
    ) {
        guard let inserted = input.offerText(text, isTyped: isTyped) else { return }
        resolution.text = (resolution.text ?? "") + inserted
    }

    /// Performs what text can do; any other action is looked for up the chain, and is a beep where it has no target.
    private func perform(
        _ action: Selector, _ command: TextCommand?, _ responder: Responder, _ input: any TextInput,
        _ held: PressesEvent, _ resolution: inout Resolution
    ) {
        if let command {
            resolution.target = responder
            return input.perform(command)
        }
        guard let target = findTarget(of: action, sender: nil) else { return beep(responder) }
        resolution.target = target
        perform(action, on: target, sender: nil, held)
    }

    private func beep(_ responder: Responder) { report(Effect(id: responder.id, kind: .beep, value: .none)) }

    /// A stroke without a binding, as spec KB-9 treats it.
    private func runLiteral(
        _ stroke: BindingStroke, _ insertsControl: Bool, _ responder: Responder, _ input: any TextInput,
        _ held: PressesEvent, _ resolution: inout Resolution
    ) {
        guard let usage = stroke.usage else { return insert("\u{FFFD}", input, &resolution) }
        let isOption = stroke.modifiers.contains(.option)
        switch usage {
        case .deleteOrBackspace: input.deleteBackward()
        case .escape: perform("cancelOperation:", .cancel, responder, input, held, &resolution)
        case .tab: input.perform(.insert(stroke.modifiers.contains(.shift) ? .backtab : .tab))
        case .returnOrEnter where !isOption, .keypadEnter where !isOption: _ = input.pressReturn()
        case .returnOrEnter, .keypadEnter: input.perform(.insert(.newlineIgnoringFieldEditor))
        case KeyboardEngine.helpKey: perform("showContextHelp:", nil, responder, input, held, &resolution)
        default: insertLiteral(usage, stroke, insertsControl, responder, input, &resolution)
        }
    }

    /// Function keys have no character, and keys with Command or Control type none.
    private func insertLiteral(
        _ usage: KeyUsage, _ stroke: BindingStroke, _ insertsControl: Bool, _ responder: Responder,
        _ input: any TextInput, _ resolution: inout Resolution
    ) {
        if stroke.modifiers.contains(.control) {
            guard insertsControl, let letter = stroke.plain.uppercased().unicodeScalars.first,
                (0x40...0x5F).contains(letter.value), let control = Unicode.Scalar(letter.value & 0x1F)
            else { return beep(responder) }
            return insert(String(control), input, &resolution)
        }
        guard !stroke.modifiers.contains(.command) else { return beep(responder) }
        if usage == .spacebar { return insert(" ", input, &resolution) }
        guard case .text(let text) = layout.symbol(for: usage, modifiers: stroke.modifiers) else {
            return beep(responder)
        }
        insert(text, input, &resolution)
    }

    // MARK: Recordings

    /// The recording contains whether a binding took the press, but not which one was attached.
    private func runRecordedKeyBinding(
        _ responder: Responder, _ input: any TextInput, _ isLate: Bool, _ resolution: inout Resolution
    ) -> Bool {
        guard !isLate, let recorded = recordedAnswers?.recordedKeyBinding() else { return false }
        if let match = recorded.match { probe?.engine(self, reports: .keyBinding(match, of: responder)) }
        for command in recorded.possible {
            // The same as where the bindings are there.
            command.wantsPriorityOverSystemBehavior = true
            resolution.possible.append(CommandReference(supplier: responder, action: command.action, command: command))
        }
        guard recorded.isTaken else { return false }
        if recorded.wasLookedFor, let action = recorded.action {
            _ = findTarget(of: action, sender: nil)
        }
        resolution.text = recorded.text
        resolution.outcome = .consumedByKeyBinding
        resolution.takenBy = .keyBinding
        resolution.action = recorded.action
        resolution.target = recorded.target ?? responder
        input.perform(.nothing)
        return true
    }
}
