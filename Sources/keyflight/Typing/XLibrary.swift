import Libc

/// The functions of Xlib and of the client's side of XTEST for typing. Both are loaded on first use, so that other
/// verbs do not need them.
struct XLibrary {
    typealias Display = OpaquePointer

    let openDisplay: @convention(c) (UnsafePointer<CChar>?) -> Display?
    let closeDisplay: @convention(c) (Display) -> Int32
    let displayName: @convention(c) (UnsafePointer<CChar>?) -> UnsafePointer<CChar>?
    let synchronise: @convention(c) (Display, Int32) -> Int32
    let keyCodes: @convention(c) (Display, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>) -> Int32
    /// Key code, group and level to a keysym; 0 for none.
    let keysym: @convention(c) (Display, UInt8, Int32, Int32) -> UInt
    /// The keyboard's state, whose first byte is the group.
    let state: @convention(c) (Display, UInt32, UnsafeMutableRawPointer) -> Int32
    let focus: @convention(c) (Display, UnsafeMutablePointer<UInt>, UnsafeMutablePointer<Int32>) -> Int32
    /// One bit for each of 256 key codes.
    let keymap: @convention(c) (Display, UnsafeMutablePointer<UInt8>) -> Int32
    let setFatalHandler: @convention(c) (@convention(c) (Display?) -> Int32) -> UnsafeMutableRawPointer?
    let hasTest: @convention(c) (
        Display, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>,
        UnsafeMutablePointer<Int32>
    ) -> Int32
    /// Key code, down or up, and a delay in milliseconds.
    let fakeKey: @convention(c) (Display, UInt32, Int32, UInt) -> Int32

    /// - Throws: A `Failure` that names what is missing.
    init() throws {
        let core = try XLibrary.open("libX11", package: "libx11-6")
        let test = try XLibrary.open("libXtst", package: "libxtst6")
        func function<F>(_ name: String, of library: UnsafeMutableRawPointer) throws -> F {
            guard let symbol = dlsym(library, name) else {
                throw Failure(.notTypable, "typing: \(name): expected it in the library for X, found none")
            }
            return unsafeBitCast(symbol, to: F.self)
        }
        openDisplay = try function("XOpenDisplay", of: core)
        closeDisplay = try function("XCloseDisplay", of: core)
        displayName = try function("XDisplayName", of: core)
        synchronise = try function("XSync", of: core)
        keyCodes = try function("XDisplayKeycodes", of: core)
        keysym = try function("XkbKeycodeToKeysym", of: core)
        state = try function("XkbGetState", of: core)
        focus = try function("XGetInputFocus", of: core)
        keymap = try function("XQueryKeymap", of: core)
        setFatalHandler = try function("XSetIOErrorHandler", of: core)
        hasTest = try function("XTestQueryExtension", of: test)
        fakeKey = try function("XTestFakeKeyEvent", of: test)
    }

    private static func open(_ name: String, package: String) throws -> UnsafeMutableRawPointer {
        for file in ["\(name).so.6", "/opt/X11/lib/\(name).6.dylib"] {
            if let library = dlopen(file, RTLD_NOW) { return library }
        }
        throw Failure(
            .notTypable,
            "typing: \(name): expected the library, found none; on Debian and Ubuntu, apt-get install \(package)")
    }
}
