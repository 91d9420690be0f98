import CObjCHooks
import FlightRecorder
import KeyModel
import Libc

/// The recording of a process from inside, begun by its environment.
enum Adapter {
    // Of the observed thread, which is the one that starts them. A hook takes no reference to the session: it is
    // replaced in no handler. It has no initial value, which every hook would check for.
    @exclusivity(unchecked) nonisolated(unsafe) private static var session: Unmanaged<AppKitSession>?
    nonisolated(unsafe) private static var isObserving = false
    /// The variables of a recording that was begun in a running app; `nil` where the environment began it.
    nonisolated(unsafe) private static var given: [String: String]?
    nonisolated(unsafe) private static var isStoppedAtExit = false
    /// Calls on other threads before the recording.
    nonisolated(unsafe) private static var earlierOffThreadCalls: UInt64 = 0
    nonisolated(unsafe) private static var flight: Flight?
    /// Options and script of a recording that begins once the app has loaded its toolkit.
    nonisolated(unsafe) private static var waiting: (options: RecorderOptions, keys: String?)?
    /// Reports to the launcher why nothing is recorded, or that something is.
    nonisolated(unsafe) private static var obstacle: (AdapterObstacle?) -> Void = { _ in }
    /// Takes signals that ask the app to quit over from the toolkit; true where that is done.
    nonisolated(unsafe) static var takeSignals: @convention(c) () -> Bool = { true }

    /// True where a recording began, or begins once the app has loaded its toolkit.
    static func start() -> Bool {
        guard let named = variable(AdapterVariable.trace) else { return false }
        let name = variable(AdapterVariable.memory)
        let memory = name.flatMap { SharedMemory(named: $0) }
        guard isMeant else {
            if let memory { refuseOtherProcess(memory) }
            return false
        }
        // A program that came in place of one that is recorded finds that one's recording.
        if name != nil, memory?.attach() != true { return false }
        obstacle = { reason in memory?.obstacle = reason?.rawValue ?? 0 }
        // What this process starts is not recorded.
        setenv(AdapterVariable.process, "\(getpid())", 1)
        let options = options(named)
        let keys = variable(AdapterVariable.keys)
        if UIKitAdapter.isPresent {
            // Nothing of the app has run.
            if keys != nil { refuse(.noTyping) }
            return startUIKit(options)
        }
        let began = clock()
        guard install() == KEYFLIGHT_HOOK_OK else {
            if memory != nil, !ProgramName.startsOthers { refuse(.noRuntime) }
            obstacle(.noRuntime)
            return false
        }
        obstacle(.noToolkit)
        waiting = (options, keys)
        let cost = clock() - began
        return hasToolkit ? begin(cost) : true
    }

    // MARK: Running apps

    /// Begins to record an app that runs, on its main thread. Returns the reason where nothing was begun.
    static func attach(_ variables: [String: String]) -> AdapterObstacle? {
        guard given != nil || flight == nil && waiting == nil else { return .recorded }
        // The process that attached before is gone.
        detach()
        guard hasRuntime else { return .noRuntime }
        guard !UIKitAdapter.isPresent, hasToolkit else { return .noToolkit }
        given = variables
        guard let memory = variable(AdapterVariable.memory).flatMap({ SharedMemory(named: $0) }), memory.attach() else {
            given = nil
            return .noRecorder
        }
        earlierOffThreadCalls = keyflight_hooks_off_thread_calls()
        obstacle = { _ in }
        let began = clock()
        waiting = (options(variable(AdapterVariable.trace) ?? ""), nil)
        guard install() == KEYFLIGHT_HOOK_OK, begin(clock() - began) else {
            detach()
            return .noRecorder
        }
        Keyflight.fact(AdapterFact.attached, "1")
        return nil
    }

    /// Ends that on the same thread: methods, keyboard and memory are the app's again.
    static func detach() {
        guard given != nil else { return }
        stop()
        session?.takeUnretainedValue().keymap?.restoreRepeats()
        _ = keyflight_hooks_stop()
        SharedMemory.leave()
        (flight, waiting, given) = (nil, nil, nil)
    }

