import KeyModel

/// Reads a trace in one pass, from front to back.
///
/// Despite damage every whole block is delivered: after a damaged one reading continues at the next, and `report`
/// contains what is missing and from where. Records come in the order (time, sequence).
///
/// Memory is that of one block and of the distinct definitions, however long the trace is.
public struct TraceReader {
    private var walk: BlockWalk
    var decoder = RecordDecoder(UnsafeRawBufferPointer(start: nil, count: 0))
    private var block: BlockHeader?
    /// Records of the block that are still to come.
    var left: UInt32 = 0
    /// Kinds of the block's records so far.
    var kinds: RecordKinds = []
    var sequence: UInt64 = 0
    var time: Int64 = 0
    var keys = KeyState()
    private var unknownRecords: UInt64 = 0
    var records: UInt64 = 0
    private var blockOffset = 0
    private var selection = BlockSelection()
    /// Counts of the records decoded so far.
    var counted = TraceTotals()
    /// No block was skipped: the counts are those of the trace.
    private var isWhole = true

    /// The lifetime of handles. Definitions kept for the whole trace take memory that grows with the number of distinct
    /// ones.
    public enum DefinitionLifetime: Sendable {
        case trace
        /// Until the first record of the next block. The handles of `initialContext` are not kept either.
        case block
    }
    public var definitionLifetime = DefinitionLifetime.trace

    /// The reading report so far; final when `next` has returned `nil`.
    public var report: ReadingReport {
        var report = walk.report
        report.records = records
        report.unknownRecords &+= unknownRecords
        return report
    }
    /// The definitions of the records' handles. Grows while reading.
    public var definitions: TraceDefinitions { _read { yield decoder.definitions } }
    /// The level at the beginning, by the file header; levels of the initial context and of records replace it.
    public var level: TraceLevel { walk.report.header?.level ?? .keys }
    /// The initial context; not empty in a trace that was cut out of another.
    public private(set) var initialContext: [ContextEntry] = []
    /// The context at the start of the block that was sought last. Others are not kept: one may have a hundred thousand
    /// entries.
    public private(set) var blockContext: [ContextEntry] = []
    private var keepsBlockContext = false

    /// Reads the file header. Throws for bytes that are no trace and for versions that this build does not read.
    public init(_ bytes: TraceBytes) throws(TraceError) {
        walk = try BlockWalk(bytes)
        if let header = walk.report.header { decoder.version = header.version }
        // To the first record, so that the context before it is known.
        _ = passToBlock()
    }

    public init(_ bytes: [UInt8], file: String? = nil) throws(TraceError) {
        try self.init(TraceBytes(bytes, file: file))
    }

    /// The next record; `nil` at the end.
    public mutating func next() -> TraceRecord? {
        while left > 0 || passToBlock() {
            let latest = time
            do throws(TraceError) {
                return try nextRecord()
            } catch {
                breakBlock(error, at: latest)
            }
        }
        return nil
    }

    /// Passes the remaining records to a consumer, in order, with all checks and reports of `next`.
    public mutating func feed(_ consumer: inout some TraceConsumer) {
        while let record = next() { consumer.consume(record, definitions: decoder.definitions) }
    }

    /// Advances to the next block with records; false at the end.
    private mutating func passToBlock() -> Bool {
        while left == 0, !walk.isDone { nextBlock() }
        return left > 0
    }

    @inline(__always) private mutating func nextRecord() throws(TraceError) -> TraceRecord {
        if decoder.run.left > 0 { return try record(decoder.nextOfRun(&time)) }
        let tag = try decoder.cursor.byte("tag")
        // Of a record whose kind is known here nothing has to be looked at to count it.
        if tag & 0x80 != 0 {
            let key = try decoder.key(tag, &keys, &time)
            try count(.key)
            counted.note(key)
            return TraceRecord(time: TraceTime(rawValue: time), sequence: sequence &- 1, body: .key(key))
        }
        if PackedCall.tags.contains(tag) {
            let call = try decoder.call(tag, &time)
            try count(.call)
            counted.note(.call)
            return TraceRecord(time: TraceTime(rawValue: time), sequence: sequence &- 1, body: .call(call))
        }
        return try record(decoder.packedTags.contains(tag) ? decoder.packed(tag, &time) : plainBody(tag))
    }

    /// A record in the form of all kinds.
    @inline(never) private mutating func plainBody(_ tag: UInt8) throws(TraceError) -> TraceRecord.Body {
        let before = time
        try decoder.advance(&time, decoder.cursor.varint("delta_ns"))
        let body = try decoder.body(tag, &unknownRecords)
        decoder.model.record(body, delta: time - before, at: time)
        if case .key(let key) = body { keys.apply(key) }
        return body
    }

    private mutating func record(_ body: TraceRecord.Body) throws(TraceError) -> TraceRecord {
        try count(body.kinds)
        counted.note(body)
        return TraceRecord(time: TraceTime(rawValue: time), sequence: sequence &- 1, body: body)
    }

    /// Counts a record, and checks the end of its block.
    @inline(__always) private mutating func count(_ kinds: RecordKinds) throws(TraceError) {
        if left == 1, !decoder.cursor.isAtEnd || decoder.run.left > 0 { throw leftover }
        self.kinds.formUnion(kinds)
        left &-= 1
        sequence &+= 1
        records &+= 1
        if left == 0 { checkKinds() }
    }

    private var leftover: TraceError {
        TraceError(.leftover, expected: "the end of the block", found: "\(decoder.cursor.remaining) more bytes")
    }
}

extension TraceReader {
    /// The source of the bytes, which has the name for errors.
    public var bytes: TraceBytes { walk.window.source }

