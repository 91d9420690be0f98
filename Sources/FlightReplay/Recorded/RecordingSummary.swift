import KeyModel
import Scenes
import TraceFormat
import TracePresses

/// Facts of a whole trace that are needed before its first input is replayed.
struct RecordingSummary: Sendable {
    /// The time of the first record; `nil` without one.
    private(set) var begin: TraceTime?
    /// The time of the last record.
    private(set) var end = TraceTime.zero
    /// The first context step that cannot be read.
    private(set) var stepError: ReplayTimeline.InputError?
    private(set) var hasResolutions = false
    /// Records that the trace says are lost.
    private(set) var lost: UInt64 = 0
    /// Records between others are missing, as in a part of a trace.
    private(set) var hasHoles = false
    private var sequence: UInt64?
    /// True if the trace contains which text has the keyboard.
    private(set) var recordsTextInput = false
    /// True if the trace contains the first responder.
    private(set) var recordsFirstResponder = false
    /// True if the trace contains the questions to responders and their answers, by its level.
    private(set) var recordsCalls: Bool
    /// True if a responder was asked something: a live app at level `calls` need not record its calls.
    private(set) var hasAnswers = false
    /// An AppKit app, or a replay of one.
    private(set) var isOfAppKit = false
    /// An adapter records the repeats that an app gets; any others come by the rate of a profile.
    var hasOwnRepeats: Bool { isOfAppKit || environment.facts[AdapterFact.toolkit] != nil }
    private(set) var facts = ReplayFacts()
    private(set) var environment = RecordedEnvironment()

    /// Responders that were asked for their key commands at least once.
    private(set) var suppliers: Set<ResponderRef> = []
    /// Views and windows that were asked for a key equivalent at least once.
    private(set) var views: Set<ResponderRef> = []
    /// Actions that a responder was asked about.
    private(set) var actions: Set<StringRef> = []
    /// Some menu is known by its commands.
    private(set) var recordsMenu = false
    /// Commands of the main menu that took a press or could have, in the order in which they did.
    private(set) var menuCommands: [CommandRef] = []
    private var isMenuCommand: Set<CommandRef> = []
    /// Texts with the keyboard that took a key, by the order in which they got it, from 0.
    private(set) var editableTexts: Set<Int> = []
    private var texts = 0
    private(set) var windows: Set<ResponderRef> = []
    /// The first responder of that kind that is no window.
    private(set) var application: ResponderRef?
    private(set) var appDelegate: ResponderRef?
    /// Some command has no input: a modifier alone matches it.
    private(set) var hearsModifiers = false
    /// Responders in the order of their first link records.
    private(set) var linked: [ResponderRef] = []
    private var isLinked: Set<ResponderRef> = []
    private(set) var pressEnds = PressEnds()
    /// The press that was handled when the process ended, and what ended that.
    private(set) var openPress: Verification.OpenPress?
    private var lastResolution: (press: UInt32, time: TraceTime)?

    private var level: TraceLevel
    private var steps = ParsedTexts<Result<ContextStep, ContextStepError>>()
    private var costs = RecordedCosts()
    private var isAtStart = true

    /// - Parameter level: The level before the initial context and the first record, by the header of the trace.
    init(level: TraceLevel) {
        self.level = level
        recordsCalls = level == .calls
    }

    mutating func follow(_ entry: ContextEntry, _ definitions: TraceDefinitions) {
        switch entry {
        case .record(let body):
            facts.follow(body)
            environment.follow(body, definitions, isFirst: true)
            followContext(body)
        case .lastList(let last): suppliers.insert(last.responder)
        case .keyState, .heldKey, .heldModifiers: break
        }
    }

