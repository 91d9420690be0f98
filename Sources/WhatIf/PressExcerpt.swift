import FlightReplay
import KeyModel
import LatencyAnalysis
import ResponderEngine
public import TraceFormat

/// One press of a recording, cut out with what was true when it was decided: a recording of its own, which replays in
/// the time that one press takes, however long the other one is.
public struct PressExcerpt: TraceConsumer, Sendable {
    private let press: UInt32
    private var context = TraceContext()
    /// The main menu as it was built or validated last.
    private var menu: TraceRecord.Body?
    private var down: TraceRecord?
    private var excerpt: Recording?
    /// The press was decided: nothing that follows belongs to the excerpt.
    public private(set) var isOver = false

    public init(of press: UInt32) { self.press = press }

    /// Of a press whose key goes down now.
    init(of press: UInt32, context: TraceContext, menu: TraceRecord.Body?) {
        (self.press, self.context, self.menu) = (press, context, menu)
    }

    /// Begins with what was true before the records that are to come, where that is recorded.
    public mutating func begin(_ entries: [ContextEntry]) { context = TraceContext(entries) }

    public mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        guard !isOver else { return }
        if case .key(let key) = record.body, key.press == press, key.phase == .down {
            down = record
            return
        }
        guard let down else { return follow(record.body) }
        if excerpt == nil, record.body.decided == PressTick(press: press, tick: 0) { begin(with: down) }
        guard excerpt != nil else { return follow(record.body) }
        take(record)
    }

    private mutating func follow(_ body: TraceRecord.Body) {
        if case .call(let call) = body, call.kind == .buildMenu { menu = body }
        context.apply(body)
    }

    private mutating func take(_ record: TraceRecord) {
        if let decided = record.body.decided {
            guard decided == PressTick(press: press, tick: 0) else { return }
        } else if case .key = record.body {
            return
        }
        excerpt?.append(record.body, at: record.time)
        if case .resolution = record.body { isOver = true }
    }

    /// Everything that is true goes before the press; modifiers that are held go down again.
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

    /// The excerpt, of which handles mean what `definitions` says; `nil` where the press was not decided.
    public func recording(_ definitions: TraceDefinitions) -> Recording? {
        guard isOver, var made = excerpt else { return nil }
        made.definitions = definitions
        return made
    }

    /// Reads the blocks around a press alone, by the index of its trace. `nil` where the trace has no index, or the
    /// index does not lead to the press.
    public static func reading(_ press: UInt32, by index: TraceIndex, of trace: TraceReader) -> Recording? {
        guard let number = index.number(ofPress: press) else { return nil }
        var reader = trace
        guard reader.seek(to: index.blocks[max(0, number - 1)]) else { return nil }
        var excerpt = PressExcerpt(of: press)
        excerpt.begin(reader.blockContext)
        let last = reader.blocks + 4
        while !excerpt.isOver, let record = reader.next() {
            if reader.blocks > last { return nil }
            excerpt.consume(record, definitions: reader.definitions)
        }
        return excerpt.recording(reader.definitions)
    }
}
