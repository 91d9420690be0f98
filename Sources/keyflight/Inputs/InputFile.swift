import CaptureImport
import KeyModel
import Libc
import Scenes
import SystemPackage
import TraceFormat

/// The input given to a verb: a file, or standard input, and its kind by its content.
struct InputFile {
    enum Content {
        case trace(TraceReader)
        /// Read piece by piece where it is a file.
        case capture(CaptureImporter.Input)
        case script([UInt8])
        case scene([UInt8])
    }

    /// The name as it was given, for messages and reports.
    var name: String
    var content: Content

    /// `waits`: until a recording that was only just created has a header.
    init(_ path: String, _ console: Console, waits: Bool = false) throws {
        var bytes = try path == "-" ? console.standardInput() : ByteFile.open(path)
        while waits, path != "-", bytes.mayBecomeTrace {
            InputFile.pause()
            bytes = try ByteFile.open(path)
        }
        // A file that is being written has no end to compare with.
        if !waits { console.progress.follow([bytes]) }
        try self.init(bytes, path: path == "-" ? nil : path, console.capture)
    }

    /// Bytes of a key script or a scene.
    private static let longestText = 1 << 24
    /// The number of bytes that are enough to recognise a capture.
    private static let headBytes = 1 << 12

    /// Pauses between two looks at a file that is being written.
    static func pause() { usleep(20_000) }

    /// A trace and a capture have their magic; text that is neither is a key script. Traces and captures are read piece
    /// by piece, text in memory. `standardInput`: what is read without a path, as a capture.
    private init(_ bytes: TraceBytes, path: String?, _ standardInput: CaptureImporter.Input) throws {
        name = bytes.file ?? ""
        do {
            content = .trace(try TraceReader(bytes))
            return
        } catch where error.code == .unsupportedVersion {
            throw Failure(reading: error)
        } catch {
            // No trace: something else then.
        }
        if bytes.isTextFormat { throw Failure(textFormat: name) }
        let head = bytes.prefix(InputFile.headBytes)
        if CaptureImporter.isCapture(head) {
            content = .capture(InputFile.capture(bytes, path, standardInput))
            return
        }
        guard !head.isEmpty, !InputFile.hasControls(head) else { throw InputFile.unknown(head, name) }
        guard bytes.count <= InputFile.longestText else {
            throw Failure(
                .unknownContent,
                "\(name): content: expected at most \(InputFile.longestText) bytes of a key script or a scene, "
                    + "found \(bytes.count)")
        }
        let bytes = bytes.withBytes { Array($0) }
        if KeyScript.isDeclared(bytes) {
            content = .script(bytes)
        } else if InputFile.isText(bytes) {
            content = InputFile.beginsAsScene(bytes) ? .scene(bytes) : .script(bytes)
        } else {
            throw InputFile.unknown(bytes, name)
        }
    }

    /// A file is opened anew, from its start; what is in memory is taken from there.
    private static func capture(
        _ bytes: TraceBytes, _ path: String?, _ standardInput: CaptureImporter.Input
    ) -> CaptureImporter.Input {
        let name = bytes.file ?? ""
        guard bytes.isInFile else {
            return CaptureImporter.Input(name: name, .bytes(bytes.withBytes { Array($0) }))
        }
        guard let path else { return standardInput }
        return CaptureImporter.Input(name: name, .file(FilePath(path)))
    }

    private static func unknown(_ head: [UInt8], _ name: String) -> Failure {
        let found = head.isEmpty ? "an empty file" : firstBytes(head)
        return Failure(
            .unknownContent,
            "\(name): byte 0: content: expected a trace, a capture or a key script, found \(found)")
    }

    /// True for a scene: its first line that is no comment declares it.
    private static func beginsAsScene(_ bytes: [UInt8]) -> Bool {
        for line in bytes.split(separator: 0x0A) {
            let words = line.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            if words.isEmpty || words.first == UInt8(ascii: "#") || words.starts(with: Array("---".utf8)) { continue }
            return words.starts(with: Array("scene:".utf8))
        }
        return false
    }

    var isScene: Bool { if case .scene = content { true } else { false } }

    /// The failure of a command that needs keys and was given a scene.
    var missingKeys: Failure {
        Failure(.otherInput, "\(name): keys: expected a trace, a capture or a key script, found a scene")
    }

    /// UTF-8 without control characters other than tabs and line ends.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        !bytes.isEmpty && !hasControls(bytes) && String(validating: bytes, as: UTF8.self) != nil
    }

    private static func hasControls(_ bytes: [UInt8]) -> Bool {
        bytes.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D || $0 == 0x7F }
    }

    private static func firstBytes(_ bytes: [UInt8]) -> String {
        "bytes " + bytes.prefix(8).map { $0.hexadecimal(2) }.joined(separator: " ")
    }
}
