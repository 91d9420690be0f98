import KeyModel
import LatencyAnalysis
import TraceFormat
import TracePresses

/// Texts that many rows have.
struct RowTexts {
    private var chords: [Chord: String] = [:]
    private var modifiers: [KeyModifiers: String] = [:]

    mutating func text(_ chord: Chord) -> String {
        if let known = chords[chord] { return known }
        let text = chord.text
        if chords.count < 4096 { chords[chord] = text }
        return text
    }

    mutating func words(_ set: KeyModifiers) -> String {
        if let known = modifiers[set] { return known }
        let text = set.names.joined(separator: "+")
        modifiers[set] = text
        return text
    }
}

/// Rows of the tables about presses; `nil` for their columns alone.
extension RowSink {
    // MARK: Records

    mutating func moment(_ record: TraceRecord?) {
        int("seq", "place in the recording; NULL for what was so before it", record?.sequence)
        int("t_ns", "time since time 0", record?.time.nanoseconds)
    }

    private mutating func place(_ at: PressTick?) {
        int("press", "ordinal of the press; 0 for text without a key", at?.press)
        int("tick", "0 for the down, n for its n-th repeat", at?.tick)
    }

    mutating func row(_ key: KeyRecord?, _ record: TraceRecord?, _ texts: inout RowTexts) {
        moment(record)
        int("device", "as in devices", key?.device)
        int("press", "NULL for modifier keys", key?.press)
        text("phase", "down, up, repeat or cancel", key?.phase.name)
        int("page", "HID usage page", key?.key.usage?.page ?? KeyUsage.keyboardPage)
        int("usage", "HID usage; NULL when masked", key?.key.usage?.usage)
        text("key", "its name", key?.key.usage?.name)
        text("class", "when masked", key?.key.maskedClass?.name)
        text("modifiers", "held after it, joined by +", key.map { texts.words($0.modifiers) })
        int("synthetic", "1: no source sent it", key?.isSynthetic)
    }

    mutating func row(_ call: CallRecord?, selfTime: TraceDuration?, _ names: TraceDefinitions) {
        place(call?.at)
        text("kind", "keyCommands, canPerformAction, …", call?.kind.name)
        text("occasion", "down, repeatTick, release, shadow", call?.occasion.name)
        text("responder", "who was asked", names.id(of: call?.responder))
        int("pass", "over the chain, from 1; 0: none", call?.pass)
        int("depth", "calls it was made inside of", call?.depth)
        text("action", "that was asked about", names.string(call?.action))
        var (answer, list): (String?, CommandListRef?)
        switch call?.answer {
        case nil, .none?: break
        case .no?: answer = "no"
        case .yes?: answer = "yes"
        case .commands(let commands)?: (answer, list) = ("commands", commands)
        }
        text("answer", "yes, no or commands", answer)
        int("list", "answer of keyCommands; see lists", list?.rawValue)
        int("duration_ns", "calls inside it included", call?.duration?.nanoseconds)
        int("self_ns", "without calls inside it", selfTime?.nanoseconds)
    }

    mutating func row(_ message: InvocationRecord?, selfTime: TraceDuration?, _ names: TraceDefinitions) {
        place(message?.at)
        text("kind", "keyEquivalent, keyDown, sendAction, …", message?.kind.name)
        text("occasion", "down, repeatTick, release", message?.occasion.name)
        text("responder", "who got it; mainMenu for the menu", names.id(of: message?.responder))
        text("selector", "the message, or the action", names.string(message?.selector))
        text("sender", "who sent it", names.id(of: message?.sender))
        var (answer, target, items): (String?, ResponderRef?, UInt32?)
        switch message?.answer {
        case nil, .nothing?: break
        case .no?: answer = "no"
        case .yes?: answer = "yes"
        case .responder(let responder)?: (answer, target) = ("responder", responder)
        case .list(let count)?: (answer, items) = ("list", count)
        }
        text("answer", "yes, no, responder or list", answer)
        text("target", "the responder that was the answer", names.id(of: target))
        int("items", "of a list", items)
        text("path", "of the menu item that answered", names.string(message?.path))
        int("depth", "recorded messages it was inside of", message?.depth)
        int("count", "messages that the row stands for", message?.count)
        int("duration_ns", "messages inside it included", message?.duration.nanoseconds)
        int("self_ns", "without messages inside it", selfTime?.nanoseconds)
    }

