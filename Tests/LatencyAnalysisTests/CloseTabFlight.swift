import KeyModel
import TraceFormat

/// A session of a document app with two windows, by hand: a page down, a letter typed into a search field, ⌘W that
/// reaches into the other window, and ← held until it repeats. Every number in it is known.
enum CloseTabFlight {
    static let millisecond: Int64 = 1_000_000

    static func recording() -> Recording {
        var flight = RecordingBuilder()
        surroundings(&flight)
        pageDown(&flight)
        windowChange(&flight)
        closeTab(&flight)
        letter(&flight)
        heldArrow(&flight)
        return flight.recording
    }

    private static func surroundings(_ flight: inout RecordingBuilder) {
        flight.add(.level(LevelRecord(level: .calls)))
        for (name, value) in [("profile", "ios15"), ("scene", "close-tab"), ("cache", "none")] {
            flight.add(.environment(EnvironmentRecord(name: name, value: value)))
        }
        var keyboard = DeviceRecord(device: 1, name: "Keychron K3", source: "usbmon")
        (keyboard.bus, keyboard.address, keyboard.endpoint) = (1, 5, 0x81)
        (keyboard.vendor, keyboard.product) = (0x05AC, 0x024F)
        flight.add(.device(keyboard))
        flight.add(
            .clock(
                ClockRecord(
                    source: "usbmon", unixTime: 1_795_255_924_000_000_000, granularity: 1000, backwardSteps: 0)))
        flight.add(.layout(LayoutRecord(name: "us", hash: 0xABC, table: nil)))
        flight.link("app", "UIApplication", next: nil, window: nil)
        flight.link("win1", "UIWindow", next: "app", window: "win1")
        flight.link("win2", "UIWindow", next: "app", window: "win2")
        flight.link("tabs", "TabBarController", next: "app", window: "win1")
        flight.link("doc", "DocumentViewController", next: "tabs", window: "win2")
        flight.link("pdf", "PDFTextView", next: "doc", window: "win2")
        let (pdf, window) = (flight.responder("pdf"), flight.responder("win1"))
        flight.add(.firstResponder(FirstResponderRecord(responder: pdf, cause: .start)))
        flight.add(.keyWindow(KeyWindowRecord(window: window, cause: .start)))
    }

    /// Asks the four responders once, each answering with its list.
    private static func collect(_ flight: inout RecordingBuilder, _ at: PressTick, occasion: CallOccasion = .down) {
        let left = flight.command("UIKeyInputLeftArrow", [], "previousPage:")
        let close = flight.command("w", .command, "closeDocument:")
        let tab = flight.command("w", .command, "closeTab:", title: "Close Tab")
        let all = flight.command("w", [.command, .shift], "closeAll:")
        let window = flight.command("w", .command, "closeWindow:")
        flight.keyCommands(at, of: "pdf", answers: [left], cost: 310_000, occasion: occasion)
        flight.keyCommands(at, of: "doc", answers: [close], cost: 50_000, occasion: occasion)
        // The list of tabs asks its document, and that is part of its time but not its own.
        flight.keyCommands(at, of: "doc", answers: [close], cost: 200_000, depth: 1, occasion: occasion)
        flight.keyCommands(at, of: "tabs", answers: [tab, all], cost: 900_000, occasion: occasion)
        flight.keyCommands(at, of: "app", answers: [window], cost: 40_000, occasion: occasion)
        flight.cache(at, misses: 5)
    }

    private static func pageDown(_ flight: inout RecordingBuilder) {
        flight.wait(10 * millisecond)
        let at = flight.down(.pageDown)
        flight.received(at, by: ["pdf", "doc", "tabs", "app"])
        collect(&flight, at)
        flight.stage(at, .collect, 1_300_000)
        flight.resolve(at, .unhandled) { record, flight in
            record.character = flight.string("UIKeyInputPageDown")
            record.start = flight.responder("pdf")
            record.keyWindow = flight.responder("win1")
        }
        flight.wait(30 * millisecond)
        flight.up(.pageDown, of: at)
    }

    private static func windowChange(_ flight: inout RecordingBuilder) {
        flight.wait(100 * millisecond)
        let window = flight.responder("win2")
        flight.add(.keyWindow(KeyWindowRecord(window: window, cause: .windowChange)))
    }

