public import CKeyflightRecorder
import FlightRecorder
import Libc

// What `keyflight_recorder.h` declares about recordings as a whole.

/// A text for C, which frees it.
private func text(_ error: any Error) -> UnsafeMutablePointer<CChar>? { strdup("\(error)") }
private func missing(_ argument: String) -> UnsafeMutablePointer<CChar>? {
    strdup("recorder: expected \(argument), found null")
}

private func start(
    _ destination: RecorderOptions.Destination, _ level: Int32, _ seconds: Int64,
    _ change: (inout RecorderOptions) -> Void = { _ in }
) -> UnsafeMutablePointer<CChar>? {
    var options = RecorderOptions(destination, level: TraceLevel(rawValue: UInt8(clamping: level)) ?? .calls)
    if seconds != 0 { options.autoStop = seconds < 0 ? nil : TraceDuration(nanoseconds: nanoseconds(seconds)) }
    change(&options)
    do {
        RememberedFlight.shared.remember(try Keyflight.start(options))
        return nil
    } catch {
        return text(error)
    }
}

private func nanoseconds(_ seconds: Int64) -> Int64 {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : product
}

/// The host's callback and what it wants to be called with. The header says that it comes on any thread.
private struct Indicator: @unchecked Sendable {
    let function: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Void
    let context: UnsafeMutableRawPointer?

    func report(_ state: RecorderState) {
        let number: keyflight_state =
            switch state {
            case .recording(let isMasked): isMasked ? KEYFLIGHT_RECORDING : KEYFLIGHT_RECORDING_IN_CLEAR
            case .paused: KEYFLIGHT_PAUSED
            case .secureEntry: KEYFLIGHT_SECURE_ENTRY
            case .stopped: KEYFLIGHT_STOPPED
            case .failed: KEYFLIGHT_FAILED
            }
        function(context, Int32(number.rawValue))
    }
}

@_cdecl("keyflight_start")
public func start(_ options: UnsafePointer<keyflight_options>?) -> UnsafeMutablePointer<CChar>? {
    guard let given = options?.pointee else { return missing("options") }
    let isRing = given.ring_bytes != 0 || given.ring_seconds != 0
    let bounds = bounds(given.ring_bytes, given.ring_seconds)
    let destination: RecorderOptions.Destination
    if let path = given.path.map({ String(cString: $0) }) {
        destination = isRing ? .fileRing(path, bounds) : .file(path)
    } else {
        destination = .memoryRing(bounds)
    }
    return start(destination, given.level, given.auto_stop_seconds) { options in
        options.showsKeys = given.shows_keys
        if given.rounds_durations { options.durations = .percent }
        if given.flush_milliseconds > 0 {
            let (product, overflow) = given.flush_milliseconds.multipliedReportingOverflow(by: 1_000_000)
            options.flushInterval = TraceDuration(nanoseconds: overflow ? .max : product)
        }
        if let function = given.indicator {
            let indicator = Indicator(function: function, context: given.context)
            options.indicator = { indicator.report($0) }
        }
    }
}

/// Bounds of a ring, each 0 where it is not said.
private func bounds(_ bytes: Int, _ seconds: Int64) -> RingBounds {
    if bytes == 0, seconds == 0 { return RingBounds() }
    // What is negative here is more than half of all addresses in C.
    return RingBounds(
        bytes: bytes == 0 ? 64 << 20 : bytes < 0 ? .max : bytes,
        duration: TraceDuration(nanoseconds: seconds <= 0 ? .max : nanoseconds(seconds)))
}

@_cdecl("keyflight_start_file")
public func startFile(
    _ path: UnsafePointer<CChar>?, _ level: Int32, _ autoStopSeconds: Int64
) -> UnsafeMutablePointer<CChar>? {
    guard let path else { return missing("a path") }
    return start(.file(String(cString: path)), level, autoStopSeconds)
}

@_cdecl("keyflight_start_ring")
public func startRing(
    _ bytes: Int, _ seconds: Int64, _ level: Int32, _ autoStopSeconds: Int64
) -> UnsafeMutablePointer<CChar>? {
    start(.memoryRing(bounds(bytes, seconds)), level, autoStopSeconds)
}

@_cdecl("keyflight_stop")
public func stop() -> UnsafeMutablePointer<CChar>? {
    guard let flight = RememberedFlight.shared.flight else { return text(RecorderError.stopped) }
    do {
        try RememberedFlight.shared.stop(flight)
        return nil
    } catch {
        return text(error)
    }
}

@_cdecl("keyflight_snapshot")
public func snapshot(_ path: UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>? { snapshot(path, last: 0) }

@_cdecl("keyflight_snapshot_last")
public func snapshot(_ path: UnsafePointer<CChar>?, last seconds: Int64) -> UnsafeMutablePointer<CChar>? {
    guard let path else { return missing("a path") }
    guard let flight = RememberedFlight.shared.flight else { return text(RecorderError.stopped) }
    do {
        let duration = seconds <= 0 ? nil : TraceDuration(nanoseconds: nanoseconds(seconds))
        try flight.snapshot(to: String(cString: path), last: duration)
        return nil
    } catch {
        return text(error)
    }
}

@_cdecl("keyflight_pause")
public func pause() { Keyflight.current?.pause() }

@_cdecl("keyflight_resume")
public func resume() { Keyflight.current?.resume() }

@_cdecl("keyflight_set_level")
public func setLevel(_ level: Int32) {
    if let level = TraceLevel(rawValue: UInt8(clamping: level)) { Keyflight.current?.level = level }
}

@_cdecl("keyflight_is_recording")
public func isRecording() -> Bool { Keyflight.isRecording }

@_cdecl("keyflight_get_statistics")
public func statistics() -> keyflight_statistics {
    let statistics = RememberedFlight.shared.statistics
    return keyflight_statistics(
        entries: statistics.entries, dropped: statistics.dropped, key_tenths_ns: statistics.keyTenthsNanoseconds,
        clock_tenths_ns: statistics.clockTenthsNanoseconds, flusher_ns: statistics.flusherNanoseconds)
}

@_cdecl("keyflight_prepare_thread")
public func prepareThread() { Keyflight.prepareThread() }

@_cdecl("keyflight_begin_secure_entry")
public func beginSecureEntry() { Keyflight.beginSecureEntry() }

@_cdecl("keyflight_end_secure_entry")
public func endSecureEntry() { Keyflight.endSecureEntry() }