    mutating func row(_ receiver: ReceiverRecord?, _ names: TraceDefinitions) {
        place(receiver?.at)
        text("responder", "who got it", names.id(of: receiver?.responder))
        text("phase", "down, up or cancel", receiver?.phase.name)
        int("swallowed", "1: it was not passed on", receiver?.isSwallowed)
    }

    mutating func row(_ candidate: CandidateRecord?, _ names: TraceDefinitions, _ texts: inout RowTexts) {
        place(candidate?.at)
        text("supplier", "mainMenu for the menu", names.id(of: candidate?.supplier) ?? "mainMenu")
        text("verdict", "won, shadowed, disabled, …", candidate?.verdict.name)
        text("reason", "in words", names.string(candidate?.reason))
        int("command", "as in commands", candidate?.command.rawValue)
        command(candidate.flatMap { names[$0.command] }, &texts)
        int("derived", "1: a replay of recorded lists found it, and no record", candidate?.isDerived)
    }

    private mutating func command(_ command: CommandDefinition?, _ texts: inout RowTexts) {
        text("input", "the character or special key", command?.input)
        text("modifiers", "joined by +", texts.words(command?.modifiers ?? []))
        text("action", "selector", command?.action ?? "")
        text("title", "NULL where there is none or it is masked", command?.title)
    }

    mutating func row(_ stage: StageRecord?, isDerived: Bool = false) {
        place(stage?.at)
        text("stage", "hid, transport, inputDelay, …", stage?.stage.name)
        int("duration_ns", "spent in it", stage?.duration.nanoseconds)
        int("rounded", "1: kept to 1 %", stage?.isRounded)
        int("derived", "1: the time of the calls that belong there, and no record", stage.map { _ in isDerived })
    }

    mutating func row(_ cost: CostRecord?) {
        place(cost?.at)
        text("stage", "as in stages", cost?.stage.name)
        int("allocations", "calls of malloc and its relatives", cost?.allocations)
        int("bytes", "that they were asked for", cost?.bytes)
        let last = "since the handling began, in its last row; NULL in others"
        int("read", "bytes that system calls read " + last, cost?.read)
        int("written", "bytes that they wrote, as read", cost?.written)
        int("faults", "minor page faults, as read", cost?.faults)
        int("switches", "voluntary context switches, as read", cost?.switches)
    }

    mutating func row(_ effect: EffectRecord?, _ names: TraceDefinitions) {
        place(effect?.at)
        text("responder", "whose state; NULL for the system", names.id(of: effect?.responder))
        text("kind", "selection, text, push, …", names.string(effect?.kind))
        text("value", "the new one, as JSON", names.string(effect?.value))
    }

    // MARK: Presses

    mutating func row(_ press: TracePress?, _ names: TraceDefinitions, _ texts: inout RowTexts) {
        place(press?.at)
        int("t_ns", "time since time 0", press?.time.nanoseconds)
        int("device", "as in devices", press?.key?.device)
        text("chord", "by position, such as shift+cmd+w; NULL when masked", press?.chord.map { texts.text($0) })
        text("key", "name of the key", press?.key?.key.usage?.name)
        text("class", "of a masked key", press?.key?.key.maskedClass?.name)
        text("modifiers", "held with it, joined by +", press?.key.map { texts.words($0.modifiers) })
        resolution(of: press, names)
        for (stage, name, meaning) in LatencyStage.columns { int(name, meaning, press?.stages[stage]?.nanoseconds) }
        int("total_ns", "sum of the stages known", press?.stages.total?.nanoseconds)
        let derived = press.map { press in LatencyStage.allCases.filter(press.stages.isDerived).map(\.name) } ?? []
        let names = derived.isEmpty ? nil : derived.joined(separator: "+")
        text("derived_stages", "those of them that are the time of their calls, joined by +", names)
        counts(of: press)
    }

    private mutating func resolution(of press: TracePress?, _ names: TraceDefinitions) {
        let resolution = press?.resolution
        text("character", "charactersIgnoringModifiers", names.string(resolution?.character))
        text("outcome", "performed, consumedByText, unhandled, …", resolution?.outcome.name)
        text("taken_by", "keyCommands, mainMenu, text, …", resolution?.takenBy?.name)
        text("action", "selector", names.string(resolution?.action))
        text("supplier", "whose key command matched; mainMenu for the menu", resolution?.supplierName(names))
        text("target", "who performed it", names.id(of: resolution?.target))
        text("first_responder", "where the chain began", names.id(of: resolution?.start))
        text("key_window", "the window that was key", names.id(of: resolution?.keyWindow))
        text("text", "what was inserted", names.string(resolution?.text))
        let isDecided = press.map { $0.level > .keys } ?? false
        let runs = isDecided ? press?.resolutions.count { $0.outcome == .performed } : nil
        int("runs", "actions; see the table runs", runs)
        int("swallowed", "1: a responder did not pass the press on", isDecided ? press?.isSwallowed : nil)
        let release = press?.release
        int("held_ns", "from the down to the up", press?.held?.nanoseconds)
        int("cancelled", "1: it ended by a cancel", release.map { $0.record.phase == .cancel })
    }

