import KeyModel

/// Walks the blocks of a trace from front to back: checks them, finds the next one after damage, and reports what is
/// missing. The contents of the blocks are not read.
struct BlockWalk {
    /// A block of records whose checksum fits.
    struct Block {
        var header: BlockHeader
        var offset: Int
        /// Valid until the next step of the walk.
        var payload: UnsafeRawBufferPointer
    }

    private(set) var window: TraceWindow
    /// Offset at which the next block is expected.
    private(set) var position = 0
    var report = ReadingReport()
    private(set) var isDone = false
    /// The end marker was read.
    private(set) var isEnded = false
    /// Number of damages before the end of the bytes was reported as one.
    private var damagesBeforeEnd = 0
    /// The latest time that is known of what came before.
    var time: Int64 = 0
    private var expectedSequence: UInt64?
    /// The damage whose number of lost records is determined by the next block's sequence number.
    private var openDamage: Int?
    /// Bytes that may still be checksummed in search of a whole block.
    private var searchBudget: UInt64
    /// The blocks of records so far, as the index must name them, apart from their first presses.
    private(set) var entries: [TraceIndex.Block] = []
    /// The index that was read, if it is whole and so is everything before it.
    private(set) var index: (offset: Int, lastTime: Int64, totals: TraceTotals)?
    /// Earlier bytes were skipped on request: offsets cannot be compared with the index.
    private var isPartial = false

    /// Reads the file header. Throws for bytes that are no trace and for versions that this build does not read.
    init(_ bytes: TraceBytes) throws(TraceError) {
        window = TraceWindow(bytes)
        searchBudget = 8 * UInt64(bytes.count) + (1 << 20)
        report.bytes = UInt64(bytes.count)
        do {
            let header = try TraceFrame.header(window.bytes(at: 0, count: TraceFrame.fileHeaderLength))
            report.header = header
            expectedSequence = header.firstSequence
            position = TraceFrame.fileHeaderLength
        } catch {
            try startWithoutHeader(error)
        }
    }

    /// A damaged header is a damage like others where the rest shows that this is a trace.
    private mutating func startWithoutHeader(_ error: TraceError) throws(TraceError) {
        var error = error
        error.file = window.source.file
        error.offset = 0
        if let failure = window.failure {
            throw TraceFile.failure(window.source.file ?? "", "readable bytes", failure)
        }
        let start = window.bytes(at: 0, count: TraceFrame.fileMagic.count)
        let beginsWell = !start.isEmpty && start.elementsEqual(TraceFrame.fileMagic.prefix(start.count))
        if error.code == .truncated, beginsWell {
            addDamage(0, ReadingReport.noEndMarker)
            finish()
            return
        }
        let hasBlock = (try? block(at: TraceFrame.fileHeaderLength)) != nil
        guard error.code != .unsupportedVersion, beginsWell && error.code == .checksum || hasBlock else {
            if error.code != .unsupportedVersion { error.code = .notATrace }
            throw error
        }
        addDamage(0, "file header: \(error.reason)")
        openDamage = nil
        position = TraceFrame.fileHeaderLength
    }

    /// The next block of records; `nil` at the end.
    mutating func next() -> Block? {
        while !isDone {
            do {
                if try readEnd() { return nil }
                let block = try block(at: position)
                position += TraceFrame.blockHeaderLength + block.header.length
                window.source.onBlock?(position)
                if open(block) { return block }
            } catch {
                resynchronise(error)
            }
        }
        return nil
    }

    /// Time and number of the first record.
    var first: (time: TraceTime, sequence: UInt64)? { entries.first.map { ($0.firstTime, $0.firstSequence) } }

    /// Continues at this offset, as if no bytes came before it.
    mutating func seek(to offset: Int) {
        position = offset
        isDone = false
        isPartial = true
        time = 0
        expectedSequence = nil
        openDamage = nil
    }

    /// Continues after the end with what was appended to the file since. `nil` when nothing will be.
    mutating func resume() -> Bool? {
        guard isDone, !isEnded, report.header != nil else { return nil }
        let end = window.end
        guard let hasGrown = window.extend() else { return nil }
        guard hasGrown else { return false }
        searchBudget &+= 8 * UInt64(window.end - end)
        report.bytes = UInt64(window.end)
        report.damages.removeLast(max(0, report.damages.count - damagesBeforeEnd))
        isDone = false
        return true
    }

