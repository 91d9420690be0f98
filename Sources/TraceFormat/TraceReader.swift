import KeyModel

/// Reads a trace in one pass, from front to back.
///
/// Whatever is wrong with the bytes, everything whole is delivered: after a damaged block reading goes on at the
/// next one, and `report` says what is missing and from where. Records come in the order (time, sequence).
public struct TraceReader {
    private let bytes: TraceBytes
    private var decoder: RecordDecoder
    private var position = 0
    private var block: BlockHeader?
    /// Records of the block that are still to come.
    private var left: UInt32 = 0
    /// Kinds of the block's records so far.
    private var kinds: RecordKinds = []
    private var sequence: UInt64 = 0
    private var time: Int64 = 0
    private var expectedSequence: UInt64?
    private var keys = KeyState()
    private var isDone = false
    /// The damage whose number of lost records the next block's sequence number tells.
    private var openDamage: Int?
    /// Bytes that may still be checksummed in search of a whole block.
    private var searchBudget: UInt64
    private var blockOffsets: [UInt64] = []

    /// What was found so far; final when `next` has returned `nil`.
    public private(set) var report = ReadingReport()
    /// What the handles of the records mean. Grows while reading.
    public var definitions: TraceDefinitions { _read { yield decoder.definitions } }
    /// What was true before the first record; not empty in a trace that was cut out of another.
    public private(set) var initialContext: [ContextEntry] = []
    /// The context at the start of the block that the last record came from.
    public private(set) var blockContext: [ContextEntry] = []

    /// Reads the file header. Throws for bytes that are no trace and for versions that this build does not read.
    public init(_ bytes: TraceBytes) throws(TraceError) {
        self.bytes = bytes
        decoder = RecordDecoder(UnsafeRawBufferPointer(start: nil, count: 0))
        searchBudget = 8 * UInt64(bytes.raw.count) + (1 << 20)
        report.bytes = UInt64(bytes.raw.count)
        do {
            let header = try TraceFrame.header(bytes.raw)
            report.header = header
            expectedSequence = header.firstSequence
            position = TraceFrame.fileHeaderLength
        } catch {
            try startWithoutHeader(error)
        }
        // To the first record, so that the context before it is known.
        while left == 0, !isDone { nextBlock() }
    }

    public init(_ bytes: [UInt8], file: String? = nil) throws(TraceError) {
        try self.init(TraceBytes(bytes, file: file))
    }

    /// A damaged header is a damage like others where the rest shows that this is a trace.
    private mutating func startWithoutHeader(_ error: TraceError) throws(TraceError) {
        var error = error
        error.file = bytes.file
        error.offset = 0
        let raw = bytes.raw
        let prefix = min(raw.count, TraceFrame.fileMagic.count)
        let beginsWell = prefix > 0 && raw.prefix(prefix).elementsEqual(TraceFrame.fileMagic.prefix(prefix))
        if error.code == .truncated, beginsWell {
            addDamage(0, ReadingReport.noEndMarker)
            isDone = true
            return
        }
        let hasBlock = (try? TraceFrame.block(raw, at: TraceFrame.fileHeaderLength)) != nil
        guard error.code != .unsupportedVersion, beginsWell && error.code == .checksum || hasBlock else {
            if error.code != .unsupportedVersion { error.code = .notATrace }
            throw error
        }
        addDamage(0, "file header: \(error.reason)")
        openDamage = nil
        position = TraceFrame.fileHeaderLength
    }

    /// The next record; `nil` at the end.
    public mutating func next() -> TraceRecord? {
        while !isDone {
            guard left > 0 else {
                nextBlock()
                continue
            }
            do {
                let record = try nextRecord()
                report.records += 1
                return record
            } catch {
                breakBlock(error)
            }
        }
        return nil
    }

    private mutating func nextRecord() throws(TraceError) -> TraceRecord {
        let tag = try decoder.cursor.byte("tag")
        let body: TraceRecord.Body
        if tag & 0x80 != 0 {
            var packed = PackedKey()
            packed.tag = tag
            try packed.walk(&decoder.cursor)
            try advance(packed.delta)
            let key = try packed.record(keys)
            keys.apply(key)
            body = .key(key)
        } else {
            try advance(decoder.cursor.varint("delta_ns"))
            body = try decoder.body(tag, &report.unknownRecords)
            if case .key(let key) = body { keys.apply(key) }
        }
        let record = TraceRecord(time: TraceTime(rawValue: time), sequence: sequence, body: body)
        if left == 1, !decoder.cursor.isAtEnd {
            throw TraceError(
                .leftover, expected: "the end of the block", found: "\(decoder.cursor.remaining) more bytes")
        }
        kinds.formUnion(body.kinds)
        left -= 1
        if left == 0 { checkKinds() }
        sequence &+= 1
        return record
    }

    @inline(__always) private mutating func advance(_ delta: UInt64) throws(TraceError) {
        guard delta <= UInt64(Int64.max - time) else {
            throw TraceError(.outOfRange, field: "delta_ns", expected: "0…\(Int64.max - time)", found: "\(delta)")
        }
        time += Int64(delta)
    }
}

