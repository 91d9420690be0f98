import KeyModel
import ResponderEngine
import TraceFormat

/// Recorded results of presses, text and scrolling; commands beside the chain.
extension AnswerProvider {
    /// Responders beside the chain whose commands were read right after this one's (spec KC-7).
    func offChainSuppliers(of ref: ResponderRef) -> [Responder] {
        guard let press, let place = press.listPlaces[ref]?.first else { return [] }
        return press.lists.dropFirst(place + 1).lazy.map { self.object($0.responder) }
            .prefix { self.engine != nil && self.chainPlace(of: $0) == nil }.compactMap(\.self)
    }

    /// Lists that no pass read, of hosting controllers and of responders beside the chain.
    func hostedShortcuts() -> [(host: Responder, shortcuts: [KeyCommand])] {
        guard let press else { return [] }
        var met: Set<ResponderRef> = []
        return press.lists.compactMap { list in
            guard list.occasion == .shadow, let host = object(list.responder),
                definitions[list.responder]?.kind == "hostingController" || chainPlace(of: host) == nil,
                met.insert(list.responder).inserted
            else { return nil }
            return (host, commands(of: list.list))
        }
    }

    /// Returns true if a responder swallows a press.
    func swallows(_ ref: ResponderRef) -> Bool {
        guard let press, occasion == .down else { return false }
        if let isSwallowed = press.receivers[ref] {
            if isSwallowed || isLastWord(ref, press) { happens() }
            return isSwallowed
        }
        guard let record = press.resolution else {
            ask(OpenQuestion(responder: id(ref) ?? "", question: "pressesBegan"))
            return false
        }
        let wasOffered = rules?.profile.rawPresses ?? true
        if !wasOffered || record.outcome.isSwallowed || record.outcome == .noStart {
            ask(OpenQuestion(responder: id(ref) ?? "", question: "pressesBegan"))
        }
        return false
    }

    /// Effects of a press that no later stage takes are its receivers'.
    private func isLastWord(_ ref: ResponderRef, _ press: PressAnswers) -> Bool {
        press.resolution?.takenBy == nil && press.lastReceiver == ref
    }

    /// Before it was an outcome, only the repeats that a hosting controller heard told of a handler.
    func handlesKeyPress(_ ref: ResponderRef, isRepeat: Bool) -> Bool {
        let isHandled = press?.resolution?.outcome == .handledByKeyPress
        if isHandled || !isRepeat { return isHandled }
        guard definitions[ref]?.kind.lowercased().contains("hostingcontroller") == true, let tick else { return false }
        if occasion == .repeatTick { return press?.resolution?.takenBy == .presses }
        return index.answers(PressTick(press: tick.press, tick: 1), forRelease: false)?.resolution != nil
    }

    func ended() { happens() }

    func focusMoves() { if press?.resolution?.takenBy == .focus { happens() } }

    // MARK: Text and scrolling

    func textInput(of ref: ResponderRef) -> Bool {
        if summary.recordsTextInput { return textInput?.responder == ref }
        // An app that does not record which text has the keyboard records which presses were text.
        guard let record = press?.resolution else { return false }
        switch record.takenBy {
        case .text?, .inputMethod?, .builtinText?, .keyBinding?: break
        case nil where record.outcome == .consumedByText || record.outcome == .consumedByInputMethod: break
        default: return false
        }
        return record.target.map { $0 == ref } ?? (object(ref) === engine?.firstResponder)
    }

    /// Returns true if a stage took the press when it was recorded; `nil` where it was not asked.
    func took(_ stage: TakenBy) -> Bool? {
        guard let record = press?.resolution else { return nil }
        if record.takenBy == stage { return true }
        switch record.outcome {
        case .unhandled: return false
        case .swallowedByPresses, .handledByKeyPress, .noStart, .undetermined, .unrecorded, .cancelled: return nil
        default: break
        }
        guard let order = rules?.takingOrder, let taker = record.takenBy,
            let taken = order.firstIndex(of: taker == .mainMenu ? .keyCommands : taker),
            let asked = order.firstIndex(of: stage)
        else { return nil }
        return asked < taken ? false : nil
    }

    /// The text takes keys. True where nothing is known: the result is then an open question.
    var textIsEditable: Bool {
        if took(.text) == true || took(.inputMethod) == true || took(.builtinText) == true { return true }
        if took(.keyBinding) == true { return true }
        if isReadOnly { return false }
        if took(.text) == false, took(.inputMethod) == false, isEditable != true { return false }
        return isEditable ?? true
    }

    /// Text does something with the press, or with text that came without a key.
    func textChanges() {
        let takenBy = press?.resolution?.takenBy
        if [.text, .inputMethod, .builtinText, .keyBinding].contains(takenBy) { return happens() }
        guard isEditable == nil else { return }
        ask(OpenQuestion(responder: id(textInput?.responder) ?? "", question: "isEditable"))
    }

