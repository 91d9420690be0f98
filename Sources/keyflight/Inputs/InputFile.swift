import CaptureImport
import KeyModel
import Libc
import Scenes
import TraceFormat

/// What a verb was given to read: a file, or standard input, and what it holds by its content.
struct InputFile {
    enum Content {
        case trace(TraceReader)
        case capture([UInt8])
        case script([UInt8])
        case scene([UInt8])
    }

    /// As it was named, for messages and reports.
    var name: String
    var content: Content

    /// `waits`: until a recording that was only just created has a header.
    init(_ path: String, _ console: Console, waits: Bool = false) throws {
        var bytes = try path == "-" ? console.standardInput() : ByteFile.open(path)
        while waits, path != "-", bytes.mayBecomeTrace {
            InputFile.pause()
            bytes = try ByteFile.open(path)
        }
        // What is being written has no end to compare with.
        if !waits { console.progress.follow([bytes]) }
        try self.init(bytes)
    }

    /// How long a file that is being written is left alone between two looks at it.
    static func pause() {
        var time = timespec()
        time.tv_nsec = 20_000_000
        nanosleep(&time, nil)
    }

    init(name: String, bytes: [UInt8]) throws { try self.init(TraceBytes(bytes, file: name)) }

    /// A trace and a capture have their magic; text that is neither is a key script. A trace is read piece by piece,
    /// everything else in memory.
    init(_ bytes: TraceBytes) throws {
        name = bytes.file ?? ""
        do {
            content = .trace(try TraceReader(bytes))
            return
        } catch where error.code == .unsupportedVersion {
            throw Failure(reading: error)
        } catch {
            // No trace: something else then.
        }
        if bytes.isTextTwin { throw Failure(textTwin: name) }
        let bytes = bytes.withBytes { Array($0) }
        if CaptureImporter.isCapture(bytes) {
            content = .capture(bytes)
        } else if KeyScript.isDeclared(bytes) {
            content = .script(bytes)
        } else if InputFile.isText(bytes) {
            content = InputFile.beginsAsScene(bytes) ? .scene(bytes) : .script(bytes)
        } else {
            let found = bytes.isEmpty ? "an empty file" : InputFile.firstBytes(bytes)
            throw Failure(
                .unknownContent,
                "\(name): byte 0: content: expected a trace, a capture or a key script, found \(found)")
        }
    }

    /// A scene says so in its first line that is no comment.
    private static func beginsAsScene(_ bytes: [UInt8]) -> Bool {
        for line in bytes.split(separator: 0x0A) {
            let words = line.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            if words.isEmpty || words.first == UInt8(ascii: "#") || words.starts(with: Array("---".utf8)) { continue }
            return words.starts(with: Array("scene:".utf8))
        }
        return false
    }

    var isScene: Bool { if case .scene = content { true } else { false } }

    /// UTF-8 without control characters other than tabs and line ends.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        if bytes.isEmpty { return false }
        let hasControls = bytes.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D || $0 == 0x7F }
        return !hasControls && String(validating: bytes, as: UTF8.self) != nil
    }

    private static func firstBytes(_ bytes: [UInt8]) -> String {
        "bytes " + bytes.prefix(8).map { $0.hexadecimal(2) }.joined(separator: " ")
    }
}
