// In optimised builds the clock's types are found through its headers, which include the same ones.
import CPcap
package import KeyModel
import Libc

/// Something that keys are read from while they are pressed: an interface of libpcap, an input device of the kernel, a
/// terminal.
///
/// Ids of devices are the source's own, from 1 on in the order of their first key events. Times are since the moment
/// that `begin` named, by the source's own clock.
package protocol LiveSource: AnyObject {
    /// The name under which it was asked for: `usbmon1`, `/dev/input/event4`, `terminal`.
    var name: String { get }
    var kind: CaptureSource { get }
    /// Becomes readable when there is something to read; −1 once the source is closed.
    var descriptor: Int32 { get }
    /// The keyboards so far, by id.
    var devices: [CaptureDevice] { get }
    /// Notes for a reader of the recording, a sentence each.
    var notes: [String] { get }
    /// Caps Lock when the recording began; `nil` where the source does not report it.
    var isCapsLockOn: Bool? { get }
    /// The smallest step between two stamps, in nanoseconds.
    var granularity: UInt64? { get }
    /// The number of stamps earlier than the one before.
    var backwardSteps: UInt64 { get }

    /// Makes `start` time 0. Called once, before anything is read.
    func begin(at start: LiveMoment)
    /// Hands over the events of everything there is now, without waiting for more. Throws when nothing more can come;
    /// what came before was handed over.
    func read(_ emit: (KeyEvent) -> Void) throws(LiveFailure)
    /// Nothing more will be read: hands over what was still undecided.
    func finish(_ emit: (KeyEvent) -> Void)
    /// The losses since the last call, by the source's own count; `nil` in `count` where it does not count.
    func takeLosses() -> [LiveLoss]
    /// Reports of a keyboard that only repeated the one before.
    func idleReports(of id: UInt16) -> UInt64
    /// Packets or events so far, keys or not.
    var packets: UInt64 { get }
    /// Gives back what it took: closes the device, puts the terminal right. May be called twice.
    func close()
}

/// One moment on the clocks that sources stamp with, in nanoseconds.
package struct LiveMoment: Hashable, Sendable {
    /// Since 1970 (UTC).
    package var realtime: Int64
    /// CLOCK_MONOTONIC.
    package var monotonic: Int64

    package init(realtime: Int64, monotonic: Int64) {
        self.realtime = realtime
        self.monotonic = monotonic
    }

    /// This moment: both clocks were read within some hundred nanoseconds unless this thread was interrupted.
    package static func now() -> LiveMoment {
        var best = LiveMoment(realtime: 0, monotonic: 0)
        var width = Int64.max
        for _ in 0..<4 {
            let before = nanoseconds(of: CLOCK_MONOTONIC)
            let realtime = nanoseconds(of: CLOCK_REALTIME)
            let after = nanoseconds(of: CLOCK_MONOTONIC)
            guard after - before < width else { continue }
            width = after - before
            best = LiveMoment(realtime: realtime, monotonic: before + width / 2)
        }
        return best
    }

    /// CLOCK_MONOTONIC alone: one read, where `now` takes twelve.
    package static var monotonicNow: Int64 { nanoseconds(of: CLOCK_MONOTONIC) }
}

/// Something that a source lost before it could be read.
package struct LiveLoss: Hashable, Sendable {
    /// Packets or events; `nil` where they were not counted.
    package var count: UInt64?
    /// The cause of the loss, in words.
    package var detail: String
}

/// The reason why a source cannot be opened, or why nothing more comes from it.
package struct LiveFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        /// This user may not.
        case permission
        /// There is no such device.
        case noDevice
        /// It was there and has gone away.
        case gone
        /// It is there and cannot be used, in words.
        case unusable(String)
    }

    /// The name under which it was asked for.
    package var source: String
    package var reason: Reason
    /// The remedy: a command to type, or a sentence.
    package var remedy: String?

    package init(source: String, reason: Reason, remedy: String? = nil) {
        self.source = source
        self.reason = reason
        self.remedy = remedy
    }

    package var description: String {
        let what =
            switch reason {
            case .permission: "open: expected permission to read it, found none"
            case .noDevice: "open: expected a device, found none of this name"
            case .gone: "read: expected more, found that the device has gone away"
            case .unusable(let words): "expected a device to record from, found \(words)"
            }
        return "\(source): \(what)" + (remedy.map { "; \($0)" } ?? "")
    }
}
