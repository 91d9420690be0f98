import KeyModel

/// Packed stages, decisions, keys and calls from bytes. The tag was read; `time` is that of the record before, and
/// becomes that of this one.
extension RecordDecoder {
    mutating func packed(_ tag: UInt8, _ time: inout Int64) throws(TraceError) -> TraceRecord.Body {
        switch tag {
        case PackedDecisions.stagesInTurn..<PackedDecisions.otherStage:
            let isInTurn = tag < PackedDecisions.stagesAtOnce
            let first = isInTurn ? PackedDecisions.stagesInTurn : PackedDecisions.stagesAtOnce
            run = (first, tag - first)
            return try runStage(&time)
        case PackedDecisions.otherStage: return try otherStage(&time)
        case PackedDecisions.laterStage: return try later(try expectedStage(), false, &time)
        case PackedDecisions.run:
            try beginRun(tag, PackedDecisions.longestRun)
            return try decision(expected(model.decisions.expected, "decision"))
        case PackedDecisions.expected:
            try advance(&time, try cursor.varint("delta_ns"))
            return try decision(expected(model.decisions.expected, "decision"))
        case PackedDecisions.known:
            try advance(&time, try cursor.varint("delta_ns"))
            return try decision(known(model.decisions.symbols.count, "decision"))
        case PackedInvocation.run:
            try beginRun(tag, PackedInvocation.longestRun)
            return try invocation(expected(model.invocations.order.expected, "invocation"), &time)
        case PackedInvocation.known:
            return try invocation(known(model.invocations.order.symbols.count, "invocation"), &time)
        default:
            throw TraceError(.outOfRange, field: "kind", expected: "a kind of record", found: "\(tag)")
        }
    }

    /// The next record of the open run.
    mutating func nextOfRun(_ time: inout Int64) throws(TraceError) -> TraceRecord.Body {
        run.left -= 1
        switch run.tag {
        case PackedDecisions.run: return try decision(expected(model.decisions.expected, "decision"))
        case PackedInvocation.run:
            return try invocation(expected(model.invocations.order.expected, "invocation"), &time)
        default: return try runStage(&time)
        }
    }

    private mutating func beginRun(_ tag: UInt8, _ longest: UInt8) throws(TraceError) {
        let count = try cursor.byte("run")
        guard count >= 1, count <= longest else { throw TraceError.outOfRange("run", count, 1...longest) }
        run = (tag, count - 1)
    }

    /// The number of the symbol that followed before.
    private func expected(_ number: Int32, _ field: StaticString) throws(TraceError) -> Int32 {
        guard number >= 0 else {
            throw TraceError(.field, field: "\(field)", expected: "one that followed before", found: "none")
        }
        return number
    }

    /// Reads the number of one of the symbols that the block has met.
    private mutating func known(_ count: Int, _ field: StaticString) throws(TraceError) -> Int32 {
        let number = try cursor.varint(field)
        guard number < UInt64(count) else {
            throw TraceError(.unknownReference, field: "\(field)", expected: "below \(count)", found: "\(number)")
        }
        return Int32(truncatingIfNeeded: number)
    }

    @inline(__always) func advance(_ time: inout Int64, _ delta: UInt64) throws(TraceError) {
        guard delta <= UInt64(Int64.max - time) else {
            throw TraceError(.outOfRange, field: "delta_ns", expected: "0…\(Int64.max - time)", found: "\(delta)")
        }
        time += Int64(delta)
    }

    // MARK: Stages

    private mutating func runStage(_ time: inout Int64) throws(TraceError) -> TraceRecord.Body {
        let stage = try expectedStage()
        let duration: Int64
        if run.tag == PackedDecisions.stagesInTurn {
            try advance(&time, try cursor.varint("delta_ns"))
            duration = time - model.stages.end
        } else {
            let value = try cursor.varint("duration_ns")
            guard value <= TraceDuration.largest else {
                throw TraceError.outOfRange("duration_ns", value, 0...TraceDuration.largest)
            }
            duration = Int64(value)
        }
        model.calls.isAfterCall = false
        model.stages.record(stage, time)
        return .stage(StageRecord(at: model.at, stage: stage, duration: TraceDuration(nanoseconds: duration)))
    }

