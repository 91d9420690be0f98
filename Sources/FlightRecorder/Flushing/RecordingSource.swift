import TraceFormat

/// Where a flusher finds what was recorded: in this process, or in memory that it shares with another one.
protocol RecordingSource: AnyObject, Sendable {
    /// Of all threads; new ones come last.
    var rings: [ThreadRing] { get }
    /// Names that found no room, each as often as it was met.
    var refusals: UInt64 { get }
    /// True where the entries are another process's, which does not wake the flusher for every entry.
    var isShared: Bool { get }
    /// Brings `names` up to date, with their handles in `definitions`.
    func update(_ names: inout NameTable.Names, _ definitions: inout TraceDefinitions)
    /// Events of the recorder since the last call, other than those posted to the flusher.
    func takeEvents() -> [RecorderEvent]
}

final class OwnEntries: RecordingSource {
    var rings: [ThreadRing] { ThreadRegistry.shared.rings }
    var refusals: UInt64 { NameTable.shared.refusals }
    var isShared: Bool { false }
    func update(_ names: inout NameTable.Names, _ definitions: inout TraceDefinitions) {
        NameTable.shared.update(&names, &definitions)
    }
    func takeEvents() -> [RecorderEvent] { [] }
}

/// Used by one thread at a time.
final class SharedEntries: RecordingSource, @unchecked Sendable {
    private let memory: SharedMemory
    private var place = 0
    private var fresh: (texts: [String], responders: [ResponderDefinition], lists: [[CommandDefinition]]) = ([], [], [])
    private var events: [RecorderEvent] = []

    init(_ memory: SharedMemory) { self.memory = memory }

    var rings: [ThreadRing] { memory.rings }
    var refusals: UInt64 { memory.refused }
    var isShared: Bool { true }

    func update(_ names: inout NameTable.Names, _ definitions: inout TraceDefinitions) {
        read()
        names.append(fresh, &definitions)
        fresh = ([], [], [])
    }

    func takeEvents() -> [RecorderEvent] {
        read()
        defer { events = [] }
        return events
    }

    private func read() {
        while let record = memory.record(at: &place) {
            switch record {
            case .text(let text): fresh.texts.append(text)
            case .responder(let responder): fresh.responders.append(responder)
            case .list(let commands): fresh.lists.append(commands)
            case .event(let event): events.append(event)
            case .stacks(let number, let text): StackTexts.shared.put(text, number)
            case .damaged: break
            }
        }
    }
}
