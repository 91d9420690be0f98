import Atomics
import CRecorderSupport
import TraceFormat

/// The names that entries refer to by number: texts, responders and lists of key commands, each once for the whole
/// process: they are kept as long as it lives, across all recordings. A name is added under a lock when it is
/// first met; after that each thread finds it in its `NameCache`.
final class NameTable: @unchecked Sendable {
    static let shared = NameTable()
    /// Names of each kind that are kept. What comes later is recorded as `unnamed`, and counted.
    static let limit = 1 << 16
    /// The number of everything beyond the limit; 0 is nothing at all.
    static let unnamed = UInt32.max

    enum Space: UInt64 { case text = 1, object, handle, list, address }

    let seed: UInt64
    /// Changes when what a hash means changes.
    let version = UnsafeAtomic<UInt32>.create(0)
    private let lock = ProcessLock()
    private var numbers: [UInt64: UInt32] = [:]
    private var texts: [String] = []
    private var responders: [ResponderDefinition] = []
    private var lists: [[CommandDefinition]] = []
    private var countOfKind: [String: Int] = [:]
    /// Names that found no room, each as often as it was met.
    private var refused: UInt64 = 0
    private var limit = NameTable.limit

    private init() {
        // Only has to differ from process to process.
        seed = UInt64(bitPattern: keyflight_unix_ns()) ^ keyflight_monotonic_ns() << 20
        lock.holdAtFork(.names)
    }

    @inline(__always) func hash(_ space: Space) -> ContentHash {
        var hash = ContentHash(seed: seed)
        hash.combine(space.rawValue)
        return hash
    }

    var refusals: UInt64 { lock.withLock { refused } }

    /// Runs the body as if the table were full.
    func whileFull<R>(_ body: () throws -> R) rethrows -> R {
        lock.withLock { limit = 0 }
        defer { lock.withLock { limit = NameTable.limit } }
        return try body()
    }

    /// The number of a text, made when it is new.
    func text(_ hash: UInt64, _ make: () -> String) -> UInt32 {
        number(hash) { append(make(), to: &texts) { .text($0) } }
    }

    func responder(_ hash: UInt64, _ make: () -> ResponderDefinition) -> UInt32 {
        number(hash) { append(make(), to: &responders) { .responder($0) } }
    }

    func list(_ hash: UInt64, _ make: () -> [CommandDefinition]) -> UInt32 {
        number(hash) { append(make(), to: &lists) { .list($0) } }
    }

    /// A responder that has no name of its own: its class and its ordinal within the class.
    func responder(_ hash: UInt64, ofKind kind: String) -> UInt32 {
        number(hash) {
            let count = countOfKind[kind, default: 0] + 1
            countOfKind[kind] = count
            let id = count == 1 ? kind : "\(kind)#\(count)"
            return append(ResponderDefinition(id: id, kind: kind), to: &responders) { .responder($0) }
        }
    }

    /// From now on the hash means this responder; `nil`: nothing.
    func set(_ hash: UInt64, to responder: ResponderDefinition?) {
        lock.withLock {
            numbers[hash] = responder.flatMap { definition in
                if let known = responders.firstIndex(of: definition) { return UInt32(known + 1) }
                let number = append(definition, to: &responders) { .responder($0) }
                return number == NameTable.unnamed ? nil : number
            }
            version.wrappingIncrement(ordering: .releasing)
        }
    }

    /// Forgets all names, of which no recording has a number any more.
    func removeAll() {
        lock.withLock {
            (numbers, texts, responders, lists, countOfKind) = ([:], [], [], [], [:])
            version.wrappingIncrement(ordering: .releasing)
        }
    }

    private func number(_ hash: UInt64, _ make: () -> UInt32) -> UInt32 {
        lock.withLock {
            if let known = numbers[hash] { return known }
            let number = make()
            if number != NameTable.unnamed { numbers[hash] = number }
            return number
        }
    }

    private func append<T>(_ value: T, to table: inout [T], _ record: (T) -> SharedRecord) -> UInt32 {
        let memory = SharedMemory.ofProcess
        guard table.count < limit, memory?.append(record(value)) ?? true else {
            refused += 1
            memory?.refuse()
            return NameTable.unnamed
        }
        table.append(value)
        return UInt32(truncatingIfNeeded: table.count)
    }

    /// Numbers of entries of each kind that a reader of the table has read.
    struct Names {
        var texts: [StringRef] = []
        var responders: [ResponderRef] = []
        var lists: [CommandListRef] = []

        mutating func append(
            _ fresh: (texts: [String], responders: [ResponderDefinition], lists: [[CommandDefinition]]),
            _ definitions: inout TraceDefinitions
        ) {
            texts += fresh.texts.map { definitions.intern($0) }
            responders += fresh.responders.map { definitions.intern($0) }
            lists += fresh.lists.map { list in definitions.intern(list.map { definitions.intern($0) }) }
        }
    }

    /// Brings `names` up to date, with their handles in `definitions`.
    func update(_ names: inout Names, _ definitions: inout TraceDefinitions) {
        let fresh = lock.withLock {
            (
                texts: Array(texts[names.texts.count...]), responders: Array(responders[names.responders.count...]),
                lists: Array(lists[names.lists.count...])
            )
        }
        names.append(fresh, &definitions)
    }
}
