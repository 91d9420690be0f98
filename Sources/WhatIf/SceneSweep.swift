package import FlightReplay
package import KeyModel
package import LatencyAnalysis
import ResponderEngine
import Scenes
package import TraceFormat

/// Presses every chord that a scene offers, in every focus context that it has: each of them in responders of its
/// own, so that one press leaves nothing behind for the next.
package struct SceneSweep {
    private let replay: SceneReplay
    /// The scene as it begins.
    private let scene: SceneInstance
    private var engine: KeyboardEngine { scene.engine }
    package let contexts: [Context]
    /// Presses in the sweep. Limited, since a scene may have too many chords and contexts.
    package private(set) var presses = 0
    /// True if not every chord was pressed in every context.
    package private(set) var isShortened = false
    package static let pressLimit = 20_000

    /// Ids of the responders that were asked for their commands in some context.
    package private(set) var asked: Set<String> = []

    /// A place from which keys start.
    package struct Context: Hashable, Sendable {
        /// The responder that is first or has the focus; `nil` without one.
        package var responder: String?
        /// The window that becomes key for it; `nil` where it is key as the scene begins.
        package var window: String?

        /// `focus search`, or `no first responder in panel`.
        package var place: String {
            responder.map { "focus \($0)" } ?? "no first responder" + (window.map { " in \($0)" } ?? "")
        }
    }

    /// The context in which the scene begins comes first, then one for each other window that can be key, and one for
    /// each responder that can be first or have the focus, in the order of the scene. One that is not in a window, such
    /// as a controller that is not presented, is left out, and one that the focus does not come to.
    package init(_ replay: SceneReplay) throws {
        self.replay = replay
        let instance = try replay.instantiate()
        scene = instance
        var found = [Context(responder: instance.engine.firstResponder?.id)]
        let keyWindow = instance.engine.application.keyWindow
        for responder in instance.responders where SceneSweep.isAttached(responder) {
            var reached: [Context?] = []
            if responder is Window, responder !== keyWindow {
                reached.append(try SceneSweep.context(Context(window: responder.id), replay))
            }
            if responder.canBecomeFirstResponder || instance.engine.isDeclaredFocusable(responder) {
                let window = responder as? Window ?? responder.windowOfChain
                let other = window === keyWindow ? nil : window?.id
                reached.append(try SceneSweep.context(Context(responder: responder.id, window: other), replay))
            }
            for context in reached.compactMap(\.self) {
                let isKnown = found.contains {
                    context.responder == nil ? $0 == context : $0.responder == context.responder
                }
                if !isKnown { found.append(context) }
            }
        }
        contexts = found
    }

    /// The context that the scene comes to where it is asked for this one; `nil` where it does not.
    private static func context(_ wanted: Context, _ replay: SceneReplay) throws -> Context? {
        let other = try replay.instantiate()
        for step in steps(to: wanted) { _ = try? other.apply(step, at: .zero) }
        let engine = other.engine
        if let window = wanted.window, engine.application.keyWindow?.id != window { return nil }
        guard let responder = wanted.responder else {
            return Context(responder: engine.firstResponder?.id, window: wanted.window)
        }
        return engine.firstResponder?.id == responder || engine.focusedItem?.id == responder ? wanted : nil
    }

    /// Items of the app's main menu that the chain of some context performs, and a pick from the menu bar does not.
    package func itemsLostToMenuBar() throws -> [(context: Context, action: String, responder: String)] {
        try contexts.flatMap { context in
            let instance = try replay.instantiate()
            if context != contexts[0] {
                for step in SceneSweep.steps(to: context) { _ = try? instance.apply(step, at: .zero) }
            }
            return instance.engine.itemsLostToMenuBar.map { (context, $0.action.name, $0.responder.id) }
        }
    }

    /// Presses one key in each context, so that all responders are asked that ever are.
    package mutating func findAsked() throws {
        for context in contexts {
            if let probe = try record(SceneSweep.unusedKey, in: context) { _ = offers(of: probe) }
        }
    }

    private static func steps(to context: Context) -> [ContextStep] {
        (context.window.map { [.activate($0)] } ?? []) + (context.responder.map { [.focus($0)] } ?? [])
    }

    /// Name of the layout that is typed on.
    package var layout: String { engine.layout.name }

    /// The chain from it ends at the application, or goes by a window.
    static func isAttached(_ responder: Responder) -> Bool {
        var walk = ChainWalk(from: responder)
        while let here = walk.step() {
            if here is Window || here is Application { return true }
        }
        return false
    }

    /// One press in a context of the scene, recorded in clear at level `calls`.
    package struct Press {
        package var context: Context
        /// The chord, as a command has it; `nil` for a key that no command is asked for with.
        package var chord: CommandChord?
        /// The chord under which it is searched on the scene's layout.
        package var typed: CommandChord?
        /// The key that was pressed for it.
        package var key: Chord?
        package var recording: Recording

        package var place: String { context.place }
    }

    /// In each context, a press of a key that no command has, then one of each chord that is offered there, and of
    /// what presses may be kept from.
    package mutating func run(_ visit: (Press) throws -> Void) throws {
        for context in contexts {
            guard let probe = try record(SceneSweep.unusedKey, in: context) else { continue }
            try visit(Press(context: context, recording: probe))
            var pressed: Set<Chord> = []
            for (chord, typed) in offers(of: probe) {
                guard let key = key(of: typed) else { continue }
                guard let recording = try recordNext(key, in: context) else { return }
                pressed.insert(key)
                try visit(Press(context: context, chord: chord, typed: typed, key: key, recording: recording))
            }
            for key in keysThatSwallowersGet where pressed.insert(key).inserted {
                guard let recording = try recordNext(key, in: context) else { return }
                try visit(Press(context: context, key: key, recording: recording))
            }
        }
    }

    /// `nil` once there are too many presses, or where the scene does not come to the context.
    private mutating func recordNext(_ key: Chord, in context: Context) throws -> Recording? {
        guard presses < SceneSweep.pressLimit else {
            isShortened = true
            return nil
        }
        presses += 1
        return try record(key, in: context)
    }

    /// Where some responder swallows presses: a letter, keys that edit, Escape, and a key of the system, none of which
    /// a command has to have.
    private var keysThatSwallowersGet: [Chord] {
        let swallowed = replay.scene.responders.map(\.swallowsPresses)
        guard swallowed.contains(where: { $0 != .none }) else { return [] }
        let keys: [KeyUsage] = [.keyboard(0x04), .returnOrEnter, .deleteOrBackspace, .leftArrow, .escape]
        let own = swallowed.flatMap { if case .keys(let keys) = $0 { keys } else { [KeyUsage]() } }
        return (keys + own).map { Chord(modifiers: [], usage: $0) }
            + [Chord(modifiers: .command, usage: .keyboard(0x06))]
    }

    /// The receiver of each chord that is offered, in each context.
    package mutating func bindings(_ visit: (Press) throws -> Void = { _ in }) throws -> BindingsAnalysis {
        var analyzer = BindingsAnalyzer()
        var conflicts: [MenuConflict] = []
        try run { press in
            for case .effect(let effect) in press.recording.records.map(\.body) {
                guard let conflict = effect.menuConflict(press.recording.definitions), !conflicts.contains(conflict)
                else { continue }
                conflicts.append(conflict)
            }
            // A key that no command was asked for is no binding.
            guard press.chord != nil || press.key == nil else { return try visit(press) }
            analyzer.scan(
                press.recording, context: press.context.responder, chord: press.chord, typed: press.typed?.input,
                key: press.key)
            try visit(press)
        }
        var analysis = analyzer.analysis()
        analysis.menuConflicts = conflicts
        analysis.layout = layout
        return analysis
    }

    /// The result of a press of a command's chord, which is searched as `typed`; `nil` where the layout has it not.
    package func answer(to typed: CommandChord, in context: Context) throws -> BindingsAnalysis.Answer? {
        guard let key = key(of: typed), let recording = try record(key, in: context) else { return nil }
        return BindingsAnalyzer.answer(of: recording)
    }

    /// What gets a chord that no command of the app has, in each context.
    package func unoffered(_ query: ChordQuery) throws -> [BindingsAnalysis.Unoffered] {
        let typing = query.character.flatMap { engine.key(ofInput: $0, query.modifiers) }
        let position = query.usage.map { Chord(modifiers: query.modifiers, usage: $0) }
        guard let key = typing?.modifiers == query.modifiers ? typing : position else { return [] }
        let input = query.character ?? key.usage.usInput ?? ""
        return try contexts.compactMap { context in
            guard let recording = try record(key, in: context) else { return nil }
            return BindingsAnalyzer.answer(of: recording).map {
                BindingsAnalysis.Unoffered(
                    context: context.responder, chord: CommandChord(input: input, modifiers: query.modifiers),
                    answer: $0)
            }
        }
    }

    /// Actions that the scene's main menu declares for a chord.
    package func menuActions(of query: ChordQuery) -> [String] {
        replay.scene.mainMenu.flatMap(\.commands)
            .filter { query.matches(input: $0.input ?? "", modifiers: $0.modifiers) }.map(\.action)
    }

    /// A key that no keyboard of today has.
    private static let unusedKey = Chord(modifiers: [], usage: .keyboard(0x73))

    /// The chords that are offered in this context, the main menu included, each once, in the order of the chain, and
    /// what each is searched as.
    private mutating func offers(of probe: Recording) -> [(own: CommandChord, typed: CommandChord)] {
        var seen: Set<CommandChord> = []
        var chords: [(own: CommandChord, typed: CommandChord)] = []
        for case .call(let call) in probe.records.map(\.body) {
            guard case .commands(let list) = call.answer else { continue }
            if call.kind == .keyCommands, let id = probe.definitions.id(of: call.responder) { asked.insert(id) }
            for command in (probe.definitions[list] ?? []).compactMap({ probe.definitions[$0] }) {
                guard let input = command.input, !input.isEmpty else { continue }
                let chord = CommandChord(input: input, modifiers: command.modifiers)
                guard seen.insert(chord.folded).inserted else { continue }
                let effective = engine.effectiveInput(
                    of: input, isLocalised: !command.attributes.contains(.notLocalised),
                    isMirrored: !command.attributes.contains(.notMirrored))
                chords.append((chord, CommandChord(input: effective, modifiers: command.modifiers)))
            }
        }
        return chords
    }

    private func record(_ chord: Chord, in context: Context) throws -> Recording? {
        guard let timeline = try timeline(of: chord, in: context) else { return nil }
        return try replay.record(timeline, showsKeys: true)
    }

    /// A press of a key in a context; `nil` for a context that the scene does not come to.
    package func timeline(of chord: Chord, in context: Context) throws -> ReplayTimeline? {
        // The scene begins in the first of them.
        let path = context == contexts[0] ? [] : SceneSweep.steps(to: context)
        let steps = path.map { KeyScript.Line(number: 1, step: .context($0)) }
        let key = KeyScript.KeyChord(modifiers: chord.modifiers, key: .usage(chord.usage))
        do {
            let press = KeyScript.Line(number: 2, step: .press(key))
            return try replay.timeline(of: KeyScript(file: replay.scene.file, steps: steps + [press]))
        } catch is SourceTextError {
            return nil
        }
    }

    /// The key of a chord on the scene's layout, with the modifiers that it takes besides; `nil` where no key has it.
    package func key(of chord: CommandChord) -> Chord? { engine.key(ofInput: chord.input, chord.modifiers) }
}

extension KeyboardEngine {
    /// The key of a command whose effective input is this.
    func key(ofInput input: String, _ modifiers: KeyModifiers) -> Chord? {
        let held = modifiers.intersection(.matchMask)
        if let usage = CommandDefinition.key(ofInput: input) { return Chord(modifiers: held, usage: usage) }
        let command = KeyCommand(input: input, modifierFlags: modifiers, action: "")
        command.allowsAutomaticLocalization = false
        if let found = key(of: command) { return found }
        // A key that the system gives another meaning, such as ⌘., matches none.
        guard input.count == 1, let character = input.lowercased().first,
            let strokes = layout.keyStrokes(typing: character), let stroke = strokes.first, strokes.count == 1,
            stroke.modifiers.isSubset(of: held)
        else { return nil }
        return Chord(modifiers: held, usage: stroke.usage)
    }
}
