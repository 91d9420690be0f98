import Atomics
import CRecorderSupport
import Libc
import TraceFormat

/// Memory that a recorded process shares with the one that started it and writes its trace: the buffers of its threads
/// and a log of the names and events that entries refer to. What was recorded is there whatever ends the process.
///
/// The log has one record after the other, each in whole words: its length in words, which is stored last, and its
/// content. Writers reserve their place first, so that none waits for another.
package final class SharedMemory: @unchecked Sendable {
    /// The memory in which this process records, from before its first entry on.
    nonisolated(unsafe) private(set) static var ofProcess: SharedMemory?

    /// Threads that record at once; the entries of more are not shared.
    private static let threads = 16
    private static let ringStride = 17 << 12
    private static let rings = 1 << 12
    private static let log = rings + threads * ringStride
    private static let logWords = 1 << 22
    private static let size = log + logWords * 8
    /// Of this layout.
    private static let mark: UInt64 = 0x6B66_6D65_6D00_0001

    /// Words at the beginning.
    private enum Word: Int {
        case mark, isRecording, obstacle, start, keyTenths, clockTenths, stop, threads, logged, refused
    }

    package let descriptor: Int32
    /// The descriptor that wakes the process that writes the trace; −1 in that one.
    private var wake: Int32 = -1
    private let base: UnsafeMutableRawPointer
    private let words: UnsafeMutablePointer<UInt64>

    /// Of the process that starts the other.
    package convenience init?() {
        let descriptor = keyflight_make_shared_memory(SharedMemory.size)
        guard descriptor >= 0 else { return nil }
        self.init(descriptor)
        atomic(.mark).store(SharedMemory.mark, ordering: .relaxed)
    }

    private init?(_ descriptor: Int32) {
        guard let base = keyflight_map_shared_memory(descriptor, SharedMemory.size) else { return nil }
        (self.base, self.descriptor) = (base, descriptor)
        words = (base + SharedMemory.log).bindMemory(to: UInt64.self, capacity: SharedMemory.logWords)
    }

    /// What `attach` reads in the other process.
    package var name: String { "\(descriptor),\(keyflight_wake_descriptor())" }

    /// The same for a process that this one did not start: paths, which a process of the same user can open.
    package var openableName: String {
        [descriptor, keyflight_wake_descriptor()].map { "/proc/\(getpid())/fd/\($0)" }.joined(separator: ",")
    }

    /// The memory of this name; `nil` where the descriptor is none or another's. One in a process at a time.
    package convenience init?(named name: String) {
        // No writer may wait for a full pipe.
        let numbers = name.split(separator: ",").map { Int32($0) ?? open(String($0), O_RDWR | O_CLOEXEC | O_NONBLOCK) }
        guard numbers.count == 2, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
        self.init(numbers[0])
        wake = numbers[1]
        guard atomic(.mark).load(ordering: .relaxed) == SharedMemory.mark else { return nil }
    }

    /// Records into it. False where it has a recording.
    package func attach() -> Bool {
        guard !isRecording else { return false }
        keyflight_set_wake_descriptor(wake)
        SharedMemory.ofProcess = self
        ThreadRegistry.shared.renewRings()
        return true
    }

    /// Ends the sharing, when nothing is recorded any more: nothing of the recording stays in this process.
    package static func leave() {
        guard let memory = ofProcess else { return }
        NameTable.shared.removeAll()
        ofProcess = nil
        keyflight_set_wake_descriptor(-1)
        close(memory.wake)
        keyflight_unmap_shared_memory()
    }

    /// Why the other process does not record, as a number that both of them know; 0 for no reason.
    package var obstacle: UInt64 {
        get { atomic(.obstacle).load(ordering: .acquiring) }
        set { atomic(.obstacle).store(newValue, ordering: .releasing) }
    }

    private func atomic(_ word: Word) -> UnsafeAtomic<UInt64> { atomic(base + word.rawValue * 8) }

    private func atomic(_ place: UnsafeMutableRawPointer) -> UnsafeAtomic<UInt64> {
        UnsafeAtomic(at: place.assumingMemoryBound(to: UInt64.AtomicRepresentation.self))
    }

    // MARK: The recording

    /// From here on programs that this process starts do not inherit the memory.
    func begin(_ start: UInt64, _ overhead: RecorderStatistics) {
        for inherited in [descriptor, keyflight_wake_descriptor()] { _ = fcntl(inherited, F_SETFD, FD_CLOEXEC) }
        atomic(.start).store(start, ordering: .relaxed)
        atomic(.keyTenths).store(overhead.keyTenthsNanoseconds, ordering: .relaxed)
        atomic(.clockTenths).store(overhead.clockTenthsNanoseconds, ordering: .relaxed)
        atomic(.isRecording).store(1, ordering: .releasing)
    }

    func end(_ time: UInt64) { atomic(.stop).store(time, ordering: .releasing) }

    package var isRecording: Bool { atomic(.isRecording).load(ordering: .acquiring) != 0 }
    var start: UInt64 { atomic(.start).load(ordering: .relaxed) }
    var overhead: RecorderStatistics {
        var statistics = RecorderStatistics()
        statistics.keyTenthsNanoseconds = atomic(.keyTenths).load(ordering: .relaxed)
        statistics.clockTenthsNanoseconds = atomic(.clockTenths).load(ordering: .relaxed)
        return statistics
    }
    /// The process has ended its recording itself.
    package var hasEnded: Bool { stop != nil }
    /// `nil`: the process ended, or goes on, without having ended its recording.
    var stop: UInt64? {
        let time = atomic(.stop).load(ordering: .acquiring)
        return time == 0 ? nil : time
    }

    // MARK: Buffers

    /// Place of a thread's buffer; `nil` beyond those that are shared.
    func ring(_ number: UInt32) -> UnsafeMutableRawPointer? {
        guard number > 0, number <= SharedMemory.threads else { return nil }
        return base + SharedMemory.rings + Int(number - 1) * SharedMemory.ringStride
    }

    func announce(_ number: UInt32) { atomic(.threads).store(UInt64(number), ordering: .releasing) }

    var rings: [ThreadRing] {
        let count = UInt32(truncatingIfNeeded: atomic(.threads).load(ordering: .acquiring))
        return (1...UInt32(SharedMemory.threads)).prefix(Int(count)).compactMap { number in
            ring(number).map { ThreadRing(number: number, sharedAt: $0) }
        }
    }

    // MARK: Log

    var refused: UInt64 { atomic(.refused).load(ordering: .relaxed) }
    func refuse() { atomic(.refused).wrappingIncrement(ordering: .relaxed) }

    /// False where there is no room.
    func append(_ record: SharedRecord) -> Bool {
        // A copy of a process that was forked.
        guard keyflight_shared_memory_is_copy() == 0 else { return true }
        let bytes = record.bytes
        let length = 1 + (bytes.count + 15) / 8
        let place = Int(atomic(.logged).loadThenWrappingIncrement(by: UInt64(length), ordering: .relaxed))
        guard place + length < SharedMemory.logWords else { return false }
        words[place + 1] = UInt64(bytes.count)
        UnsafeMutableRawPointer(words + place + 2).copyMemory(from: bytes, byteCount: bytes.count)
        atomic(words + place).store(UInt64(length), ordering: .releasing)
        return true
    }

    /// The record at this word, which moves behind it; `nil` where there is none, or none yet.
    func record(at place: inout Int) -> SharedRecord? {
        guard place + 2 < SharedMemory.logWords else { return nil }
        let length = Int(truncatingIfNeeded: atomic(words + place).load(ordering: .acquiring))
        let count = Int(truncatingIfNeeded: words[place + 1])
        // The other process may have written anything there.
        guard length > 1, length < SharedMemory.logWords - place, count >= 0, count <= (length - 2) * 8 else {
            return nil
        }
        defer { place += length }
        return SharedRecord(UnsafeRawBufferPointer(start: words + place + 2, count: count))
    }
}