    /// The block at this offset, when it is whole.
    private mutating func block(at offset: Int) throws(TraceError) -> Block {
        let head = window.bytes(at: offset, count: TraceFrame.blockHeaderLength)
        let claimed = TraceFrame.claimedLength(head) ?? 0
        let raw = window.bytes(at: offset, count: TraceFrame.blockHeaderLength + claimed)
        let header = try TraceFrame.block(raw, at: 0)
        let payload = UnsafeRawBufferPointer(rebasing: raw[TraceFrame.blockHeaderLength...])
        return Block(header: header, offset: offset, payload: payload)
    }

    /// True when the end marker is at this offset.
    private mutating func readEnd() throws(TraceError) -> Bool {
        guard let named = endMarker(at: position) else { return false }
        let end = position + TraceFrame.endLength
        if end != window.end, let next = blockInOrder(from: end) {
            addDamage(position, "end marker: expected the end of the file, found blocks that go on")
            position = next
            return false
        }
        // Where bytes are missing or foreign, offsets have moved: that is reported already.
        if report.damages.isEmpty, index.map({ UInt64($0.offset) }) != named, !isPartial {
            addDamage(position, "end marker: no index where it says")
        } else if end != window.end {
            addDamage(end, "\(window.end - end) bytes after the end marker", lost: 0)
        }
        report.complete = report.damages.isEmpty
        isEnded = true
        finish()
        return true
    }

    /// The next whole block at this place or later that is in sequence with the blocks so far: foreign bytes may look
    /// like an end.
    private mutating func blockInOrder(from start: Int) -> Int? {
        var candidate = start
        while let found = nextMagic(from: candidate) {
            if isWholeBlock(at: found), let header = try? block(at: found).header {
                let isNext = header.firstSequence >= expectedSequence ?? 0 && header.firstTime >= time
                return isNext ? found : nil
            }
            candidate = found + 1
        }
        return nil
    }

    /// Offset of the index, as stored in the end marker at this offset; `nil` when there is none.
    private mutating func endMarker(at offset: Int) -> UInt64? {
        let raw = window.bytes(at: offset, count: TraceFrame.endLength)
        return raw.count == TraceFrame.endLength ? try? TraceFrame.end(raw, at: 0) : nil
    }

    /// True when its records are to be read.
    private mutating func open(_ block: Block) -> Bool {
        let header = block.header
        guard checkOrder(header, at: block.offset) else { return false }
        expectedSequence = header.firstSequence
        if header.kind == BlockHeader.index {
            do {
                let totals = try checkIndex(block)
                index = (block.offset, header.firstTime, totals)
            } catch {
                addDamage(block.offset, "index: \(error.reason)", lost: 0)
            }
            return false
        }
        expectedSequence = header.firstSequence &+ UInt64(header.count)
        if header.kind == BlockHeader.records {
            entries.append(
                TraceIndex.Block(
                    offset: UInt64(block.offset), firstTime: TraceTime(rawValue: header.firstTime),
                    firstSequence: header.firstSequence, firstPress: 0, kinds: header.kinds))
        }
        guard header.kind == BlockHeader.records, header.flags & ~BlockHeader.knownFlags == 0 else {
            // A kind of block of a newer version: its stored count is that of its unknown records.
            report.unknownRecords &+= UInt64(header.count)
            return false
        }
        report.blocks += 1
        time = header.firstTime
        return true
    }

    /// Compares a block's first sequence number and time with what came before. False when it must not be read.
    private mutating func checkOrder(_ header: BlockHeader, at offset: Int) -> Bool {
        // The count of an index is not one of records.
        let records = header.kind == BlockHeader.index ? 0 : UInt64(header.count)
        let wraps = header.firstSequence.addingReportingOverflow(records).overflow
        let expected = expectedSequence ?? header.firstSequence
        guard header.firstSequence >= expected, header.firstTime >= time, !wraps else {
            let reason = header.firstTime < time
                ? "time \(header.firstTime) ns, expected ≥ \(time) ns"
                : "sequence \(header.firstSequence), expected \(expected)"
            addDamage(offset, "block out of order: \(reason)")
            openDamage = nil
            return false
        }
        let missing = header.firstSequence - expected
        let isOnPurpose = header.kind == BlockHeader.records && header.flags & BlockHeader.gapFlag != 0
        if let damage = openDamage {
            openDamage = nil
            // The share of damage in a gap left on purpose is unknown.
            if expectedSequence != nil, !isOnPurpose, report.damages.indices.contains(damage) {
                report.damages[damage].recordsLost = missing
            }
        } else if missing > 0, !isOnPurpose {
            addDamage(offset, "records missing before this block", lost: missing)
        }
        return true
    }

