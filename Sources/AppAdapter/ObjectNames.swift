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
    private let recent = RecentNames<RecordedResponder>()
    private let recentSelectors = RecentNames<RecordedName>()
    private let classSelector = keyflight_selector_named("class")

    func name(_ object: keyflight_object) -> RecordedResponder {
        let type = keyflight_class_of(object)
        if let known = recent.name(of: object, type) { return known }
        let name = name(object, type)
        recent.insert(name, of: object, type)
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

    func name(selector: keyflight_selector) -> RecordedName {
        // While nothing is recorded there is none.
        guard Keyflight.isRecording, let key = keyflight_selector_key(selector) else {
            return RecordedName(selector: selector)
        }
        if let known = recentSelectors.name(of: key, nil) { return known }
        let name = RecordedName(selector: selector)
        if name.isKnown { recentSelectors.insert(name, of: key, nil) }
        return name
    }

    func id(_ object: keyflight_object) -> String {
        _ = name(object)
        return entries[object]?.id ?? ""
    }

    /// False after the object was deallocated.
    func isKnown(_ object: keyflight_object) -> Bool { entries[object] != nil }

    func forget(_ object: keyflight_object) {
        recent.insert(nil, of: object, nil)
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

/// Names by address, the last one at each place: most messages go to the same few objects, and a dictionary takes five
/// times as long.
private final class RecentNames<Name> {
    private typealias Entry = (address: UnsafeRawPointer?, type: UnsafeRawPointer?, name: Name?)
    private static var bits: Int { 8 }
    private let entries = UnsafeMutablePointer<Entry>.allocate(capacity: 1 << RecentNames.bits)

    init() { entries.initialize(repeating: (nil, nil, nil), count: 1 << RecentNames.bits) }
    deinit { entries.deallocate() }

    private func entry(_ address: UnsafeRawPointer) -> UnsafeMutablePointer<Entry> {
        let hash = UInt(bitPattern: address) &* 0x9E37_79B9_7F4A_7C15
        return entries + Int(hash >> UInt(UInt.bitWidth - RecentNames.bits))
    }

    /// `nil` where none was inserted with this type, or its place has another one.
    func name(of address: UnsafeRawPointer, _ type: UnsafeRawPointer?) -> Name? {
        let entry = entry(address)
        return entry.pointee.address == address && entry.pointee.type == type ? entry.pointee.name : nil
    }

    func insert(_ name: Name?, of address: UnsafeRawPointer, _ type: UnsafeRawPointer?) {
        entry(address).pointee = (address, type, name)
    }
}
