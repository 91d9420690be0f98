public import KeyModel
import Scenes
public import TraceFormat

extension ReplayTimeline {
    /// The inputs as a recording at level `keys`: what a trace holds before anything was replayed. Masked unless
    /// `showsKeys`. `layout` is the one that the keys were typed on.
    public func recording(layout: Layout, showsKeys: Bool) -> Recording {
        var recording = Recording()
        var keyboard = KeyboardState()
        let table = recording.definitions.intern(layout.text)
        recording.append(.layout(LayoutRecord(name: layout.name, hash: layout.hash, table: table)), at: .zero)
        for arrival in IteratorSequence(makeIterator()) {
            let body: TraceRecord.Body
            switch arrival.input {
            case .key(let event, let recorded):
                let held = keyboard.apply(event, press: recorded)
                let key = showsKeys ? event.key : event.key.masked(held)
                body = .key(
                    KeyRecord(
                        device: event.device, key: key, phase: event.phase,
                        modifiers: keyboard.modifiers.flags(for: key), press: held?.press,
                        isSynthetic: event.isSynthetic))
            case .text(let text):
                body = .text(TextRecord(text: showsKeys ? text.map { recording.definitions.intern($0) } : nil))
            case .step(let step):
                let kept = TraceRecorder.shown(step, showsKeys: showsKeys)
                body = .step(StepRecord(step: recording.definitions.intern(kept.text)))
            case .record(let record):
                if case .environment(let fact) = record { keyboard.modifiers.roles.apply(fact: fact.name, fact.value) }
                body = record
            }
            recording.append(body, at: arrival.time)
        }
        return recording
    }
}
