public import KeyModel

/// Writes records as the bytes of a trace, in one pass.
///
/// Canonical: the bytes are a function of the header, the context and the records alone. Live: each block reaches
/// the sink as soon as it holds 64 KiB or 100 ms, or on `flush`. Nothing is on disk until the sink has put it there.
public struct TraceWriter {
    /// Takes the next bytes of the file, whole blocks at a time.
    public typealias Sink = (UnsafeRawBufferPointer) throws -> Void

    public let header: TraceHeader
    /// Bytes passed to the sink.
    public private(set) var bytesWritten: UInt64 = 0
    /// The sequence number of the next record.
    public private(set) var nextSequence: UInt64
    /// The time of the last record.
    public private(set) var lastTime = TraceTime.zero
    /// The context after the records so far.
    public private(set) var context: TraceContext
    /// Entries of the initial context that were left out because of `TraceLimits.contextBytes`; known with the first
    /// record.
    public private(set) var initialContextLeftOut = 0

    private let sink: Sink
    /// The initial context is not empty.
    private let continuesAnother: Bool
    private var encoder = RecordEncoder()
    private var payload = ByteBuffer()
    private var block: OpenBlock?
    private var index: [TraceIndex.Block] = []
    private var totals = TraceTotals()
    /// The next block does not follow the one before on purpose.
    private var leavesGap = false
    /// The run that the next record may join.
    private var run: OpenRun?
    private let durations: DurationPrecision
    private var state = State.open

    /// Precision of the durations of calls. Their times are always exact.
    public enum DurationPrecision: Sendable {
        case exact
        /// To 1 %, in a third of the bytes; the records are marked as rounded (`CallRecord.isRounded`).
        case percent
    }

    private enum State { case open, finished, failed }
    private struct OpenBlock {
        var firstTime: Int64
        var firstSequence: UInt64
        var firstPress: UInt32
        var contextBytes: Int
        var hasWholeContext: Bool
        var count: UInt32 = 0
        var kinds: RecordKinds = []
        var hasGap: Bool
    }

    /// Writes the file header to the sink. `context`: the initial context, for a trace that was cut out of another; its
    /// handles belong to the definitions given with the records.
    public init(
        header: TraceHeader, context: TraceContext = TraceContext(), durations: DurationPrecision = .exact,
        sink: @escaping Sink
    ) throws {
        self.header = header
        self.context = context
        self.durations = durations
        self.sink = sink
        continuesAnother = context.entryCount > 0
        nextSequence = header.firstSequence
        try put(TraceFrame.header(header))
    }

    /// Appends a record. Times must not decrease; handles belong to `definitions`, which may only grow between
    /// calls. A record that is refused leaves the writer as it was.
    public mutating func append(
        _ body: TraceRecord.Body, at time: TraceTime, definitions: TraceDefinitions
    ) throws {
        if case .key(let record) = body { return try append(record, at: time, definitions: definitions) }
        let before = lastTime
        try begin(time, definitions)
        let delta = UInt64(bitPattern: time.rawValue &- lastTime.rawValue)
        let mark = encoder.mark
        encoder.out.removeAll()
        encoder.definitions = definitions
        defer { encoder.definitions = TraceDefinitions() }
        var body = body
        do {
            if durations == .percent, case .call(let call) = body { body = .call(encoder.rounded(call, delta: delta)) }
            if try !encodePacked(body, delta, time) {
                appendPlain(try encode(body), delta)
                encoder.model.record(body, delta: Int64(bitPattern: delta), at: time.rawValue)
                run = nil
            }
        } catch {
            encoder.goBack(to: mark)
            abandonEmptyBlock(before)
            throw located(error)
        }
        context.apply(body)
        totals.note(body)
        try finishRecord(time, body.kinds)
    }

    /// Writes calls, stages and decisions in packed form; false for all others.
    private mutating func encodePacked(
        _ body: TraceRecord.Body, _ delta: UInt64, _ time: TraceTime
    ) throws(TraceError) -> Bool {
        var place: PackedPlace?
        switch body {
        case .call(let call):
            if try encoder.encode(call, delta: delta) { place = .alone(run: nil, countAt: 0) }
        case .stage(let stage): place = encoder.encode(stage, delta: delta, at: time.rawValue, run)
        case .invocation(let record) where header.version >= TraceLimits.invocationVersion:
            place = encoder.encode(record, delta: delta, at: time.rawValue, run)
        case .receiver, .candidate, .effect, .resolution:
            place = encoder.encode(decision: body, delta: delta, run)
        default: return false
        }
        switch place {
        case nil: return false
        case .alone(let kind, let countAt):
            run = kind.map {
                OpenRun(offset: payload.count + countAt, room: PackedPlace.longestRun($0) - 1, kind: $0)
            }
        case .joins:
            if let open = run { payload.increment(at: open.offset) }
            run?.room -= 1
        }
        payload.append(encoder.out)
        return true
    }

