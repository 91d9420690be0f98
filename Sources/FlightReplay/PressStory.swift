import KeyModel
import TraceFormat

/// What a recording tells of one press or repeat, with the chain that it met: what `verify` compares.
struct PressStory {
    struct Answer: Hashable {
        var responder: String
        var action: String?
        var isYes: Bool
    }

    /// A command that matches, and what became of it.
    struct Candidate: Hashable {
        var supplier: String
        /// As in `PressStories.commands(of:)`.
        var command: String
        var reason: String
        var name: String { "\(command) of \(supplier)" }
    }

    var at: PressTick
    var time: TraceTime
    /// As a chord is written; `nil` for text without a key and for a masked key.
    var chord: String?
    var isMasked = false
    var outcome: Outcome
    var takenBy: TakenBy?
    var action: String?
    var supplier: String?
    var target: String?
    var character: String?
    /// `nil` also where text is masked.
    var text: String?
    /// `nil` where the recording has none.
    var state: UInt64?
    var receivers: [String] = []
    /// Those receivers that did not pass the press on.
    var keepers: Set<String> = []
    var shadowed: [String] = []
    /// The command that took the press, as in `PressStories.commands(of:)`.
    var command: String?
    var candidates: [Candidate] = []
    /// The recording kept what became of candidates when the press came.
    var tellsCandidates = false
    var effects: [String] = []
    /// Reads by kind, in the order of `CallKind`, without those at the release.
    var calls: [Int] = []
    /// Reads at releases since the line before.
    var callsOnRelease = 0
    var cache: CacheRecord?
    /// What the responders answered about actions, in order.
    var answers: [Answer] = []
    var start: String?
    var chain = ChainState()
}

/// The chain as a recording says it is.
struct ChainState {
    var next: [String: String] = [:]
    var firstResponder: String?
    var keyWindow: String?
    /// Who takes text.
    var textInput: String?
    /// The main menu when it was built or validated last.
    var menu: CommandListRef?
    /// What each responder answered last.
    var lists: [String: CommandListRef] = [:]

    /// The responders from `start` on, each once.
    func members(from start: String?) -> [String] {
        var members: [String] = []
        var seen: Set<String> = []
        var here = start
        while let id = here, seen.insert(id).inserted {
            members.append(id)
            here = next[id]
        }
        return members
    }
}

/// Reads the stories of a recording in order.
struct PressStories {
    private var stream: any RecordStream
    private var level = TraceLevel.keys
    private var chain = ChainState()
    /// The story has the chain as it was when its key went down.
    private var hasChain = false
    private var story = PressStory(
        at: PressTick(press: 0, tick: 0), time: .zero, outcome: .unhandled, takenBy: nil, state: nil)
    /// Texts without a key that came so far.
    private var texts: UInt32 = 0
    private var chords: [UInt32: (text: String?, isMasked: Bool)] = [:]
    /// Presses whose key came up; what became of the last ones may be told later.
    private var ended: [UInt32] = []
    /// Presses that came while the recording kept keys only, as ranges that ascend.
    private var unresolvedRanges: [ClosedRange<UInt32>] = []
    /// Something masked or lost came by, so that states need not be the same any more.
    private(set) var hidesText = false

    init(_ stream: any RecordStream) {
        self.stream = stream
        for entry in stream.initialContext {
            switch entry {
            case .record(let body): follow(body)
            case .lastList(let last): keep(last.list, of: last.responder)
            case .keyState, .heldKey, .heldModifiers: break
            }
        }
    }

    /// The next line, `nil` after the last.
    mutating func next() -> PressStory? {
        while let record = stream.next() {
            follow(record.body)
            if case .resolution(let resolution) = record.body { return finish(resolution, at: record.time) }
        }
        return nil
    }

    private func id(_ ref: ResponderRef?) -> String? { ref.flatMap { stream.definitions[$0]?.id } }
    private func text(_ ref: StringRef?) -> String? { ref.flatMap { stream.definitions[$0] } }

    private mutating func follow(_ body: TraceRecord.Body) {
        switch body {
        case .level(let change): level = change.level
        case .key(let key): follow(key)
        case .text(let text):
            texts &+= 1
            if text.text == nil { hidesText = true }
        // Marked text is kept as one unknown character.
        case .step(let step): if text(step.step)?.contains("\u{FFFD}") == true { hidesText = true }
        case .loss: hidesText = true
        case .link(let link):
            if let responder = id(link.responder) { chain.next[responder] = id(link.next) }
        case .firstResponder(let change): chain.firstResponder = id(change.responder)
        case .keyWindow(let change): chain.keyWindow = id(change.window)
        case .textInput(let change): chain.textInput = id(change.responder)
        case .receiver(let receiver) where receiver.phase == .down && receiver.at.press > 0:
            let id = id(receiver.responder) ?? "?"
            story.receivers.append(id)
            if receiver.isSwallowed { story.keepers.insert(id) }
        case .candidate(let candidate): follow(candidate)
        case .effect(let effect):
            story.effects.append(
                [id(effect.responder), text(effect.kind), text(effect.value)].compactMap(\.self).joined(separator: " "))
        case .call(let call): follow(call)
        case .cache(let cache): story.cache = cache
        default: break
        }
    }