    /// The recorded form of an offered text: changed by substitutions, or refused. Where text did not have the press,
    /// the text as it was offered.
    func insertedText(_ offered: String) -> String? {
        guard let record = press?.resolution, record.takenBy == .text else { return offered }
        return record.text.flatMap { definitions[$0] }
    }

    func recordedKeyBinding() -> RecordedKeyBinding? {
        let match = recordedMatch()
        guard let record = press?.resolution, record.takenBy == .keyBinding else {
            var binding = RecordedKeyBinding(match: match, isTaken: false)
            binding.possible = possibleBindings()
            return match == nil && binding.possible.isEmpty ? nil : binding
        }
        var binding = RecordedKeyBinding(match: match, isTaken: true)
        binding.action = text(record.action).map { Selector($0) }
        binding.target = object(record.target)
        binding.text = record.text.flatMap { definitions[$0] }
        // Actions that the text itself does not perform were looked up along the chain.
        binding.wasLookedFor = press?.actions.contains(record.action) ?? false
        return binding
    }

    /// Bindings of some key of the class of a masked key. They are reported as commands of the text that are in
    /// no list of it.
    private func possibleBindings() -> [KeyCommand] {
        guard let press, let text = textInput?.responder else { return [] }
        let offered = Set(press.lists.filter { $0.responder == text }.flatMap { definitions[$0.list] ?? [] })
        return press.possible.filter { $0.supplier == text && !offered.contains($0.command) }.compactMap { found in
            guard let command = definitions[found.command] else { return nil }
            return KeyCommand(
                input: command.input ?? "", modifierFlags: command.modifiers, action: Selector(command.action))
        }
    }

    /// The binding in the candidate record.
    private func recordedMatch() -> KeyBindingMatch? {
        guard let winner = press?.winner, let reason = definitions[winner.reason],
            TraceRecorder.isOfKeyBinding(reason), let command = definitions[winner.command]
        else { return nil }
        var match = KeyBindingMatch(kind: .binding, keys: command.input ?? "")
        match.action = command.action.isEmpty ? nil : Selector(command.action)
        match.recordedReason = reason
        return match
    }

    var textIsSingleLine: Bool {
        switch press?.resolution?.takenBy {
        case .focus?: true
        case .text?: false
        default: textKind == "textField"
        }
    }

    var textKind: String? { textInput.flatMap { definitions[$0.responder]?.kind } }

    /// ⌘B, ⌘I and ⌘U style the text.
    var textHasAttributes: Bool {
        if let known = took(.builtinText) { return known }
        // Of these keys the system's own actions come after text's.
        if press?.resolution?.takenBy == .standardEdit { return false }
        if ["b", "i", "u"].contains(character) {
            ask(
                OpenQuestion(
                    responder: id(textInput?.responder) ?? "", question: "allowsEditingTextAttributes"))
        }
        return false
    }

    func scrolls(_ ref: ResponderRef) -> Bool {
        if let known = took(.scroll), rules?.profile.keyboardScrolling ?? true {
            if known { happens() }
            return known
        }
        let kind = definitions[ref]?.kind ?? ""
        if AnswerProvider.neverScrolls.contains(kind) { return false }
        ask(OpenQuestion(responder: id(ref) ?? "", question: "scroll"))
        return false
    }

    /// Kinds of a scene that no key scrolls.
    private static let neverScrolls: Set<String> = [
        "responder", "view", "viewController", "navigationController", "tabBarController", "splitViewController",
        "window", "windowScene", "application", "appDelegate", "textField", "datePicker",
    ]

    // MARK: Menus

    func validate(_ command: Command) {
        guard let list = menuList, let isDisabled = commands.isDisabled(command.action, in: list, definitions)
        else { return }
        if isDisabled {
            command.attributes.insert(.disabled)
        } else {
            command.attributes.remove(.disabled)
        }
    }

    /// The main menu's commands as this press left them.
    private var menuList: CommandListRef? {
        var found = menu
        for fact in index.comingFacts(before: press?.end ?? 0) {
            if case .call(let call) = fact.body, call.kind == .buildMenu, case .commands(let list) = call.answer {
                found = list
            }
        }
        return found
    }

    /// Built again for each press: a menu's commands change when they are validated, equal ones alike.
    func mainMenuCommands() -> [KeyCommand] {
        var made = MadeCommands()
        if let menuList { return made.commands(of: menuList, definitions) }
        guard !summary.recordsMenu else { return [] }
        // Hooks see that an app's menu is built, and not of what: known of it are the commands that took a press.
        return summary.menuCommands.flatMap { ref -> [KeyCommand] in
            guard var definition = definitions[ref] else { return [] }
            definition.attributes.remove(.alternate)
            return KeyCommand.commands([definition])
        }
    }

    /// Reports the recorded effects of building the menu: what was dropped, or raised.
    func menuIsBuilt() { report(press?.effects ?? [], isMenu: true) }
}
