public import KeyModel

/// Offsets of a trace's blocks, for random access by time, record or press without reading what comes before.
public struct TraceIndex: Sendable {
    /// A block of records.
    public struct Block: Hashable, Sendable {
        /// Byte offset of its header.
        public var offset: UInt64
        /// Of its first record.
        public var firstTime: TraceTime
        public var firstSequence: UInt64
        /// The ordinal that the first press to go down in it has, if one does.
        public var firstPress: UInt32
        public var kinds: RecordKinds
    }

    /// In the order of the file.
    public let blocks: [Block]
    /// Counts by kind.
    public let totals: TraceTotals
}

extension TraceIndex {
    /// The index stored at the end of a complete trace; `nil` when there is none, when it is damaged, or when it was
    /// left out because it was too long.
    public init?(stored bytes: TraceBytes) {
        var window = TraceWindow(bytes)
        let markerOffset = window.end - TraceFrame.endLength
        let marker = window.bytes(at: markerOffset, count: TraceFrame.endLength)
        guard marker.count == TraceFrame.endLength, let named = try? TraceFrame.end(marker, at: 0),
            named >= UInt64(TraceFrame.fileHeaderLength), named < UInt64(markerOffset)
        else { return nil }
        let offset = Int(named)
        let raw = window.bytes(at: offset, count: min(markerOffset - offset, TraceFrame.longestBlock))
        guard let header = try? TraceFrame.block(raw, at: 0), header.kind == BlockHeader.index,
            header.length == markerOffset - offset - TraceFrame.blockHeaderLength
        else { return nil }
        var cursor = ByteCursor(UnsafeRawBufferPointer(rebasing: raw[TraceFrame.blockHeaderLength...]))
        guard let blocks = try? TraceIndex.blocks(&cursor, header, before: named),
            let totals = try? TraceTotals(&cursor), cursor.isAtEnd, totals.agree(with: header.kinds)
        else { return nil }
        let kinds = blocks.reduce(into: RecordKinds()) { $0.formUnion($1.kinds) }
        guard kinds == header.kinds else { return nil }
        self.init(blocks: blocks, totals: totals)
    }

    /// The entries, which must be in order and lie in the file.
    private static func blocks(
        _ cursor: inout ByteCursor, _ header: BlockHeader, before end: UInt64
    ) throws(TraceError) -> [Block]? {
        var blocks: [Block] = []
        for _ in 0..<header.count {
            let last = blocks.last ?? .none
            let next = try Block(&cursor, after: last)
            guard next.offset > last.offset, next.firstTime >= last.firstTime,
                next.firstSequence >= last.firstSequence, next.offset < end
            else { return nil }
            blocks.append(next)
        }
        guard !blocks.isEmpty || end == UInt64(TraceFrame.fileHeaderLength) else { return nil }
        return blocks
    }
}

extension TraceIndex {
    /// The first block that may hold records of this time or later; `nil` when there are no blocks.
    public func number(ofTime time: TraceTime) -> Int? {
        blocks.isEmpty ? nil : max(0, blocks.indices.partitionPoint { blocks[$0].firstTime < time } - 1)
    }

    /// The block in which the press with this ordinal goes down, if it does and ordinals grow as they do in
    /// recordings.
    public func number(ofPress press: UInt32) -> Int? {
        let count = blocks.indices.partitionPoint { blocks[$0].firstPress <= press }
        return count > 0 ? count - 1 : nil
    }
}

/// The blocks of a trace that a reader decodes. Of the others only the checksums are checked.
public struct BlockSelection: Hashable, Sendable {
    /// Blocks with a record of one of these sorts.
    public var kinds: RecordKinds?
    /// Blocks from this offset on.
    public var from: UInt64 = 0
    /// Blocks that begin at this time or earlier.
    public var to: TraceTime?

    public init(kinds: RecordKinds? = nil, from: UInt64 = 0, to: TraceTime? = nil) {
        self.kinds = kinds
        self.from = from
        self.to = to
    }

    func admits(_ header: BlockHeader, at offset: Int) -> Bool {
        if UInt64(offset) < from { return false }
        if let to, header.firstTime > to.rawValue { return false }
        guard let kinds else { return true }
        return !header.kinds.isDisjoint(with: kinds)
    }
}