    /// Appends a key record: the fast path of recorders. The definitions are needed where it begins a block, whose
    /// context refers to them.
    public mutating func append(
        _ record: KeyRecord, at time: TraceTime, definitions: borrowing TraceDefinitions
    ) throws {
        try begin(time, definitions)
        let delta = UInt64(bitPattern: time.rawValue &- lastTime.rawValue)
        if delta <= PackedKey.largestDelta {
            payload.append(PackedKey(record, delta: delta, following: &context.keys))
        } else {
            try appendDistant(record, delta)
            context.keys.apply(record)
        }
        totals.note(record)
        encoder.model.record(record.phase, record.press, time.rawValue)
        run = nil
        try finishRecord(time, .key)
    }

    /// A key record after a pause of more than two years: in the form of all other kinds.
    private mutating func appendDistant(_ record: KeyRecord, _ delta: UInt64) throws {
        encoder.out.removeAll()
        var record = record
        try record.walk(&encoder)
        appendPlain(RecordKind.key.rawValue, delta)
    }

    /// The record in the encoder, in the form of all kinds.
    private mutating func appendPlain(_ tag: UInt8, _ delta: UInt64) {
        payload.append(byte: tag)
        payload.append(varint: delta)
        payload.append(varint: UInt64(encoder.out.count))
        payload.append(encoder.out)
    }

    /// Leaves out sequence numbers on purpose: the next record has this one. For traces made out of others.
    public mutating func skip(toSequence sequence: UInt64) throws {
        guard sequence != nextSequence else { return }
        guard sequence > nextSequence else {
            throw located(
                TraceError(.sequenceOrder, expected: "a sequence number ≥ \(nextSequence)", found: "\(sequence)"))
        }
        try closeBlock()
        nextSequence = sequence
        leavesGap = true
    }

    /// Closes the block, so that a reader of a live file gets all records so far. Canonical files have no such moment:
    /// their blocks are closed by content only.
    public mutating func flush() throws {
        if header.form == .live { try closeBlock() }
    }

    /// Writes what is left, the index and the end marker. Nothing can be appended afterwards.
    public mutating func finish() throws {
        guard state == .open else { throw refusal() }
        try closeBlock()
        let offset = bytesWritten
        var entries = ByteBuffer()
        var previous = TraceIndex.Block.none
        var kinds: RecordKinds = []
        for entry in index {
            kinds.formUnion(entry.kinds)
            entry.append(to: &entries, after: previous)
            previous = entry
        }
        var totals = ByteBuffer()
        self.totals.append(to: &totals)
        // Entries that are too long for a block are left out: readers find the blocks by walking them.
        let fits = entries.count + totals.count <= TraceLimits.blockBytes
        var payload = fits ? entries : ByteBuffer()
        payload.append(totals)
        let header = BlockHeader(
            kind: BlockHeader.index, kinds: kinds, count: fits ? UInt32(truncatingIfNeeded: index.count) : 0,
            firstTime: lastTime.rawValue, firstSequence: nextSequence)
        try put(TraceFrame.block(header, payload))
        try put(TraceFrame.end(indexOffset: offset))
        state = .finished
    }

    private mutating func encode(_ body: TraceRecord.Body) throws(TraceError) -> UInt8 {
        if case .unknown(let record) = body {
            guard UnknownRecord.allows(record.kind, version: header.version) else {
                throw TraceError(
                    .outOfRange, field: "kind", expected: UnknownRecord.allowed, found: "\(record.kind)")
            }
            record.payload.withUnsafeBytes { encoder.out.append(contentsOf: $0) }
            try encoder.checkSize()
            return record.kind
        }
        guard let kind = body.kind else {
            throw TraceError(.outOfRange, field: "kind", expected: "a kind", found: "none")
        }
        guard kind.version <= header.version else {
            throw TraceError(
                .outOfRange, field: "kind", expected: "a kind of version \(header.version)", found: kind.name)
        }
        var body = body
        try body.walk(&encoder)
        try encoder.checkSize()
        return kind.rawValue
    }

    /// Checks the time and opens a block when there is none. The time of a block's first record is its own.
    @inline(__always)
    private mutating func begin(_ time: TraceTime, _ definitions: borrowing TraceDefinitions) throws {
        guard state == .open, nextSequence < UInt64.max else { throw refusal() }
        guard time >= lastTime else {
            throw located(
                TraceError(
                    .timeOrder, field: "t_ns", expected: "≥ \(lastTime.nanoseconds)", found: "\(time.nanoseconds)"))
        }
        if let block {
            guard header.form == .live, time.rawValue &- block.firstTime >= TraceLimits.liveBlockSpan else { return }
            try closeBlock()
        }
        try openBlock(time, definitions)
    }
}

