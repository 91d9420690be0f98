import Libc

/// The receipt of an app from the App Store: such an app records no keys.
///
/// Builds from Xcode have none, and those of TestFlight on iOS have one of another name, so internal builds record.
enum StoreReceipt {
    /// Path of a Mac app's receipt, by the path of its executable: `Contents/_MASReceipt/receipt` in its bundle.
    static func ofMacApp(executable: String) -> String? {
        let parts = executable.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.suffix(3).dropLast() == ["Contents", "MacOS"] else { return nil }
        return (parts.dropLast(2) + ["_MASReceipt", "receipt"]).joined(separator: "/")
    }

    /// Path of an iOS app's receipt: in its data container, which is its home.
    static func ofContainer(home: String) -> String { home + "/StoreKit/receipt" }

    /// True when this process is an app from the App Store.
    static var isThere: Bool {
        #if os(macOS)
        var size: UInt32 = 0
        _ = _NSGetExecutablePath(nil, &size)
        var path = [CChar](repeating: 0, count: Int(size) + 1)
        guard _NSGetExecutablePath(&path, &size) == 0 else { return false }
        return path.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.flatMap { ofMacApp(executable: String(cString: $0)) }.map(exists) ?? false
        }
        #elseif canImport(Darwin)
        return getenv("HOME").map { exists(ofContainer(home: String(cString: $0))) } ?? false
        #else
        return false
        #endif
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