    mutating func follow(_ record: TraceRecord, _ definitions: TraceDefinitions) {
        end = max(end, record.time)
        hasHoles = hasHoles || sequence.map { $0 &+ 1 != record.sequence } ?? false
        sequence = record.sequence
        if begin == nil { begin = record.time }
        if record.time != .zero { isAtStart = false }
        switch record.body {
        case .loss(let loss): lost = lost.addingSaturated(loss.lostRecords)
        case .key(let key): if recordsCalls, let press = key.press { pressEnds.note(press, record.sequence) }
        case .call(let call):
            (recordsCalls, hasAnswers) = (true, true)
            follow(call, record.sequence)
        case .invocation(let message):
            if message.kind.isOfAppKit { (isOfAppKit, recordsCalls, hasAnswers) = (true, true, true) }
            if message.kind == .keyEquivalent { views.insert(message.responder) }
        case .receiver(let receiver): note(receiver.at, record.sequence)
        case .effect(let effect): note(effect.at, record.sequence)
        case .resolution(let resolution):
            hasResolutions = true
            lastResolution = (resolution.at.press, record.time)
            if [.text, .inputMethod, .builtinText, .keyBinding].contains(resolution.takenBy), texts > 0 {
                editableTexts.insert(texts - 1)
            }
            if resolution.takenBy == .mainMenu { noteOfMenu(resolution.command) }
            note(resolution.at, record.sequence)
        // A part of a recording lacks the menu that was built before, and has what of it was a candidate.
        case .candidate(let candidate): if candidate.supplier == nil { noteOfMenu(candidate.command) }
        case .step:
            isAtStart = false
            guard stepError == nil else { break }
            do throws(ReplayTimeline.InputError) {
                _ = try ReplayTimeline.input(record, definitions, level, &steps)
            } catch {
                stepError = error
            }
        default:
            if isAtStart { facts.follow(record.body) }
            environment.follow(record.body, definitions, isFirst: isAtStart)
            followContext(record.body)
        }
        costs.follow(record.body, definitions)
    }

    mutating func finish(_ definitions: TraceDefinitions) {
        environment.finish(costs.means(definitions))
        for (place, definition) in definitions.responders.enumerated() {
            let ref = ResponderRef(rawValue: UInt32(truncatingIfNeeded: place))
            switch definition.kind {
            case "application", "UIApplication", "NSApplication", "keyboardApplication":
                if application == nil, !windows.contains(ref) { application = ref }
            case "appDelegate": if appDelegate == nil, !windows.contains(ref) { appDelegate = ref }
            default: break
            }
        }
        hearsModifiers = definitions.commands.contains { $0.input == "" }
    }

    private mutating func followContext(_ body: TraceRecord.Body) {
        switch body {
        case .level(let change):
            level = change.level
            if level == .calls { recordsCalls = true }
        case .textInput:
            texts += 1
            recordsTextInput = true
        case .firstResponder: recordsFirstResponder = true
        case .environment(let fact) where fact.name == AdapterFact.end:
            // What was not over is resolved by the end.
            if let last = lastResolution, last.time == end {
                openPress = Verification.OpenPress(press: last.press, end: fact.value)
            }
        case .keyWindow(let change): if let window = change.window { windows.insert(window) }
        case .link(let link):
            if let window = link.window { windows.insert(window) }
            if isLinked.insert(link.responder).inserted { linked.append(link.responder) }
        default: break
        }
    }

    private mutating func follow(_ call: CallRecord, _ sequence: UInt64) {
        note(call.at, sequence)
        switch call.kind {
        case .keyCommands:
            if case .commands = call.answer, call.occasion != .shadow { suppliers.insert(call.responder) }
        case .canPerformAction: if call.answer != .none, let action = call.action { actions.insert(action) }
        case .buildMenu: if case .commands = call.answer { recordsMenu = true }
        case .validate: break
        }
    }

    private mutating func noteOfMenu(_ command: CommandRef?) {
        if let command, isMenuCommand.insert(command).inserted { menuCommands.append(command) }
    }

    private mutating func note(_ at: PressTick, _ sequence: UInt64) {
        if recordsCalls { pressEnds.note(at.press, sequence) }
    }
}

/// The last record of each press in a trace.
struct PressEnds: Sendable {
    /// One more than its sequence number.
    private var ends = PressNumbers<UInt64>()

    mutating func note(_ press: UInt32, _ sequence: UInt64) {
        if press > 0 { ends[press] = max(ends[press], sequence &+ 1) }
    }

    func last(of press: UInt32) -> UInt64? {
        let end = ends[press]
        return end > 0 ? end - 1 : nil
    }
}
