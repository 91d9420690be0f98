public import KeyModel
public import ResponderEngine
public import Scenes
import TraceFormat
import TracePresses

/// A session as a scene with a key script: the responders of a trace, their lists and their answers, for a golden that
/// can be read and edited without the app.
///
/// 1. The trace is replayed by its own answers; a scene must answer the same questions.
/// 2. Each responder has its first answers in the scene, and steps of the script change them before the presses that
///    met others.
/// 3. The scene is replayed. Presses with another outcome than the recorded one are among the omissions.
public struct SceneExport: Sendable {
    /// The scene's text, which begins with the omissions.
    public let scene: String
    /// The script's text.
    public let script: String
    /// Parts of this session that a scene cannot express, a sentence each.
    public let omissions: [String]
    /// Presses and repeats that the scene resolves as recorded, and those that it does not.
    public let counts: (same: Int, different: Int)

    /// Presses that are named one by one.
    private static let namedPresses = 50

    /// - Parameters:
    ///   - trace: Of an app that recorded its responders' answers.
    ///   - name: The scene's.
    ///   - otherwise: What holds where the trace names no profile, or stores no layout.
    ///   - resources: Of the scene, which is replayed to see what it resolves differently.
    /// - Throws: Why the trace cannot be replayed; `SourceTextError` for a scene of more than 1 MiB.
    /// - Returns: `nil` for a trace that does not contain what responders answered.
    public init?(
        _ trace: RecordedTrace, named name: String, otherwise: (profile: Profile, layout: Layout),
        resources: SceneResources
    ) throws {
        guard let replay = RecordedReplay(trace, otherwise: otherwise) else { return nil }
        if let tooLarge = RecordedReplay.TooLarge(offersOf: trace) { throw tooLarge }
        let timeline = try replay.timeline()
        let session = try RecordedSession(trace, replayed: SteppedReplay(replay, timeline, keepsLists: true))
        let engine = try replay.makeSubject().engine
        let windows = Set(trace.summary.windows.compactMap { trace.definitions[$0]?.id })
        var writer = SessionWriter(session, engine, windows: windows)
        writer.write()
        let made = writer.draft.scene(named: name, of: engine)
        let remarks = writer.draft.remarks(of: made)
        let plain = made.text(remarks: remarks)
        let steps = KeyScript(file: "input.keys", steps: writer.script.steps)
        let differences = try SceneExport.differences(
            of: try Scene(text: plain, file: "scene.yaml"), try KeyScript(text: steps.text(), file: "input.keys"),
            from: writer, resources)
        omissions = writer.omissions + differences.reasons + differences.sentences
        counts = (differences.same, differences.count)
        let head = ["What was recorded of an app, as a scene. Not in it:"] + omissions.map { "- \($0)" }
        scene = made.text(comments: head, remarks: remarks)
        script = steps.text(comments: ["The keys of the recording; their times are not in it."])
    }

    // MARK: Comparison

    private struct Differences {
        var same = 0
        var count = 0
        var sentences: [String] = []
        /// Texts whose key bindings took a press, and responders that received repeats of a key that they keep.
        var bound: Set<String> = []
        var hearing: Set<String> = []

        /// Reasons for which the outcomes of a scene differ.
        var reasons: [String] {
            var sentences: [String] = []
            if !bound.isEmpty {
                let ids = bound.sorted().joined(separator: ", ")
                sentences.append("the key bindings of \(ids): no trace has the file that keyBindings names")
            }
            if !hearing.isEmpty {
                let ids = hearing.sorted().joined(separator: ", ")
                sentences.append(
                    "keys that onKeyPress of \(ids) handles: here they are swallowed, and not repeated")
            }
            return sentences
        }

        mutating func add(_ press: TracePress?, _ recorded: RecordedOutcome, _ session: RecordedSession) {
            count += 1
            switch recorded.takenBy {
            case .keyBinding?: if let id = session.id(press?.context.textInput?.responder) { bound.insert(id) }
            case .presses? where (press?.at.tick ?? 0) > 0 || recorded.outcome == .handledByKeyPress:
                let down = press.flatMap { session.presses[PressTick(press: $0.at.press, tick: 0)] }
                if let id = session.id(down?.receivers.last?.responder) { hearing.insert(id) }
            default: break
            }
        }
    }

    /// Replays the scene and compares each press with what was recorded of it.
    private static func differences(
        of scene: Scene, _ script: KeyScript, from writer: SessionWriter, _ resources: SceneResources
    ) throws -> Differences {
        let replay = SceneReplay(scene, resources: resources)
        let lines = try replay.lines(of: try replay.timeline(of: script))
        let found = Dictionary(zip(ticks(of: lines, writer.typed, writer.inserted), lines)) { first, _ in first }
        var differences = Differences()
        for tick in writer.ticks + writer.missing {
            guard let recorded = writer.session.recorded[tick] else { continue }
            guard recorded.outcome.isDecided, !writer.undecided.contains(tick) else { continue }
            if let line = found[tick], recorded.isSame(as: line) {
                differences.same += 1
                continue
            }
            differences.add(writer.session.presses[tick], recorded, writer.session)
            guard differences.count <= namedPresses else { continue }
            let other = found[tick].map { RecordedOutcome($0).text } ?? "nothing"
            differences.sentences.append("\(writer.name(of: tick)): recorded \(recorded.text), here \(other)")
        }
        let rest = differences.count - namedPresses
        if rest > 0 { differences.sentences.append("\(rest) more presses come to something else here") }
        return differences
    }

