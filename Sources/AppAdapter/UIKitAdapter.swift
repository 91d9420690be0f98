import CObjCHooks
package import FlightRecorder
import KeyModel
import Libc

/// Reason for which an app is not recorded.
package enum AdapterError: Error, CustomStringConvertible {
    case noUIKit
    /// The hooks could not be started, in words.
    case noHooks(String)
    case recorder(RecorderError)

    package var description: String {
        switch self {
        case .noUIKit: "adapter: this process has no UIKit (no class UIApplication); link UIKit, or start it in the app"
        case .noHooks(let reason): "adapter: no method of UIKit was replaced: \(reason)"
        case .recorder(let error): "\(error)"
        }
    }
}

/// The recording of an app of UIKit from inside.
package enum UIKitAdapter {
    // Of the observed thread, which is the main one.
    nonisolated(unsafe) static var session: UIKitSession?
    nonisolated(unsafe) private static var table: [HookRow] = []
    nonisolated(unsafe) private static var observesIdle = false

    static var isPresent: Bool {
        keyflight_hooks_find_runtime() == KEYFLIGHT_HOOK_OK && keyflight_class_named("UIApplication") != nil
    }

    /// Starts a recording with public hooks alone. On the main thread.
    package static func start(_ options: RecorderOptions) throws(AdapterError) -> Flight {
        try start(options, hooks: uiKitHooks)
    }

    static func start(_ options: RecorderOptions, hooks: [HookRow]) throws(AdapterError) -> Flight {
        guard Keyflight.isCompiledIn else { throw .recorder(.compiledOut) }
        guard isPresent else { throw .noUIKit }
        let flight: Flight
        do throws(RecorderError) {
            flight = try Keyflight.start(options)
        } catch {
            throw .recorder(error)
        }
        // Of a recording that stopped by itself.
        if session != nil { stop() }
        let began = Adapter.clock()
        let status = install(hooks)
        guard status == KEYFLIGHT_HOOK_OK else {
            try? flight.stop()
            throw .noHooks(String(cString: keyflight_hook_status_text(status)))
        }
        table = hooks
        Adapter.writeFacts("uikit", ofClass: "UIApplication", Adapter.clock() - began, [])
        let new = UIKitSession()
        session = new
        observesIdle = observesIdle || observeIdle()
        let reason = observesIdle ? nil : "no main run loop"
        Adapter.writeFact(AdapterHook("settle", observesIdle ? .on : .missing, methods: 0, reason: reason))
        if hooks.count == uiKitHooks.count {
            let reason = "private API, not in an app that links the adapter"
            for row in uiKitPrivateHooks { Adapter.writeFact(AdapterHook(row.hook, .off, methods: 0, reason: reason)) }
        }
        writeHookFacts(new)
        return flight
    }

    /// Puts the methods back.
    package static func stop() {
        endSession()
        keyflight_hooks_stop()
    }

    /// Ends the recording of the session.
    static func endSession() {
        session?.concludeOpen()
        session = nil
    }

    private static func install(_ hooks: [HookRow]) -> keyflight_hook_status {
        let status = Adapter.start(
            hooks,
            before: { call in
                guard let call, let session = UIKitAdapter.session else { return }
                if let message = UIKitMessage(rawValue: HookRow.context(call)) { session.before(call, message) }
            },
            after: { call in
                guard let call, let session = UIKitAdapter.session else { return }
                if let message = UIKitMessage(rawValue: HookRow.context(call)) { session.after(call, message) }
            })
        guard status == KEYFLIGHT_HOOK_OK else { return status }
        for name in uiKitClasses {
            if let type = keyflight_class_named(name) { keyflight_hooks_cover_class(type) }
        }
        return status
    }

    // MARK: Facts

    /// Classes are found while the app runs: facts that changed since they were written last are written again.
    static func writeHookFacts(_ session: UIKitSession) {
        let count = keyflight_hooks_methods(nil, 0)
        guard count != session.methodCount else { return }
        session.methodCount = count
        for hook in Adapter.installedHooks(table) {
            let fact = AdapterFact.fact(hook)
            if session.hookFacts.updateValue(fact.value, forKey: fact.name) != fact.value { Adapter.writeFact(hook) }
        }
    }

    // MARK: Idle

    private typealias Observation = @convention(c) (UnsafeRawPointer?, UInt, UnsafeMutableRawPointer?) -> Void
    private typealias MainRunLoop = @convention(c) () -> UnsafeRawPointer?
    private typealias CreateObserver = @convention(c) (
        UnsafeRawPointer?, UInt, UInt8, Int, Observation, UnsafeMutableRawPointer?
    ) -> UnsafeRawPointer?
    private typealias AddObserver = @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?) -> Void

    /// `kCFRunLoopBeforeWaiting`.
    private static let beforeWaiting: UInt = 1 << 5

    /// Observes the main run loop, by its C functions, which every app of UIKit has. False where it has none.
    private static func observeIdle() -> Bool {
        guard let main = Adapter.symbol("CFRunLoopGetMain"), let create = Adapter.symbol("CFRunLoopObserverCreate"),
            let add = Adapter.symbol("CFRunLoopAddObserver"), let modes = Adapter.symbol("kCFRunLoopCommonModes")
        else { return false }
        let loop = unsafeBitCast(main, to: MainRunLoop.self)()
        let observer = unsafeBitCast(create, to: CreateObserver.self)(
            nil, beforeWaiting, 1, .max, { _, _, _ in UIKitAdapter.session?.idle() }, nil)
        guard loop != nil, observer != nil else { return false }
        let common = modes.load(as: UnsafeRawPointer?.self)
        unsafeBitCast(add, to: AddObserver.self)(loop, observer, common)
        return true
    }
}
