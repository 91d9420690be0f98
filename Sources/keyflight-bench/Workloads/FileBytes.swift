import Libc

/// Whole files in and out.
enum FileBytes {
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let action: String
        let code: Int32
        var description: String { "\(path): cannot \(action) it: \(String(cString: strerror(code)))" }
    }

    static func contents(of path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { throw Failure(path: path, action: "open", code: errno) }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0 else { throw Failure(path: path, action: "measure", code: errno) }
        var failure: Failure?
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(facts.st_size)) { buffer, count in
            while count < buffer.count {
                let got = read(file, buffer.baseAddress.map { $0 + count }, buffer.count - count)
                if got < 0 { failure = Failure(path: path, action: "read", code: errno) }
                guard got > 0 else { return }
                count += got
            }
        }
        if let failure { throw failure }
        return bytes
    }

    static func store(_ bytes: [UInt8], at path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard file >= 0 else { throw Failure(path: path, action: "create", code: errno) }
        defer { close(file) }
        try send(bytes, to: file, named: path)
    }

    static func send(_ bytes: [UInt8], to file: Int32, named path: String) throws {
        var done = 0
        while done < bytes.count {
            let wrote = bytes.withUnsafeBytes { all in
                write(file, all.baseAddress.map { $0 + done }, all.count - done)
            }
            guard wrote > 0 else { throw Failure(path: path, action: "write", code: errno) }
            done += wrote
        }
    }
}

/// A folder for this process's inputs that is gone when its owner is.
final class TemporaryFolder {
    let path: String
    private var files: [String] = []
    private var folders: [String] = []

    init() throws {
        var template = Array("/tmp/keyflight-bench.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw FileBytes.Failure(path: "/tmp", action: "make a folder in", code: errno)
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The path of a file in it, whether it exists or not.
    func file(_ name: String) -> String {
        let full = path + "/" + name
        if !files.contains(full) { files.append(full) }
        return full
    }

    /// Makes a folder in it.
    func folder(_ name: String) throws -> String {
        let full = path + "/" + name
        guard mkdir(full, 0o700) == 0 else {
            throw FileBytes.Failure(path: full, action: "make", code: errno)
        }
        folders.append(full)
        return full
    }

    deinit {
        for file in files { unlink(file) }
        for folder in folders { rmdir(folder) }
        rmdir(path)
    }
}

enum StandardStreams {
    /// Output that nobody reads any more is no failure of the measurement.
    static func print(_ text: String) { try? FileBytes.send(Array(text.utf8), to: 1, named: "standard output") }
    static func note(_ text: String) { try? FileBytes.send(Array((text + "\n").utf8), to: 2, named: "standard error") }
    static func end(with code: Int32) -> Never { exit(code) }
}
