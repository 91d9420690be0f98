/// Stops and resumes recording for a secure text entry: `RecorderControl` turns every thread's switch.
extension Keyflight {
    /// A secure text entry begins: from here to its end nothing is stored, not even how much happened. May be nested.
    public static func beginSecureEntry() {
        #if KEYFLIGHT_RECORDING
        RecorderControl.shared.changeSecureEntries(by: 1)
        #endif
    }

    /// Notes whether the text input that has the keyboard is secure, as `textInput` reported it.
    static func inputIsSecure(_ secure: Bool) {
        #if KEYFLIGHT_RECORDING
        RecorderControl.shared.setInputSecure(secure)
        #endif
    }

    /// The secure text entry is over.
    public static func endSecureEntry() {
        #if KEYFLIGHT_RECORDING
        RecorderControl.shared.changeSecureEntries(by: -1)
        #endif
    }
}
