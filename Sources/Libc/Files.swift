/// Files and folders by their paths.
package enum Files {
    // MARK: Questions

    /// Follows links: false for one that leads nowhere.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
    package static func mayRead(_ path: String) -> Bool { access(path, R_OK) == 0 }
    package static func mayWrite(_ path: String) -> Bool { access(path, W_OK) == 0 }
    package static func mayExecute(_ path: String) -> Bool { access(path, X_OK) == 0 }

    /// Follows links.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.isFolder
    }

    /// The path without links; `nil` where it leads nowhere.
    package static func resolved(_ path: String) -> String? {
        guard let whole = realpath(path, nil) else { return nil }
        defer { free(whole) }
        return String(cString: whole)
    }

    /// The path that a link contains; `nil` for anything else.
    package static func target(ofLink path: String) -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard case let length = readlink(path, &target, target.count), length >= 0 else { return nil }
        return String(decoding: target[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    // MARK: Folders

    /// Names in a folder, sorted.
    package static func names(in folder: String) throws(SystemError) -> [String] {
        guard let stream = opendir(folder) else { throw SystemError(code: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw SystemError(code: errno) }
        return names.sorted()
    }

    /// Paths of all that is in a folder and in the folders in it. Links are not followed; a folder that cannot be read
    /// has nothing in it.
    package static func paths(below folder: String) -> some Sequence<String> {
        func paths(in folder: String) -> [String] {
            ((try? names(in: folder)) ?? []).reversed().map { "\(folder)/\($0)" }
        }
        return sequence(state: paths(in: folder)) { waiting in
            guard let path = waiting.popLast() else { return nil }
            var status = stat()
            if lstat(path, &status) == 0, status.isFolder { waiting += paths(in: path) }
            return path
        }
    }

    /// Makes a folder and those above it, unless it is there.
    package static func makeFolder(_ path: String) throws(SystemError) {
        if mkdir(path, 0o777) == 0 || isFolder(path) { return }
        let (code, parent) = (errno, parent(of: path))
        guard code == ENOENT, parent != path else { throw SystemError(code: code) }
        try makeFolder(parent)
        guard mkdir(path, 0o777) == 0 || isFolder(path) else { throw SystemError(code: errno) }
    }

    // MARK: Changes

    /// Removes a file, a link, or a folder with what is in it.
    package static func remove(_ path: String) throws(SystemError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw SystemError(code: errno) }
        if status.isFolder {
            for name in try names(in: path) { try remove("\(path)/\(name)") }
        }
        guard (status.isFolder ? rmdir(path) : unlink(path)) == 0 else { throw SystemError(code: errno) }
    }

    package static func move(_ path: String, to other: String) throws(SystemError) {
        guard rename(path, other) == 0 else { throw SystemError(code: errno) }
    }

    /// Puts bytes in place in one step, so that no reader gets half of them. They replace a link, not its target.
    package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let parent = path.contains("/") ? parent(of: path) : "."
        var temporary = ""
        var descriptor: Int32 = -1
        // O_EXCL decides between processes; the number only has to be free.
        for attempt in 0..<1000 where descriptor < 0 {
            temporary = "\(parent)/.\(name(of: path)).\(getpid())-\(attempt).tmp"
            descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard descriptor >= 0 || errno == EEXIST else { throw SystemError(code: errno) }
        }
        guard descriptor >= 0 else { throw SystemError(code: EEXIST) }
        var code = append(bytes, to: descriptor)
        if code == 0, fsync(descriptor) != 0 { code = errno }
        if close(descriptor) != 0, code == 0 { code = errno }
        if code == 0, rename(temporary, path) != 0 { code = errno }
        guard code == 0 else {
            unlink(temporary)
            throw SystemError(code: code)
        }
    }

    /// 0, or the system's code where not all could be written.
    private static func append(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Libc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return errno }
            rest.removeFirst(max(0, count))
        }
        return 0
    }

    // MARK: Paths

    /// The last component; that of a path with a slash at its end too.
    package static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The folder of a path; `.` for a single name.
    package static func parent(of path: String) -> String {
        let components = path.split(separator: "/").dropLast()
        return (path.hasPrefix("/") ? "/" : components.isEmpty ? "." : "") + components.joined(separator: "/")
    }

    /// An absolute path without empty components, `.` and `..`. Links are not looked at: the parent of a link is that
    /// of its own path.
    package static func standardized(_ path: String) -> String {
        let whole = path.hasPrefix("/") ? path : (resolved(".") ?? "") + "/" + path
        var components: [Substring] = []
        for component in whole.split(separator: "/") where component != "." {
            if component == ".." { _ = components.popLast() } else { components.append(component) }
        }
        return "/" + components.joined(separator: "/")
    }

    /// An absolute path of the same file, without links in its folders; as `standardized` where its folder is not
    /// there.
    package static func resolvedFolder(of path: String) -> String {
        guard let folder = resolved(parent(of: path)) else { return standardized(path) }
        return (folder == "/" ? "" : folder) + "/" + name(of: path)
    }
}

/// A refusal of the system.
package struct SystemError: Error, Hashable, CustomStringConvertible {
    package let code: Int32

    package init(code: Int32) { self.code = code }

    /// The reason, in the system's words.
    package var description: String { String(cString: strerror(code)) }
}

/// The environment variables of this process.
package var environmentVariables: [String: String] {
    var variables: [String: String] = [:]
    var next = environ
    while let word = next.pointee {
        let parts = String(cString: word).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
        next += 1
    }
    return variables
}
