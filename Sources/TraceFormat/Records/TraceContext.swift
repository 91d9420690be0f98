import KeyModel

/// State at one moment of a recording: the first responder, the links of the chain, the held keys, the last answer of
/// each responder. Enough to decode and to explain what follows without what came before.
///
/// Handles belong to the definitions of the trace whose records it follows.
public struct TraceContext: Sendable {
    private var level: LevelRecord?
    private var layout: LayoutRecord?
    private var keyWindow: KeyWindowRecord?
    private var mainWindow: MainWindowRecord?
    private var firstResponder: FirstResponderRecord?
    private var textInput: TextInputRecord?
    private var markedText: MarkedTextRecord?
    private var keyboardFrame: KeyboardFrameRecord?
    private var environment = LatestByKey<[UInt8], EnvironmentRecord>()
    private var devices = LatestByKey<UInt16, DeviceRecord>()
    private var clocks = LatestByKey<[UInt8], ClockRecord>()
    private var clockRelations = LatestByKey<[[UInt8]], ClockRelationRecord>()
    private var hardware = LatestByKey<UInt16?, HardwareRecord>()
    private var links = LatestByKey<ResponderRef, LinkRecord>()
    private var presentations = LatestByKey<ResponderRef, PresentationRecord>()
    private var lists = LatestByKey<ResponderRef, LastListEntry>()
    var keys = KeyState()

    public init() {}

    /// The context that these entries describe.
    public init(_ entries: [ContextEntry]) {
        for entry in entries { apply(entry) }
    }

    /// Another context with its entries changed, or left out where `change` gives `nil`.
    public init(_ other: TraceContext, _ change: (ContextEntry) -> ContextEntry?) {
        other.forEachEntry { entry in
            if let changed = change(entry) { apply(changed) }
            return true
        }
    }

    /// The context of the first `count` entries.
    func prefix(_ count: Int) -> TraceContext {
        var kept = TraceContext()
        var left = count
        forEachEntry { entry in
            guard left > 0 else { return false }
            left -= 1
            kept.apply(entry)
            return true
        }
        return kept
    }

    /// True when the entries of both are the same, but for the last `leftOut` ones of the other.
    public func isPrefix(of other: TraceContext, leavingOut leftOut: Int) -> Bool {
        guard entryCount + leftOut == other.entryCount else { return false }
        // Of the long one nothing is held but its values.
        var own = entries.makeIterator()
        var isSame = true
        other.forEachEntry { entry in
            guard let next = own.next() else { return false }
            isSame = next == entry
            return isSame
        }
        return isSame
    }

    /// The level that a record or an earlier part switched to.
    public var currentLevel: TraceLevel? { level?.level }

    /// Follows a record.
    public mutating func apply(_ body: TraceRecord.Body) {
        switch body {
        case .key(let record): keys.apply(record)
        case .level(let record): level = record
        case .layout(let record): layout = record
        case .keyWindow(let record): keyWindow = record
        case .mainWindow(let record): mainWindow = record
        case .firstResponder(let record): firstResponder = record
        case .textInput(let record): textInput = record
        case .markedText(let record): markedText = record
        case .keyboardFrame(let record): keyboardFrame = record
        case .environment(let record): environment.set(record, for: Array(record.name.utf8))
        case .device(let record): devices.set(record, for: record.device)
        case .clock(let record): clocks.set(record, for: Array(record.source.utf8))
        case .clockRelation(let record):
            clockRelations.set(record, for: [Array(record.source.utf8), Array(record.reference.utf8)])
        case .hardware(let record): hardware.set(record, for: record.device)
        case .link(let record): links.set(record, for: record.responder)
        case .presentation(let record):
            presentations.set(record.presented == nil ? nil : record, for: record.presenter)
        case .call(let record):
            if record.kind == .keyCommands, record.occasion != .shadow, case .commands(let list) = record.answer {
                lists.set(LastListEntry(responder: record.responder, list: list), for: record.responder)
            }
        default: break
        }
    }

    mutating func apply(_ entry: ContextEntry) {
        switch entry {
        case .record(let body): apply(body)
        case .keyState(let state):
            keys.device = state.device
            keys.keyboard.pressCount = state.presses
            keys.modifiers = state.modifiers
        case .heldKey(let held): keys.keyboard.restore(held.key, device: held.device, press: held.press)
        case .heldModifiers(let held):
            keys.keyboard.modifiers.restore(ModifierState.Keyboard(device: held.device, keys: held.keys))
        case .lastList(let last): lists.set(last, for: last.responder)
        }
    }

