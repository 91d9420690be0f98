/// Numbers of fields and values in Perfetto's messages, as `protos/perfetto/trace/perfetto_trace.proto` has them.
enum PerfettoFields {
    /// Of `Trace`.
    static let packet: UInt64 = 1

    enum Packet {
        static let clockSnapshot: UInt64 = 6
        /// In nanoseconds of the clock that the defaults of the sequence name.
        static let timestamp: UInt64 = 8
        static let sequenceID: UInt64 = 10
        static let trackEvent: UInt64 = 11
        static let internedData: UInt64 = 12
        /// A sum of `Flag`.
        static let sequenceFlags: UInt64 = 13
        static let defaults: UInt64 = 59
        static let trackDescriptor: UInt64 = 60
    }

    enum Flag {
        static let incrementalStateCleared: UInt64 = 1
        static let needsIncrementalState: UInt64 = 2
    }

    /// Of `TracePacketDefaults`.
    static let timestampClockID: UInt64 = 58

    enum ClockSnapshot {
        static let clocks: UInt64 = 1
        static let primaryTraceClock: UInt64 = 2
        /// Of a clock in it.
        static let (id, time): (UInt64, UInt64) = (1, 2)
        /// Builtin clocks.
        static let (realtime, boottime): (UInt64, UInt64) = (1, 6)
    }

    enum Track {
        static let uuid: UInt64 = 1
        static let name: UInt64 = 2
        static let process: UInt64 = 3
        static let parent: UInt64 = 5
        static let counter: UInt64 = 8
        static let childOrdering: UInt64 = 11
        static let rank: UInt64 = 12
        /// Of `ProcessDescriptor`.
        static let (processID, processName): (UInt64, UInt64) = (1, 6)
        /// Of `CounterDescriptor`, and `UNIT_COUNT`.
        static let (unit, unitIsCount): (UInt64, UInt64) = (3, 2)
        /// `EXPLICIT`.
        static let orderedByRank: UInt64 = 3
    }

    enum Event {
        static let category: UInt64 = 3
        static let annotation: UInt64 = 4
        static let type: UInt64 = 9
        static let name: UInt64 = 10
        static let track: UInt64 = 11
        static let counterValue: UInt64 = 30
        static let flow: UInt64 = 47
        static let terminatingFlow: UInt64 = 48
    }

    enum EventType: UInt64 {
        case sliceBegin = 1
        case sliceEnd, instant, counter
    }

    enum Annotation {
        static let name: UInt64 = 1
        static let flag: UInt64 = 2
        static let number: UInt64 = 4
        static let text: UInt64 = 17
    }

    /// Lists of `InternedData`.
    enum Interned: UInt64, CaseIterable {
        case category = 1
        case event, annotation
        case text = 29
    }

    /// Of an entry of these lists.
    static let (internedID, internedText): (UInt64, UInt64) = (1, 2)
}
