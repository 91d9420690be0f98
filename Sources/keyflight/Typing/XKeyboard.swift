import KeyLayout
import KeyModel
import Libc

/// The keyboard of an X display, whose keys go down and up by the XTEST extension: its windows cannot tell them from
/// those of a hand.
final class XKeyboard {
    /// The value of `DISPLAY`.
    let name: String
    private let library: XLibrary
    private let display: XLibrary.Display
    private let codes: ClosedRange<UInt32>
    private let group: Int32
    /// Key codes that are down, the last one last.
    private var held: [UInt32] = []

    /// - Throws: A `Failure` that names what the display lacks.
    init() throws {
        let library = try XLibrary()
        let name = library.displayName(nil).map { VisibleText.escaped(String(cString: $0)) } ?? ""
        guard !name.isEmpty else {
            throw Failure(.notTypable, "typing: DISPLAY: expected the name of an X display, found none")
        }
        guard let display = library.openDisplay(nil) else {
            throw Failure(.notTypable, "typing: display \(name): expected one that can be reached, found none")
        }
        // A display that goes away ends the program: Xlib cannot go on, and there is nothing left to release.
        _ = library.setFatalHandler { _ in
            let line = "typing: the display went away [\(FailureID.notTypable.rawValue)]\n"
            _ = line.withCString { write(2, $0, strlen($0)) }
            _exit(ExitStatus.notPermitted.rawValue)
        }
        var numbers = [Int32](repeating: 0, count: 4)
        let hasTest = numbers.withUnsafeMutableBufferPointer { found in
            guard let base = found.baseAddress else { return false }
            return library.hasTest(display, base, base + 1, base + 2, base + 3) != 0
        }
        guard hasTest else {
            _ = library.closeDisplay(display)
            throw Failure(.notTypable, "typing: display \(name): expected the extension XTEST, found none")
        }
        var (lowest, highest) = (Int32(8), Int32(255))
        _ = library.keyCodes(display, &lowest, &highest)
        codes = UInt32(max(8, lowest))...UInt32(max(8, lowest, highest))
        var state = [UInt8](repeating: 0, count: 64)
        let coreKeyboard: UInt32 = 0x100
        _ = state.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { library.state(display, coreKeyboard, $0) }
        }
        group = Int32(state[0])
        (self.library, self.display, self.name) = (library, display, name)
    }

    deinit {
        releaseAll()
        _ = library.closeDisplay(display)
    }

    // MARK: What it has

    /// The key code of a key; `nil` where the display's layout has nothing on it. Codes are those of servers with the
    /// evdev rules of XKB: the kernel's and eight more.
    func code(of usage: KeyUsage) -> UInt32? {
        guard let own = EvdevCodes.code(of: usage), own != EvdevCodes.unknown, codes.contains(UInt32(own) + 8),
            let code = UInt8(exactly: own + 8), library.keysym(display, code, group, 0) != 0
        else { return nil }
        return UInt32(code)
    }

    /// The text that a key types without other modifiers than Shift; empty where it types nothing.
    func text(of code: UInt32, isShifted: Bool) -> String {
        guard let code = UInt8(exactly: code) else { return "" }
        let keysym = library.keysym(display, code, group, isShifted ? 1 : 0)
        return XKBKeysyms.text(UInt32(truncatingIfNeeded: keysym))
    }

    /// Some window has the keyboard.
    var hasFocus: Bool {
        var (window, revert) = (UInt(0), Int32(0))
        _ = library.focus(display, &window, &revert)
        // 1: the root of the screen that the pointer is on, where no window manager gives the keyboard to any.
        return window != 0
    }

    /// Keys are down that were not pressed here: the Return of the command, or a person types.
    var isInUse: Bool {
        var bits = [UInt8](repeating: 0, count: 32)
        _ = library.keymap(display, &bits)
        return held.isEmpty && bits.contains { $0 != 0 }
    }

    // MARK: Keys

    func press(_ code: UInt32) {
        held.append(code)
        send(code, isDown: true)
    }

    func release(_ code: UInt32) {
        guard let place = held.lastIndex(of: code) else { return }
        held.remove(at: place)
        send(code, isDown: false)
    }

    func releaseAll() { while let code = held.last { release(code) } }

    private func send(_ code: UInt32, isDown: Bool) {
        _ = library.fakeKey(display, code, isDown ? 1 : 0, 0)
        // The server has it when this returns.
        _ = library.synchronise(display, 0)
    }
}