/// What entries refer to, in the log of a shared memory.
enum SharedRecord {
    case text(String)
    case responder(ResponderDefinition)
    case list([CommandDefinition])
    case event(RecorderEvent)
    /// Samples of a slow press, by their number.
    case stacks(UInt32, String)
    /// Of a length that fits, and not readable.
    case damaged

    var bytes: [UInt8] {
        var bytes = SharedBytes()
        switch self {
        case .text(let text):
            bytes.append(0)
            bytes.append(text)
        case .responder(let responder):
            bytes.append(1)
            bytes.append(responder.id)
            bytes.append(responder.kind)
        case .list(let commands):
            bytes.append(2)
            bytes.append(UInt64(commands.count))
            for command in commands {
                bytes.append(command.input)
                bytes.append(UInt64(command.modifiers.rawValue) | UInt64(command.attributes.rawValue) << 32)
                bytes.append(command.action)
                bytes.append(command.title)
            }
        case .event(let event):
            bytes.append(3)
            bytes.append(event.time)
            bytes.append(event.kind.code)
        case .stacks(let number, let text):
            bytes.append(4)
            bytes.append(UInt64(number))
            bytes.append(text)
        case .damaged: break
        }
        return bytes.all
    }

    init(_ content: UnsafeRawBufferPointer) {
        var bytes = SharedBytes(content)
        self = SharedRecord.read(&bytes) ?? .damaged
    }

