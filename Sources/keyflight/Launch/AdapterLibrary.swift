import KeyModel
import Libc

/// The library that records an app from inside, and what makes a loader load it.
struct AdapterLibrary {
    #if canImport(Darwin)
        static let fileName = "libKeyflightAdapter.dylib"
        static let loaderVariable = "DYLD_INSERT_LIBRARIES"
        private static let separators = ":"
    #else
        static let fileName = "libKeyflightAdapter.so"
        static let loaderVariable = "LD_PRELOAD"
        private static let separators = " :"
    #endif

    /// Absolute.
    let path: String

    /// The one beside this program: `../lib` where it is installed, its own folder in a build tree.
    /// - Throws: a `Failure` that names the places looked at.
    static func beside(_ program: String?) throws -> AdapterLibrary {
        let folder = Files.parent(of: program ?? "")
        let places = ["\(folder)/../lib/\(fileName)", "\(folder)/\(fileName)"].map { Files.standardized($0) }
        guard let path = places.first(where: { Files.mayRead($0) }) else {
            throw Failure(
                .notLaunchable,
                "launch: adapter: expected \(fileName) beside the program, found none at "
                    + places.joined(separator: " or ") + "; Scripts/install puts it there")
        }
        guard !path.contains(where: { AdapterLibrary.separators.contains($0) }) else {
            throw Failure(
                .notLaunchable,
                "launch: adapter: expected a path without \(VisibleText.escaped(AdapterLibrary.separators)), which "
                    + "\(loaderVariable) splits, found \(VisibleText.escaped(path))")
        }
        return AdapterLibrary(path: path)
    }

    /// The file of this program, without symbolic links.
    static var program: String? {
        #if canImport(Darwin)
            var path = [CChar](repeating: 0, count: Int(PATH_MAX))
            var size = UInt32(path.count)
            return _NSGetExecutablePath(&path, &size) == 0 ? Files.resolved(String(cString: path)) : nil
        #else
            return Files.resolved("/proc/self/exe")
        #endif
    }
}
