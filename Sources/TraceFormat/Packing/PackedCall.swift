import KeyModel

/// The packed form of a call: a tag, the time since the record before, its duration relative to the expected one, and
/// what else differs from the model of the block.
///
/// Tag: 0x40; bits 4–3 bytes of the time (0, 1, 2 or 4); bits 2–1 the duration (`DurationForm`); bit 0 an extra byte
/// and what it announces follow at the end.
enum PackedCall {
    static let tags: ClosedRange<UInt8> = 0x40...0x5F
    static let hasExtra: UInt8 = 1

    enum DurationForm: UInt8 {
        case absent
        /// As expected: nothing follows.
        case expected
        /// A signed number follows: how much longer than expected the time before the call was.
        case gap
        /// A number follows: nanoseconds, or the code of a rounded duration.
        case literal
    }

    // Bits of the extra byte; bit 7 must be 0.
    static let otherCall: UInt8 = 1 << 0
    static let otherResponder: UInt8 = 1 << 1
    static let otherPlace: UInt8 = 1 << 2
    static let otherAction: UInt8 = 1 << 3
    static let otherPress: UInt8 = 1 << 4
    static let otherAnswer: UInt8 = 1 << 5
    static let otherRounding: UInt8 = 1 << 6

    /// The longest time of a packed call, in nanoseconds.
    static let largestDelta: UInt64 = 0xFFFF_FFFF

    /// Bits 4–3 of the tag for a time, and the bytes it takes.
    @inline(__always) static func length(_ delta: UInt64) -> (code: UInt8, bytes: Int) {
        if delta > 0xFFFF { return (3, 4) }
        if delta > 0xFF { return (2, 2) }
        return delta == 0 ? (0, 0) : (1, 1)
    }
}

/// Signed numbers as unsigned ones: 0, −1, 1, −2, 2, …
enum ZigZag {
    @inline(__always) static func code(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }
    @inline(__always) static func value(_ code: UInt64) -> Int64 {
        Int64(bitPattern: code >> 1) ^ -Int64(bitPattern: code & 1)
    }
}

extension RecordEncoder {
    /// Writes a packed call to `out`; false where the general form is required.
    mutating func encode(_ call: CallRecord, delta: UInt64) throws(TraceError) -> Bool {
        guard delta <= PackedCall.largestDelta, definitions.contains(call.responder) else { return false }
        let symbol = CallSymbol(call)
        let expected = model.calls.order.expected
        let base = expected >= 0 ? model.calls.order.symbols[Int(expected)] : model.calls.last
        let mark = model.calls.mark
        var extra = PackedCall.differences(symbol, base)
        if call.at != model.at { extra |= PackedCall.otherPress }
        if call.isRounded != model.calls.isRounded { extra |= PackedCall.otherRounding }
        guard let number = expected >= 0 && base == symbol ? expected : model.calls.intern(symbol) else { return false }
        if model.calls.answer(number) != call.answer { extra |= PackedCall.otherAnswer }
        guard let (form, value) = durationForm(call, number, delta) else {
            model.calls.rollback(symbol, since: mark)
            return false
        }
        let length = PackedCall.length(delta)
        out.append(byte: 0x40 | length.code << 3 | form.rawValue << 1 | (extra == 0 ? 0 : PackedCall.hasExtra))
        out.append(littleEndian: delta, length: length.bytes)
        if form == .gap || form == .literal { out.append(varint: value) }
        do {
            if extra != 0 { try append(extra, of: call) }
            try checkSize()
        } catch {
            model.calls.rollback(symbol, since: mark)
            throw error
        }
        model.at = call.at
        model.calls.record(
            number, symbol, answer: call.answer, duration: call.duration, isRounded: call.isRounded,
            delta: Int64(truncatingIfNeeded: delta))
        return true
    }

