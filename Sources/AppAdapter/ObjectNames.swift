import CObjCHooks
import FlightRecorder

/// The names of objects: their class, and `#2` and so on from the second instance on. An object is known by its
/// address until it is deallocated; nothing is retained.
struct ObjectNames {
    private struct Entry {
        var type: keyflight_class?
        var name: RecordedResponder
        /// The responder after it, as the trace has it.
        var next: keyflight_object?
        var hasLink = false
    }

    private var entries: [keyflight_object: Entry] = [:]
    private var counts: [String: Int] = [:]
    private let classSelector = keyflight_selector_named("class")

    mutating func name(_ object: keyflight_object) -> RecordedResponder {
        let type = keyflight_class_of(object)
        if let entry = entries[object], entry.type == type { return entry.name }
        // Key-value observing changes the class of an object, not what it is.
        var answer: UInt = 0
        keyflight_send(object, classSelector, 0, 0, &answer)
        let kind = String(cString: keyflight_class_name(keyflight_class(bitPattern: answer) ?? type))
        let count = counts[kind, default: 0] + 1
        counts[kind] = count
        let name = RecordedResponder(id: count == 1 ? kind : "\(kind)#\(count)", kind: kind)
        entries[object] = Entry(type: type, name: name)
        return name
    }

    mutating func forget(_ object: keyflight_object) { entries[object] = nil }

    /// Stores the responder after this one; false where the trace has it already.
    mutating func link(_ object: keyflight_object, to next: keyflight_object?) -> Bool {
        guard var entry = entries[object], !entry.hasLink || entry.next != next else { return false }
        entry.next = next
        entry.hasLink = true
        entries[object] = entry
        return true
    }
}