    /// The recorded press or text of each line.
    private static func ticks(of lines: [ReplayLine], _ typed: [UInt32], _ inserted: [PressTick]) -> [PressTick] {
        var repeats: [UInt32: UInt32] = [:]
        var texts = inserted.makeIterator()
        return lines.map { line in
            guard let press = line.press else { return texts.next() ?? PressTick(press: 0, tick: .max) }
            let recorded = Int(press) <= typed.count ? typed[Int(press) - 1] : .max
            if line.isRepeat { repeats[press, default: 0] += 1 }
            return PressTick(press: recorded, tick: repeats[press] ?? 0)
        }
    }
}

/// Writes the inputs of a session as steps, and what they met as a scene.
struct SessionWriter {
    let session: RecordedSession
    private let isOfAppKit: Bool
    private let repeats: (delay: TraceDuration, interval: TraceDuration)
    private(set) var draft: SceneDraft
    private(set) var script = ScriptDraft()
    /// Recorded presses in the order in which the script types them, and texts.
    private(set) var typed: [UInt32] = []
    private(set) var inserted: [PressTick] = []
    /// Both, with the repeats.
    private(set) var ticks: [PressTick] = []
    private var held: [UInt32: ScriptDraft.HeldKey] = [:]
    private var isAttached = true
    private var layoutName: String
    private var masked = (keys: 0, texts: 0)
    /// Presses of keys without a name in scripts.
    private var unnamed: Set<UInt32> = []
    private(set) var undecided: [PressTick] = []

    init(_ session: RecordedSession, _ engine: KeyboardEngine, windows: Set<String>) {
        self.session = session
        isOfAppKit = engine.profile.appKit != nil
        layoutName = engine.layout.name
        repeats = (engine.repeatDelay, engine.repeatInterval)
        draft = SceneDraft(session.definitions, windows: windows)
    }

    /// Parts of the session that a scene and its script lack, apart from presses with another outcome.
    var omissions: [String] {
        var sentences = [
            "when keys came and how long anything took",
            "effects of actions, but for what later presses met: steps of the script come before those",
        ]
        if masked.keys > 0 {
            sentences.append("the keys of \(masked.keys) presses, which are masked: a key of their class is typed")
        }
        if let entries = session.secureEntries.text {
            sentences.append("what was typed in \(entries), of which nothing is recorded")
        }
        if masked.texts > 0 { sentences.append("\(masked.texts) masked texts: a placeholder is inserted") }
        if !unnamed.isEmpty { sentences.append("\(unnamed.count) presses of keys that a script has no name for") }
        if !draft.tail.isEmpty {
            sentences.append(
                "where \(draft.tail.joined(separator: ", ")) belong: no chain has them, so they come after its end")
        }
        for tick in undecided.prefix(50) { sentences.append("\(name(of: tick)): the recording does not decide it") }
        if undecided.count > 50 { sentences.append("\(undecided.count - 50) more presses that it does not decide") }
        return sentences
    }

    /// Presses and repeats that are recorded, and that a replay by the recorded answers does not have.
    var missing: [PressTick] {
        let met = Set(ticks)
        let rest = session.recorded.keys.filter { !met.contains($0) && !unnamed.contains($0.press) }
        return rest.sorted { ($0.press, $0.tick) < ($1.press, $1.tick) }
    }

    func name(of tick: PressTick) -> String {
        guard tick.press > 0 else { return "text \(tick.tick + 1)" }
        let key = session.presses[PressTick(press: tick.press, tick: 0)]?.key
        let chord = key.flatMap { key in key.key.usage.map { Chord(modifiers: key.modifiers, usage: $0).text } }
        let shown = chord ?? key?.key.maskedClass.map { "a \($0.name)" } ?? ""
        let number = "press \(tick.press)" + (tick.tick > 0 ? ", repeat \(tick.tick)" : "")
        return shown.isEmpty ? number : "\(number) (\(shown))"
    }

    // MARK: Inputs

