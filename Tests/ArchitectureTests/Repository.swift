import Foundation
import Testing

/// The package's own folder, as the tests read it.
enum Repository {
    /// Found from this file, so that tests run from any working directory.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Every file that belongs to the package, as a path relative to `root`, in order. Build folders, version
    /// control and pending goldens are left out.
    static let files: [String] = {
        var found: [String] = []
        var folders = [""]
        while let folder = folders.popLast() {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path + "/" + folder)) ?? []
            for name in names where !isIgnored(name) {
                let path = folder.isEmpty ? name : folder + "/" + name
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: root.path + "/" + path, isDirectory: &isFolder) else {
                    continue
                }
                if isFolder.boolValue { folders.append(path) } else { found.append(path) }
            }
        }
        return found.sorted()
    }()

    private static func isIgnored(_ name: String) -> Bool {
        [".git", ".swiftpm", "__pycache__", "Package.resolved", ".DS_Store"].contains(name)
            || name.hasPrefix(".build") || name.hasSuffix(".new")
    }

    static func files(under folder: String, ext: String) -> [String] {
        files.filter { $0.hasPrefix(folder + "/") && $0.hasSuffix("." + ext) }
    }

    /// The bytes of a file. One that cannot be read is an issue: nothing is wrong with no bytes.
    static func bytes(_ path: String) -> [UInt8] {
        do { return [UInt8](try Data(contentsOf: root.appending(path: path))) } catch {
            Issue.record("\(path): \(error)")
            return []
        }
    }

    /// The text of a file; `nil` when it is not UTF-8.
    static func text(_ path: String) -> String? { String(validating: bytes(path), as: UTF8.self) }

    static func lines(_ path: String) -> [Substring] {
        (text(path) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    }
}
