import FlightRecorder

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

// What `keyflight_recorder.h` declares about recordings as a whole.

/// A text for C, which frees it.
private func text(_ error: any Error) -> UnsafeMutablePointer<CChar>? { strdup("\(error)") }

private func start(
    _ destination: RecorderOptions.Destination, _ level: Int32, _ seconds: Int64
) -> UnsafeMutablePointer<CChar>? {
    var options = RecorderOptions(destination, level: TraceLevel(rawValue: UInt8(clamping: level)) ?? .calls)
    if seconds != 0 { options.autoStop = seconds < 0 ? nil : TraceDuration(nanoseconds: nanoseconds(seconds)) }
    do {
        _ = try Keyflight.start(options)
        return nil
    } catch {
        return text(error)
    }
}

private func nanoseconds(_ seconds: Int64) -> Int64 {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : product
}

@_cdecl("keyflight_start_file")
public func startFile(
    _ path: UnsafePointer<CChar>, _ level: Int32, _ autoStopSeconds: Int64
) -> UnsafeMutablePointer<CChar>? {
    start(.file(String(cString: path)), level, autoStopSeconds)
}

@_cdecl("keyflight_start_ring")
public func startRing(
    _ bytes: Int, _ seconds: Int64, _ level: Int32, _ autoStopSeconds: Int64
) -> UnsafeMutablePointer<CChar>? {
    let duration = TraceDuration(nanoseconds: nanoseconds(max(0, seconds)))
    return start(.memoryRing(RingBounds(bytes: bytes, duration: duration)), level, autoStopSeconds)
}

@_cdecl("keyflight_stop")
public func stop() -> UnsafeMutablePointer<CChar>? {
    guard let flight = Keyflight.current else { return text(RecorderError.stopped) }
    do {
        try flight.stop()
        return nil
    } catch {
        return text(error)
    }
}

@_cdecl("keyflight_snapshot")
public func snapshot(_ path: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>? {
    guard let flight = Keyflight.current else { return text(RecorderError.stopped) }
    do {
        try flight.snapshot(to: String(cString: path))
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

@_cdecl("keyflight_begin_secure_entry")
public func beginSecureEntry() { Keyflight.beginSecureEntry() }

@_cdecl("keyflight_end_secure_entry")
public func endSecureEntry() { Keyflight.endSecureEntry() }
