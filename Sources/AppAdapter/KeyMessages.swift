import CObjCHooks

/// Messages that type a script into an AppKit app. Each is public API.
struct KeyMessages {
    let toolkit = Messages()
    private let valid = selector("isValid")
    private let windowNumber = selector("windowNumber")
    private let visible = selector("isVisible")

    private static func selector(_ name: String) -> keyflight_selector? { keyflight_selector_named(name) }

    // MARK: Events

    struct Event {
        enum Kind: UInt { case down = 10, up, flags }

        var type: Kind
        var flags: UInt
        /// Nanoseconds of CLOCK_MONOTONIC.
        var time: UInt64
        var window: UInt
        var characters, unmodified: String
        var isRepeat: Bool
        var code: UInt
    }

    /// Autoreleased.
    func event(_ event: Event) -> keyflight_object? {
        let name =
            "keyEventWithType:location:modifierFlags:timestamp:windowNumber:context:characters:"
            + "charactersIgnoringModifiers:isARepeat:keyCode:"
        let words = [
            event.type.rawValue, event.flags, event.window, 0, UInt(bitPattern: toolkit.string(event.characters)),
            UInt(bitPattern: toolkit.string(event.unmodified)), event.isRepeat ? 1 : 0, event.code,
        ]
        return send(keyflight_class_named("NSEvent"), name, words, [0, 0, Double(event.time) / 1e9])
    }

    private func send(
        _ object: keyflight_object?, _ name: String, _ words: [UInt], _ doubles: [Double]
    ) -> keyflight_object? {
        var result: UInt = 0
        keyflight_send_mixed(
            object, keyflight_selector_named(name), words, words.count, doubles, doubles.count, &result)
        return keyflight_object(bitPattern: result)
    }

    // MARK: Windows

    func number(ofWindow window: keyflight_object?) -> UInt { toolkit.word(window, windowNumber) }

    /// A window on the screen, with this class or with a title that begins so.
    func window(of app: keyflight_object, named name: String) -> keyflight_object? {
        let windows = toolkit.object(app, named: "windows")
        for place in 0..<toolkit.word(windows, toolkit.count) {
            guard let window = toolkit.object(windows, toolkit.objectAtIndex, place), toolkit.isTrue(window, visible)
            else { continue }
            if toolkit.text(toolkit.object(window, toolkit.title)).hasPrefix(name) { return window }
            if String(cString: keyflight_class_name(keyflight_class_of(window))) == name { return window }
        }
        return nil
    }

    // MARK: Timers

    /// The mode of the run loop in which modal loops wait.
    let modalMode = Adapter.symbol("NSModalPanelRunLoopMode")?.load(as: keyflight_object?.self)

    enum Message {
        case post(keyflight_object)
        /// For an event that is there, and stays there.
        case ask
        case makeKey
        case terminate
    }

    /// A message that the run loop sends once. The caller's: release it.
    struct Timer {
        fileprivate let message: keyflight_object
        fileprivate let wake: keyflight_object
    }

    /// In this mode of the run loop.
    func timer(
        _ target: keyflight_object, _ message: Message, after delay: UInt64, _ mode: keyflight_object?
    ) -> Timer? {
        let date = keyflight_class_named("NSDate")
        let sent =
            switch message {
            case .post(let event): invocation(target, "postEvent:atStart:", [UInt(bitPattern: event), 0])
            case .ask:
                invocation(
                    target, "nextEventMatchingMask:untilDate:inMode:dequeue:",
                    [
                        UInt(UInt32.max), UInt(bitPattern: toolkit.object(date, named: "distantPast")),
                        UInt(bitPattern: modalMode), 0,
                    ])
            case .makeKey: invocation(target, "makeKeyAndOrderFront:", [0])
            case .terminate: invocation(target, "terminate:", [0])
            }
        // GNUstep's run loop sends what is due, and waits for the timer after that before it looks for events again.
        guard let message = timer(sent, after: delay, mode),
            let wake = timer(invocation(target, "self", []), after: delay + 100_000, mode)
        else { return nil }
        return Timer(message: message, wake: wake)
    }

    private func timer(
        _ invocation: keyflight_object?, after delay: UInt64, _ mode: keyflight_object?
    ) -> keyflight_object? {
        let timer = send(
            keyflight_class_named("NSTimer"), "timerWithTimeInterval:invocation:repeats:",
            [UInt(bitPattern: invocation), 0], [Double(delay) / 1e9])
        _ = toolkit.object(timer, named: "retain")
        let loop = toolkit.object(keyflight_class_named("NSRunLoop"), named: "currentRunLoop")
        keyflight_send(
            loop, keyflight_selector_named("addTimer:forMode:"), UInt(bitPattern: timer), UInt(bitPattern: mode), nil)
        return timer
    }

    /// The message was not sent.
    func isPending(_ timer: Timer) -> Bool { toolkit.isTrue(timer.message, valid) }

    /// The message is not sent any more.
    func end(_ timer: Timer) {
        for timer in [timer.message, timer.wake] {
            _ = toolkit.object(timer, named: "invalidate")
            _ = toolkit.object(timer, named: "release")
        }
    }

    /// Autoreleased, and keeps its target and its arguments.
    private func invocation(_ target: keyflight_object, _ name: String, _ arguments: [UInt]) -> keyflight_object? {
        let selector = UInt(bitPattern: keyflight_selector_named(name))
        let signature = toolkit.object(target, named: "methodSignatureForSelector:", selector)
        let invocation = toolkit.object(
            keyflight_class_named("NSInvocation"), named: "invocationWithMethodSignature:",
            UInt(bitPattern: signature))
        _ = toolkit.object(invocation, named: "setTarget:", UInt(bitPattern: target))
        _ = toolkit.object(invocation, named: "setSelector:", selector)
        for (place, argument) in arguments.enumerated() { set(argument, at: UInt(place) + 2, of: invocation) }
        _ = toolkit.object(invocation, named: "retainArguments")
        return invocation
    }

    /// A word or less: the invocation takes as many bytes as the argument has.
    private func set(_ argument: UInt, at place: UInt, of invocation: keyflight_object?) {
        withUnsafePointer(to: argument) { pointer in
            _ = keyflight_send(
                invocation, keyflight_selector_named("setArgument:atIndex:"), UInt(bitPattern: pointer), place, nil)
        }
    }
}
