import TraceFormat

/// A trace of Perfetto: track events in packets of one sequence, with names that are written once.
///
/// Times are those of the trace, as the clock `BOOTTIME`; a clock snapshot relates it to the time of day where the
/// trace has one. Fields of a message are in the order of their numbers.
struct PerfettoTrace: TimelineWriter {
    private typealias Fields = PerfettoFields

    private let sink: FlightExport.Sink
    /// Packets that are not written yet.
    private var pending = ProtobufMessage()
    private var names = PerfettoNames()
    private var isFirst = true
    private let process: String

    /// The id of the only packet sequence.
    private static let sequence: UInt64 = 1
    private static let processTrack: UInt64 = 1
    /// Track numbers begin behind those of the process and the counters.
    private static let firstTrack: UInt64 = 16
    private static let bytesAtOnce = 1 << 16

    init(name: String, to sink: @escaping FlightExport.Sink) {
        self.sink = sink
        process = "keyflight: " + name
    }

    mutating func declare(_ track: TimelineTrack) throws {
        try declare { descriptor in
            descriptor.add(Fields.Track.uuid, PerfettoTrace.uuid(of: track))
            descriptor.add(Fields.Track.name, track.name)
            descriptor.add(Fields.Track.parent, PerfettoTrace.processTrack)
            descriptor.add(Fields.Track.rank, signed: Int64(Int32(clamping: track.rank)))
        }
    }

    private static func uuid(of track: TimelineTrack) -> UInt64 {
        firstTrack + UInt64(clamping: track.number)
    }

    private static func uuid(of counter: TimelineCounter) -> UInt64 { 2 + UInt64(clamping: counter.rawValue) }

    private mutating func declare(_ write: (inout ProtobufMessage) -> Void) throws {
        try begin()
        var packet = ProtobufMessage()
        packet.add(Fields.Packet.sequenceID, PerfettoTrace.sequence)
        packet.add(Fields.Packet.trackDescriptor, write)
        try append(packet)
    }

    /// The first packets: the process, and its counters.
    private mutating func begin() throws {
        guard isFirst else { return }
        isFirst = false
        let name = process
        try declare { descriptor in
            descriptor.add(Fields.Track.uuid, PerfettoTrace.processTrack)
            descriptor.add(Fields.Track.process) { process in
                process.add(Fields.Track.processID, 1)
                process.add(Fields.Track.processName, name)
            }
            descriptor.add(Fields.Track.childOrdering, Fields.Track.orderedByRank)
        }
        for counter in TimelineCounter.allCases {
            try declare { descriptor in
                descriptor.add(Fields.Track.uuid, PerfettoTrace.uuid(of: counter))
                descriptor.add(Fields.Track.name, counter.name)
                descriptor.add(Fields.Track.parent, PerfettoTrace.processTrack)
                descriptor.add(Fields.Track.counter) { $0.add(Fields.Track.unit, Fields.Track.unitIsCount) }
                descriptor.add(Fields.Track.rank, UInt64(clamping: counter.rawValue))
            }
        }
    }

    mutating func open(
        _ name: String, _ category: StaticString, on track: TimelineTrack, _ begin: Int64, _ end: Int64,
        _ facts: [SliceFact], _ arrow: SliceArrow
    ) throws {
        var event = event(.sliceBegin, name, category, on: track, facts)
        // Arrows leave from the press itself, which has a track.
        if case .arrives(let id) = arrow { event.add(Fields.Event.terminatingFlow, fixed: id) }
        try append(event, at: begin)
    }

    mutating func close(_ track: TimelineTrack, _ end: Int64) throws {
        var event = ProtobufMessage()
        event.add(Fields.Event.type, PerfettoFields.EventType.sliceEnd.rawValue)
        event.add(Fields.Event.track, PerfettoTrace.uuid(of: track))
        try append(event, at: end)
    }

    mutating func press(
        _ name: String, _ at: PressTick, on track: TimelineTrack, _ begin: Int64, _ end: Int64, _ facts: [SliceFact],
        _ arrow: SliceArrow
    ) throws {
        var event = event(.sliceBegin, name, "press", on: track, facts)
        if case .leaves(let id) = arrow { event.add(Fields.Event.flow, fixed: id) }
        try append(event, at: begin)
        try close(track, end)
    }

