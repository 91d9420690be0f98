import Foundation
import KeyModel

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
        let folder = URL(filePath: program ?? "").deletingLastPathComponent()
        let places = [folder.appending(path: "../lib/\(fileName)"), folder.appending(path: fileName)]
            .map { $0.standardizedFileURL.path }
        guard let path = places.first(where: { FileManager.default.isReadableFile(atPath: $0) }) else {
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
        let path =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? Bundle.main.executablePath
        return path.map { URL(filePath: $0).resolvingSymlinksInPath().path }
    }
}
