import KeyModel

/// The packed form of invocations that the block has met before, in traces of version 2.
///
/// Tag 0x6D: invocations as expected, one after the other; 0x6E: one that the block has met. Of each the time since the
/// record before and the gap, as differences to those of its symbol before.
enum PackedInvocation {
    static let run: UInt8 = 0x6D
    static let known: UInt8 = 0x6E
    static let longestRun: UInt8 = 32
}

/// The order of invocations, and what lies between them. All arithmetic wraps, so that any value comes back.
struct InvocationModel: Sendable {
    /// Symbols are invocations without press, tick and duration.
    var order = SuccessorModel<InvocationRecord>()
    /// By symbol: its last time since the record before, and its last gap.
    private var last: [(delta: Int64, gap: Int64)] = []
    /// The begin of the first of the invocations of each depth that no shallower one has followed yet, by ascending
    /// depth: of those inside an invocation that is still to come.
    private var open: [(depth: UInt8, begin: Int64)] = []

    mutating func removeAll() {
        order.removeAll()
        last.removeAll(keepingCapacity: true)
        open.removeAll(keepingCapacity: true)
    }

    /// A key event: what came before is inside of nothing that follows.
    @inline(__always) mutating func begin(_ phase: KeyPhase) {
        order.begin(phase)
        if !open.isEmpty { open.removeAll(keepingCapacity: true) }
    }

    /// The gap of an invocation: from its begin to that of the first one inside it; where none is inside it, from the
    /// record before it to its begin. The same function takes the gap back to the begin.
    private func gap(_ depth: UInt8, _ begin: Int64, _ before: Int64) -> Int64 {
        if let inner = open.first(where: { $0.depth > depth }) { return inner.begin &- begin }
        return begin &- before
    }

    private func begin(_ depth: UInt8, _ gap: Int64, _ before: Int64) -> Int64 {
        if let inner = open.first(where: { $0.depth > depth }) { return inner.begin &- gap }
        return before &+ gap
    }

    /// The differences of an invocation at this time from the prediction for its symbol.
    func differences(_ number: Int32, _ record: InvocationRecord, delta: Int64, at time: Int64) -> (Int64, Int64) {
        let expected = last[Int(number)]
        let gap = gap(record.depth, time &- record.duration.nanoseconds, time &- delta)
        return (delta &- expected.delta, gap &- expected.gap)
    }

    /// The time since the record before that a difference gives.
    func delta(_ number: Int32, _ difference: Int64) -> Int64 { last[Int(number)].delta &+ difference }

    /// The duration that a difference gives of an invocation at this time.
    func duration(_ number: Int32, _ difference: Int64, delta: Int64, at time: Int64) -> Int64 {
        let depth = order.symbols[Int(number)].depth
        return time &- begin(depth, last[Int(number)].gap &+ difference, time &- delta)
    }

    /// Follows an invocation that the block has met or meets now.
    mutating func record(_ record: InvocationRecord, delta: Int64, at time: Int64) {
        let begin = time &- record.duration.nanoseconds
        let gap = gap(record.depth, begin, time &- delta)
        if let (number, isNew) = order.intern(record.symbol) {
            if isNew { last.append((delta, gap)) } else { last[Int(number)] = (delta, gap) }
            order.record(number)
        }
        close(record.depth, begin)
    }

    /// The same with its number.
    mutating func record(_ number: Int32, _ depth: UInt8, begin: Int64, delta: Int64, at time: Int64) {
        last[Int(number)] = (delta, gap(depth, begin, time &- delta))
        order.record(number)
        close(depth, begin)
    }

    private mutating func close(_ depth: UInt8, _ begin: Int64) {
        while let inner = open.last, inner.depth > depth { open.removeLast() }
        if open.last?.depth != depth { open.append((depth, begin)) }
    }
}

extension InvocationRecord {
    /// Its symbol in the block's model.
    var symbol: InvocationRecord {
        var symbol = self
        symbol.at = PressTick(press: 0, tick: 0)
        symbol.duration = .zero
        return symbol
    }
}

extension RecordEncoder {
    /// Writes an invocation to `out`, unless the general form is required.
    mutating func encode(
        _ record: InvocationRecord, delta: UInt64, at time: Int64, _ run: OpenRun?
    ) -> PackedPlace? {
        guard record.at == model.at, record.duration.nanoseconds >= 0 else { return nil }
        let symbol = record.symbol
        let expected = model.invocations.order.expected
        let isExpected = expected >= 0 && model.invocations.order.symbols[Int(expected)] == symbol
        guard let number = isExpected ? expected : model.invocations.order.number(of: symbol) else { return nil }
        let delta = Int64(truncatingIfNeeded: delta)
        let differences = model.invocations.differences(number, record, delta: delta, at: time)
        model.invocations.record(
            number, record.depth, begin: time &- record.duration.nanoseconds, delta: delta, at: time)
        model.calls.isAfterCall = false
        var place = PackedPlace.joins
        if !isExpected {
            out.append(byte: PackedInvocation.known)
            out.append(varint: UInt64(number))
            place = .alone(run: nil, countAt: 0)
        } else if run?.kind != PackedInvocation.run || run?.room == 0 {
            out.append(byte: PackedInvocation.run)
            out.append(byte: 1)
            place = .alone(run: PackedInvocation.run, countAt: 1)
        }
        out.append(varint: ZigZag.code(differences.0))
        out.append(varint: ZigZag.code(differences.1))
        return place
    }
}

extension RecordDecoder {
    /// Tags of packed stages, decisions and invocations in traces of this version.
    var packedTags: ClosedRange<UInt8> {
        version < TraceLimits.invocationVersion
            ? PackedDecisions.tags : PackedDecisions.tags.lowerBound...PackedInvocation.known
    }

    mutating func invocation(_ number: Int32, _ time: inout Int64) throws(TraceError) -> TraceRecord.Body {
        let delta = model.invocations.delta(number, ZigZag.value(try cursor.varint("delta_ns")))
        guard delta >= 0 else {
            throw TraceError(.outOfRange, field: "delta_ns", expected: "a time ≥ 0 ns", found: "\(delta)")
        }
        try advance(&time, UInt64(delta))
        let difference = ZigZag.value(try cursor.varint("duration_ns"))
        let duration = model.invocations.duration(number, difference, delta: delta, at: time)
        guard duration >= 0 else {
            throw TraceError(.outOfRange, field: "duration_ns", expected: "a duration ≥ 0 ns", found: "\(duration)")
        }
        var record = model.invocations.order.symbols[Int(number)]
        record.at = model.at
        record.duration = TraceDuration(nanoseconds: duration)
        model.invocations.record(number, record.depth, begin: time &- duration, delta: delta, at: time)
        model.calls.isAfterCall = false
        return .invocation(record)
    }
}
