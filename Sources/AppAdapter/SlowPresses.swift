import CObjCHooks
import CStackSampler
import FlightRecorder
import KeyModel

/// Samples of the main thread's stack while a press takes long: which function it was in.
///
/// The samples of a press end where another press, a modal loop or a secure entry begins inside it.
enum SlowPresses {
    /// Turns them on in `AdapterVariable.hooks`. They are off without it until enough apps have quit under them.
    static let word = "+samples"
    /// The environment has it. It is read once: programs that the app starts do not have it.
    nonisolated(unsafe) static var isWanted = false
    /// Nanoseconds: half a frame of a display with 60 Hz, and then each millisecond.
    private static let threshold: UInt64 = 8_000_000
    private static let interval: UInt64 = 1_000_000

    /// Starts to sample the calling thread, and records whether that is done.
    static func start() {
        var options = keyflight_sampler_options()
        options.threshold = threshold
        options.interval = interval
        options.name = { keyflight_method_name($0, $1, $2) }
        options.deliver = { number, began, text, length in
            let bytes = UnsafeRawBufferPointer(start: text, count: length)
            let stacks = String(decoding: bytes, as: UTF8.self)
            Keyflight.stacks(number, began: began, interval: SlowPresses.interval, stacks)
        }
        let isStarted = keyflight_sampler_start(&options)
        let times = "\(threshold) \(interval)"
        Keyflight.fact(AdapterFact.samples, isStarted ? times : "missing: not on this system, or traced by a debugger")
    }

    /// The handling of a press begins.
    static func begin() { keyflight_sampler_arm() }

    /// It ends, or goes on after something else: announces its samples, if there are any.
    static func end() {
        let number = keyflight_sampler_disarm()
        guard number != 0 else { return }
        Keyflight.samples(number)
        keyflight_sampler_request(number)
    }

    /// Waits for what is still to be recorded.
    static func stop() { _ = keyflight_sampler_stop() }
}
