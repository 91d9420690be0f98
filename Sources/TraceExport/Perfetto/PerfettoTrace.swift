import TraceFormat

/// A trace of Perfetto: track events in packets of one sequence, with names that are written once.
///
/// Where the trace says what time of day it began at, times are those of the clock `REALTIME`, so that the result joins
/// traces of other profilers; else `BOOTTIME` with the trace's own zero. Field numbers are those of Perfetto's
/// `protos/perfetto/trace/trace_packet.proto` and the files that it imports.
struct PerfettoTrace: TimelineWriter {
    private let sink: TimelineExport.Sink
    private let process: String
    /// Packets that are not written yet.
    private var pending = ProtobufMessage()
    private var names = PerfettoNames()
    private var clock = Clock.boottime
    /// Nanoseconds that the clock shows at the trace's zero.
    private var zero: UInt64 = 0
    private var isBegun = false
    private var hasEvents = false

    /// `BuiltinClock`.
    private enum Clock: UInt64 {
        case realtime = 1
        case boottime = 6
    }

    /// `TrackEvent.Type`.
    private enum EventType: UInt64 {
        case sliceBegin = 1, sliceEnd, instant, counter
    }

    private static let processTrack: UInt64 = 1
    /// Track numbers begin behind those of the process and the counters.
    private static let firstTrack: UInt64 = 16
    private static let pieceSize = 65_536

    init(name: String, to sink: @escaping TimelineExport.Sink) {
        self.sink = sink
        process = "keyflight: " + name
    }

    private static func uuid(of track: TimelineTrack) -> UInt64 { firstTrack + UInt64(clamping: track.number) }
    private static func uuid(of counter: TimelineCounter) -> UInt64 { 2 + UInt64(clamping: counter.rawValue) }

    // MARK: Tracks and clock

    mutating func declare(_ track: TimelineTrack) throws {
        try begin()
        var descriptor = PerfettoTrace.descriptor(PerfettoTrace.uuid(of: track), track.name)
        descriptor.append(12, UInt64(clamping: track.rank))  // sibling_order_rank
        try declare(descriptor)
    }

    private static func descriptor(_ uuid: UInt64, _ name: String) -> ProtobufMessage {
        var descriptor = ProtobufMessage()
        descriptor.append(1, uuid)
        descriptor.append(2, name)
        descriptor.append(5, processTrack)  // parent_uuid
        return descriptor
    }

    private mutating func declare(_ descriptor: ProtobufMessage) throws {
        var packet = ProtobufMessage()
        packet.append(10, 1)  // trusted_packet_sequence_id
        packet.append(60, descriptor)
        try append(packet)
    }

    /// The first packets: the process, and its counters.
    private mutating func begin() throws {
        guard !isBegun else { return }
        isBegun = true
        var process = ProtobufMessage()
        process.append(1, 1)  // pid
        process.append(6, self.process)  // process_name
        var descriptor = ProtobufMessage()
        descriptor.append(1, PerfettoTrace.processTrack)
        descriptor.append(3, process)
        descriptor.append(11, 3)  // child_ordering: EXPLICIT
        try declare(descriptor)
        for counter in TimelineCounter.allCases {
            var unit = ProtobufMessage()
            unit.append(3, 2)  // UNIT_COUNT
            var descriptor = PerfettoTrace.descriptor(PerfettoTrace.uuid(of: counter), counter.name)
            descriptor.append(8, unit)
            descriptor.append(12, UInt64(clamping: counter.rawValue))
            try declare(descriptor)
        }
    }

    /// Counts from the first one that comes before any event.
    mutating func clock(unixTime: Int64) throws {
        guard unixTime >= 0, clock == .boottime, !hasEvents else { return }
        try begin()
        (clock, zero) = (.realtime, UInt64(unixTime))
        var reading = ProtobufMessage()
        reading.append(1, clock.rawValue)  // clock_id
        reading.append(2, zero)  // timestamp
        var snapshot = ProtobufMessage()
        snapshot.append(1, reading)
        snapshot.append(2, clock.rawValue)  // primary_trace_clock
        var packet = ProtobufMessage()
        packet.append(6, snapshot)
        packet.append(10, 1)
        try append(packet)
    }

    // MARK: Events

    mutating func open(
        _ name: String, _ category: StaticString, on track: TimelineTrack, _ begin: Int64, _ end: Int64,
        _ facts: [SliceFact], _ arrow: SliceArrow
    ) throws {
        var event = event(.sliceBegin, name, category, on: track, facts)
        // Arrows leave from the press itself, which has a track.
        if case .arrives(let id) = arrow { event.append(48, fixed: id) }  // terminating_flow_ids
        try append(event, at: begin)
    }

    mutating func close(_ track: TimelineTrack, _ end: Int64) throws {
        try append(PerfettoTrace.event(.sliceEnd, on: PerfettoTrace.uuid(of: track)), at: end)
    }