    /// The shortest form of a duration and the number that follows; `nil` where none of them is exact.
    private func durationForm(
        _ call: CallRecord, _ number: Int32, _ delta: UInt64
    ) -> (PackedCall.DurationForm, UInt64)? {
        guard let duration = call.duration?.nanoseconds else { return (.absent, 0) }
        guard duration >= 0 else { return nil }
        let delta = Int64(truncatingIfNeeded: delta)
        if duration == model.calls.duration(number, delta: delta) { return (.expected, 0) }
        // No overflow: all three are from 0 on, and the first two below 2^63, the third below 2^32.
        let (gap, overflow) = (delta - duration).subtractingReportingOverflow(model.calls.gap)
        let difference = overflow ? UInt64.max : ZigZag.code(gap)
        var literal: UInt64? = UInt64(duration)
        if call.isRounded {
            let code = RoundedDuration.code(UInt64(duration))
            literal = RoundedDuration.nanoseconds(code) == UInt64(duration) ? code : nil
        }
        if let literal, literal <= difference { return (.literal, literal) }
        return overflow ? nil : (.gap, difference)
    }

    private mutating func append(_ extra: UInt8, of call: CallRecord) throws(TraceError) {
        out.append(byte: extra)
        if extra & PackedCall.otherCall != 0 { out.append(byte: call.kind.rawValue | call.occasion.rawValue << 4) }
        if extra & PackedCall.otherResponder != 0 {
            var responder = call.responder
            try self.responder("responder", &responder)
        }
        if extra & PackedCall.otherPlace != 0 {
            out.append(varint: UInt64(call.pass))
            out.append(varint: UInt64(call.depth))
        }
        if extra & PackedCall.otherAction != 0 {
            var action = call.action
            try string("action", &action)
        }
        if extra & PackedCall.otherPress != 0 {
            out.append(varint: UInt64(call.at.press))
            out.append(varint: UInt64(call.at.tick))
        }
        guard extra & PackedCall.otherAnswer != 0 else { return }
        out.append(byte: AnswerCode(call.answer).rawValue)
        if case .commands(var list) = call.answer { try self.list("list", &list) }
    }

    /// A duration kept to 1 %, as the shortest form stores it.
    func rounded(_ call: CallRecord, delta: UInt64) -> CallRecord {
        guard let exact = call.duration?.nanoseconds, exact >= 0, !call.isRounded else { return call }
        var call = call
        call.isRounded = true
        let expected = model.calls.order.expected
        if delta > 0, delta <= PackedCall.largestDelta, model.calls.gap <= Int64(delta) {
            let implied = Int64(delta) - model.calls.gap
            if abs(implied - exact) <= exact / 100 {
                call.duration = TraceDuration(nanoseconds: implied)
                return call
            }
        } else if delta == 0, expected >= 0, model.calls.order.symbols[Int(expected)] == CallSymbol(call) {
            let last = model.calls.duration(expected, delta: 0)
            if last >= 0, abs(last - exact) <= exact / 100 {
                call.duration = TraceDuration(nanoseconds: last)
                return call
            }
        }
        let middle = RoundedDuration.nanoseconds(RoundedDuration.code(UInt64(exact))) ?? UInt64(exact)
        call.duration = TraceDuration(nanoseconds: Int64(clamping: middle))
        return call
    }
}

extension PackedCall {
    /// In what a call differs from the one it is compared with; everything where there is none.
    fileprivate static func differences(_ symbol: CallSymbol, _ base: CallSymbol?) -> UInt8 {
        guard let base else { return otherCall | otherResponder | otherPlace | otherAction }
        var extra: UInt8 = 0
        if symbol.kind != base.kind || symbol.occasion != base.occasion { extra |= otherCall }
        if symbol.responder != base.responder { extra |= otherResponder }
        if symbol.pass != base.pass || symbol.depth != base.depth { extra |= otherPlace }
        if symbol.action != base.action { extra |= otherAction }
        return extra
    }
}
