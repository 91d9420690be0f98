import CObjCHooks
import FlightRecorder

extension RecordedName {
    init(selector: keyflight_selector) {
        self.init(at: keyflight_selector_key(selector)) { keyflight_selector_name(selector) }
    }
}

/// The names of objects: their class, and `#2` and so on from the second instance on. An object is known by its
/// address until it is deallocated; nothing is retained.
final class ObjectNames {
    private typealias Last = (object: keyflight_object, type: keyflight_class?, name: RecordedResponder)
    private struct Entry {
        var type: keyflight_class?
        /// The class that the object reports: key-value observing changes the actual class.
        let declared: keyflight_class?
        let id: String
        var name: RecordedResponder
        /// The responder after it, as the trace has it.
        var next: keyflight_object?
        var hasLink = false
    }

    /// Not checked for overlapping access: every message reads it, and nothing runs while it changes.
    @exclusivity(unchecked) private var entries: [keyflight_object: Entry] = [:]
    private var counts: [String: Int] = [:]
    /// The object of the last name: messages in a row often go to one.
    @exclusivity(unchecked) private var last: Last?
    private let classSelector = keyflight_selector_named("class")

    func name(_ object: keyflight_object) -> RecordedResponder {
        let type = keyflight_class_of(object)
        if let last, last.object == object, last.type == type { return last.name }
        let name = name(object, type)
        last = (object, type, name)
        return name
    }

    private func name(_ object: keyflight_object, _ type: keyflight_class?) -> RecordedResponder {
        let known = entries[object]
        if let known, known.type == type { return known.name }
        var answer: UInt = 0
        keyflight_send(object, classSelector, 0, 0, &answer)
        let declared = keyflight_class(bitPattern: answer) ?? type
        if let known, known.declared == declared {
            entries[object]?.type = type
            return known.name
        }
        let kind = String(cString: keyflight_class_name(declared))
        let count = counts[kind, default: 0] + 1
        counts[kind] = count
        let id = count == 1 ? kind : "\(kind)#\(count)"
        let name = RecordedResponder(id: id, kind: kind)
        entries[object] = Entry(type: type, declared: declared, id: id, name: name)
        return name
    }

    func id(_ object: keyflight_object) -> String {
        _ = name(object)
        return entries[object]?.id ?? ""
    }

    /// False after the object was deallocated.
    func isKnown(_ object: keyflight_object) -> Bool { entries[object] != nil }

    func forget(_ object: keyflight_object) {
        last = nil
        entries[object] = nil
    }

    /// The next responder of each has to be recorded again.
    func forgetLinks() { for object in entries.keys { entries[object]?.hasLink = false } }

    /// Stores the responder after this one, and returns its own name; `nil` where the trace has it already.
    func link(_ object: keyflight_object, to next: keyflight_object?) -> RecordedResponder? {
        if let entry = entries[object], entry.hasLink, entry.next == next { return nil }
        let name = name(object)
        entries[object]?.next = next
        entries[object]?.hasLink = true
        return name
    }
}
