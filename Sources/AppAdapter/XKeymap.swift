import CObjCHooks
import KeyModel
import Libc

/// X's keymap, for keys that their code does not identify: options of a layout swap Alt and Super, make Caps Lock
/// a Control or an Escape, and AltGr no Alt.
struct XKeymap {
    private typealias Server = @convention(c) () -> keyflight_object?
    private typealias Repeats = @convention(c) (
        UnsafeMutableRawPointer?, Int32, UnsafeMutablePointer<Int32>?
    ) -> Int32
    private typealias AreRepeatsDetectable = @convention(c) (
        UnsafeMutableRawPointer?, UnsafeMutablePointer<Int32>?
    ) -> Int32
    private typealias Symbol = @convention(c) (UnsafeMutableRawPointer?, UInt8, UInt32, UInt32) -> UInt

    private let display: UnsafeMutableRawPointer
    private let symbol: Symbol
    private let hadDetectableRepeats: Bool

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
        hadDetectableRepeats = XKeymap.detectableRepeats(of: display)
        XKeymap.setDetectableRepeats(true, of: display)
    }

    /// Repeats are as the app had them.
    func restoreRepeats() { XKeymap.setDetectableRepeats(hadDetectableRepeats, of: display) }

    private static func setDetectableRepeats(_ isOn: Bool, of display: UnsafeMutableRawPointer) {
        guard let repeats = Adapter.symbol("XkbSetDetectableAutoRepeat") else { return }
        _ = unsafeBitCast(repeats, to: Repeats.self)(display, isOn ? 1 : 0, nil)
    }

    private static func detectableRepeats(of display: UnsafeMutableRawPointer) -> Bool {
        guard let repeats = Adapter.symbol("XkbGetDetectableAutoRepeat") else { return false }
        return unsafeBitCast(repeats, to: AreRepeatsDetectable.self)(display, nil) != 0
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

    private typealias Number = @convention(c) (UnsafeMutableRawPointer) -> Int32

    /// False once the server has ended, or has ended the app's connection.
    var isConnected: Bool {
        guard let number = Adapter.symbol("XConnectionNumber") else { return true }
        var connection = pollfd(fd: unsafeBitCast(number, to: Number.self)(display), events: 0, revents: 0)
        return poll(&connection, 1, 0) != 1
    }

    // MARK: Layout

    private typealias Intern = @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>, Int32) -> UInt
    private typealias Root = @convention(c) (UnsafeMutableRawPointer) -> UInt
    private typealias Property = @convention(c) (
        UnsafeMutableRawPointer, UInt, UInt, Int, Int, Int32, UInt, UnsafeMutablePointer<UInt>,
        UnsafeMutablePointer<Int32>, UnsafeMutablePointer<UInt>, UnsafeMutablePointer<UInt>,
        UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) -> Int32
    private typealias Free = @convention(c) (UnsafeMutableRawPointer) -> Int32
    private typealias State = @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeMutableRawPointer) -> Int32

    /// The layout of the session as the server has it, by its name here; `nil` for `us`, which is meant without one.
    var layoutName: String? {
        guard let words = property("_XKB_RULES_NAMES"), words.count > 2 else { return nil }
        // Rules, model, layouts, variants, options; a layout and a variant for each group.
        let layouts = words[2].split(separator: ",", omittingEmptySubsequences: false)
        let variants = words.count > 3 ? words[3].split(separator: ",", omittingEmptySubsequences: false) : []
        let group = layouts.indices.contains(self.group) ? self.group : 0
        guard layouts.indices.contains(group), !layouts[group].isEmpty else { return nil }
        let variant = variants.indices.contains(group) ? variants[group] : ""
        let name = String(layouts[group]) + (variant.isEmpty ? "" : ":" + variant)
        switch name {
        case "us": return nil
        // Those names are Apple's tables.
        case "fr", "de": return name + ":pc"
        case "us:dvorak": return "us:dvorak-pc"
        default: return name
        }
    }

    /// The group in use, from 0; the first where the server does not say.
    private var group: Int {
        guard let state = Adapter.symbol("XkbGetState") else { return 0 }
        // XkbStateRec begins with the group in a byte, and is 18 bytes long.
        var record = [UInt8](repeating: 0, count: 64)
        let isKnown = record.withUnsafeMutableBytes { record in
            unsafeBitCast(state, to: State.self)(display, 0x100, record.baseAddress!) == 0
        }
        return isKnown ? Int(record[0]) : 0
    }

    /// The texts of a property of the root window.
    private func property(_ name: String) -> [String]? {
        guard let intern = Adapter.symbol("XInternAtom"), let root = Adapter.symbol("XDefaultRootWindow"),
            let read = Adapter.symbol("XGetWindowProperty"), let free = Adapter.symbol("XFree")
        else { return nil }
        let atom = unsafeBitCast(intern, to: Intern.self)(display, name, 1)
        guard atom != 0 else { return nil }
        var (type, count, rest, format): (UInt, UInt, UInt, Int32) = (0, 0, 0, 0)
        var bytes: UnsafeMutablePointer<CChar>?
        let window = unsafeBitCast(root, to: Root.self)(display)
        // 31 is the type of texts.
        let result = unsafeBitCast(read, to: Property.self)(
            display, window, atom, 0, 1024, 0, 31, &type, &format, &count, &rest, &bytes)
        guard let bytes else { return nil }
        defer { _ = unsafeBitCast(free, to: Free.self)(bytes) }
        guard result == 0, format == 8 else { return nil }
        let text = UnsafeRawBufferPointer(start: bytes, count: Int(count))
        return text.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }
}
