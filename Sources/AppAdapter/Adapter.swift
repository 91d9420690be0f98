import CObjCHooks
import FlightRecorder
import KeyModel
import Libc

/// The recording of a process from inside, begun by its environment.
enum Adapter {
    // Of the observed thread, which is the one that starts them. The session is never replaced, so that a hook takes no
    // reference to it.
    nonisolated(unsafe) private static let session = AppKitSession(GNUstepRoles.preset)
    nonisolated(unsafe) private static var isObserving = false
    nonisolated(unsafe) private static var flight: Flight?
    /// Takes signals that ask the app to quit over from the toolkit; true where that is done.
    nonisolated(unsafe) static var takeSignals: @convention(c) () -> Bool = { true }

    /// True where a recording began.
    static func start() -> Bool {
        guard let named = variable(AdapterVariable.trace), isMeant else { return false }
        // On a device and in its simulator the home folder is the app's container.
        let path = named.hasPrefix("/") ? named : [variable("HOME"), named].compactMap(\.self).joined(separator: "/")
        // What this process starts is not recorded.
        setenv(AdapterVariable.process, "\(getpid())", 1)
        var options = RecorderOptions(
            .file(path), level: variable(AdapterVariable.level).flatMap { TraceLevel(name: $0) } ?? .calls)
        options.showsKeys = variable(AdapterVariable.showsKeys) == "1"
        options.recordsInvocations = true
        options.autoStop = nil
        // Writing a block costs as much as some letters in it do. A kill may lose 100 ms.
        options.flushInterval = TraceDuration(nanoseconds: 50_000_000)
        // The app goes on when its trace cannot, as on a full disk.
        options.indicator = { state in if case .failed(let reason) = state { Adapter.say("recorder: \(reason)") } }
        let keys = variable(AdapterVariable.keys)
        if UIKitAdapter.isPresent {
            // Nothing of the app has run.
            if keys != nil { _exit(AdapterVariable.cannotType) }
            return startUIKit(options)
        }
        let began = clock()
        guard install() == KEYFLIGHT_HOOK_OK else { return false }
        let cost = clock() - began
        options.modifierRoles = GNUstepRoles.preset
        do throws(RecorderError) {
            flight = try Keyflight.start(options)
        } catch {
            _ = keyflight_hooks_stop()
            say("\(error)")
            return false
        }
        writeFacts("gnustep", ofClass: "NSApplication", cost, installedHooks(appKitHooks))
        SlowPresses.start(isOff: disabled.contains(SlowPresses.hook))
        session.typing = keys.flatMap { AppKitTyping($0, isRecorded: variable(AdapterVariable.pace) == "recorded") }
        isObserving = true
        atexit { Adapter.stop() }
        return true
    }

    private static func startUIKit(_ options: RecorderOptions) -> Bool {
        do throws(AdapterError) {
            flight = try UIKitAdapter.start(options, hooks: uiKitHooks + uiKitPrivateHooks)
        } catch {
            say("\(error)")
            return false
        }
        atexit { Adapter.stop() }
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
            if isObserving { session.end() }
            isObserving = false
            UIKitAdapter.endSession()
        }
        SlowPresses.stop()
        Keyflight.fact(AdapterFact.offThreadCalls, "\(keyflight_hooks_off_thread_calls())")
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

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

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
            if word.first == "-", name == SlowPresses.hook || table.contains(where: { $0.hook == name }) {
                names.insert(name)
            } else {
                say("\(AdapterVariable.hooks): expected a hook with - before it, found \(word)")
            }
        }
        return names
    }

    private static func install() -> keyflight_hook_status {
        let status = start(
            appKitHooks,
            before: { call in
                guard let call, Adapter.isObserving else { return }
                if let message = AppKitMessage(context: HookRow.context(call)) { Adapter.session.before(call, message) }
            },
            after: { call in
                guard let call, Adapter.isObserving else { return }
                if let message = AppKitMessage(context: HookRow.context(call)) { Adapter.session.after(call, message) }
            })
        return status == KEYFLIGHT_HOOK_OK ? keyflight_hooks_scan() : status
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
public func startAdapter(_ takeSignals: @escaping @convention(c) () -> Bool) -> Bool {
    Adapter.takeSignals = takeSignals
    return Adapter.start()
}

/// Requests an AppKit app to quit, on any thread; false where that is not possible. The app gets the request on its
/// main thread, in modal loops too; it may ask its user first.
@_cdecl("keyflight_adapter_quit") public func quitApp() -> Bool {
    // The class's own getter would create one, on this thread.
    guard let app = Adapter.symbol("NSApp")?.load(as: keyflight_object?.self) else { return false }
    let quit = UInt(bitPattern: keyflight_selector_named("terminate:"))
    return keyflight_send_mixed(
        app, keyflight_selector_named("performSelectorOnMainThread:withObject:waitUntilDone:"), [quit, 0, 0], 3, nil, 0,
        nil)
}