extension TraceReader {
    /// Goes on to the next block, or to the end.
    private mutating func nextBlock() {
        block = nil
        let raw = bytes.raw
        do {
            if try readEnd(raw) { return }
            let header = try TraceFrame.block(raw, at: position)
            let offset = position
            position += TraceFrame.blockHeaderLength + header.length
            try open(header, at: offset)
        } catch {
            if block != nil { breakBlock(error) } else { resynchronise(error) }
        }
    }

    /// True when the end marker stands here.
    private mutating func readEnd(_ raw: UnsafeRawBufferPointer) throws(TraceError) -> Bool {
        guard raw.count - position >= TraceFrame.endLength, let index = try? TraceFrame.end(raw, at: position) else {
            return false
        }
        isDone = true
        let end = position + TraceFrame.endLength
        // Where bytes are missing or foreign, offsets have moved: that is reported already.
        if report.damages.isEmpty, index != blockOffsets.last {
            addDamage(position, "end marker: no index where it says")
        } else if end != raw.count {
            addDamage(end, "\(raw.count - end) bytes after the end marker", lost: 0)
        }
        report.complete = report.damages.isEmpty
        return true
    }

    private mutating func open(_ header: BlockHeader, at offset: Int) throws(TraceError) {
        guard checkOrder(header, at: offset) else { return }
        blockOffsets.append(UInt64(offset))
        expectedSequence = header.firstSequence
        if header.kind == BlockHeader.index {
            do {
                try checkIndex(header, at: offset)
            } catch {
                addDamage(offset, "index: \(error.reason)", lost: 0)
            }
            return
        }
        guard header.kind == BlockHeader.records, header.flags & ~BlockHeader.knownFlags == 0 else {
            // A kind of block of a newer version: as many records as it says are there but unknown.
            report.unknownRecords &+= UInt64(header.count)
            expectedSequence = header.firstSequence &+ UInt64(header.count)
            return
        }
        report.blocks += 1
        block = header
        sequence = header.firstSequence
        time = header.firstTime
        left = header.count
        kinds = []
        expectedSequence = header.firstSequence &+ UInt64(header.count)
        let payload = offset + TraceFrame.blockHeaderLength
        decoder.beginBlock(UnsafeRawBufferPointer(rebasing: bytes.raw[payload..<payload + header.length]))
        try readContext()
        if left == 0, !decoder.cursor.isAtEnd {
            throw TraceError(.leftover, expected: "the end of the block", found: "more bytes")
        }
    }

    /// Compares a block's first sequence number and time with what came before. False when it must not be read.
    private mutating func checkOrder(_ header: BlockHeader, at offset: Int) -> Bool {
        let (next, wraps) = header.firstSequence.addingReportingOverflow(UInt64(header.count))
        let expected = expectedSequence ?? header.firstSequence
        guard header.firstSequence >= expected, header.firstTime >= time, !wraps || next == 0 else {
            addDamage(offset, "block out of order: sequence \(header.firstSequence), expected \(expected)")
            openDamage = nil
            return false
        }
        let missing = header.firstSequence - expected
        let isOnPurpose = header.kind == BlockHeader.records && header.flags & BlockHeader.gapFlag != 0
        if let damage = openDamage {
            openDamage = nil
            // How much of a gap left on purpose is damage, nobody knows.
            if expectedSequence != nil, !isOnPurpose, report.damages.indices.contains(damage) {
                report.damages[damage].recordsLost = missing
            }
        } else if missing > 0, !isOnPurpose {
            addDamage(offset, "records missing before this block", lost: missing)
        }
        return true
    }

    /// The header must name the kinds of the block's records, no more and no fewer: filters go by it.
    private mutating func checkKinds() {
        guard let header = block, header.kinds != kinds else { return }
        let start = position - header.length - TraceFrame.blockHeaderLength
        let error = TraceError(
            .field, field: "record_kinds", expected: kinds.text, found: header.kinds.text)
        addDamage(start, "record_kinds: \(error.reason)", lost: 0)
    }

    private mutating func readContext() throws(TraceError) {
        let count = try decoder.cursor.varint("context_entries")
        var entries: [ContextEntry] = []
        for _ in 0..<count {
            if let entry = try decoder.contextEntry() { entries.append(entry) }
        }
        decoder.lastAt = PressTick(press: 0, tick: 0)
        blockContext = entries
        var context = TraceContext()
        for entry in entries {
            if case .record = entry { continue }
            context.apply(entry)
        }
        keys = context.keys
        if report.blocks == 1 { initialContext = entries }
    }

    /// The index must name the blocks that were read, unless some were lost.
    private mutating func checkIndex(_ header: BlockHeader, at offset: Int) throws(TraceError) {
        let payload = offset + TraceFrame.blockHeaderLength
        var cursor = ByteCursor(UnsafeRawBufferPointer(rebasing: bytes.raw[payload..<payload + header.length]))
        var entry = IndexEntry()
        for number in 0..<Int(header.count) {
            entry = try IndexEntry(&cursor, after: entry)
            guard report.damages.isEmpty else { continue }
            guard number < blockOffsets.count - 1, blockOffsets[number] == entry.offset else {
                throw TraceError(.field, field: "offset", expected: "the offset of a block", found: "\(entry.offset)")
            }
        }
        guard cursor.isAtEnd else {
            throw TraceError(.leftover, expected: "the end of the index", found: "\(cursor.remaining) more bytes")
        }
    }
}

