public import CKeyflightRecorder
import FlightRecorder

// What `keyflight_recorder.h` declares about presses, their stages and calls.

@_cdecl("keyflight_key")
public func key(_ usage: UInt32, _ phase: Int32, _ device: UInt16, _ systemTime: UInt64) {
    guard let phase = KeyPhase(rawValue: UInt8(clamping: phase)) else { return }
    Keyflight.key(
        KeyUsage(rawValue: usage), phase, device: device, systemTime: systemTime == 0 ? nil : systemTime)
}

@_cdecl("keyflight_synthetic_key")
public func syntheticKey(_ usage: UInt32, _ phase: Int32, _ device: UInt16, _ systemTime: UInt64) {
    guard let phase = KeyPhase(rawValue: UInt8(clamping: phase)) else { return }
    Keyflight.key(
        KeyUsage(rawValue: usage), phase, device: device, systemTime: systemTime == 0 ? nil : systemTime,
        isSynthetic: true)
}

@_cdecl("keyflight_responder")
public func responder(_ id: UnsafePointer<CChar>?, _ kind: UnsafePointer<CChar>?) -> UInt32 {
    guard let id, let kind else { return 0 }
    return RecordedResponder(id: String(cString: id), kind: String(cString: kind)).number
}

@_cdecl("keyflight_end_key")
public func endKey(
    _ outcome: Int32, _ takenBy: Int32, _ action: UnsafePointer<CChar>?, _ supplier: UInt32, _ target: UInt32,
    _ state: UInt64
) {
    Keyflight.endKey(
        Outcome(rawValue: UInt8(clamping: outcome)),
        takenBy < 0 ? nil : TakenBy(rawValue: UInt8(clamping: takenBy)), cAction: action,
        supplier: RecordedResponder(number: supplier), target: RecordedResponder(number: target),
        start: RecordedResponder(number: 0), keyWindow: RecordedResponder(number: 0), state: state)
}

@_cdecl("keyflight_end_key_as")
public func endKey(_ resolution: UnsafePointer<keyflight_resolution>?) {
    guard let end = resolution?.pointee else { return }
    Keyflight.endKey(
        Outcome(rawValue: UInt8(clamping: end.outcome)),
        end.taken_by < 0 ? nil : TakenBy(rawValue: UInt8(clamping: end.taken_by)), cAction: end.action,
        command: end.command.map { NumberedCommand(CommandStrings($0.pointee)) }, cCharacter: end.character,
        cText: end.text, supplier: RecordedResponder(number: end.supplier),
        target: RecordedResponder(number: end.target), start: RecordedResponder(number: end.start),
        keyWindow: RecordedResponder(number: end.key_window), state: end.state)
}

@_cdecl("keyflight_current_press")
public func currentPress() -> UInt64 { Keyflight.currentPress.number }

@_cdecl("keyflight_adopt")
public func adopt(_ press: UInt64) { Keyflight.adopt(RecordedPress(number: press)) }

@_cdecl("keyflight_begin_stage")
public func beginStage(_ stage: Int32) -> keyflight_stage_span {
    guard let stage = LatencyStage(rawValue: UInt8(clamping: stage)) else {
        return keyflight_stage_span()
    }
    return keyflight_stage_span(Keyflight.begin(stage))
}

extension keyflight_stage_span {
    /// The stage is the low byte, which the generation leaves free.
    fileprivate init(_ span: StageSpan) {
        self.init(stage: span.generation | UInt32(span.stage.rawValue), press: span.press, start: span.start)
    }

    fileprivate var span: StageSpan? {
        LatencyStage(rawValue: UInt8(truncatingIfNeeded: stage)).map { kind in
            StageSpan(stage: kind, start: start, generation: stage & ~0xFF, press: press)
        }
    }
}

@_cdecl("keyflight_end_stage")
public func endStage(_ span: keyflight_stage_span) {
    if let span = span.span { Keyflight.end(span) }
}

@_cdecl("keyflight_stage_lasted")
public func stageLasted(_ stage: Int32, _ nanoseconds: UInt64) {
    guard let stage = LatencyStage(rawValue: UInt8(clamping: stage)) else { return }
    Keyflight.stage(stage, lasted: TraceDuration(nanoseconds: Int64(clamping: nanoseconds)))
}

@_cdecl("keyflight_next_stage")
public func nextStage(_ span: keyflight_stage_span, _ stage: Int32) -> keyflight_stage_span {
    guard let stage = LatencyStage(rawValue: UInt8(clamping: stage)), let ended = span.span
    else { return keyflight_stage_span() }
    return keyflight_stage_span(Keyflight.next(ended, stage))
}

@_cdecl("keyflight_begin_call")
public func beginCall(
    _ kind: Int32, _ responder: UInt32, _ action: UnsafePointer<CChar>?, _ pass: UInt16
) -> keyflight_call_span {
    guard let kind = CallKind(rawValue: UInt8(clamping: kind)) else {
        return keyflight_call_span()
    }
    let span = Keyflight.beginCall(
        kind, of: RecordedResponder(number: responder), cAction: action, pass: Int(pass))
    return keyflight_call_span(
        start: span.start, responder: span.responder, action: span.action, generation: span.generation,
        pass: span.pass, depth: span.depth, thread: span.thread, kind: span.kind.rawValue)
}

private func ended(_ span: keyflight_call_span) -> CallSpan {
    CallSpan(
        start: span.start, generation: span.generation, kind: CallKind(rawValue: span.kind) ?? .keyCommands,
        pass: span.pass, responder: span.responder, action: span.action, depth: span.depth, thread: span.thread)
}

@_cdecl("keyflight_end_call")
public func endCall(_ span: keyflight_call_span) { Keyflight.end(ended(span)) }

@_cdecl("keyflight_end_call_answer")
public func endCall(_ span: keyflight_call_span, answer: Bool) { Keyflight.end(ended(span), answer) }

@_cdecl("keyflight_end_call_commands")
public func endCall(_ span: keyflight_call_span, _ commands: UnsafePointer<keyflight_command>?, _ count: Int) {
    // What is negative here is more than half of all addresses in C: no list.
    guard count >= 0 else { return Keyflight.end(ended(span)) }
    let commands = UnsafeBufferPointer(start: commands, count: commands == nil ? 0 : count)
    Keyflight.end(ended(span), count: commands.count) { CommandStrings(commands[$0]) }
}

extension CommandStrings {
    init(_ command: keyflight_command) {
        self.init(
            input: command.input, modifiers: KeyModifiers(rawValue: command.modifiers), action: command.action,
            publicTitle: command.public_title, attributes: .init(rawValue: command.attributes))
    }
}
