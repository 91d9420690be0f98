import CObjCHooks
import KeyModel
import Libc

/// Types a script into the app: events that it posts to the app's own queue, each once the app has handled the one
/// before and waits for another. On the observed thread alone.
///
/// Nothing is posted while a hook runs, since the app's reaction would not be recorded: a timer of the app's run loop
/// posts, in the mode in which the app waits. An event that comes first cancels the timer, so a timer that
/// fires shows that nothing has happened for as long as it ran.
final class AppKitTyping {
    private let steps: [TypedStep]
    /// The next one.
    private var place = 0
    private let isRecorded: Bool
    private let progress: Int32
    private let messages = KeyMessages()
    private var keys: TypedKeys?
    /// Posts the step at `place`.
    private var timer: KeyMessages.Timer?
    private var timerMode: keyflight_object?
    /// Makes the app request its next event.
    private var question: KeyMessages.Timer?
    private var windows: (key: keyflight_object?, main: keyflight_object?, modal: Int)?
    /// Time of the last appearance or end of a window or a modal loop.
    private var windowsChanged: UInt64 = 0
    /// Begin of the script.
    private var began: UInt64 = 0
    private var hasBegun = false
    private var hasEnded = false

    /// Idle time before a press and before other events, in nanoseconds: what the app does after a delay of nothing
    /// comes first.
    private static let quiet: UInt64 = 15_000_000
    private static let pause: UInt64 = 1_000_000
    /// Nanoseconds that an app without a key window waits for an event before it is typed into.
    private static let longestWait: UInt64 = 5_000_000_000
    /// Nanoseconds after which the window manager has finished with a window that came or went.
    private static let newWindowDelay: UInt64 = 250_000_000

    /// `nil` where the list cannot be read.
    init?(_ path: String, isRecorded: Bool) {
        progress = open(path, O_RDWR | O_APPEND | O_CLOEXEC)
        // Programs that the app starts do not inherit it.
        let inherited = "/dev/fd/"
        if path.hasPrefix(inherited) { Int32(path.dropFirst(inherited.count)).map { _ = close($0) } }
        self.isRecorded = isRecorded
        let lines = AppKitTyping.text(of: progress).split(separator: "\n")
        steps = lines.compactMap { TypedStep(line: $0) }
        guard progress >= 0, steps.count == lines.count else {
            Adapter.say("\(AdapterVariable.keys): expected a list of keys, found none")
            return nil
        }
    }

    private static func text(of file: Int32) -> String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &piece, piece.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece[..<count]
        }
    }

    // MARK: The app waits

    func appAsks(_ call: Activation, _ session: AppKitSession) {
        commit()
        guard let app = session.app, place < steps.count else { return }
        let isSame = !noteWindows(app, session)
        let mode = call.argument(2)
        // NSKeyDown.
        guard call.pointee.arguments[0] & 1 << 10 != 0, let mode else { return takeBack() }
        // The question before had no answer, and nothing has happened since.
        if timer != nil, isSame, mode == timerMode { return }
        takeBack()
        if !hasBegun {
            // The app has come up with its first key window, or goes without one: its menus take keys all the same.
            began = Adapter.clock() + (windows?.key == nil ? AppKitTyping.longestWait : 0)
            keys = keys ?? TypedKeys(GNUstepRoles.ofApp(messages.toolkit))
        }
        while place < steps.count {
            let (due, delay) = schedule(began)
            guard let (target, message) = prepare(app, due) else { return }
            if let message {
                timer = messages.timer(target, message, after: delay, mode)
                timerMode = mode
                return
            }
            place += 1
        }
    }

    /// GNUstep's modal loops take their events from the display server, where nothing is observed. So the app is made
    /// to request one as well: when windows change in such a loop, and after each event that it has handled.
    func modalLoopGoesOn(_ session: AppKitSession, hasNewWindow: Bool) {
        guard let app = session.app, keys != nil, !session.presenters.isEmpty else { return }
        commit()
        takeBack()
        if let question { messages.end(question) }
        let delay = hasNewWindow ? AppKitTyping.newWindowDelay : AppKitTyping.pause
        question = messages.timer(app, .ask, after: delay, messages.modalMode)
    }

    func appHasAnswer(_ call: Activation) {
        commit()
        // An event that is not of the script.
        if call.pointee.is_unwound || call.pointee.result != 0 { takeBack() }
    }

    /// The timer has fired: the step is done.
    private func commit() {
        guard let timer, !messages.isPending(timer) else { return }
        hasBegun = true
        keys?.commit()
        if steps[place].isPress { note() }
        place += 1
        takeBack()
    }

    private func takeBack() {
        if let timer { messages.end(timer) }
        timer = nil
    }

    /// True where they are others than before.
    private func noteWindows(_ app: keyflight_object, _ session: AppKitSession) -> Bool {
        let toolkit = messages.toolkit
        let now = (
            key: toolkit.object(app, toolkit.keyWindow), main: toolkit.object(app, toolkit.mainWindow),
            modal: session.presenters.count
        )
        if let windows, windows == now { return false }
        windows = now
        windowsChanged = Adapter.clock()
        return true
    }

    /// Adds one byte to the list: the launcher counts them.
    private func note() {
        var byte = UInt8(ascii: ".")
        _ = write(progress, &byte, 1)
    }

    // MARK: Steps

    /// Due time of the next step, and the nanoseconds until it is posted.
    private func schedule(_ began: UInt64) -> (due: UInt64, delay: UInt64) {
        let step = steps[place]
        let now = Adapter.clock()
        func left(until time: UInt64) -> UInt64 { time > now ? time - now : 0 }
        if isRecorded {
            // An app that is busy gets it late, and the event contains its due time.
            let due = began + UInt64(max(0, step.time.nanoseconds))
            return (due, max(AppKitTyping.pause, left(until: due)))
        }
        let wait = UInt64(max(0, step.wait.nanoseconds))
        var delay: UInt64
        switch step.action {
        case .key(_, .down, _, _), .role(_, true), .activate, .end:
            delay = max(wait, AppKitTyping.quiet, left(until: windowsChanged + AppKitTyping.newWindowDelay))
        default: delay = max(wait, AppKitTyping.pause)
        }
        if !hasBegun { delay = max(delay, left(until: began)) }
        return (now + delay, delay)
    }

    /// Receiver, message and argument; no message where there is nothing to do; `nil` where it has to wait for the next
    /// action of the app.
    private func prepare(
        _ app: keyflight_object, _ due: UInt64
    ) -> (target: keyflight_object, message: KeyMessages.Message?)? {
        switch steps[place].action {
        case .key, .role:
            let window = messages.number(ofWindow: windows?.key)
            guard let event = keys?.event(steps[place].action, at: due, window, messages) else {
                return (app, nil)
            }
            return (app, .post(event))
        case .activate(let name):
            guard let window = messages.window(of: app, named: name) else { return nil }
            return (window, window == windows?.key ? nil : .makeKey)
        case .end:
            if !hasEnded { note() }
            hasEnded = true
            return (app, .terminate)
        }
    }
}
