import Libc
import SystemPackage

/// `.keyflight.toml`, looked for from the working folder up to the root of the repository that it is in.
struct SettingsFile {
    static let name = ".keyflight.toml"
    /// No repository is deeper than this.
    private static let deepest = 64

    /// The path as it is shown.
    var path: String
    /// The prefix of its relative paths; empty for the working folder.
    var folder: String
    var bytes: [UInt8]

    /// The settings of a run before its flags.
    static func settings(_ environment: ProcessEnvironment) throws -> Settings {
        var settings = Settings()
        if let file = try find(environment) {
            try settings.read(file.bytes, file: file.path, folder: file.folder)
        }
        try settings.read(environment: environment.variable)
        return settings
    }

    /// The file that `KEYFLIGHT_CONFIG` names (none, if it is empty), else the nearest one. Outside of a repository
    /// only the working folder is looked at: folders above it may belong to others.
    private static func find(_ environment: ProcessEnvironment) throws -> SettingsFile? {
        guard let base = environment.folder else { return nil }
        if let path = environment.variable("KEYFLIGHT_CONFIG") {
            guard !path.isEmpty else { return nil }
            guard let bytes = try read(path) else {
                throw Failure(.wrongSetting, "\(path): open: expected the file that KEYFLIGHT_CONFIG names, found none")
            }
            return SettingsFile(path: path, folder: parent(of: path), bytes: bytes)
        }
        var nearest: SettingsFile?
        for height in 0..<deepest {
            let ups = Array(repeating: "..", count: height)
            let folder = ((base.isEmpty ? [] : [base]) + ups).joined(separator: "/")
            let prefix = folder.isEmpty ? "" : folder + "/"
            if nearest == nil, let bytes = try readInPlace(prefix + name) {
                nearest = SettingsFile(path: prefix + name, folder: folder, bytes: bytes)
                if height == 0 { return nearest }
            }
            if access(prefix + ".git", F_OK) == 0 { return nearest }
            if isRoot(folder) { return nil }
        }
        return nil
    }

    private static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ""
    }

    private static func isRoot(_ folder: String) -> Bool {
        var here = stat()
        var above = stat()
        let name = folder.isEmpty ? "." : folder
        guard stat(name, &here) == 0, stat(name + "/..", &above) == 0 else { return true }
        return here.st_ino == above.st_ino && here.st_dev == above.st_dev
    }

    /// A link that comes with a repository of others may lead to any file of the user, whose words errors would quote.
    private static func readInPlace(_ path: String) throws -> [UInt8]? {
        var status = stat()
        if lstat(path, &status) == 0, status.isSymbolicLink {
            throw Failure(
                .wrongSetting,
                "\(path): open: expected a regular file, found a link; KEYFLIGHT_CONFIG names a file elsewhere")
        }
        return try read(path)
    }

    /// `nil` when there is none. A pipe or a device is refused without waiting for it.
    private static func read(_ path: String) throws -> [UInt8]? {
        do {
            // One byte more than is allowed is enough to be refused.
            guard let bytes = try ByteFile.beginning(of: path, atMost: SettingsText.longest + 1) else {
                throw Failure(.wrongSetting, "\(path): open: expected a regular file, found another one")
            }
            return bytes
        } catch Errno.noSuchFileOrDirectory {
            return nil
        } catch let error as Errno {
            throw Failure(.wrongSetting, "\(path): open: expected a readable file, found \(error)")
        }
    }
}