    private static func options(_ trace: String) -> RecorderOptions {
        // On a device and in its simulator the home folder is the app's container.
        let path = trace.hasPrefix("/") ? trace : [variable("HOME"), trace].compactMap(\.self).joined(separator: "/")
        var options = RecorderOptions(
            .file(path), level: variable(AdapterVariable.level).flatMap { TraceLevel(name: $0) } ?? .calls)
        options.showsKeys = variable(AdapterVariable.showsKeys) == "1"
        options.recordsInvocations = true
        options.autoStop = nil
        // Writing a block costs as much as some letters in it do. A kill may lose 100 ms.
        options.flushInterval = TraceDuration(nanoseconds: 50_000_000)
        // The app goes on when its trace cannot, as on a full disk.
        options.indicator = { state in if case .failed(let reason) = state { Adapter.say("recorder: \(reason)") } }
        return options
    }

    private static var hasToolkit: Bool { keyflight_class_named("NSApplication") != nil }

    /// The app has loaded a bundle, which may have brought AppKit with it.
    private static func loaded() {
        guard waiting == nil || hasToolkit else { return }
        let start = clock()
        // A library that was not preloaded does not see classes come.
        if given != nil || keyflight_hooks_need_scan() { keyflight_hooks_scan() }
        if waiting != nil { _ = begin(clock() - start) }
    }

    /// `cost`: nanoseconds for the hooks.
    private static func begin(_ cost: UInt64) -> Bool {
        guard let (options, keys) = waiting else { return false }
        waiting = nil
        obstacle(nil)
        var own = options
        own.modifierRoles = GNUstepRoles.preset
        own.locksAreModifiers = true
        do throws(RecorderError) {
            flight = try Keyflight.start(own)
        } catch {
            _ = keyflight_hooks_stop()
            say("\(error)")
            return false
        }
        writeFacts("gnustep", ofClass: "NSApplication", cost, installedHooks(appKitHooks))
        if SlowPresses.isWanted { SlowPresses.start() }
        let typing = keys.flatMap { AppKitTyping($0, isRecorded: variable(AdapterVariable.pace) == "recorded") }
        session?.takeUnretainedValue().typing = typing
        isObserving = true
        if given == nil { forgetEnvironment() }
        stopAtExit()
        return true
    }

    private static func stopAtExit() {
        if !isStoppedAtExit { atexit { Adapter.stop() } }
        isStoppedAtExit = true
    }

    /// Ends the process before anything of its program has run.
    private static func refuse(_ reason: AdapterObstacle) -> Never {
        obstacle(reason)
        _exit(AdapterVariable.refused)
    }

    /// The program that `launch` started, as a shell, has started the app as a process of its own.
    private static func refuseOtherProcess(_ memory: SharedMemory) {
        guard memory.obstacle == AdapterObstacle.noRuntime.rawValue, UIKitAdapter.isPresent || hasRuntime && hasToolkit
        else { return }
        memory.obstacle = AdapterObstacle.otherProcess.rawValue
        _exit(AdapterVariable.refused)
    }

    private static var hasRuntime: Bool { keyflight_hooks_find_runtime() == KEYFLIGHT_HOOK_OK }

    private static func startUIKit(_ options: RecorderOptions) -> Bool {
        do throws(AdapterError) {
            flight = try UIKitAdapter.start(options, hooks: uiKitHooks + uiKitPrivateHooks)
        } catch {
            say("\(error)")
            return false
        }
        forgetEnvironment()
        stopAtExit()
        return true
    }

    /// True in the process that the launcher named.
    private static var isMeant: Bool {
        guard let process = variable(AdapterVariable.process) else { return true }
        return process == "\(getpid())"
    }

    private static func stop() {
        // Another thread that ends the app leaves alone what the observed one is at.
        if keyflight_hooks_on_observed_thread() {
            if isObserving, let session = session?.takeUnretainedValue() {
                if session.keymap?.isConnected == false { obstacle(.noDisplay) }
                session.end()
                Keyflight.fact(AdapterFact.hookTime, "\(HookCost.total)")
                Keyflight.fact(AdapterFact.hookCalls, "\(HookCost.calls / 2)")
            }
            isObserving = false
            UIKitAdapter.endSession()
        }
        SlowPresses.stop()
        Keyflight.fact(AdapterFact.offThreadCalls, "\(keyflight_hooks_off_thread_calls() - earlierOffThreadCalls)")
        do throws(RecorderError) {
            try flight?.stop()
        } catch {
            say("\(error)")
        }
    }

