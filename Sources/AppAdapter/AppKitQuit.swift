import CObjCHooks

/// Requests an AppKit app to quit.
enum AppKitQuit {
    /// On any thread. The app gets the request on its main thread, in modal loops too; it may ask its user first.
    static func ask() -> Bool {
        // The class's own getter would create one, on this thread.
        guard let app = Adapter.symbol("NSApp")?.load(as: keyflight_object?.self) else { return false }
        let quit = UInt(bitPattern: keyflight_selector_named("terminate:"))
        return keyflight_send_mixed(
            app, keyflight_selector_named("performSelectorOnMainThread:withObject:waitUntilDone:"), [quit, 0, 0], 3,
            nil, 0, nil)
    }
}
