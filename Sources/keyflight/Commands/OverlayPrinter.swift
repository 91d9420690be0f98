import KeyModel
import LatencyAnalysis
import ResponderEngine
import Scenes
import TraceFormat
import TraceReports

/// The overlay of a scene as text and as `keyflight.bindings/1`.
struct OverlayPrinter {
    let overlay: Overlay
    /// The result of a press of each entry's key, in the order of the entries; `nil` for one that no key types.
    let answers: [BindingsAnalysis.Answer?]
    /// That key on the layout, with the modifiers that its character takes besides.
    let keys: [Chord?]
    let scene: Scene
    let engine: KeyboardEngine

    func text(_ style: ReportStyle) -> String {
        let place = engine.firstResponder.map { "first responder \($0.id)" } ?? "no first responder"
        let heading = "\(scene.name) · profile \(engine.profile.name) · layout \(engine.layout.name) · \(place)"
            + " · overlay \(overlay.style.rawValue)"
        let notes = answers.indices.map { place in
            let parts = [pressed(place), taker(of: place).map { "the key: \($0)" }].compactMap(\.self)
            return parts.isEmpty ? "" : " (\(parts.joined(separator: "; ")))"
        }
        func spelled(_ text: String) -> String { VisibleText.escaped(style.spelled(text)) }
        let rows = overlay.text(notes: notes.map(spelled), spelling: spelled)
        return VisibleText.escaped(heading) + "\n" + (rows.isEmpty ? "nothing is shown\n" : rows)
    }

    /// `on fr: ⇧⌘1`, for an entry that is shown without a modifier that its key needs.
    private func pressed(_ place: Int) -> String? {
        let entry = overlay.entries[place]
        guard let key = keys[place], let input = entry.effectiveInput,
            key.modifiers != entry.modifiers.intersection(.matchMask)
        else { return nil }
        return "on \(engine.layout.name): \(BindingsReport.chord(key.modifiers, input))"
    }

    /// The receiver of an entry's key where that is not the entry's action.
    private func taker(of place: Int) -> String? {
        // An item without a key.
        guard overlay.entries[place].effectiveInput != nil else { return nil }
        guard let answer = answers[place] else { return "on \(engine.layout.name): nowhere" }
        if runs(place, answer) { return nil }
        return BindingsReport.taker(answer)
    }

    /// The key does what the entry does; the system's own items are performed by the system.
    private func runs(_ place: Int, _ answer: BindingsAnalysis.Answer) -> Bool {
        let entry = overlay.entries[place]
        if entry.isSystem, entry.target == nil, answer.takenBy == .system { return true }
        return answer.action == entry.action.name && answer.outcome != .blockedUnperformable
    }

    var json: String {
        JSONText.objectText { json in
            json.member("schema", "keyflight.bindings/1")
            json.member("scene", scene.name)
            json.member("profile", engine.profile.name)
            json.member("layout", engine.layout.name)
            json.member("firstResponder", engine.firstResponder?.id)
            json.member("overlay") { json in
                json.member("style", overlay.style.rawValue)
                var place = 0
                json.member("sections", objects: overlay.sections) { json, section in
                    json.member("title", section.title)
                    json.member("entries", array: section.entries) { json, entry in
                        write(entry, place, &json)
                        place += 1
                    }
                }
                json.member("calls") { json in
                    json.member("keyCommands", overlay.calls.keyCommands)
                    json.member("canPerformAction", overlay.calls.canPerformAction)
                    json.member("validate", overlay.calls.validate)
                }
            }
        } + "\n"
    }

    private func write(_ entry: Overlay.Entry, _ place: Int, _ json: inout JSONText) {
        json.object { json in
            json.member("title", entry.title)
            json.member("key", entry.key)
            json.member("input", entry.input)
            json.member("modifiers", entry.modifiers.names)
            json.member("action", entry.action.name)
            json.member("supplier", entry.supplierID)
            json.member("target", entry.target?.id)
            json.member("system", entry.isSystem)
            json.member("listedTwice", entry.isListedTwice)
            json.member("showsOtherKey", entry.showsOtherKey)
            json.member("breaksColumns", entry.breaksColumns)
            json.member("pressed", keys[place]?.text)
            json.member("outcome", answers[place]?.outcome.name)
            json.member("takenBy", answers[place]?.takenBy?.name)
            json.member("runs", answers[place].map { runs(place, $0) } ?? false)
        }
    }
}