    private static func closeTab(_ flight: inout RecordingBuilder) {
        flight.wait(10 * millisecond)
        flight.down(.leftGUI, .command)
        let at = flight.down(.keyboard(0x1A), .command)
        flight.received(at, by: ["pdf", "doc", "tabs", "app"])
        collect(&flight, at)
        flight.canPerform(at, "doc", "closeDocument:", false, cost: 5000)
        flight.canPerform(at, "tabs", "closeTab:", true, cost: 5000)
        let close = flight.command("w", .command, "closeDocument:")
        let tab = flight.command("w", .command, "closeTab:", title: "Close Tab")
        let all = flight.command("w", [.command, .shift], "closeAll:")
        let window = flight.command("w", .command, "closeWindow:")
        flight.candidate(at, "doc", close, .unperformable, "canPerformAction = no at doc")
        flight.candidate(at, "tabs", tab, .won)
        flight.candidate(at, "tabs", all, .otherModifiers, "⇧ is not held")
        flight.candidate(at, "app", window, .shadowed, "shadowed by tabs")
        flight.stage(at, .inputDelay, 100_000)
        flight.stage(at, .collect, 1_300_000)
        flight.stage(at, .validate, 10_000)
        flight.stage(at, .action, 2_700_000)
        let value = flight.string("[0]")
        let kind = flight.string("tab")
        flight.add(.effect(EffectRecord(at: at, responder: flight.responder("tabs"), kind: kind, value: value)))
        flight.resolve(at, .performed, takenBy: .keyCommands) { record, flight in
            record.character = flight.string("w")
            record.start = flight.responder("pdf")
            record.keyWindow = flight.responder("win2")
            record.command = tab
            record.supplier = flight.responder("tabs")
            record.target = flight.responder("tabs")
            record.action = flight.string("closeTab:")
        }
        flight.wait(30 * millisecond)
        flight.up(.keyboard(0x1A), .command, of: at)
        flight.keyCommands(at, of: "pdf", cost: 310_000, occasion: .release)
        flight.up(.leftGUI)
    }

    private static func letter(_ flight: inout RecordingBuilder) {
        let search = flight.responder("search", "UITextField")
        flight.link("search", "UITextField", next: "tabs", window: "win1")
        flight.add(.firstResponder(FirstResponderRecord(responder: search, cause: .click)))
        flight.wait(500 * millisecond)
        let at = flight.down(.keyboard(0x11), masked: .letter)
        flight.received(at, by: ["search"])
        flight.keyCommands(at, of: "search", cost: nil)
        flight.keyCommands(at, of: "pdf", cost: 310_000, occasion: .shadow)
        flight.cache(at, misses: 1)
        flight.stage(at, .collect, 0)
        flight.resolve(at, .consumedByText, takenBy: .text) { record, flight in
            record.start = flight.responder("search")
            record.keyWindow = flight.responder("win2")
            record.target = flight.responder("search")
        }
        flight.wait(30 * millisecond)
        flight.up(.keyboard(0x11), of: at, masked: .letter)
    }

    private static func heldArrow(_ flight: inout RecordingBuilder) {
        let pdf = flight.responder("pdf")
        flight.add(.firstResponder(FirstResponderRecord(responder: pdf, cause: .become)))
        flight.wait(10 * millisecond)
        let at = flight.down(.leftArrow)
        for tick in UInt32(0)...2 {
            let now = PressTick(press: at.press, tick: tick)
            if tick == 0 {
                flight.received(now, by: ["pdf", "doc", "tabs", "app"])
            } else {
                flight.wait(tick == 1 ? 400 * millisecond : 100 * millisecond)
                flight.add(
                    .key(
                        KeyRecord(
                            device: 1, key: .clear(.leftArrow), phase: .repeat, modifiers: [], press: at.press)))
            }
            collect(&flight, now, occasion: tick == 0 ? .down : .repeatTick)
            flight.stage(now, .collect, 1_300_000)
            flight.stage(now, .action, 700_000)
            flight.resolve(now, .performed, takenBy: .keyCommands) { record, flight in
                record.character = flight.string("UIKeyInputLeftArrow")
                record.start = flight.responder("pdf")
                record.target = flight.responder("pdf")
                record.supplier = flight.responder("pdf")
                record.action = flight.string("previousPage:")
            }
        }
        flight.wait(50 * millisecond)
        flight.up(.leftArrow, of: at, isSynthetic: true)
        flight.add(
            .loss(
                LossRecord(
                    cause: .secureEntry, count: nil, duration: TraceDuration(nanoseconds: 6_000_000_000),
                    detail: "password field")))
    }
}