    mutating func press(
        _ name: String, _ at: PressTick, on track: TimelineTrack, _ begin: Int64, _ end: Int64, _ facts: [SliceFact],
        _ arrow: SliceArrow
    ) throws {
        var event = event(.sliceBegin, name, "press", on: track, facts)
        if case .leaves(let id) = arrow { event.append(47, fixed: id) }  // flow_ids
        try append(event, at: begin)
        try close(track, end)
    }

    mutating func moment(
        _ name: String, _ category: StaticString, on track: TimelineTrack, _ time: Int64, _ facts: [SliceFact]
    ) throws {
        try append(event(.instant, name, category, on: track, facts), at: time)
    }

    mutating func count(_ counter: TimelineCounter, _ time: Int64, _ value: Int64) throws {
        var event = PerfettoTrace.event(.counter, on: PerfettoTrace.uuid(of: counter))
        event.append(30, UInt64(bitPattern: value))  // counter_value
        try append(event, at: time)
    }

    mutating func finish() throws {
        try begin()
        try flush()
    }

    private static func event(_ type: EventType, on track: UInt64) -> ProtobufMessage {
        var event = ProtobufMessage()
        event.append(9, type.rawValue)
        event.append(11, track)  // track_uuid
        return event
    }

    private mutating func event(
        _ type: EventType, _ name: String, _ category: StaticString, on track: TimelineTrack, _ facts: [SliceFact]
    ) -> ProtobufMessage {
        var event = ProtobufMessage()
        event.append(3, names.categories.number(of: "\(category)"))
        for fact in facts {
            var annotation = ProtobufMessage()
            annotation.append(1, names.annotations.number(of: "\(fact.name)"))
            switch fact.value {
            case .flag(let flag): annotation.append(2, flag ? 1 : 0)
            case .number(let number): annotation.append(4, UInt64(bitPattern: number))
            case .text(let text): annotation.append(17, names.values.number(of: text))
            }
            event.append(4, annotation)
        }
        event.append(9, type.rawValue)
        event.append(10, names.events.number(of: name))
        event.append(11, PerfettoTrace.uuid(of: track))
        return event
    }

    // MARK: Packets

    private mutating func append(_ event: ProtobufMessage, at time: Int64) throws {
        try begin()
        hasEvents = true
        let (sum, isOverflow) = zero.addingReportingOverflow(UInt64(max(0, time)))
        var packet = ProtobufMessage()
        packet.append(8, isOverflow ? .max : sum)  // timestamp
        packet.append(10, 1)
        packet.append(11, event)
        let isFirst = names.isCleared
        let fresh = names.takeFresh()
        if !fresh.isEmpty { packet.append(12, fresh) }
        // Names before a packet that says so refer to nothing any more; all others need those that came before.
        packet.append(13, isFirst ? 3 : 2)  // SEQ_NEEDS_INCREMENTAL_STATE, SEQ_INCREMENTAL_STATE_CLEARED
        if isFirst {
            var defaults = ProtobufMessage()
            defaults.append(58, clock.rawValue)  // timestamp_clock_id
            packet.append(59, defaults)
        }
        try append(packet)
        names.forgetIfMany()
    }

    private mutating func append(_ packet: ProtobufMessage) throws {
        pending.append(1, packet)
        if pending.bytes.count >= PerfettoTrace.pieceSize { try flush() }
    }

    private mutating func flush() throws {
        guard !pending.isEmpty else { return }
        try sink(pending.bytes)
        pending.removeAll()
    }
}

/// Numbers for names: a sequence of packets contains each name once and refers to it by number from then on.
private struct PerfettoNames {
    /// One list of `InternedData`.
    struct Table {
        let field: Int
        var numbers: [String: UInt64] = [:]
        /// Entries that no packet has written yet.
        var fresh = ProtobufMessage()

        init(field: Int) { self.field = field }

        mutating func number(of name: String) -> UInt64 {
            if let known = numbers[name] { return known }
            let number = UInt64(numbers.count) + 1
            numbers[name] = number
            var entry = ProtobufMessage()
            entry.append(1, number)  // iid
            entry.append(2, name)
            fresh.append(field, entry)
            return number
        }
    }

    var categories = Table(field: 1)
    var events = Table(field: 2)
    var annotations = Table(field: 3)
    var values = Table(field: 29)
    /// No packet was written with these numbers.
    private(set) var isCleared = true
    /// The most names that are kept; then they are removed, and written again.
    private static let limit = 65_536

    mutating func takeFresh() -> ProtobufMessage {
        isCleared = false
        var data = ProtobufMessage()
        for table in [\PerfettoNames.categories, \.events, \.annotations, \.values] {
            data.append(fieldsOf: self[keyPath: table].fresh)
            self[keyPath: table].fresh.removeAll()
        }
        return data
    }

    mutating func forgetIfMany() {
        guard events.numbers.count + values.numbers.count > PerfettoNames.limit else { return }
        self = PerfettoNames()
    }
}
