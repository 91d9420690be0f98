import KeyModel
public import TraceFormat

/// Typing into an app whose toolkit is hooked, as an adapter records it: each letter asks the views and the menu for
/// key equivalents, goes to the first responder and ends as text; the messages inside a message come before it.
public struct HookedFlight {
    public private(set) var recording = Recording()
    private var random: SeededGenerator
    private var time: Int64 = 0
    private var press: UInt32 = 0
    /// Now and then a message is missing or another one comes.
    private let isOdd: Bool
    private let views: [ResponderRef]
    private let menus: Int
    private let window, menu, app, text: ResponderRef

    /// `menus`: menus that are asked one by one; 0 for one record of all of them.
    init(seed: UInt64, isOdd: Bool, menus: Int) {
        random = SeededGenerator(seed: seed)
        self.isOdd = isOdd
        self.menus = menus
        var definitions = TraceDefinitions()
        func responder(_ id: String, _ kind: String) -> ResponderRef {
            definitions.intern(ResponderDefinition(id: id, kind: kind))
        }
        views = (1...8).map { responder("NSView#\($0)", "NSView") }
        window = responder("NSWindow", "NSWindow")
        menu = responder("mainMenu", "NSMenu")
        app = responder("NSApplication", "NSApplication")
        text = responder("NSTextView", "NSTextView")
        recording.definitions = definitions
        recording.append(.keyWindow(KeyWindowRecord(window: window, cause: .become)), at: .zero)
        recording.append(.mainWindow(MainWindowRecord(window: window)), at: .zero)
        recording.append(.firstResponder(FirstResponderRecord(responder: text, cause: .become)), at: .zero)
    }

    public static func recording(seed: UInt64, presses: Int, isOdd: Bool = false, menus: Int = 0) -> Recording {
        var flight = HookedFlight(seed: seed, isOdd: isOdd, menus: menus)
        for _ in 0..<presses { flight.letter() }
        return flight.recording
    }

    private mutating func append(_ body: TraceRecord.Body, after delta: Int) {
        time += Int64(delta)
        recording.append(body, at: TraceTime(nanoseconds: time))
    }

    /// A message of about so many nanoseconds, beyond those inside it.
    private mutating func message(
        _ kind: InvocationKind, of responder: ResponderRef, _ selector: String, depth: UInt8, lasting length: Int,
        _ answer: InvocationRecord.Answer = .nothing, count: UInt32 = 1, occasion: CallOccasion = .down,
        inside body: (inout HookedFlight) -> Void = { _ in }
    ) {
        if isOdd, random.chance(5) { return }
        time += Int64(150 + random.below(80))
        let begin = time
        body(&self)
        time += Int64(length + random.below(length / 8 + 1))
        var record = InvocationRecord(
            at: PressTick(press: press, tick: 0), kind: kind, occasion: occasion, responder: responder,
            duration: TraceDuration(nanoseconds: time - begin))
        record.selector = recording.definitions.intern(selector)
        (record.depth, record.count, record.answer) = (depth, count, answer)
        recording.append(.invocation(record), at: TraceTime(nanoseconds: time))
    }

    private mutating func letter() {
        time += 80_000_000 + Int64(random.below(60_000_000))
        press += 1
        key(.down)
        append(
            .stage(
                StageRecord(
                    at: PressTick(press: press, tick: 0), stage: .inputDelay,
                    duration: TraceDuration(nanoseconds: 900_000 + Int64(random.below(200_000))))), after: 300)
        message(.keyEquivalent, of: window, "performKeyEquivalent:", depth: 0, lasting: 700, .no) { flight in
            for view in flight.views {
                flight.message(.keyEquivalent, of: view, "performKeyEquivalent:", depth: 1, lasting: 250, .no)
            }
        }
        askMenus()
        message(.keyDown, of: text, "keyDown:", depth: 0, lasting: 3000) { flight in
            let text = flight.text
            flight.message(.interpretKeyEvents, of: text, "interpretKeyEvents:", depth: 1, lasting: 2000) {
                $0.message(.insertText, of: text, "insertText:", depth: 2, lasting: 90_000)
            }
        }
        append(
            .receiver(
                ReceiverRecord(
                    at: PressTick(press: press, tick: 0), responder: text, phase: .down, isSwallowed: false)),
            after: 200)
        var end = ResolutionRecord(
            at: PressTick(press: press, tick: 0), outcome: .consumedByText, takenBy: .text, state: nil)
        (end.start, end.keyWindow, end.target) = (text, window, text)
        append(.resolution(end), after: 150)
        time += 70_000_000
        key(.up)
        message(.keyUp, of: text, "keyUp:", depth: 0, lasting: 900, occasion: .release)
        if isOdd, random.chance(20) {
            press -= 1
            message(.validate, of: app, "saveDocument:", depth: 0, lasting: 400, .yes)
            press += 1
        }
    }

    private mutating func askMenus() {
        guard menus > 0 else {
            message(.keyEquivalent, of: menu, "performKeyEquivalent:", depth: 0, lasting: 60_000, .no, count: 24)
            return
        }
        message(.keyEquivalent, of: menu, "performKeyEquivalent:", depth: 0, lasting: 700, .no) { flight in
            for _ in 0..<flight.menus {
                flight.message(.keyEquivalent, of: flight.menu, "performKeyEquivalent:", depth: 1, lasting: 600, .no)
            }
        }
    }

    private mutating func key(_ phase: KeyPhase) {
        append(
            .key(KeyRecord(device: 1, key: .masked(.letter), phase: phase, modifiers: [], press: press)), after: 0)
    }
}
