import KeyModel

/// What is true at one moment of a recording: who is first responder, which links the chain has, which keys are
/// held, what each responder answered last. Enough to decode and to explain what follows without what came before.
///
/// Handles belong to the definitions of the trace whose records it follows.
public struct TraceContext: Sendable {
    private var level: LevelRecord?
    private var layout: LayoutRecord?
    private var keyWindow: KeyWindowRecord?
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
    private var lists = LatestByKey<ResponderRef, CommandListRef>()
    var keys = KeyState()

    public init() {}

    /// The context that these entries describe.
    public init(_ entries: [ContextEntry]) {
        for entry in entries { apply(entry) }
    }

    /// Follows a record.
    public mutating func apply(_ body: TraceRecord.Body) {
        switch body {
        case .key(let record): keys.apply(record)
        case .level(let record): level = record
        case .layout(let record): layout = record
        case .keyWindow(let record): keyWindow = record
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
                lists.set(list, for: record.responder)
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
        case .lastList(let last): lists.set(last.list, for: last.responder)
        }
    }

    /// What the key records that follow need to be decoded, in the order of a snapshot.
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
    /// hardware, links, presentations, key window, first responder, text input, marked text, keyboard frame, last
    /// lists; several of one kind in the order in which they were first said.
    public var entries: [ContextEntry] {
        var entries = keyEntries
        func add(_ body: TraceRecord.Body?) { if let body { entries.append(.record(body)) } }
        add(level.map { .level($0) })
        environment.inOrder.forEach { add(.environment($0.value)) }
        devices.inOrder.forEach { add(.device($0.value)) }
        clocks.inOrder.forEach { add(.clock($0.value)) }
        clockRelations.inOrder.forEach { add(.clockRelation($0.value)) }
        add(layout.map { .layout($0) })
        hardware.inOrder.forEach { add(.hardware($0.value)) }
        links.inOrder.forEach { add(.link($0.value)) }
        presentations.inOrder.forEach { add(.presentation($0.value)) }
        add(keyWindow.map { .keyWindow($0) })
        add(firstResponder.map { .firstResponder($0) })
        add(textInput.map { .textInput($0) })
        add(markedText.map { .markedText($0) })
        add(keyboardFrame.map { .keyboardFrame($0) })
        for (responder, list) in lists.inOrder {
            entries.append(.lastList(LastListEntry(responder: responder, list: list)))
        }
        return entries
    }
}

/// The latest value for each key, in the order in which the keys were first given.
private struct LatestByKey<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var values: [Key: (order: UInt64, value: Value)] = [:]
    private var next: UInt64 = 0

    mutating func set(_ value: Value?, for key: Key) {
        guard let value else {
            values[key] = nil
            return
        }
        if let order = values[key]?.order {
            values[key] = (order, value)
        } else {
            values[key] = (next, value)
            next += 1
        }
    }

    var inOrder: [(key: Key, value: Value)] {
        values.sorted { $0.value.order < $1.value.order }.map { ($0.key, $0.value.value) }
    }
}