    private func expectedStage() throws(TraceError) -> LatencyStage {
        guard let stage = model.stages.expected else {
            throw TraceError(.field, field: "stage", expected: "a stage that followed before", found: "none")
        }
        return stage
    }

    private mutating func otherStage(_ time: inout Int64) throws(TraceError) -> TraceRecord.Body {
        let code = try cursor.byte("stage")
        guard let stage = LatencyStage(rawValue: code & ~PackedDecisions.rounded) else {
            throw TraceError(.outOfRange, field: "stage", expected: LatencyStage.allowed, found: "\(code)")
        }
        return try later(stage, code & PackedDecisions.rounded != 0, &time)
    }

    private mutating func later(
        _ stage: LatencyStage, _ isRounded: Bool, _ time: inout Int64
    ) throws(TraceError) -> TraceRecord.Body {
        try advance(&time, try cursor.varint("delta_ns"))
        let difference = ZigZag.value(try cursor.varint("duration_ns"))
        let (duration, overflow) = (time - model.stages.end).subtractingReportingOverflow(difference)
        guard !overflow, duration >= 0 else {
            throw TraceError(.outOfRange, field: "duration_ns", expected: "a duration ≥ 0 ns", found: "\(difference)")
        }
        model.calls.isAfterCall = false
        model.stages.record(stage, time)
        return .stage(
            StageRecord(
                at: model.at, stage: stage, duration: TraceDuration(nanoseconds: duration), isRounded: isRounded))
    }

    // MARK: Decisions

    private mutating func decision(_ number: Int32) throws(TraceError) -> TraceRecord.Body {
        let symbol = model.decisions.symbols[Int(number)]
        let state: UInt64? = symbol.state == nil ? nil : try cursor.littleEndian(8, "state")
        model.decisions.record(number)
        model.calls.isAfterCall = false
        return symbol.decision(model.at, state: state)
    }
}

extension RecordDecoder {
    /// A packed key, against the state of the keyboards, which follows it.
    mutating func key(_ tag: UInt8, _ keys: inout KeyState, _ time: inout Int64) throws(TraceError) -> KeyRecord {
        var packed = PackedKey()
        packed.tag = tag
        try packed.read(&cursor)
        try advance(&time, packed.delta)
        let key = try packed.record(keys)
        keys.apply(key)
        model.record(key.phase, key.press, time)
        return key
    }

    @inline(__always)
    mutating func call(_ tag: UInt8, _ time: inout Int64) throws(TraceError) -> CallRecord {
        let code = tag >> 3 & 3
        let delta = try cursor.littleEndian(code == 3 ? 4 : Int(code), "delta_ns")
        guard PackedCall.length(delta).code == code else {
            throw TraceError(.overlongNumber, field: "delta_ns", expected: "the shortest form", found: "\(delta)")
        }
        try advance(&time, delta)
        let form = PackedCall.DurationForm(rawValue: tag >> 1 & 3) ?? .absent
        let value = form == .gap || form == .literal ? try cursor.varint("duration_ns") : 0
        let expected = model.calls.order.expected
        let hasExtra = tag & PackedCall.hasExtra != 0
        if !hasExtra, expected >= 0 {
            let symbol = model.calls.order.symbols[Int(expected)]
            return try finish(expected, symbol, nil, form, value, Int64(delta), isRounded: model.calls.isRounded)
        }
        return try otherCall(hasExtra, expected, form, value, Int64(delta))
    }

