import CObjCHooks

/// Requests an AppKit app to quit.
enum AppKitQuit {
    /// On any thread. The app gets the request on its main thread, in modal loops too; it may ask its user first.
    static func ask() -> Bool {
        var app: UInt = 0
        keyflight_send(
            keyflight_class_named("NSApplication"), keyflight_selector_named("sharedApplication"), 0, 0, &app)
        guard app != 0 else { return false }
        let quit = UInt(bitPattern: keyflight_selector_named("terminate:"))
        return keyflight_send_mixed(
            keyflight_object(bitPattern: app),
            keyflight_selector_named("performSelectorOnMainThread:withObject:waitUntilDone:"), [quit, 0, 0], 3, nil, 0,
            nil)
    }
}
