import KeyModel
import Libc

/// The program file of an app, and whether an adapter can be loaded into it.
struct AppProgram {
    let path: String

    init(path: String) { self.path = path }

    /// Looks in the folders of `PATH` for a name without a slash.
    /// - Throws: a `Failure` where there is no program of that name.
    init(named name: String, paths: String?) throws {
        let folders = (paths ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":", omittingEmptySubsequences: false)
        let candidates = name.contains("/") ? [name] : folders.map { ($0.isEmpty ? "." : $0) + "/" + name }
        let found = candidates.first { AppProgram.isFile($0) && Files.mayExecute($0) }
        guard let found else {
            let reason: String
            if !name.contains("/") {
                reason = "none in PATH"
            } else if AppProgram.isFile(name) {
                reason = "a file that may not be executed"
            } else {
                reason = Files.exists(name) ? "a folder" : "nothing"
            }
            throw Failure(.notLaunchable, "\(VisibleText.escaped(name)): run: expected a program, found \(reason)")
        }
        path = found
        if let interpreter, !Files.mayExecute(interpreter) {
            throw Failure(
                .notLaunchable,
                "\(VisibleText.escaped(name)): run: expected a script whose interpreter is there, found one for "
                    + VisibleText.escaped(interpreter))
        }
    }

    /// The interpreter that the first line of a script names.
    private var interpreter: String? {
        guard let start = try? ByteFile.beginning(of: path, atMost: 256), start.starts(with: Array("#!".utf8)) else {
            return nil
        }
        let line = start.dropFirst(2).prefix { $0 != 0x0A && $0 != 0x0D }
        return String(decoding: line, as: UTF8.self).split(separator: " ").first.map(String.init)
    }

    private static func isFile(_ path: String) -> Bool { Files.exists(path) && !Files.isFolder(path) }

    /// The reason why no adapter can be loaded into it, as far as the file shows.
    var obstacle: String? {
        guard let data = try? ByteFile.beginning(of: path, atMost: 4096), data.count > 20 else {
            return nil
        }
        if data.starts(with: Array("#!".utf8)) { return "a script: name the program that it starts" }
        #if os(Linux)
            guard data.starts(with: [0x7F, 0x45, 0x4C, 0x46]) else { return nil }
            guard let own = try? ByteFile.beginning(of: "/proc/self/exe", atMost: 20) else {
                return nil
            }
            // Class and machine (System V ABI, ELF header).
            guard data[4] == own[4], data[18] == own[18], data[19] == own[19] else {
                return "a program for another architecture"
            }
            guard data.firstRange(of: Array("ld-".utf8)) != nil else {
                return "a static program, which loads no libraries"
            }
        #endif
        return nil
    }
}
