import CObjCHooks
import KeyModel

/// X's keymap, for keys that their code does not identify: options of a layout swap Alt and Super, make Caps Lock
/// a Control or an Escape, and AltGr no Alt.
struct XKeymap {
    private typealias Server = @convention(c) () -> keyflight_object?
    private typealias Repeats = @convention(c) (
        UnsafeMutableRawPointer?, Int32, UnsafeMutablePointer<Int32>?
    ) -> Int32
    private typealias Symbol = @convention(c) (UnsafeMutableRawPointer?, UInt8, UInt32, UInt32) -> UInt

    private let display: UnsafeMutableRawPointer
    private let symbol: Symbol

    /// `nil` where the app is on no X server. On the main thread, once it handles events.
    init?(_ messages: Messages) {
        guard let server = Adapter.symbol("GSCurrentServer"), let symbol = Adapter.symbol("XkbKeycodeToKeysym"),
            let object = unsafeBitCast(server, to: Server.self)(),
            let display = messages.object(object, named: "serverDevice")
        else { return nil }
        self.display = display
        self.symbol = unsafeBitCast(symbol, to: Symbol.self)
        // A held key sends presses alone. Else it is a matter of time whether GNUstep sees a repeat's release and press
        // apart, and two recordings of one session differ.
        if let repeats = Adapter.symbol("XkbSetDetectableAutoRepeat") {
            _ = unsafeBitCast(repeats, to: Repeats.self)(display, 1, nil)
        }
    }

    /// Keys by their symbols (X11's keysymdef.h).
    private static let usages: [UInt: UInt16] = [
        0xFFE1: 0xE1, 0xFFE2: 0xE5, 0xFFE3: 0xE0, 0xFFE4: 0xE4, 0xFFE5: 0x39, 0xFFE9: 0xE2, 0xFFEA: 0xE6, 0xFFEB: 0xE3,
        0xFFEC: 0xE7, 0xFF7F: 0x53, 0xFF08: 0x2A, 0xFF09: 0x2B, 0xFF1B: 0x29, 0xFFFF: 0x4C,
    ]

    /// The key that gives the symbol of this code; `nil` for a symbol of no such key.
    func usage(of code: UInt16) -> KeyUsage? {
        XKeymap.usages[symbol(display, UInt8(truncatingIfNeeded: code), 0, 0)].map { .keyboard($0) }
    }
}
