import Libc
import Testing

@testable import TraceFormat

/// A directory of its own for one test, removed at the end.
private final class Directory {
    let path: String
    init() throws {
        var template = Array("/tmp/keyflight-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } != nil }
        try #require(made)
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }
    deinit {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
    }
    var names: [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

@Suite struct TraceFileTests {
    private func content(_ path: String) throws -> String {
        try TraceFile.read(path).withBytes { String(decoding: $0, as: UTF8.self) }
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test func `a result appears under its name when it is whole, with mode 0600`() throws {
        let directory = try Directory()
        let path = directory.path + "/out.keyflight"
        let output = try TraceFileOutput(publishingTo: path)
        try output.write("half")
        #expect(!directory.names.contains("out.keyflight"))
        #expect(directory.names.count == 1)
        try output.publish()
        #expect(directory.names == ["out.keyflight"])
        #expect(try content(path) == "half")
        #expect(mode(path) == 0o600)
    }

    @Test func `a result that is given up leaves nothing`() throws {
        let directory = try Directory()
        do {
            let output = try TraceFileOutput(publishingTo: directory.path + "/out")
            try output.write("half")
        }
        #expect(directory.names == [])
    }

    @Test func `nothing is replaced, and force replaces a regular file only`() throws {
        let directory = try Directory()
        let path = directory.path + "/out"
        let first = try TraceFileOutput(publishingTo: path)
        let rival = try TraceFileOutput(publishingTo: path)
        try first.write("first")
        try first.publish()
        try rival.write("rival")
        #expect(throws: TraceError.self) { try rival.publish() }
        rival.discard()
        #expect(try content(path) == "first")
        let error = #expect(throws: TraceError.self) { try TraceFileOutput(publishingTo: path) }
        #expect(error?.description.contains("--force") == true)
        let forced = try TraceFileOutput(publishingTo: path, replacing: .regularFile)
        try forced.write("forced")
        try forced.publish()
        #expect(try content(path) == "forced")
        let linked = directory.path + "/link"
        #expect(symlink(path, linked) == 0)
        #expect(throws: TraceError.self) { try TraceFileOutput(publishingTo: linked, replacing: .regularFile) }
        #expect(directory.names == ["link", "out"])
    }

    @Test func `a recording creates its path at once and follows no link`() throws {
        let directory = try Directory()
        let path = directory.path + "/live"
        let output = try TraceFileOutput(recordingTo: path)
        try output.write("a")
        #expect(try content(path) == "a")
        try output.write("b")
        #expect(try content(path) == "ab")
        #expect(mode(path) == 0o600)
        #expect(throws: TraceError.self) { try TraceFileOutput(recordingTo: path) }
        let dangling = directory.path + "/dangling"
        #expect(symlink(directory.path + "/nowhere", dangling) == 0)
        #expect(throws: TraceError.self) { try TraceFileOutput(recordingTo: dangling) }
        output.discard()
        #expect(try content(path) == "ab")
    }

    @Test(arguments: [EPERM, EOPNOTSUPP, ENOSYS, EMLINK])
    func `a file gets a free name where the file system has no hard links, and no other`(_ code: Int32) throws {
        let directory = try Directory()
        let (old, new) = (directory.path + "/old", directory.path + "/new")
        func withoutLinks(_ one: UnsafePointer<CChar>, _ other: UnsafePointer<CChar>) -> Int32 {
            errno = code
            return -1
        }
        let output = try TraceFileOutput(recordingTo: old)
        try output.write("mine")
        try TraceFile.takeFreeName(old, as: new, linking: withoutLinks)
        #expect(directory.names == ["new"])
        #expect(try content(new) == "mine")
        let next = try TraceFileOutput(recordingTo: old)
        try next.write("next")
        #expect(throws: TraceError.self) { try TraceFile.takeFreeName(old, as: new, linking: withoutLinks) }
        #expect(directory.names == ["new", "old"])
        #expect(try content(new) == "mine")
    }

    @Test func `directories that everybody may write to are refused unless sticky`() throws {
        let directory = try Directory()
        #expect(chmod(directory.path, 0o777) == 0)
        #expect(throws: TraceError.self) { try TraceFileOutput(publishingTo: directory.path + "/out") }
        #expect(throws: TraceError.self) { try TraceFileOutput(recordingTo: directory.path + "/out") }
        #expect(chmod(directory.path, 0o1777) == 0)
        let output = try TraceFileOutput(publishingTo: directory.path + "/out")
        try output.publish()
        #expect(directory.names == ["out"])
    }

    @Test func `what cannot be read or created says why`() throws {
        let error = #expect(throws: TraceError.self) { try TraceFile.read("/nonexistent/trace.keyflight") }
        #expect(error?.description.contains("No such file or directory") == true)
        #expect(error?.file == "/nonexistent/trace.keyflight")
        #expect(throws: TraceError.self) { try TraceFileOutput(publishingTo: "/nonexistent/out") }
        #expect(throws: TraceError.self) { try TraceFile.read("/tmp") }
        let directory = try Directory()
        try TraceFileOutput(recordingTo: directory.path + "/file").publish()
        let below = #expect(throws: TraceError.self) {
            try TraceFileOutput(publishingTo: directory.path + "/file/")
        }
        #expect(below?.file == directory.path + "/file/")
    }

    #if os(Linux)
    @Test func `a full disk is a clear error`() throws {
        let error = #expect(throws: TraceError.self) {
            let descriptor = try TraceFile.opened("/dev/full", O_WRONLY, 0)
            try TraceFileOutput(descriptor: descriptor, path: "/dev/full").write("x")
        }
        #expect(error?.systemError == ENOSPC)
        #expect(error?.description.contains("No space left") == true)
    }
    #endif
}
