import KeyModel
package import TraceFormat
import TracePresses

/// The main menu: refused duplicates (T-13), and content that changed without a rebuild (T-12).
struct MenuTracker: Sendable {
    private var menu: CommandListRef?
    /// The change of the menu's content since it was built; `nil` without one.
    private var change: (words: String, time: TraceTime)?
    private var isRebuildAsked = false

    mutating func consume(_ record: TraceRecord, _ names: TraceDefinitions, _ accumulator: inout FindingAccumulator) {
        switch record.body {
        case .step(let step):
            let words = names[step.step] ?? ""
            if words.hasPrefix("menu set") { change = (words, record.time) }
            if words == "setNeedsRebuild" { askRebuild() }
        case .invalidation(let invalidation): if invalidation.scope == .menuRebuild { askRebuild() }
        case .call(let call):
            guard call.kind == .buildMenu, call.occasion == .shadow, case .commands(let list) = call.answer else {
                return
            }
            if let menu, menu != list, !isRebuildAsked {
                let place = evidence(call.at, record.time, accumulator.place)
                accumulator.add(.staleMenu, "shadow", chord: nil, evidence: place) {
                    "the menu would be another one now, and no rebuild was asked for"
                }
            }
            menu = list
            isRebuildAsked = false
        case .effect(let effect): note(effect, at: record.time, names, &accumulator)
        default: break
        }
    }

    private mutating func askRebuild() {
        change = nil
        isRebuildAsked = true
    }

    private func evidence(_ at: PressTick, _ time: TraceTime, _ place: String?) -> Finding.Evidence? {
        at.press == 0 ? nil : Finding.Evidence(press: at.press, tick: at.tick, time: time, place: place)
    }

    private func note(
        _ effect: EffectRecord, at time: TraceTime, _ names: TraceDefinitions, _ accumulator: inout FindingAccumulator
    ) {
        guard let words = effect.menuConflict(names)?.words else { return }
        // Which of the two is the system's decides what can be done.
        let isOwn = ["the app's own", "twice"].contains { words.contains($0) }
        let hasNoPlace = words.contains("there is none with this identifier")
        let hint = isOwn ? "give one of the two another key or action, or leave it out"
            : hasNoPlace ? "insert it beside a menu that is there: an earlier change, or the system, removed this one"
            : nil
        accumulator.add(
            .menuDuplicate, words, chord: nil, evidence: evidence(effect.at, time, accumulator.place), hint: hint
        ) { words }
    }

    /// A press that the old menu may have decided.
    mutating func note(_ tick: TracePress, _ names: TraceDefinitions, _ accumulator: inout FindingAccumulator) {
        guard let change, menu != nil, let resolution = tick.resolution,
            resolution.takenBy == .mainMenu || resolution.outcome == .unhandled && resolution.takenBy == nil,
            tick.time > change.time
        else { return }
        let chord = tick.chord(names)
        accumulator.add(.staleMenu, change.words, chord: chord, at: tick) {
            "after \"\(change.words)\" no rebuild was asked for, and the menu as it was decides presses"
        }
    }
}

/// What building the main menu left out, or how it raised.
package struct MenuConflict: Hashable, Sendable {
    /// By the name of the effect.
    package enum Kind: String, Sendable {
        case dropped = "menuDropped"
        case raised = "menuRaised"
        case ended = "menuException"
    }

    package var kind: Kind
    package var what: String

    package var words: String {
        switch kind {
        case .dropped: "left out of the main menu: \(what)"
        case .raised: "replacing a menu raises: \(what)"
        case .ended: "building the main menu ends the app: \(what)"
        }
    }
}

extension EffectRecord {
    /// `nil` for effects of another kind.
    package func menuConflict(_ names: TraceDefinitions) -> MenuConflict? {
        guard let kind = names[kind].flatMap(MenuConflict.Kind.init) else { return nil }
        // Text in JSON.
        var what = value.flatMap { names[$0] } ?? "a command"
        if what.count > 1, what.hasPrefix("\""), what.hasSuffix("\"") { what = String(what.dropFirst().dropLast()) }
        return MenuConflict(kind: kind, what: what)
    }
}
