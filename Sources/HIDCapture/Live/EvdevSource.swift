package import KeyModel
import Libc

/// An input device of the kernel (spec §5).
///
/// Its clock is set to CLOCK_MONOTONIC before the first read, so that several devices have one time base and setting
/// the wall clock moves nothing. When the kernel reports dropped events, the device is asked which keys are down.
package final class EvdevSource: LiveSource {
    package let name: String
    package let kind = CaptureSource.evdev
    package var descriptor: Int32 { device.descriptor }
    package var devices: [CaptureDevice] { live.devices }
    package private(set) var notes: [String] = []
    package let isCapsLockOn: Bool?
    package var granularity: UInt64? { live.traffic.stamps.facts.smallestStep }
    package var backwardSteps: UInt64 { live.traffic.stamps.facts.backwardSteps }
    /// Events so far, of any type.
    package var packets: UInt64 { live.traffic.facts.packets }

    private let device: any InputDevice
    private let isMonotonic: Bool
    private let live = LiveTraffic()
    private var keys: EvdevKeys
    private var dropsBefore: UInt64 = 0
    /// What was read last, and then the first bytes of an event whose rest has not come.
    private let unread = WipedArray<UInt8>()

    /// `struct input_event` of this machine: two words of time, then eight bytes.
    private static let recordBytes = Int.bitWidth == 64 ? 24 : 16
    private static let events = 64

    /// Opens a device such as `/dev/input/event4`, or `event4`.
    package convenience init(_ path: String) throws(LiveFailure) {
        let whole = path.contains("/") ? path : "/dev/input/" + path
        let file = open(whole, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard file >= 0 else {
            let code = errno
            if code == EACCES || code == EPERM {
                throw LiveFailure(source: whole, reason: .permission, remedy: LiveRemedy.permission(input: whole))
            }
            let isMissing = code == ENOENT || code == ENXIO || code == ENODEV
            let remedy = "keyflight devices lists the keyboards"
            throw LiveFailure(
                source: whole, reason: isMissing ? .noDevice : .unusable(String(cString: strerror(code))),
                remedy: remedy)
        }
        let node = InputNode(descriptor: file)
        guard node.keysDown() != nil else {
            node.close()
            throw LiveFailure(
                source: whole, reason: .unusable("something that is no input device"),
                remedy: "keyflight devices lists the keyboards")
        }
        self.init(name: whole, node)
    }

    init(name: String, _ device: any InputDevice) {
        self.name = name
        self.device = device
        isMonotonic = device.useMonotonicClock()
        isCapsLockOn = device.isCapsLockOn
        // The number of the node is used as its address, as in recordings.
        let digits = String(name.reversed().prefix { $0.isASCII && $0.isNumber }.reversed())
        let place = StreamPlace(source: .evdev, address: UInt16(digits) ?? 0)
        keys = EvdevKeys(place, asksDevice: true)
        guard let index = live.traffic.device(at: place) else { return }
        live.traffic.change(device: index) {
            $0.givenName = device.name
            if let id = device.vendorAndProduct { ($0.vendor, $0.product) = (id.vendor, id.product) }
        }
    }

    deinit { close() }

    package func begin(at start: LiveMoment) { live.begin(at: isMonotonic ? start.monotonic : start.realtime) }

    package func read(_ emit: (KeyEvent) -> Void) throws(LiveFailure) {
        let size = EvdevSource.recordBytes
        let most = size * EvdevSource.events
        for _ in 0..<64 {
            let descriptor = device.descriptor
            guard descriptor >= 0 else { return }
            var count = 0
            unread.append(upTo: most) {
                count = Libc.read(descriptor, $0, most)
                return count
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { throw LiveFailure(source: name, reason: .gone) }
            take(size)
            live.drain(emit)
            if count < most { return }
        }
    }

    private func take(_ size: Int) {
        var at = 0
        while unread.count - at >= size {
            let event = unread.elements.baseAddress.flatMap { InputEventFile.event($0 + at, size) }
            at += size
            guard let event else { continue }
            guard keys.add(event, to: live.traffic) else { continue }
            guard let down = device.keysDown() else {
                keys.doubtModifiers(live.traffic.time(of: event.stamp), live.traffic)
                continue
            }
            keys.correct(down: down, stamp: event.stamp, to: live.traffic)
        }
        unread.removeFirst(at)
    }

    package func finish(_ emit: (KeyEvent) -> Void) {
        live.finish(emit)
        keys.finish(live.traffic)
        notes = live.traffic.facts.notes
    }

    /// The kernel does not report how many events it dropped.
    package func takeLosses() -> [LiveLoss] {
        let times = live.traffic.facts.sourceDrops.times - dropsBefore
        dropsBefore += times
        return (0..<times).map { _ in LiveLoss(count: nil, detail: "events that \(name) dropped (SYN_DROPPED)") }
    }

    package func idleReports(of id: UInt16) -> UInt64 { 0 }

    package func close() { device.close() }
}