    private mutating func follow(_ key: KeyRecord) {
        if key.key.maskedClass != nil { hidesText = true }
        guard let press = key.press else { return }
        guard key.phase == .down || key.phase == .repeat else { return end(press) }
        // What the press does to the chain is recorded before its resolution.
        story.chain = chain
        hasChain = true
        guard key.phase == .down else { return }
        chords[press] = (key.key.usage.map { Chord(modifiers: key.modifiers, usage: $0).text }, key.key.usage == nil)
        if level == .keys { noteUnresolved(press) }
    }

    private mutating func end(_ press: UInt32) {
        ended.append(press)
        guard ended.count >= 2048 else { return }
        for press in ended.prefix(1024) { chords[press] = nil }
        ended.removeFirst(1024)
    }

    private mutating func noteUnresolved(_ press: UInt32) {
        if let last = unresolvedRanges.last, press > 0, last.upperBound == press - 1 {
            unresolvedRanges[unresolvedRanges.count - 1] = last.lowerBound...press
        } else {
            unresolvedRanges.append(press...press)
        }
    }

    /// The recording kept nothing of the press but its keys.
    func isUnresolved(_ press: UInt32) -> Bool { unresolvedRanges.contains { $0.contains(press) } }

    private mutating func follow(_ candidate: CandidateRecord) {
        guard let command = stream.definitions[candidate.command] else { return }
        let supplier = id(candidate.supplier)
        story.candidates.append(
            PressStory.Candidate(
                supplier: supplier ?? "the main menu", command: PressStories.text(of: command),
                reason: text(candidate.reason) ?? candidate.verdict.name))
        if candidate.verdict == .shadowed { story.shadowed.append("\(supplier ?? "mainMenu"):\(command.action)") }
    }

    private mutating func follow(_ call: CallRecord) {
        if case .commands(let list) = call.answer {
            if call.kind == .buildMenu {
                chain.menu = list
                story.chain.menu = list
            } else if call.occasion != .shadow {
                keep(list, of: call.responder)
            }
        }
        switch call.occasion {
        case .shadow: return
        case .release: story.callsOnRelease += 1
        case .down, .repeatTick:
            if story.calls.isEmpty { story.calls = Array(repeating: 0, count: CallKind.allCases.count) }
            if let place = CallKind.allCases.firstIndex(of: call.kind) { story.calls[place] += 1 }
        }
        guard call.kind == .canPerformAction, let responder = id(call.responder) else { return }
        story.answers.append(
            PressStory.Answer(responder: responder, action: text(call.action), isYes: call.answer == .yes))
    }

    private mutating func keep(_ list: CommandListRef, of responder: ResponderRef) {
        guard let responder = id(responder), chain.lists[responder] != list else { return }
        chain.lists[responder] = list
        if hasChain { story.chain.lists[responder] = list }
    }

    /// The commands of a list as people read them, without titles.
    func commands(of list: CommandListRef?) -> [String]? {
        guard let list, let commands = stream.definitions[list] else { return nil }
        return commands.compactMap { ref in
            stream.definitions[ref].map(PressStories.text)
        }
    }

    private static func text(of command: CommandDefinition) -> String {
        let key = command.modifiers.names + [command.input ?? "no input"]
        let words = attributes.filter { command.attributes.contains($0.0) }.map(\.1)
        let rest = words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
        return "\(key.joined(separator: "+")) \(command.action)\(rest)"
    }

    private static let attributes: [(CommandDefinition.Attributes, String)] = [
        (.disabled, "disabled"), (.hidden, "hidden"), (.wantsPriority, "priority"), (.alternate, "alternate"),
        (.notRepeating, "does not repeat"), (.notLocalised, "not localised"), (.notMirrored, "not mirrored"),
    ]

    private mutating func finish(_ resolution: ResolutionRecord, at time: TraceTime) -> PressStory {
        defer {
            story = PressStory(at: resolution.at, time: time, outcome: .unhandled, takenBy: nil, state: nil)
            hasChain = false
        }
        let key = chords[resolution.at.press]
        story.at = resolution.at
        // A part of a trace keeps the numbers of its texts; a replay of it counts from 0.
        if resolution.at.press == 0, texts > 0 { story.at.tick = texts - 1 }
        story.time = time
        story.chord = key?.text
        story.isMasked = key?.isMasked ?? (resolution.text == nil)
        story.outcome = resolution.outcome
        story.takenBy = resolution.takenBy
        story.action = text(resolution.action)
        story.supplier =
            id(resolution.supplier)
            ?? resolution.command.flatMap { stream.definitions[$0] }
            .flatMap { $0.attributes.contains(.mainMenu) ? "mainMenu" : nil }
        story.command = resolution.command.flatMap { stream.definitions[$0] }.map(PressStories.text)
        story.target = id(resolution.target)
        story.character = text(resolution.character)
        story.text = text(resolution.text)
        story.state = resolution.state
        story.start = id(resolution.start)
        story.tellsCandidates = level == .calls
        if !hasChain { story.chain = chain }
        if story.cache?.at != resolution.at { story.cache = nil }
        return story
    }
}