    /// A call that is not as expected, or that nothing was expected of.
    private mutating func otherCall(
        _ hasExtra: Bool, _ expected: Int32, _ form: PackedCall.DurationForm, _ value: UInt64, _ delta: Int64
    ) throws(TraceError) -> CallRecord {
        let start = cursor.position
        let extra = hasExtra ? try cursor.byte("extra") : 0
        guard !hasExtra || extra != 0, extra & 0x80 == 0 else {
            throw TraceError(.outOfRange, field: "extra", expected: "1…127", found: "\(extra)")
        }
        let base = expected >= 0 ? model.calls.order.symbols[Int(expected)] : model.calls.last
        var call = CallRecord.blank
        if let base {
            call.kind = base.kind
            call.occasion = base.occasion
            call.responder = base.responder
            call.pass = base.pass
            call.depth = base.depth
            call.action = base.action
        } else if extra & PackedCall.otherResponder == 0 {
            throw TraceError(.field, field: "responder", expected: "a responder", found: "none")
        }
        try readExtra(extra, &call)
        var answer: CallRecord.Answer?
        if extra & PackedCall.otherAnswer != 0 {
            try call.walkAnswer(&self)
            answer = call.answer
        }
        guard cursor.position - start <= TraceLimits.recordBytes else {
            throw TraceError(
                .limitExceeded, expected: "a record of at most \(TraceLimits.recordBytes) bytes", found: "more")
        }
        let symbol = CallSymbol(call)
        let isExpected = expected >= 0 && model.calls.order.symbols[Int(expected)] == symbol
        guard let number = isExpected ? expected : model.calls.intern(symbol) else {
            throw TraceError(
                .limitExceeded, field: "call", expected: "at most \(TraceLimits.blockSymbols) different calls",
                found: "more")
        }
        let isRounded = model.calls.isRounded != (extra & PackedCall.otherRounding != 0)
        return try finish(number, symbol, answer, form, value, delta, isRounded: isRounded)
    }

    private mutating func readExtra(_ extra: UInt8, _ call: inout CallRecord) throws(TraceError) {
        if extra & PackedCall.otherCall != 0 {
            let code = try cursor.byte("call")
            guard let kind = CallKind(rawValue: code & 15), let occasion = CallOccasion(rawValue: code >> 4) else {
                throw TraceError(.outOfRange, field: "call", expected: CallKind.allowed, found: "\(code)")
            }
            (call.kind, call.occasion) = (kind, occasion)
        }
        if extra & PackedCall.otherResponder != 0 { try responder("responder", &call.responder) }
        if extra & PackedCall.otherPlace != 0 {
            call.pass = try RecordDecoder.narrow(cursor.varint("pass"), "pass", 0...UInt16.max)
            call.depth = try RecordDecoder.narrow(cursor.varint("depth"), "depth", 0...UInt16.max)
        }
        if extra & PackedCall.otherAction != 0 { try string("action", &call.action) }
        if extra & PackedCall.otherPress != 0 {
            model.at.press = try RecordDecoder.narrow(cursor.varint("press"), "press", 0...UInt32.max)
            model.at.tick = try RecordDecoder.narrow(cursor.varint("tick"), "tick", 0...UInt32.max)
        }
    }

    /// Puts a call together out of its symbol and what the model expects.
    @inline(__always)
    private mutating func finish(
        _ number: Int32, _ symbol: CallSymbol, _ stored: CallRecord.Answer?, _ form: PackedCall.DurationForm,
        _ value: UInt64, _ delta: Int64, isRounded: Bool
    ) throws(TraceError) -> CallRecord {
        guard let answer = stored ?? model.calls.answer(number) else {
            throw TraceError(.field, field: "answer", expected: "an answer", found: "none")
        }
        let duration = try duration(form, number, value, delta, isRounded)
        model.calls.record(
            number, symbol, answer: answer, duration: duration, isRounded: isRounded, delta: delta)
        return CallRecord(
            at: model.at, kind: symbol.kind, occasion: symbol.occasion, responder: symbol.responder,
            pass: symbol.pass, depth: symbol.depth, duration: duration, action: symbol.action, answer: answer,
            isRounded: isRounded)
    }

    @inline(__always)
    private func duration(
        _ form: PackedCall.DurationForm, _ number: Int32, _ value: UInt64, _ delta: Int64, _ isRounded: Bool
    ) throws(TraceError) -> TraceDuration? {
        var nanoseconds: Int64?
        switch form {
        case .absent: return nil
        case .expected: nanoseconds = model.calls.duration(number, delta: delta)
        case .gap:
            let (gap, isBeyond) = model.calls.gap.addingReportingOverflow(ZigZag.value(value))
            let (rest, overflow) = delta.subtractingReportingOverflow(gap)
            if !isBeyond, !overflow { nanoseconds = rest }
        case .literal:
            let known = isRounded ? RoundedDuration.nanoseconds(value) : value
            nanoseconds = known.flatMap { Int64(exactly: $0) }
        }
        guard let nanoseconds, nanoseconds >= 0 else {
            throw TraceError(.outOfRange, field: "duration_ns", expected: "a duration ≥ 0 ns", found: "\(value)")
        }
        return TraceDuration(nanoseconds: nanoseconds)
    }
}
