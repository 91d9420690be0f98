/// Offset of a block, time and sequence number of its first record, and ordinal of its first press.
struct IndexEntry: Hashable, Sendable {
    var offset: UInt64 = 0
    var firstTime: UInt64 = 0
    var firstSequence: UInt64 = 0
    /// The ordinal that the first press to go down in the block has, if one does.
    var firstPress: UInt32 = 0
    var kinds: RecordKinds = []

    /// Offset, time and sequence as differences to the entry before: they never decrease.
    func append(to out: inout ByteBuffer, after previous: IndexEntry) {
        out.append(varint: offset &- previous.offset)
        out.append(varint: firstTime &- previous.firstTime)
        out.append(varint: firstSequence &- previous.firstSequence)
        out.append(varint: UInt64(firstPress))
        out.append(varint: UInt64(kinds.rawValue))
    }

    init() {}

    init(offset: UInt64, firstTime: UInt64, firstSequence: UInt64, firstPress: UInt32, kinds: RecordKinds) {
        self.offset = offset
        self.firstTime = firstTime
        self.firstSequence = firstSequence
        self.firstPress = firstPress
        self.kinds = kinds
    }

    init(_ cursor: inout ByteCursor, after previous: IndexEntry) throws(TraceError) {
        offset = previous.offset &+ (try cursor.varint("offset"))
        firstTime = previous.firstTime &+ (try cursor.varint("first_time_ns"))
        firstSequence = previous.firstSequence &+ (try cursor.varint("first_sequence"))
        try cursor.varint("first_press", &firstPress)
        var bits: UInt16 = 0
        try cursor.varint("record_kinds", &bits)
        kinds = RecordKinds(rawValue: bits)
    }
}
