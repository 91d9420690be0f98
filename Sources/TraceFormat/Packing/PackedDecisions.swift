import KeyModel

/// The packed form of stages and decisions that come in an order that the block has contained before.
///
/// Tags 0x60…0x63: one to four stages, each ending where the next begins; 0x64…0x67: one to four stages recorded at
/// the time of the record before; 0x68: any stage. 0x69: decisions as expected, at the time of the record before;
/// 0x6A: one as expected; 0x6B: one that the block has met. 0x6C: a stage as expected that began later than the one
/// before ended.
enum PackedDecisions {
    static let tags: ClosedRange<UInt8> = 0x60...0x6C
    static let stagesInTurn: UInt8 = 0x60
    static let stagesAtOnce: UInt8 = 0x64
    static let otherStage: UInt8 = 0x68
    static let run: UInt8 = 0x69
    static let expected: UInt8 = 0x6A
    static let known: UInt8 = 0x6B
    static let laterStage: UInt8 = 0x6C
    static let longestStageRun: UInt8 = 4
    static let longestRun: UInt8 = 32
    /// Bit 7 of the code of `otherStage`.
    static let rounded: UInt8 = 1 << 7
}

extension TraceRecord.Body {
    /// The symbol of a receiver, candidate, effect or resolution: without its press, tick and state; `nil` for what is
    /// not packed as a decision.
    var symbol: TraceRecord.Body? {
        switch self {
        // The presence of a state belongs to the symbol, the state itself does not.
        case .receiver, .candidate, .effect, .resolution:
            decision(PressTick(press: 0, tick: 0), state: state.map { _ in 0 })
        default: nil
        }
    }

    /// The decision of this symbol for a press.
    func decision(_ at: PressTick, state: UInt64?) -> TraceRecord.Body {
        guard case .resolution(var record) = self else { return decided(at: at) }
        record.at = at
        record.state = state
        return .resolution(record)
    }

    /// The state after a resolution, where it has one.
    var state: UInt64? { if case .resolution(let record) = self { record.state } else { nil } }
}

/// Position of the run that the next record may join, by incrementing the run's tag or count.
struct OpenRun {
    /// Offset of the counting byte in the payload.
    var offset: Int
    /// Number of records that may still join.
    var room: UInt8
    var kind: UInt8
}

/// Relation of a packed record to those before it.
enum PackedPlace {
    /// `out` holds a record of its own; a run of this kind begins with it, with its count at offset `countAt`.
    case alone(run: UInt8?, countAt: Int)
    /// `out` holds an addition to the open run.
    case joins

    /// Records of a run that begins with this tag.
    static func longestRun(_ kind: UInt8) -> UInt8 {
        switch kind {
        case PackedDecisions.run: PackedDecisions.longestRun
        case PackedInvocation.run: PackedInvocation.longestRun
        default: PackedDecisions.longestStageRun
        }
    }
}

extension RecordEncoder {
    /// Writes a stage to `out`, unless the general form is required.
    mutating func encode(_ stage: StageRecord, delta: UInt64, at time: Int64, _ run: OpenRun?) -> PackedPlace? {
        guard stage.at == model.at, stage.duration.nanoseconds >= 0 else { return nil }
        let duration = stage.duration.nanoseconds
        let elapsed = time &- model.stages.end
        let isExpected = model.stages.expected == stage.stage && !stage.isRounded
        model.stages.record(stage.stage, time)
        model.calls.isAfterCall = false
        let inTurn = delta > 0 && elapsed == duration
        guard isExpected, inTurn || delta == 0 else {
            out.append(byte: isExpected ? PackedDecisions.laterStage : PackedDecisions.otherStage)
            if !isExpected {
                out.append(byte: stage.stage.rawValue | (stage.isRounded ? PackedDecisions.rounded : 0))
            }
            out.append(varint: delta)
            // Both are from 0 on.
            out.append(varint: ZigZag.code(elapsed - duration))
            return .alone(run: nil, countAt: 0)
        }
        let kind = inTurn ? PackedDecisions.stagesInTurn : PackedDecisions.stagesAtOnce
        let value = inTurn ? delta : UInt64(duration)
        if let run, run.kind == kind, run.room > 0 {
            out.append(varint: value)
            return .joins
        }
        out.append(byte: kind)
        out.append(varint: value)
        return .alone(run: kind, countAt: 0)
    }

    /// Writes a receiver, candidate, effect or resolution to `out`, unless the general form is required.
    mutating func encode(decision body: TraceRecord.Body, delta: UInt64, _ run: OpenRun?) -> PackedPlace? {
        guard let symbol = body.symbol, body.decided == model.at else { return nil }
        let expected = model.decisions.expected
        let isExpected = expected >= 0 && model.decisions.symbols[Int(expected)] == symbol
        guard let number = isExpected ? expected : model.decisions.number(of: symbol) else { return nil }
        model.decisions.record(number)
        model.calls.isAfterCall = false
        defer { if let state = body.state { out.append(littleEndian: state, length: 8) } }
        guard isExpected else {
            out.append(byte: PackedDecisions.known)
            out.append(varint: delta)
            out.append(varint: UInt64(number))
            return .alone(run: nil, countAt: 0)
        }
        guard delta == 0 else {
            out.append(byte: PackedDecisions.expected)
            out.append(varint: delta)
            return .alone(run: nil, countAt: 0)
        }
        if let run, run.kind == PackedDecisions.run, run.room > 0 { return .joins }
        out.append(byte: PackedDecisions.run)
        out.append(byte: 1)
        return .alone(run: PackedDecisions.run, countAt: 1)
    }
}

extension BlockModel {
    /// Follows a record in the general form.
    mutating func record(_ body: TraceRecord.Body, delta: Int64, at time: Int64) {
        var isCall = false
        switch body {
        case .key(let key): record(key.phase, key.press, time)
        case .stage(let stage): stages.record(stage.stage, time)
        case .call(let call):
            isCall = true
            let symbol = CallSymbol(call)
            if let number = calls.intern(symbol) {
                calls.record(
                    number, symbol, answer: call.answer, duration: call.duration, isRounded: call.isRounded,
                    delta: delta)
            } else {
                calls.recordUnknown(isRounded: call.isRounded)
            }
        case .invocation(let record): invocations.record(record, delta: delta, at: time)
        default:
            if let symbol = body.symbol, let (number, _) = decisions.intern(symbol) { decisions.record(number) }
        }
        calls.isAfterCall = isCall
    }
}