    static func say(_ sentence: String) {
        let line = "keyflight: \(sentence)\n"
        _ = write(2, line, line.utf8.count)
    }

    private static func variable(_ name: String) -> String? {
        if let given { return given[name] }
        return getenv(name).map { String(cString: $0) }
    }

    /// CLOCK_MONOTONIC in nanoseconds.
    static func clock() -> UInt64 { UInt64(nanoseconds(of: CLOCK_MONOTONIC)) }

    /// Address of a symbol that the app's libraries export.
    static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
        #if canImport(Darwin)
        dlsym(UnsafeMutableRawPointer(bitPattern: -2), name)
        #else
        dlsym(nil, name)
        #endif
    }

    // MARK: Hooks

    /// Hooks of the table that was started which the environment turns off.
    nonisolated(unsafe) private static var disabled: Set<String> = []

    /// Names of hooks with a minus before them, in the environment.
    private static func hooksTurnedOff(in table: [HookRow]) -> Set<String> {
        var names: Set<String> = []
        for word in (variable(AdapterVariable.hooks) ?? "").split(separator: ",") {
            let name = String(word.dropFirst())
            if word == SlowPresses.word {
                SlowPresses.isWanted = true
                continue
            }
            if word == PressCosts.word {
                PressCosts.counts = nil
                continue
            }
            if word.first == "-", table.contains(where: { $0.hook == name }) {
                names.insert(name)
            } else {
                let expected = "a hook or costs with - before it, or \(SlowPresses.word)"
                say("\(AdapterVariable.hooks): expected \(expected), found \(word)")
            }
        }
        return names
    }

    private static func install() -> keyflight_hook_status {
        let status = start(
            appKitHooks,
            before: { call in
                guard let call, Adapter.isObserving else { return }
                guard let message = AppKitMessage(context: HookRow.context(call)) else { return }
                let wasPaused = PressCosts.pause()
                defer { PressCosts.resume(wasPaused) }
                let began = HookCost.begin()
                Adapter.session?._withUnsafeGuaranteedRef { $0.before(call, message) }
                HookCost.end(began)
            },
            after: { call in
                guard let call, let message = AppKitMessage(context: HookRow.context(call)) else { return }
                let wasPaused = PressCosts.pause()
                defer { PressCosts.resume(wasPaused) }
                if case .bundleLoad = message { Adapter.loaded() }
                guard Adapter.isObserving else { return }
                let began = HookCost.begin()
                Adapter.session?._withUnsafeGuaranteedRef { $0.after(call, message) }
                HookCost.end(began)
            })
        guard status == KEYFLIGHT_HOOK_OK else { return status }
        // Its names are those of this recording.
        session?.release()
        session = Unmanaged.passRetained(AppKitSession(GNUstepRoles.preset))
        return keyflight_hooks_scan()
    }

    /// Starts the hooks of a table but for those that the environment turns off.
    static func start(
        _ table: [HookRow], before: @escaping keyflight_hook_handler, after: @escaping keyflight_hook_handler
    ) -> keyflight_hook_status {
        disabled = hooksTurnedOff(in: table)
        let enabled = table.filter { !disabled.contains($0.hook) }
        let rows = UnsafeMutablePointer<keyflight_hook>.allocate(capacity: max(1, enabled.count))
        for (index, row) in enabled.enumerated() {
            (rows + index).initialize(
                to: keyflight_hook(
                    selector: strdup(row.selector), types: strdup(row.types), within: row.within.map { strdup($0) },
                    before: before, after: after,
                    context: UnsafeMutableRawPointer(bitPattern: UInt(row.context))))
        }
        return keyflight_hooks_start(rows, enabled.count)
    }

    // MARK: Facts

    static func writeFacts(_ toolkit: String, ofClass name: String, _ cost: UInt64, _ hooks: [AdapterHook]) {
        Keyflight.fact(AdapterFact.toolkit, toolkit)
        if let version = libraryVersion(ofClass: name) { Keyflight.fact(AdapterFact.version, version) }
        Keyflight.fact(AdapterFact.installTime, "\(cost)")
        for hook in hooks { writeFact(hook) }
        for line in (variable(AdapterVariable.facts) ?? "").split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { Keyflight.fact(String(parts[0]), String(parts[1])) }
        }
    }

    static func writeFact(_ hook: AdapterHook) {
        let fact = AdapterFact.fact(hook)
        Keyflight.fact(fact.name, fact.value)
    }

    /// Version in the name of the library that a class is in, such as `0.29` in `libgnustep-gui.so.0.29`.
    private static func libraryVersion(ofClass name: String) -> String? {
        guard let path = keyflight_class_library(keyflight_class_named(name)) else { return nil }
        let file = String(cString: path)
        return file.firstRange(of: ".so.").map { String(file[$0.upperBound...]) }
    }

    static func installedHooks(_ table: [HookRow]) -> [AdapterHook] {
        let total = keyflight_hooks_methods(nil, 0)
        let empty = keyflight_hooked_method(hook: nil, class_name: nil, status: KEYFLIGHT_HOOK_OK)
        var methods = [keyflight_hooked_method](repeating: empty, count: total)
        keyflight_hooks_methods(&methods, total)
        var names: [String] = []
        for row in table where !names.contains(row.hook) { names.append(row.hook) }
        return names.map { name in
            if disabled.contains(name) { return AdapterHook(name, .off, methods: 0, reason: AdapterVariable.hooks) }
            let selectors = table.filter { $0.hook == name }.map(\.selector)
            let own = methods.filter { method in
                method.hook.map { selectors.contains(String(cString: $0.pointee.selector)) } ?? false
            }
            let on = own.filter { $0.status == KEYFLIGHT_HOOK_OK }.count
            let refused = own.first { $0.status != KEYFLIGHT_HOOK_OK }
            let why = refused.map { method in
                "\(String(cString: method.class_name)): "
                    + String(cString: keyflight_hook_status_text(method.status))
            }
            return AdapterHook(name, on > 0 ? .on : .missing, methods: on, reason: on > 0 ? why : why ?? "no method")
        }
    }
}