    /// Entries needed to decode the key records that follow, in the order of a snapshot.
    public var keyEntries: [ContextEntry] {
        guard !keys.isInitial else { return [] }
        var entries: [ContextEntry] = [
            .keyState(
                KeyStateEntry(device: keys.device, presses: keys.keyboard.pressCount, modifiers: keys.modifiers))
        ]
        entries += keys.keyboard.modifiers.keyboards.map {
            .heldModifiers(HeldModifiersEntry(device: $0.device, keys: $0.keys))
        }
        for held in keys.keyboard.held {
            guard let press = held.press else { continue }
            entries.append(.heldKey(HeldKeyEntry(device: held.device, press: press, key: held.key)))
        }
        return entries
    }

    /// Everything, in the order of a snapshot: keys, level, environment, devices, clocks, clock relations, layout,
    /// hardware, links, presentations, key window, main window, first responder, text input, marked text, keyboard
    /// frame, last lists; several of one kind in the order of their first records.
    public var entries: [ContextEntry] {
        var entries: [ContextEntry] = []
        forEachEntry { entry in
            entries.append(entry)
            return true
        }
        return entries
    }

    var entryCount: Int {
        let single = [
            level != nil, layout != nil, keyWindow != nil, firstResponder != nil, textInput != nil, markedText != nil,
            keyboardFrame != nil, mainWindow != nil,
        ]
        return keyEntries.count + single.count { $0 } + environment.count + devices.count + clocks.count
            + clockRelations.count + hardware.count + links.count + presentations.count + lists.count
    }

    /// Calls `body` with each entry, or each one of keys alone, in order, until it returns false. There may be hundreds
    /// of thousands, of which a snapshot has room for few.
    func forEachEntry(ofKeysAlone: Bool = false, _ body: (ContextEntry) -> Bool) {
        for entry in keyEntries where !body(entry) { return }
        guard !ofKeysAlone else { return }
        func show(_ record: TraceRecord.Body?) -> Bool { record.map { body(.record($0)) } ?? true }
        guard show(level.map { .level($0) }), environment.forEach({ show(.environment($0)) }),
            devices.forEach({ show(.device($0)) }), clocks.forEach({ show(.clock($0)) }),
            clockRelations.forEach({ show(.clockRelation($0)) }), show(layout.map { .layout($0) }),
            hardware.forEach({ show(.hardware($0)) }), links.forEach({ show(.link($0)) }),
            presentations.forEach({ show(.presentation($0)) }), show(keyWindow.map { .keyWindow($0) }),
            show(mainWindow.map { .mainWindow($0) }),
            show(firstResponder.map { .firstResponder($0) }), show(textInput.map { .textInput($0) }),
            show(markedText.map { .markedText($0) }), show(keyboardFrame.map { .keyboardFrame($0) })
        else { return }
        _ = lists.forEach { body(.lastList($0)) }
    }
}

/// The latest value for each key, in the order in which the keys were first given.
private struct LatestByKey<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Removed values leave `nil`.
    private var values = PagedArray<Value?>()
    private var places: [Key: UInt32] = [:]

    var count: Int { places.count }

    mutating func set(_ value: Value?, for key: Key) {
        if let place = places[key] {
            values[Int(place)] = value
            if value == nil { remove(key) }
        } else if let value {
            places[key] = UInt32(truncatingIfNeeded: values.count)
            values.append(value)
        }
    }

    private mutating func remove(_ key: Key) {
        places[key] = nil
        guard values.count > 64, values.count > 2 * places.count else { return }
        var left = PagedArray<Value?>()
        var moved = [UInt32](repeating: 0, count: values.count)
        for (place, value) in values.enumerated() {
            guard let value else { continue }
            moved[place] = UInt32(truncatingIfNeeded: left.count)
            left.append(value)
        }
        places = places.mapValues { moved[Int($0)] }
        values = left
    }

    /// False when `body` returned false.
    func forEach(_ body: (Value) -> Bool) -> Bool {
        for case let value? in values where !body(value) { return false }
        return true
    }
}