    /// Skips blocks from now on, with the rest of the one that is being read if it is not selected. The checksums of
    /// those blocks are checked, and missing blocks are reported; wrong content is not detected.
    public mutating func select(_ selection: BlockSelection) {
        self.selection = selection
        if selection != BlockSelection() { isWhole = false }
        if let block, !selection.admits(block, at: blockOffset) { left = 0 }
    }

    /// Reuses the definitions of an earlier reading of the same bytes, so that both share the memory. To be called
    /// before the first record is read.
    public mutating func adopt(_ known: TraceDefinitions) {
        decoder.definitions = known
    }

    /// Continues at a block of the trace's index, forwards or backwards. The report then covers what was read before
    /// and after, and nothing between. False when the index is wrong about the block; the reader is then where it was.
    public mutating func seek(to target: TraceIndex.Block) -> Bool {
        guard let offset = Int(exactly: target.offset) else { return false }
        var sought = self
        sought.left = 0
        sought.isWhole = false
        sought.time = 0
        sought.walk.seek(to: offset)
        sought.keepsBlockContext = true
        sought.nextBlock()
        sought.keepsBlockContext = false
        guard sought.blockOffset == offset, let header = sought.block, header.firstSequence == target.firstSequence,
            header.firstTime == target.firstTime.rawValue
        else { return false }
        self = sought
        return true
    }

    /// State of a file that may be appended to after its end was read.
    public enum Continuation: Sendable { case more, nothingYet, never }

    /// Continues with what was appended to the file since it was read to its end: after `more`, `next` has records, or
    /// ends again. A truncated end is read again. `never`: the trace has ended, or it is no file, or the file was cut.
    public mutating func resume() -> Continuation {
        guard left == 0, let hasMore = walk.resume() else { return .never }
        return hasMore ? .more : .nothingYet
    }

    /// Totals of the trace and the times of its first and last record, from its index. Available when all blocks were
    /// met, whether they were decoded or not, and all are whole and of known kinds; else `nil`.
    public var summary: TraceSummary? {
        guard walk.report.complete, walk.report.unknownRecords == 0, let index = walk.index else { return nil }
        return TraceSummary(
            totals: index.totals, first: walk.first, lastTime: TraceTime(rawValue: index.lastTime))
    }

    /// Blocks of records met so far, whether they were decoded or not.
    public var blocks: UInt64 { walk.report.blocks }

    /// The last of them, as `seek` takes it.
    package var lastBlock: TraceIndex.Block? { walk.entries.last }

    /// Offset up to which the bytes were walked.
    package var offset: Int { walk.position }
}

extension TraceReader {
    /// Advances to the next block, or to the end.
    private mutating func nextBlock() {
        walk.time = time
        block = nil
        guard let next = walk.next() else {
            checkTotals()
            return
        }
        block = next.header
        blockOffset = next.offset
        sequence = next.header.firstSequence
        time = next.header.firstTime
        left = next.header.count
        kinds = []
        guard selection.admits(next.header, at: next.offset) else {
            left = 0
            return
        }
        if definitionLifetime == .block { decoder.definitions = TraceDefinitions() }
        decoder.beginBlock(next.payload, at: time)
        do throws(TraceError) {
            try readContext()
            if left == 0, !decoder.cursor.isAtEnd {
                throw TraceError(.leftover, expected: "the end of the block", found: "more bytes")
            }
        } catch {
            breakBlock(error, at: time)
        }
    }

    /// The header must name the kinds of the block's records, no more and no fewer: filters go by it.
    private mutating func checkKinds() {
        guard let header = block, header.kinds != kinds else { return }
        let start = walk.position - header.length - TraceFrame.blockHeaderLength
        let error = TraceError(
            .field, field: "record_kinds", expected: kinds.text, found: header.kinds.text)
        walk.addDamage(start, "record_kinds: \(error.reason)", lost: 0)
    }

    /// Reports a damage where the index's totals differ from the counts.
    private mutating func checkTotals() {
        // The records of blocks of unknown kinds are counted in the index alone.
        guard isWhole, let index = walk.index, walk.report.complete, walk.report.unknownRecords == 0 else { return }
        var difference = counted.difference(from: index.totals)
        if difference == nil, index.lastTime != time {
            difference = TraceError(.field, field: "last_time_ns", expected: "\(time)", found: "\(index.lastTime)")
        }
        guard let difference else { return }
        walk.addDamage(index.offset, "index: \(difference.field ?? ""): \(difference.reason)", lost: 0)
        walk.report.complete = false
    }

    private mutating func readContext() throws(TraceError) {
        let count = try decoder.cursor.varint("context_entries")
        let isFirst = walk.report.blocks == 1
        var entries: [ContextEntry] = []
        var context = TraceContext()
        for _ in 0..<count {
            guard let entry = try decoder.contextEntry() else { continue }
            switch entry {
            case .lastList(let last): decoder.model.calls.seed(last.responder, last.list)
            case .keyState, .heldKey, .heldModifiers: context.apply(entry)
            case .record: break
            }
            if isFirst || keepsBlockContext { entries.append(entry) }
        }
        if isFirst { initialContext = entries }
        if keepsBlockContext { blockContext = entries }
        keys = context.keys
    }

    /// Skips the rest of a block whose checksum fits but whose content is invalid.
    private mutating func breakBlock(_ error: TraceError, at latest: Int64) {
        // A record that is not delivered has no time that what follows could be measured by.
        time = latest
        var error = error
        let start = walk.position - (block?.length ?? 0)
        if left > 0 { error.record = sequence }
        let place = error.field.map { "record \(sequence), field \($0): " } ?? "record \(sequence): "
        walk.addDamage(start + decoder.cursor.position, place + error.reason, lost: UInt64(left))
        left = 0
        block = nil
    }
}
