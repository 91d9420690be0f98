import AppAdapter
public import FlightRecorder
import Libc

/// Records the keys of a UIKit app and what its responders make of them, without a change to any responder.
///
/// It replaces methods of UIKit's public API over the Objective-C runtime. It records in debug builds, in release
/// builds only with the package's trait `Recording`, and never in an app from the App Store.
public enum KeyflightUIKit {
    /// Starts a recording. One at a time.
    ///
    /// Text is masked and secure fields are left out, as in every recording. The person in front of the app must be
    /// able to see that keys are recorded: `RecorderOptions.indicator` reports each change of state for that.
    ///
    /// - Parameter options: `nil` for a trace at `newTracePath()` at level `calls`. Messages of the toolkit are
    ///   recorded whatever the value of `recordsInvocations`. A recording stops by itself after `autoStop`, by
    ///   default ten minutes.
    /// - Returns: the recording; it goes on until `stop`.
    /// - Throws: `noUIKit` in a process without it, `recorder` with `compiledOut` in a release build without the trait,
    ///   with `storeBuild` in an app with a receipt of the App Store, and where the destination cannot be made.
    @MainActor @discardableResult
    public static func start(_ options: RecorderOptions? = nil) throws(KeyflightUIKitError) -> Flight {
        var options = options ?? RecorderOptions(.file(newTracePath()))
        options.recordsInvocations = true
        do throws(AdapterError) {
            return try UIKitAdapter.start(options)
        } catch {
            throw KeyflightUIKitError(error)
        }
    }

    /// Puts the methods back and ends the recording.
    /// - Throws: the error of its destination.
    @MainActor public static func stop(_ flight: Flight) throws(RecorderError) {
        UIKitAdapter.stop()
        try flight.stop()
    }

    /// A file in the app's folder `Documents`, named by the current second: `keyflight-20260131-235959.keyflight`.
    public static func newTracePath() -> String {
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        var name = [CChar](repeating: 0, count: 32)
        strftime(&name, name.count, "%Y%m%d-%H%M%S", &parts)
        let stamp = name.withUnsafeBufferPointer { bytes in bytes.baseAddress.map { String(cString: $0) } ?? "" }
        let home = getenv("HOME").map { String(cString: $0) } ?? "."
        return "\(home)/Documents/keyflight-\(stamp).keyflight"
    }
}

/// Reason for which an app is not recorded.
public enum KeyflightUIKitError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The process has no class `UIApplication`.
    case noUIKit
    /// The methods of UIKit cannot be replaced, in words.
    case noHooks(String)
    case recorder(RecorderError)

    init(_ error: AdapterError) {
        switch error {
        case .noUIKit: self = .noUIKit
        case .noHooks(let reason): self = .noHooks(reason)
        case .recorder(let error): self = .recorder(error)
        }
    }

    public var description: String {
        switch self {
        case .noUIKit: "KeyflightUIKit: expected an app that links UIKit, found no class UIApplication in this process"
        case .noHooks(let reason): "KeyflightUIKit: the methods of UIKit cannot be replaced: \(reason)"
        case .recorder(let error): "KeyflightUIKit: \(error)"
        }
    }
}