    private static func read(_ bytes: inout SharedBytes) -> SharedRecord? {
        switch bytes.word() {
        case 0: return bytes.text().map { .text($0) }
        case 1:
            guard let id = bytes.text(), let kind = bytes.text() else { return nil }
            return .responder(ResponderDefinition(id: id, kind: kind))
        case 2:
            guard let count = bytes.word(), count <= UInt64(TraceLimits.listCommands) else { return nil }
            var commands: [CommandDefinition] = []
            for _ in 0..<count {
                let input = bytes.text()
                guard let bits = bytes.word(), let action = bytes.text() else { return nil }
                commands.append(
                    CommandDefinition(
                        input: input, modifiers: KeyModifiers(rawValue: UInt32(truncatingIfNeeded: bits)),
                        action: action, title: bytes.text(),
                        attributes: CommandDefinition.Attributes(rawValue: UInt8(truncatingIfNeeded: bits >> 32))))
            }
            return .list(commands)
        case 3:
            guard let time = bytes.word(), let kind = bytes.word().flatMap({ RecorderEvent.Kind(code: $0) }) else {
                return nil
            }
            return .event(RecorderEvent(time: time, kind: kind))
        case 4:
            guard let number = bytes.word(), let text = bytes.text() else { return nil }
            return .stacks(UInt32(truncatingIfNeeded: number), text)
        default: return nil
        }
    }
}

/// Numbers of eight bytes, and texts behind their lengths.
private struct SharedBytes {
    private(set) var all: [UInt8] = []
    private var place = 0

    init() {}
    init(_ content: UnsafeRawBufferPointer) { all = Array(content) }

    mutating func append(_ number: UInt64) { withUnsafeBytes(of: number) { all += $0 } }
    mutating func append(_ text: String?) {
        append(text.map { UInt64($0.utf8.count) } ?? .max)
        all += (text ?? "").utf8
    }

    mutating func word() -> UInt64? {
        guard all.count - place >= 8 else { return nil }
        defer { place += 8 }
        return all.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
    }

    /// `nil` for none as well.
    mutating func text() -> String? {
        guard let count = word().flatMap({ Int(exactly: $0) }), count <= all.count - place else { return nil }
        defer { place += count }
        return String(decoding: all[place..<place + count], as: UTF8.self)
    }
}

extension RecorderEvent.Kind {
    fileprivate var code: UInt64 {
        switch self {
        case .pause: 0
        case .resume: 1
        case .beginSecureEntry: 2
        case .endSecureEntry: 3
        case .level(let level): 4 + UInt64(level.rawValue)
        }
    }

    fileprivate init?(code: UInt64) {
        switch code {
        case 0: self = .pause
        case 1: self = .resume
        case 2: self = .beginSecureEntry
        case 3: self = .endSecureEntry
        default:
            guard let level = TraceLevel(rawValue: UInt8(truncatingIfNeeded: code - 4)) else { return nil }
            self = .level(level)
        }
    }
}