    private mutating func counts(of press: TracePress?) {
        let hasCalls = press?.level == .calls
        func count(_ kind: CallKind) -> UInt64? { hasCalls ? press?.callCounts[Int(kind.rawValue)] : nil }
        int("key_commands_calls", "at the down or repeat", count(.keyCommands))
        int("can_perform_calls", "canPerformAction", count(.canPerformAction))
        int("validate_calls", "validate", count(.validate))
        int("build_menu_calls", "buildMenu", count(.buildMenu))
        let onRelease = hasCalls && press?.isCutShort == false ? press?.callsOnRelease : nil
        int("key_commands_on_release", "at its release", onRelease)
        int("shadow_reads", "made to check a cache", hasCalls ? press?.shadowReads : nil)
        let cache = press?.cache
        int("cache_hits", "lookups that were served", cache?.hits)
        int("cache_misses", "lookups that were not", cache?.misses)
        int("cache_stale", "hits that were wrong", cache?.stale)
        int("cache_invalidations", "entries dropped", cache?.invalidations)
        int("cache_calls_saved", "against policy none", cache?.callsSaved)
        int("cache_time_saved_ns", "their cost", cache?.timeSaved.nanoseconds)
        text("state", "hash of the state after it", press?.resolutions.last?.state.map { $0.hexadecimal(16) })
    }

    /// The second or a later resolution of a press.
    mutating func row(_ run: ResolutionRecord?, number: Int, of press: TracePress?, _ names: TraceDefinitions) {
        place(press?.at)
        int("run", "from 2 on", number)
        text("outcome", "as in presses", run?.outcome.name)
        text("taken_by", "as in presses", run?.takenBy?.name)
        text("action", "selector", names.string(run?.action))
        text("supplier", "as in presses", run?.supplierName(names))
        text("target", "as in presses", names.id(of: run?.target))
    }

    mutating func textRow(_ press: TracePress?, _ names: TraceDefinitions) {
        int("text_number", "as the recording counts texts", press?.at.tick)
        int("t_ns", "time since time 0", press?.time.nanoseconds)
        text("outcome", "as in presses", press?.resolution?.outcome.name)
        text("taken_by", "as in presses", press?.resolution?.takenBy?.name)
        text("target", "who took it", names.id(of: press?.resolution?.target))
        text("text", "NULL when masked", names.string(press?.resolution?.text))
    }

    // MARK: Definitions

    mutating func row(_ responder: ResponderDefinition?) {
        text("responder", "its id", responder?.id)
        text("kind", "kind or class name", responder?.kind)
    }

    mutating func row(_ definition: CommandDefinition?, number: Int, _ texts: inout RowTexts) {
        int("command", "a number of this database", number)
        command(definition, &texts)
        text("attributes", "hidden, wantsPriority, …, joined by +", definition?.attributes.names.joined(separator: "+"))
    }

    mutating func row(_ command: CommandRef?, list: Int, position: Int) {
        int("list", "a number of this database", list)
        int("position", "from 0 on", position)
        int("command", "as in commands", command?.rawValue)
    }
}

extension LatencyStage {
    /// The column of each stage.
    static let columns: [(stage: LatencyStage, name: String, meaning: String)] = zip(allCases, [
        "switch to host", "bus to the system's stamp", "system's stamp to the app", "the climb of the raw press",
        "whether a longer sequence follows", "keyCommands and menus", "which command", "canPerformAction and validate",
        "the action", "to idle or the committed frame",
    ]).map { stage, meaning in
        (stage, stage.name.reduce("") { $0 + ($1.isUppercase ? "_" + $1.lowercased() : String($1)) } + "_ns", meaning)
    }
}

extension ResolutionRecord {
    /// `"mainMenu"` for a command of the menu; `nil` where no command decided.
    func supplierName(_ definitions: TraceDefinitions) -> String? {
        definitions.id(of: supplier) ?? (takenBy == .mainMenu ? "mainMenu" : nil)
    }
}