extension TraceWriter {
    private mutating func openBlock(_ time: TraceTime, _ definitions: borrowing TraceDefinitions) throws {
        encoder.beginBlock(time.rawValue)
        payload.removeAll()
        run = nil
        var (written, isWhole) = try appendContext(definitions)
        if !isWhole, continuesAnother, index.isEmpty {
            // Entries that its first block leaves out are not part of this trace, now or when it is read again.
            initialContextLeftOut = context.entryCount - written
            context = context.prefix(written)
            isWhole = true
        }
        block = OpenBlock(
            firstTime: time.rawValue, firstSequence: nextSequence, firstPress: context.keys.keyboard.pressCount &+ 1,
            contextBytes: payload.count, hasWholeContext: isWhole && header.form == .canonical, hasGap: leavesGap)
        leavesGap = false
        lastTime = time
    }

    /// True when a block stores the whole context: canonical blocks do, and the first block of a live trace that goes
    /// on where another ended.
    private var holdsWholeContext: Bool { header.form == .canonical || continuesAnother && index.isEmpty }

    /// A record that is refused leaves no block behind that was opened for it.
    private mutating func abandonEmptyBlock(_ time: TraceTime) {
        guard let open = block, open.count == 0 else { return }
        leavesGap = open.hasGap
        block = nil
        lastTime = time
    }

    /// Writes the snapshot without the entries that would exceed `TraceLimits.contextBytes`. Returns the number of
    /// entries written, and whether those are all.
    private mutating func appendContext(
        _ definitions: borrowing TraceDefinitions
    ) throws -> (written: Int, isWhole: Bool) {
        let context = self.context
        encoder.definitions = copy definitions
        defer { encoder.definitions = TraceDefinitions() }
        var count = 0
        var bytes = ByteBuffer()
        var isWhole = true
        var failure: (any Error)?
        context.forEachEntry(ofKeysAlone: !holdsWholeContext) { entry in
            do {
                isWhole = try append(entry, to: &bytes)
            } catch {
                failure = error
                return false
            }
            if isWhole { count += 1 }
            return isWhole
        }
        if let failure { throw failure }
        payload.append(varint: UInt64(count))
        payload.append(bytes)
        return (count, isWhole)
    }

    /// False where it would take the snapshot past its limit.
    private mutating func append(_ entry: ContextEntry, to bytes: inout ByteBuffer) throws -> Bool {
        guard let kind = entry.kind else { return true }
        let mark = encoder.mark
        encoder.out.removeAll()
        var entry = entry
        try entry.walk(&encoder)
        guard bytes.count + encoder.out.count <= TraceLimits.contextBytes else {
            encoder.goBack(to: mark)
            return false
        }
        bytes.append(byte: kind.rawValue)
        bytes.append(varint: UInt64(encoder.out.count))
        bytes.append(encoder.out)
        if case .lastList(let last) = entry { encoder.model.calls.seed(last.responder, last.list) }
        return true
    }

    @inline(__always) private mutating func finishRecord(_ time: TraceTime, _ kinds: RecordKinds) throws {
        lastTime = time
        // Never the last number: `begin` checks that.
        nextSequence &+= 1
        block?.count += 1
        block?.kinds.formUnion(kinds)
        guard let contextBytes = block?.contextBytes else { return }
        let recordBytes = payload.count - contextBytes
        if recordBytes < TraceLimits.blockTarget { return }
        // A block is at least four fifths records, however much context it repeats.
        if header.form == .live || recordBytes >= 4 * contextBytes { try closeBlock() }
    }

    mutating func closeBlock() throws {
        guard state == .open else { throw refusal() }
        guard let open = block else { return }
        block = nil
        let whole = open.hasWholeContext ? BlockHeader.wholeContextFlag : 0
        let header = BlockHeader(
            kind: BlockHeader.records, flags: whole | (open.hasGap ? BlockHeader.gapFlag : 0), kinds: open.kinds,
            count: open.count, firstTime: open.firstTime, firstSequence: open.firstSequence)
        index.append(
            TraceIndex.Block(
                offset: bytesWritten, firstTime: TraceTime(rawValue: open.firstTime),
                firstSequence: open.firstSequence, firstPress: open.firstPress, kinds: open.kinds))
        try put(TraceFrame.block(header, payload))
    }

    private mutating func put(_ bytes: ByteBuffer) throws {
        do {
            try bytes.withBytes(sink)
        } catch {
            state = .failed
            throw error
        }
        bytesWritten += UInt64(bytes.count)
    }

    private func refusal() -> any Error {
        // The number after the last record is stored in the index, and must be one too.
        if state == .open {
            return located(
                TraceError(
                    .sequenceOrder, expected: "a sequence number below \(UInt64.max)", found: "\(nextSequence)"))
        }
        return TraceError(
            .file, expected: "an open trace",
            found: state == .finished ? "one that is finished" : "one whose file could not be written")
    }

    private func located(_ error: any Error) -> any Error {
        guard var error = error as? TraceError else { return error }
        error.record = nextSequence
        return error
    }
}