    mutating func write() {
        for (place, input) in session.inputs.enumerated() {
            switch input {
            case .down(let tick): down(tick, at: place)
            case .repeated(let tick):
                let changes = enter(tick)
                guard let key = held[tick.press] else { continue }
                script.add(changes, before: offset(ofRepeat: tick.tick), of: key)
            case .up(let tick): if let key = held.removeValue(forKey: tick.press) { script.up(key) }
            case .text(let tick): insert(tick)
            case .step(let step): if let step = draft.pass(step) { script.add(step) }
            case .hardware(let attached):
                guard attached != isAttached else { continue }
                isAttached = attached
                script.add(attached ? .attach : .detach)
            case .layout(let name):
                guard name != layoutName else { continue }
                layoutName = name
                script.add(.layout(name))
            case .invalidation(let change): invalidate(change)
            }
        }
        for (_, key) in held.sorted(by: { $0.key < $1.key }) { script.up(key) }
    }

    private mutating func invalidate(_ change: InvalidationRecord) {
        switch change.scope {
        case .responder:
            if let id = session.id(change.responder), draft.knows(id) { script.add(.invalidate(id)) }
        case .menuRebuild:
            draft.menuIsRebuilt()
            script.add(.setNeedsRebuild)
        case .menuRevalidate: script.add(.setNeedsRevalidate)
        }
    }

    private mutating func insert(_ tick: PressTick) {
        for step in enter(tick) { script.add(step) }
        let text = session.presses[tick]?.text.flatMap { session.definitions[$0] }
        if text == nil { masked.texts += 1 }
        inserted.append(tick)
        script.insert(text ?? "\u{FFFD}")
    }

    private mutating func down(_ tick: PressTick, at place: Int) {
        guard let key = session.presses[tick]?.key, let chord = scriptChord(of: key) else {
            unnamed.insert(tick.press)
            return
        }
        for step in enter(tick) { script.add(step) }
        typed.append(tick.press)
        let (count, isAlone) = ownRepeats(of: tick.press, downAt: place)
        guard count > 0 else { return script.press(chord) }
        let end = offset(ofRepeat: count)
        if isAlone {
            script.hold(chord, end)
        } else {
            held[tick.press] = script.down(chord, until: end)
        }
    }

    /// A masked key is typed as the first one of its class.
    private mutating func scriptChord(of key: KeyRecord) -> KeyScript.KeyChord? {
        let usage: KeyUsage
        switch key.key {
        case .clear(let clear): usage = clear
        case .masked(let textClass):
            masked.keys += 1
            guard let first = textClass.usages.first?.lowerBound else { return nil }
            usage = .keyboard(first)
        }
        let chord = KeyScript.KeyChord(modifiers: key.modifiers.intersection(.matchMask), key: .usage(usage))
        guard let read = try? Chord.parse(Chord(modifiers: chord.modifiers, usage: usage).text),
            read.key == chord.key, read.modifiers == chord.modifiers
        else { return nil }
        return chord
    }

    /// Time of the n-th repeat of a held key by the profile.
    private func offset(ofRepeat number: UInt32) -> TraceDuration {
        let (product, overflow) = repeats.interval.nanoseconds.multipliedReportingOverflow(by: Int64(number) - 1)
        return repeats.delay + TraceDuration(nanoseconds: overflow ? .max : product)
    }

    /// Number of repeats of a press; `isAlone` if nothing else comes in between and its repeats meet what it met.
    private func ownRepeats(of press: UInt32, downAt place: Int) -> (count: UInt32, isAlone: Bool) {
        guard let run = session.repeatRuns[place] else { return (0, true) }
        guard !run.isInterrupted else { return (run.count, false) }
        var copy = self
        let isAlone = (1...run.count).allSatisfy { number in
            guard let met = session.presses[PressTick(press: press, tick: number)] else { return true }
            return copy.steps(before: met).isEmpty
        }
        return (run.count, isAlone)
    }

    // MARK: What a press met

    /// The steps before a press, a repeat or a text.
    private mutating func enter(_ tick: PressTick) -> [ContextStep] {
        guard let press = session.presses[tick] else { return [] }
        ticks.append(tick)
        if press.resolution?.outcome.isDecided == false { undecided.append(tick) }
        return steps(before: press)
    }

    /// Changes the draft only, so that a copy which tries a press does not copy the list of all presses.
    private mutating func steps(before press: TracePress) -> [ContextStep] {
        let replayed = press.resolution.map { RecordedOutcome($0, session.definitions) }
        var situation = Situation(press, session, after: draft.route)
        if isOfAppKit, let replayed {
            situation.readKeyDown(replayed)
            noteEquivalent(press, replayed, situation)
        }
        return draft.enter(situation, replayed)
    }

    /// The key of a view or menu item, which an AppKit app does not list.
    private mutating func noteEquivalent(_ press: TracePress, _ outcome: RecordedOutcome, _ situation: Situation) {
        guard outcome.takenBy == .keyEquivalent || outcome.takenBy == .mainMenu, let action = outcome.action,
            Selector(action).isValid, let key = press.key,
            let input = press.resolution?.character.flatMap({ session.definitions[$0] }), Scene.canName(input: input)
        else { return }
        draft.note(
            CommandDescription(input: input, modifiers: key.modifiers.intersection(.matchMask), action: action),
            of: outcome.takenBy == .mainMenu ? nil : outcome.supplier, in: situation.window)
    }
}
