import KeyModel
package import TraceFormat

/// One press of a recording, cut out with its initial context: a recording of its own, which replays in the time that
/// one press takes, however long the other one is.
package struct PressExcerpt: TraceConsumer, Sendable {
    private let press: UInt32
    private var context = TraceContext()
    /// The main menu as it was built or validated last.
    private var menu: TraceRecord.Body?
    private var down: TraceRecord?
    /// The end of the time in which the key repeats.
    private var release: (key: KeyRecord, time: TraceTime)?
    private var excerpt: Recording?
    /// The same as it was when the press was decided.
    private var decided: Recording?
    /// The press was decided and repeats no more: nothing that follows belongs to the excerpt.
    package private(set) var isOver = false
    /// Most repeats of a held key that are cut out; the key is released after them.
    static let mostRepeats: UInt32 = 512

    package init(of press: UInt32) { self.press = press }

    /// Begins the excerpt of a press whose key goes down now.
    init(of press: UInt32, context: TraceContext, menu: TraceRecord.Body?) {
        (self.press, self.context, self.menu) = (press, context, menu)
    }

    package mutating func begin(_ entries: [ContextEntry]) { context = TraceContext(entries) }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        guard !isOver else { return }
        if case .key(let key) = record.body, key.press == press, key.phase == .down {
            down = record
            return
        }
        guard let down else { return follow(record.body) }
        if excerpt == nil, record.body.decided?.press == press { begin(with: down) }
        guard excerpt != nil else { return follow(record.body) }
        take(record)
    }

    private mutating func follow(_ body: TraceRecord.Body) {
        if case .call(let call) = body, call.kind == .buildMenu { menu = body }
        context.apply(body)
    }

    private mutating func take(_ record: TraceRecord) {
        if let decided = record.body.decided {
            guard decided.press == press else { return }
        } else if case .key(let key) = record.body {
            return take(key, at: record.time)
        }
        // A replay asks for the commands that won, or that might have; a press may have tens of thousands that did not.
        if case .candidate(let candidate) = record.body, ![.won, .possible].contains(candidate.verdict) { return }
        excerpt?.append(record.body, at: record.time)
        guard case .resolution(let resolution) = record.body else { return }
        if resolution.at.tick >= PressExcerpt.mostRepeats { end(at: record.time) }
        guard resolution.at.tick == 0 else { return }
        if decided == nil { decided = excerpt }
        // Its key came up, or another one went down, while it was being decided.
        isOver = release != nil
    }

    /// Repeats end with the key's release, and where another key goes down.
    private mutating func take(_ key: KeyRecord, at time: TraceTime) {
        guard release == nil, let other = key.press else { return }
        switch key.phase {
        case .repeat where other == press: excerpt?.append(.key(key), at: time)
        case .up where other == press, .cancel where other == press:
            release = (key, time)
            isOver = decided != nil
        case .down where other != press: end(at: time)
        default: break
        }
    }

    /// Releases the key: no later repeat belongs to the excerpt.
    private mutating func end(at time: TraceTime) {
        guard release == nil, case .key(var key)? = down?.body else { return }
        key.phase = .up
        release = (key, time)
        isOver = decided != nil
    }

    /// Writes the context before the press; modifiers that are held go down again.
    private mutating func begin(with down: TraceRecord) {
        var made = Recording()
        made.initialContext = context.entries
        made.append(.level(LevelRecord(level: .calls)), at: .zero)
        if let menu { made.append(menu, at: .zero) }
        for key in heldModifiers { made.append(.key(key), at: down.time) }
        made.append(down.body, at: down.time)
        excerpt = made
    }

    private var heldModifiers: [KeyRecord] {
        var records: [KeyRecord] = []
        var flags: KeyModifiers = []
        func add(_ usage: KeyUsage, _ phase: KeyPhase, _ device: UInt16) {
            records.append(
                KeyRecord(device: device, key: .clear(usage), phase: phase, modifiers: flags, press: nil))
        }
        for entry in context.keyEntries {
            switch entry {
            case .keyState(let state) where state.modifiers.contains(.capsLock):
                flags.insert(.capsLock)
                add(.capsLock, .down, state.device)
                add(.capsLock, .up, state.device)
            case .heldModifiers(let held):
                for usage in held.keys.usages {
                    flags.formUnion(usage.modifierKey?.modifiers ?? [])
                    add(usage, .down, held.device)
                }
            default: break
            }
        }
        return records
    }

    /// The excerpt, whose handles are defined by `definitions`; `nil` where the press was not decided. It contains the
    /// repeats of a held key and its release, if the end of the repeats was read.
    package func recording(_ definitions: TraceDefinitions) -> Recording? {
        guard var made = release == nil ? decided : excerpt, decided != nil else { return nil }
        if let release { made.append(.key(release.key), at: release.time) }
        made.definitions = definitions
        return made
    }

    /// Reads the blocks around a press alone, by the index of its trace. `nil` where the trace has no index, or the
    /// index does not lead to the press.
    package static func reading(_ press: UInt32, by index: TraceIndex, of trace: TraceReader) -> Recording? {
        guard let number = index.number(ofPress: press) else { return nil }
        var reader = trace
        guard reader.seek(to: index.blocks[max(0, number - 1)]) else { return nil }
        var excerpt = PressExcerpt(of: press)
        excerpt.begin(reader.blockContext)
        let last = reader.blocks + 4
        // A key that is held for longer is cut out without its repeats.
        while !excerpt.isOver, let record = reader.next(), reader.blocks <= last {
            excerpt.consume(record, definitions: reader.definitions)
        }
        return excerpt.recording(reader.definitions)
    }
}