extension TraceReader {
    private mutating func addDamage(_ offset: Int, _ reason: String, lost: UInt64? = nil) {
        openDamage = nil
        guard report.damages.count < TraceLimits.damages else { return }
        if lost == nil { openDamage = report.damages.count }
        report.damages.append(ReadingReport.Damage(offset: UInt64(offset), reason: reason, recordsLost: lost))
    }

    /// Gives up the rest of a block whose checksum fits but whose content does not.
    private mutating func breakBlock(_ error: TraceError) {
        var error = error
        let start = position - (block?.length ?? 0)
        if left > 0 { error.record = sequence }
        let place = error.field.map { "record \(sequence), field \($0): " } ?? "record \(sequence): "
        addDamage(start + decoder.cursor.position, place + error.reason, lost: UInt64(left))
        left = 0
        block = nil
    }

    /// Finds the next whole block, or the end marker, after something that is neither.
    private mutating func resynchronise(_ error: TraceError) {
        let raw = bytes.raw
        let start = position
        var candidate = position + 1
        while let found = nextMagic(raw, from: candidate) {
            if raw.count - found >= TraceFrame.endLength, (try? TraceFrame.end(raw, at: found)) != nil {
                break
            }
            if isWholeBlock(raw, at: found) { break }
            candidate = found + 1
        }
        if let found = nextMagic(raw, from: candidate), searchBudget > 0 {
            addDamage(start, error.field.map { "\($0): \(error.reason)" } ?? error.reason)
            position = found
            return
        }
        isDone = true
        let isTornEnd = raw.count - start < TraceFrame.endLength
            && raw[start...].starts(with: TraceFrame.endMagicBytes)
        if error.code == .truncated || isTornEnd {
            addDamage(start, ReadingReport.noEndMarker)
        } else {
            addDamage(start, error.field.map { "\($0): \(error.reason)" } ?? error.reason)
            addDamage(raw.count, ReadingReport.noEndMarker)
        }
    }

    private mutating func isWholeBlock(_ raw: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        guard raw.count - offset >= TraceFrame.blockHeaderLength else { return false }
        let claimed = UInt64(raw.loadUnaligned(fromByteOffset: offset + 8, as: UInt32.self).littleEndian)
        guard claimed <= UInt64(min(raw.count - offset, TraceLimits.blockBytes)) else { return false }
        guard claimed < searchBudget else {
            searchBudget = 0
            return false
        }
        searchBudget -= claimed
        return (try? TraceFrame.block(raw, at: offset)) != nil
    }

    /// The next place where a block or the end marker may begin.
    private func nextMagic(_ raw: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard searchBudget > 0 else { return nil }
        var at = start
        while raw.count - at >= 4 {
            let word = raw.loadUnaligned(fromByteOffset: at, as: UInt32.self).littleEndian
            if word == TraceFrame.blockMagic || word == TraceFrame.endMagic { return at }
            at += 1
        }
        return nil
    }
}

extension RecordDecoder {
    /// A record's length and fields. Unknown kinds are skipped by their length.
    fileprivate mutating func body(_ tag: UInt8, _ unknown: inout UInt64) throws(TraceError) -> TraceRecord.Body {
        let length = try cursor.varint("record_bytes")
        guard tag > 0 else { throw TraceError(.outOfRange, field: "kind", expected: "1…127", found: "0") }
        let kind = RecordKind(rawValue: tag)
        guard kind?.isContextOnly != true else {
            throw TraceError(.outOfRange, field: "kind", expected: "a kind of record", found: "\(tag), of contexts")
        }
        guard var body = kind?.blank else {
            unknown &+= 1
            let raw = try cursor.bytes(length, limit: TraceLimits.recordBytes, "record_bytes")
            return .unknown(UnknownRecord(kind: tag, payload: Array(raw)))
        }
        guard length <= UInt64(TraceLimits.recordBytes) else {
            throw TraceError(
                .limitExceeded, field: "record_bytes", expected: "at most \(TraceLimits.recordBytes) bytes",
                found: "\(length)")
        }
        let outer = try cursor.enter(length, "record_bytes")
        try body.walk(&self)
        try cursor.leave(outer)
        return body
    }

    /// `nil` for an entry of a kind that this version does not know.
    fileprivate mutating func contextEntry() throws(TraceError) -> ContextEntry? {
        let tag = try cursor.byte("kind")
        let outer = try cursor.enter(try cursor.varint("entry_bytes"), "entry_bytes")
        guard let kind = RecordKind(rawValue: tag), var entry = ContextEntry.blank(kind) else {
            cursor.skip(outer)
            return nil
        }
        try entry.walk(&self)
        try cursor.leave(outer)
        return entry
    }
}
