import KeyModel
import Libc
import TraceFormat

/// Shows a session in a terminal until it ends: keys, what is appended to the trace, and what the recorder does.
struct WatchRun {
    private let screen: TerminalScreen
    private let recorder: WatchedProcess?
    private let path: String
    /// Keys are the view's, and not recorded.
    private var hasKeys: Bool
    private var decoder = ScreenKeyDecoder()

    private static let slice = Duration.milliseconds(20)
    /// Between two screens that no key asked for.
    private static let pace = Duration.milliseconds(100)

    init(_ screen: TerminalScreen, _ recorder: WatchedProcess?, path: String, hasKeys: Bool) {
        (self.screen, self.recorder, self.path, self.hasKeys) = (screen, recorder, path, hasKeys)
    }

    /// Returns true when a signal ended it. The terminal is as it was then.
    mutating func show(_ session: inout WatchSession, filter: String?) -> Bool {
        defer { screen.finish() }
        var (drawn, latest) = (ContinuousClock.now - WatchRun.pace, ContinuousClock.now)
        var (isDue, isOver, hasFilter) = (true, false, filter == nil)
        while !isOver {
            if TerminalScreen.take(.ended) { return true }
            isDue = follow(&session) || isDue
            if !hasFilter, session.trace != nil {
                hasFilter = true
                session.filter(filter ?? "")
            }
            let now = ContinuousClock.now
            if session.advance(for: WatchRun.slice) { (isDue, latest) = (true, now) }
            let isQuiet = now - latest >= .seconds(1)
            if isQuiet != session.isQuiet { (session.isQuiet, isDue) = (isQuiet, true) }
            if !hasKeys, recorder?.status != nil {
                // The recorder has given the terminal back.
                hasKeys = true
                screen.enter()
                isDue = true
            }
            if isDue, now - drawn >= WatchRun.pace {
                let size = screen.size
                screen.draw(session.lines(columns: size.columns, rows: size.rows))
                (drawn, isDue) = (now, false)
            }
            let wait: Int32 = session.isBehind ? 0 : isDue ? 20 : 50
            guard let keys = read(within: wait) else { return true }
            for (key, isPasted) in keys {
                // The next screen is the key's.
                (isDue, drawn) = (true, now - WatchRun.pace)
                isOver = perform(session.handle(key, isPasted: isPasted)) || isOver
                if isOver { break }
            }
        }
        return false
    }

    /// Keys that were typed; `nil` when the terminal is gone.
    private mutating func read(within milliseconds: Int32) -> [(key: ScreenKey, isPasted: Bool)]? {
        guard hasKeys else {
            usleep(UInt32(milliseconds) * 1_000)
            return []
        }
        return screen.input(within: milliseconds).map { decoder.decode($0) }
    }

    /// Returns true for the end.
    private func perform(_ effect: WatchSession.Effect?) -> Bool {
        switch effect {
        case .quit?: return true
        case .suspend?: screen.suspend()
        case .copy(let text)?: screen.copy(text)
        case nil: break
        }
        return false
    }

    /// Takes signals, a trace that has begun, and the end of the recorder. Returns true when the screen must change.
    private func follow(_ session: inout WatchSession) -> Bool {
        var isDue = false
        if TerminalScreen.take(.suspended) { screen.suspend() }
        if TerminalScreen.take(.continued) {
            screen.enter()
            isDue = true
        }
        if TerminalScreen.take(.resized) {
            screen.forget()
            isDue = true
        }
        if let recorder, recorder.status == nil, recorder.hasEnded() {
            session.message = recorder.notes.last ?? "the recording has ended"
            isDue = true
        }
        if session.trace == nil, let bytes = try? ByteFile.open(path), !bytes.mayBecomeTrace,
            let reader = try? TraceReader(bytes)
        {
            session.trace = WatchedTrace(reader, name: session.name, path: path)
            isDue = true
        }
        return isDue
    }
}