/// Entry point that the library's constructor calls before `main`.
@_cdecl("keyflight_adapter_start")
public func startAdapter(
    _ takeSignals: @escaping @convention(c) () -> Bool, _ counts: UnsafeMutablePointer<UInt64>?
) -> Bool {
    Adapter.takeSignals = takeSignals
    PressCosts.counts = counts
    return Adapter.start()
}

/// Begins to record a running app, on its main thread outside of any lock: `variables` has NAME=VALUE, each with
/// U+001F behind it. Returns 0, or the number of an `AdapterObstacle`.
@_cdecl("keyflight_attach") public func attachToApp(_ variables: UnsafePointer<CChar>) -> UInt64 {
    var names: [String: String] = [:]
    for line in String(cString: variables).split(separator: "\u{1F}") {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 { names[String(parts[0])] = String(parts[1]) }
    }
    return Adapter.attach(names)?.rawValue ?? 0
}

/// Ends that, on the same thread: no method of the app is the adapter's any more.
@_cdecl("keyflight_detach") public func detachFromApp() -> UInt64 {
    Adapter.detach()
    return 0
}

/// Requests an AppKit app to quit, on any thread; false where that is not possible. The app gets the request on its
/// main thread, in modal loops too; it may ask its user first.
@_cdecl("keyflight_adapter_quit") public func quitApp() -> Bool {
    // The class's own getter would create one, on this thread.
    guard let app = Adapter.symbol("NSApp")?.load(as: keyflight_object?.self) else { return false }
    // Until it runs it ignores the request, and would go on for ever.
    var isRunning: UInt = 0
    keyflight_send(app, keyflight_selector_named("isRunning"), 0, 0, &isRunning)
    guard UInt8(truncatingIfNeeded: isRunning) != 0 else { return false }
    let quit = UInt(bitPattern: keyflight_selector_named("terminate:"))
    return keyflight_send_mixed(
        app, keyflight_selector_named("performSelectorOnMainThread:withObject:waitUntilDone:"), [quit, 0, 0], 3, nil, 0,
        nil)
}
