import ArgumentParser
import Foundation
import Synchronization

@testable import keyflight

/// One run of the program inside the test process, with streams in memory.
struct CommandRun {
    var status: Int32
    var output: [UInt8]
    var notes: String

    init(_ arguments: String..., stdin: [UInt8] = []) { self.init(arguments, stdin: stdin) }

    init(_ arguments: [String], stdin: [UInt8] = [], environment: ProcessEnvironment = .none) {
        let console = Console(stdin: stdin, environment: environment)
        status = Keyflight.run(arguments, on: console, parser: ParsedCommands.parse).rawValue
        output = console.output.collected
        notes = String(decoding: console.collectedNotes, as: UTF8.self)
    }

    var text: String { String(decoding: output, as: UTF8.self) }
    var lines: [String] { text.split(separator: "\n").map(String.init) }
    /// The output with files named as if they lay here.
    var withoutFolders: String {
        text.replacingOccurrences(of: Files.path("Traces"), with: "Traces")
    }
    /// What stands on standard error, a line each.
    var noteLines: [String] {
        notes.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}

/// A verb whose input is often a file in a folder of one test, which no other command line names.
private protocol ReadsInput: Verb {
    var input: InputOptions { get set }
}
extension Bindings: ReadsInput {}
extension Explain: ReadsInput {}
extension Info: ReadsInput {}
extension Lint: ReadsInput {}
extension Replay: ReadsInput {}
extension Show: ReadsInput {}
extension Stats: ReadsInput {}
extension Tail: ReadsInput {}
extension Top: ReadsInput {}
extension Verify: ReadsInput {}

/// Command lines that were parsed once. In debug builds ArgumentParser validates every option of the verb many times,
/// which takes longer than most runs.
private enum ParsedCommands {
    /// A value, which each run copies.
    private struct Command: @unchecked Sendable { let value: any ParsableCommand }

    private static let known = Mutex<[[String]: Command]>([:])

    /// Lines that differ in the file they read alone are parsed once.
    static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        guard arguments.count > 1, arguments[1].hasPrefix("/") else { return try parsed(arguments) }
        var line = arguments
        line[1] = "/input"
        guard var verb = try? parsed(line) as? any ReadsInput else { return try parsed(arguments) }
        verb.input.input = arguments[1]
        return verb
    }

    private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        if let command = known.withLock({ $0[arguments] }) { return command.value }
        let command = Command(value: try Keyflight.parsed(arguments))
        known.withLock { $0[arguments] = command }
        return command.value
    }
}

/// Folders that a test may write to, and files of the package that it reads.
enum Files {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A file of the package, by its path.
    static func path(_ relative: String) -> String { root.appending(path: relative).path }

    static func bytes(_ path: String) -> [UInt8] { [UInt8](FileManager.default.contents(atPath: path) ?? Data()) }

    static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }

    /// Runs `body` with an empty folder that only its owner may write to.
    static func withFolder<R>(_ body: (String) throws -> R) throws -> R {
        let folder = try emptyFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try body(folder)
    }

    static func withFolder<R>(_ body: (String) async throws -> R) async throws -> R {
        let folder = try emptyFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder)
    }

    private static func emptyFolder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "keyflight-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder
    }

    static func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(filePath: path)) }

    static func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    static func setPermissions(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    static func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    static func permissions(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]) as? Int
    }
}
