public import CKeyflightRecorder
import FlightRecorder

// What `keyflight_recorder.h` declares about what happens around the presses, and about decisions.

@_cdecl("keyflight_first_responder")
public func firstResponder(_ responder: UInt32, _ cause: Int32) {
    Keyflight.firstResponder(RecordedResponder(number: responder), cause: focusCause(cause))
}

@_cdecl("keyflight_key_window")
public func keyWindow(_ window: UInt32, _ cause: Int32) {
    Keyflight.keyWindow(RecordedResponder(number: window), cause: focusCause(cause))
}

private func focusCause(_ cause: Int32) -> FocusCause { FocusCause(rawValue: UInt8(clamping: cause)) ?? .unknown }

@_cdecl("keyflight_link")
public func link(_ responder: UInt32, _ next: UInt32, _ window: UInt32) {
    Keyflight.link(
        RecordedResponder(number: responder), to: RecordedResponder(number: next),
        window: RecordedResponder(number: window))
}

@_cdecl("keyflight_text_input")
public func textInput(_ responder: UInt32, _ isSecure: Bool) {
    Keyflight.textInput(RecordedResponder(number: responder), isSecure: isSecure)
}

@_cdecl("keyflight_marked_text")
public func markedText(_ isMarked: Bool) { Keyflight.markedText(isMarked) }

@_cdecl("keyflight_mark")
public func mark(_ name: UnsafePointer<CChar>?) {
    if let name { Keyflight.mark(cName: name) }
}

@_cdecl("keyflight_presentation")
public func presentation(_ presenter: UInt32, _ presented: UInt32) {
    Keyflight.presentation(by: RecordedResponder(number: presenter), of: RecordedResponder(number: presented))
}

@_cdecl("keyflight_text_without_key")
public func textWithoutKey() { Keyflight.textWithoutKey() }

@_cdecl("keyflight_text_without_key_as")
public func textWithoutKey(_ text: UnsafePointer<CChar>?) {
    Keyflight.textWithoutKey(text.map { String(cString: $0) })
}

@_cdecl("keyflight_hardware_keyboard")
public func hardwareKeyboard(_ isAttached: Bool, _ device: UInt16) {
    Keyflight.hardwareKeyboard(isAttached: isAttached, device: device == 0 ? nil : device)
}

@_cdecl("keyflight_invalidation")
public func invalidation(_ scope: Int32, _ responder: UInt32) {
    guard let scope = InvalidationScope(rawValue: UInt8(clamping: scope)) else { return }
    Keyflight.invalidation(scope, of: RecordedResponder(number: responder))
}

@_cdecl("keyflight_fact")
public func fact(_ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?) {
    if let name, let value { Keyflight.fact(cName: name, cValue: value) }
}

@_cdecl("keyflight_keyboard")
public func keyboard(_ device: UInt16, _ name: UnsafePointer<CChar>?) {
    if let name { Keyflight.keyboard(device, cName: name) }
}

@_cdecl("keyflight_layout")
public func layout(_ name: UnsafePointer<CChar>?) {
    if let name { Keyflight.layout(cName: name) }
}

@_cdecl("keyflight_layout_table")
public func layout(_ name: UnsafePointer<CChar>?, _ table: UnsafePointer<CChar>?) -> Bool {
    guard let name, let table, let layout = try? Layout(text: String(cString: table)) else { return false }
    Keyflight.layout(String(cString: name), table: layout)
    return true
}

@_cdecl("keyflight_received")
public func received(_ responder: UInt32, _ phase: Int32, _ isSwallowed: Bool) {
    guard let phase = KeyPhase(rawValue: UInt8(clamping: phase)) else { return }
    Keyflight.received(RecordedResponder(number: responder), phase, isSwallowed: isSwallowed)
}

@_cdecl("keyflight_candidate")
public func candidate(
    _ command: UnsafePointer<keyflight_command>?, _ supplier: UInt32, _ verdict: Int32, _ reason: UnsafePointer<CChar>?
) {
    guard let command, let verdict = CandidateVerdict(rawValue: UInt8(clamping: verdict)) else { return }
    Keyflight.candidate(
        CommandStrings(command.pointee), of: RecordedResponder(number: supplier), verdict, cReason: reason)
}

@_cdecl("keyflight_effect")
public func effect(_ kind: UnsafePointer<CChar>?, _ responder: UInt32, _ publicValue: UnsafePointer<CChar>?) {
    guard let kind else { return }
    Keyflight.effect(cKind: kind, on: RecordedResponder(number: responder), cPublicValue: publicValue)
}

@_cdecl("keyflight_cache")
public func cache(_ account: UnsafePointer<keyflight_cache_account>?) {
    guard let given = account?.pointee else { return }
    var account = RecordedCacheAccount()
    account.hits = given.hits
    account.misses = given.misses
    account.stale = given.stale
    account.invalidations = given.invalidations
    account.shadowReads = given.shadow_reads
    account.callsSaved = given.calls_saved
    account.timeSaved = TraceDuration(nanoseconds: Int64(clamping: given.time_saved_ns))
    Keyflight.cache(account)
}

@_cdecl("keyflight_gesture")
public func gesture(_ recognizer: UnsafePointer<CChar>?, _ responder: UInt32, _ phase: Int32, _ isTaken: Bool) {
    guard let recognizer, let phase = KeyPhase(rawValue: UInt8(clamping: phase)) else { return }
    Keyflight.gesture(cRecognizer: recognizer, on: RecordedResponder(number: responder), phase, isTaken: isTaken)
}

@_cdecl("keyflight_keyboard_frame")
public func keyboardFrame(_ state: Int32, _ frame: UnsafePointer<Int64>?, _ cause: Int32) {
    guard let state = KeyboardFrameState(rawValue: UInt8(clamping: state)) else { return }
    Keyflight.keyboardFrame(
        state, frame.map { KeyboardFrameRecord.Frame(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) },
        cause: KeyboardFrameCause(rawValue: UInt8(clamping: cause)) ?? .unknown)
}