    /// The index must name the blocks that were read, unless some were lost, or all were left out.
    private func checkIndex(_ block: Block) throws(TraceError) -> TraceTotals {
        var cursor = ByteCursor(block.payload)
        var entry = TraceIndex.Block.none
        for number in 0..<Int(block.header.count) {
            entry = try TraceIndex.Block(&cursor, after: entry)
            guard report.damages.isEmpty, !isPartial else { continue }
            guard number < entries.count, entries[number].offset == entry.offset else {
                throw TraceError(.field, field: "offset", expected: "the offset of a block", found: "\(entry.offset)")
            }
            let found = entries[number]
            guard found.firstTime == entry.firstTime, found.firstSequence == entry.firstSequence,
                found.kinds == entry.kinds
            else {
                throw TraceError(
                    .field, field: "entry \(number)", expected: "the time, sequence and kinds of its block",
                    found: "others")
            }
        }
        let isWhole = report.damages.isEmpty && !isPartial
        guard !isWhole || block.header.count == 0 || Int(block.header.count) == entries.count else {
            throw TraceError(
                .field, field: "count", expected: "\(entries.count) blocks", found: "\(block.header.count)")
        }
        let kinds = entries.reduce(into: RecordKinds()) { $0.formUnion($1.kinds) }
        guard !isWhole || report.unknownRecords > 0 || block.header.kinds == kinds else {
            throw TraceError(
                .field, field: "record_kinds", expected: kinds.text, found: block.header.kinds.text)
        }
        let totals = try TraceTotals(&cursor)
        guard cursor.isAtEnd else {
            throw TraceError(.leftover, expected: "the end of the index", found: "\(cursor.remaining) more bytes")
        }
        guard totals.agree(with: block.header.kinds) else {
            throw TraceError(
                .field, field: "records", expected: "counts of \(block.header.kinds.text)", found: "those of others")
        }
        return totals
    }
}

extension BlockWalk {
    mutating func addDamage(_ offset: Int, _ reason: String, lost: UInt64? = nil) {
        openDamage = nil
        guard report.damages.count < TraceLimits.damages else { return }
        if lost == nil { openDamage = report.damages.count }
        report.damages.append(ReadingReport.Damage(offset: UInt64(offset), reason: reason, recordsLost: lost))
    }

    private mutating func finish() {
        isDone = true
        if let failure = window.failure {
            addDamage(window.end, "file: expected readable bytes, found \(DescriptorCalls.words(failure))")
            report.complete = false
        }
    }

    /// Finds the next whole block, or the end marker, after something that is neither.
    private mutating func resynchronise(_ error: TraceError) {
        let start = position
        var candidate = position + 1
        while let found = nextMagic(from: candidate), endMarker(at: found) == nil, !isWholeBlock(at: found) {
            candidate = found + 1
        }
        if let found = nextMagic(from: candidate), searchBudget > 0 {
            addDamage(start, error.field.map { "\($0): \(error.reason)" } ?? error.reason)
            position = found
            return
        }
        damagesBeforeEnd = report.damages.count
        let isTornEnd = window.end - start < TraceFrame.endLength
            && window.bytes(at: start, count: 4).elementsEqual(TraceFrame.endMagicBytes)
        if error.code == .truncated || isTornEnd {
            addDamage(start, ReadingReport.noEndMarker)
        } else {
            addDamage(start, error.field.map { "\($0): \(error.reason)" } ?? error.reason)
            addDamage(window.end, ReadingReport.noEndMarker)
        }
        finish()
    }

    private mutating func isWholeBlock(at offset: Int) -> Bool {
        let head = window.bytes(at: offset, count: TraceFrame.blockHeaderLength)
        guard head.count == TraceFrame.blockHeaderLength, let length = TraceFrame.claimedLength(head),
            length <= window.end - offset
        else { return false }
        let claimed = UInt64(length)
        guard claimed < searchBudget else {
            searchBudget = 0
            return false
        }
        searchBudget -= claimed
        return (try? block(at: offset)) != nil
    }

    /// The next place where a block or the end marker may begin.
    private mutating func nextMagic(from start: Int) -> Int? {
        guard searchBudget > 0 else { return nil }
        var at = start
        while true {
            let raw = window.bytes(at: at, least: 4)
            guard raw.count >= 4 else { return nil }
            for index in 0...raw.count - 4 {
                let word = raw.loadUnaligned(fromByteOffset: index, as: UInt32.self).littleEndian
                if word == TraceFrame.blockMagic || word == TraceFrame.endMagic { return at + index }
            }
            at += raw.count - 3
        }
    }
}
