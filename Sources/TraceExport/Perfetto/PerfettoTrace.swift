import SwiftProtobuf
import TraceFormat

/// A trace of Perfetto: track events in packets of one sequence, with names that are written once.
///
/// Times are those of the trace, as the clock `BOOTTIME`; a clock snapshot relates it to the time of day where the
/// trace has one.
struct PerfettoTrace: TimelineWriter {
    private typealias Packet = Keyflight_Perfetto_TracePacket
    private typealias Event = Keyflight_Perfetto_TrackEvent

    private let sink: FlightExport.Sink
    /// Packets that are not written yet.
    private var pending = Keyflight_Perfetto_Trace()
    private var names = PerfettoNames()
    private var isFirst = true
    private let process: String

    /// The id of the only packet sequence.
    private static let sequence: UInt32 = 1
    private static let processTrack: UInt64 = 1
    /// Track numbers begin behind those of the process and the counters.
    private static let firstTrack: UInt64 = 16
    private static let packetsAtOnce = 512

    init(name: String, to sink: @escaping FlightExport.Sink) {
        self.sink = sink
        process = "keyflight: " + name
        pending.packet.reserveCapacity(PerfettoTrace.packetsAtOnce)
    }

    mutating func declare(_ track: TimelineTrack) throws {
        var descriptor = Keyflight_Perfetto_TrackDescriptor()
        descriptor.uuid = PerfettoTrace.uuid(of: track)
        descriptor.parentUuid = PerfettoTrace.processTrack
        descriptor.name = track.name
        descriptor.siblingOrderRank = Int32(clamping: track.rank)
        try declare(descriptor)
    }

    private static func uuid(of track: TimelineTrack) -> UInt64 {
        firstTrack + UInt64(clamping: track.number)
    }

    private static func uuid(of counter: TimelineCounter) -> UInt64 { 2 + UInt64(clamping: counter.rawValue) }

    private mutating func declare(_ descriptor: Keyflight_Perfetto_TrackDescriptor) throws {
        try begin()
        var packet = Packet()
        packet.trackDescriptor = descriptor
        try append(packet)
    }

    /// The first packets: the process, and its counters.
    private mutating func begin() throws {
        guard isFirst else { return }
        isFirst = false
        var process = Keyflight_Perfetto_TrackDescriptor()
        process.uuid = PerfettoTrace.processTrack
        process.process.pid = 1
        process.process.processName = self.process
        process.childOrdering = .explicit
        try declare(process)
        for counter in TimelineCounter.allCases {
            var descriptor = Keyflight_Perfetto_TrackDescriptor()
            descriptor.uuid = PerfettoTrace.uuid(of: counter)
            descriptor.parentUuid = PerfettoTrace.processTrack
            descriptor.name = counter.name
            descriptor.siblingOrderRank = Int32(clamping: counter.rawValue)
            descriptor.counter.unit = .count
            try declare(descriptor)
        }
    }

    mutating func open(
        _ name: String, _ category: StaticString, on track: TimelineTrack, _ begin: Int64, _ end: Int64,
        _ facts: [SliceFact], _ arrow: SliceArrow
    ) throws {
        var event = event(.sliceBegin, name, category, on: track, facts)
        // Arrows leave from the press itself, which has a track.
        if case .arrives(let id) = arrow { event.terminatingFlowIds = [id] }
        try append(event, at: begin)
    }

    mutating func close(_ track: TimelineTrack, _ end: Int64) throws {
        var event = Event()
        event.type = .sliceEnd
        event.trackUuid = PerfettoTrace.uuid(of: track)
        try append(event, at: end)
    }

    mutating func press(
        _ name: String, _ at: PressTick, on track: TimelineTrack, _ begin: Int64, _ end: Int64, _ facts: [SliceFact],
        _ arrow: SliceArrow
    ) throws {
        var event = event(.sliceBegin, name, "press", on: track, facts)
        if case .leaves(let id) = arrow { event.flowIds = [id] }
        try append(event, at: begin)
        try close(track, end)
    }

    mutating func moment(
        _ name: String, _ category: StaticString, on track: TimelineTrack, _ time: Int64, _ facts: [SliceFact]
    ) throws {
        try append(event(.instant, name, category, on: track, facts), at: time)
    }

    mutating func count(_ counter: TimelineCounter, _ time: Int64, _ value: Int64) throws {
        var event = Event()
        event.type = .counter
        event.trackUuid = PerfettoTrace.uuid(of: counter)
        event.counterValue = value
        try append(event, at: time)
    }

    mutating func clock(unixTime: Int64) throws {
        guard unixTime >= 0 else { return }
        try begin()
        var snapshot = Keyflight_Perfetto_ClockSnapshot()
        for (clock, time) in [(Keyflight_Perfetto_BuiltinClock.boottime, 0), (.realtime, UInt64(unixTime))] {
            var reading = Keyflight_Perfetto_ClockSnapshot.Clock()
            reading.clockID = UInt32(clamping: clock.rawValue)
            reading.timestamp = time
            snapshot.clocks.append(reading)
        }
        snapshot.primaryTraceClock = .boottime
        var packet = Packet()
        packet.clockSnapshot = snapshot
        try append(packet)
    }

    mutating func finish() throws {
        try begin()
        try flush()
    }

    // MARK: Packets

    private mutating func event(
        _ type: Event.TypeEnum, _ name: String, _ category: StaticString, on track: TimelineTrack, _ facts: [SliceFact]
    ) -> Event {
        var event = Event()
        event.type = type
        event.trackUuid = PerfettoTrace.uuid(of: track)
        event.categoryIids = [names.category(category)]
        event.nameIid = names.event(name)
        event.debugAnnotations.reserveCapacity(facts.count)
        for fact in facts {
            var annotation = Keyflight_Perfetto_DebugAnnotation()
            annotation.nameIid = names.annotation(fact.name)
            switch fact.value {
            case .text(let text): annotation.stringValueIid = names.value(text)
            case .number(let number): annotation.intValue = number
            case .flag(let flag): annotation.boolValue = flag
            }
            event.debugAnnotations.append(annotation)
        }
        return event
    }

    private mutating func append(_ event: Event, at time: Int64) throws {
        try begin()
        var packet = Packet()
        packet.timestamp = UInt64(max(0, time))
        packet.trackEvent = event
        var flags = Keyflight_Perfetto_SequenceFlags.seqNeedsIncrementalState.rawValue
        if let fresh = names.takeFresh() {
            packet.internedData = fresh.data
            if fresh.isAfterClearing {
                flags |= Keyflight_Perfetto_SequenceFlags.seqIncrementalStateCleared.rawValue
                packet.tracePacketDefaults.timestampClockID =
                    UInt32(clamping: Keyflight_Perfetto_BuiltinClock.boottime.rawValue)
            }
        }
        packet.sequenceFlags = UInt32(clamping: flags)
        try append(packet)
        names.forgetIfMany()
    }

    private mutating func append(_ packet: Packet) throws {
        var packet = packet
        packet.trustedPacketSequenceID = PerfettoTrace.sequence
        pending.packet.append(packet)
        if pending.packet.count >= PerfettoTrace.packetsAtOnce { try flush() }
    }

    private mutating func flush() throws {
        guard !pending.packet.isEmpty else { return }
        let bytes: [UInt8] = try pending.serializedBytes()
        pending.packet.removeAll(keepingCapacity: true)
        try sink(bytes)
    }
}