    mutating func moment(
        _ name: String, _ category: StaticString, on track: TimelineTrack, _ time: Int64, _ facts: [SliceFact]
    ) throws {
        try append(event(.instant, name, category, on: track, facts), at: time)
    }

    mutating func count(_ counter: TimelineCounter, _ time: Int64, _ value: Int64) throws {
        var event = ProtobufMessage()
        event.add(Fields.Event.type, PerfettoFields.EventType.counter.rawValue)
        event.add(Fields.Event.track, PerfettoTrace.uuid(of: counter))
        event.add(Fields.Event.counterValue, signed: value)
        try append(event, at: time)
    }

    mutating func clock(unixTime: Int64) throws {
        guard unixTime >= 0 else { return }
        try begin()
        var packet = ProtobufMessage()
        packet.add(Fields.Packet.clockSnapshot) { snapshot in
            let readings = [
                (Fields.ClockSnapshot.boottime, 0), (Fields.ClockSnapshot.realtime, UInt64(unixTime)),
            ]
            for (clock, time) in readings {
                snapshot.add(Fields.ClockSnapshot.clocks) { reading in
                    reading.add(Fields.ClockSnapshot.id, clock)
                    reading.add(Fields.ClockSnapshot.time, time)
                }
            }
            snapshot.add(Fields.ClockSnapshot.primaryTraceClock, Fields.ClockSnapshot.boottime)
        }
        packet.add(Fields.Packet.sequenceID, PerfettoTrace.sequence)
        try append(packet)
    }

    mutating func finish() throws {
        try begin()
        try flush()
    }

    // MARK: Packets

    private mutating func event(
        _ type: PerfettoFields.EventType, _ name: String, _ category: StaticString, on track: TimelineTrack,
        _ facts: [SliceFact]
    ) -> ProtobufMessage {
        var event = ProtobufMessage()
        event.add(Fields.Event.category, names.number(of: "\(category)", in: .category))
        let number = names.number(of: name, in: .event)
        for fact in facts { event.add(Fields.Event.annotation, annotation(fact)) }
        event.add(Fields.Event.type, type.rawValue)
        event.add(Fields.Event.name, number)
        event.add(Fields.Event.track, PerfettoTrace.uuid(of: track))
        return event
    }

    private mutating func annotation(_ fact: SliceFact) -> ProtobufMessage {
        var annotation = ProtobufMessage()
        annotation.add(Fields.Annotation.name, names.number(of: "\(fact.name)", in: .annotation))
        switch fact.value {
        case .text(let text): annotation.add(Fields.Annotation.text, names.number(of: text, in: .text))
        case .number(let number): annotation.add(Fields.Annotation.number, signed: number)
        case .flag(let flag): annotation.add(Fields.Annotation.flag, flag ? 1 : 0)
        }
        return annotation
    }

    private mutating func append(_ event: ProtobufMessage, at time: Int64) throws {
        try begin()
        var packet = ProtobufMessage()
        packet.add(Fields.Packet.timestamp, UInt64(max(0, time)))
        packet.add(Fields.Packet.sequenceID, PerfettoTrace.sequence)
        packet.add(Fields.Packet.trackEvent, event)
        let fresh = names.takeFresh()
        let isCleared = fresh?.isAfterClearing ?? false
        if let fresh { packet.add(Fields.Packet.internedData, fresh.data) }
        let flags = Fields.Flag.needsIncrementalState | (isCleared ? Fields.Flag.incrementalStateCleared : 0)
        packet.add(Fields.Packet.sequenceFlags, flags)
        if isCleared {
            packet.add(Fields.Packet.defaults) { $0.add(Fields.timestampClockID, Fields.ClockSnapshot.boottime) }
        }
        try append(packet)
        names.forgetIfMany()
    }

    private mutating func append(_ packet: ProtobufMessage) throws {
        pending.add(Fields.packet, packet)
        if pending.bytes.count >= PerfettoTrace.bytesAtOnce { try flush() }
    }

    private mutating func flush() throws {
        guard !pending.bytes.isEmpty else { return }
        try sink(pending.bytes)
        pending.removeAll()
    }
}
